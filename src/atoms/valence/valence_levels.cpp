#include "atoms/valence/valence_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>

#include "atoms/angular/angular.hpp"
#include "atoms/configurations/term_analysis.hpp"
#include "atoms/core_valence/core_breit.hpp"
#include "atoms/core_valence/core_response.hpp"
#include "atoms/core_valence/structural_radiation.hpp"
#include "atoms/correlation/core_polarisation.hpp"
#include "atoms/properties/hyperfine_units.hpp"
#include "atoms/valence/coupled_space.hpp"
#include "atoms/valence/isotope_fields.hpp"
#include "atoms/valence/three_electrons.hpp"
#include "core/common/error.hpp"
#include "core/common/threads.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet {
namespace {

constexpr double kShownPart = 0.05;  // percent: smaller parts of a level are not listed
constexpr double kShownPair = 1;     // percent
/// The box holds an outermost electron that has no larger effective quantum number.
constexpr double kLargestEffectiveN = 4.5;
constexpr int kMostRoots = 32;   // of one J and parity
constexpr int kLargestTwoJ = 8;  // of levels that no configuration asks for
/// The stated error (docs/theory/core-valence.md) is made of shares of what Sigma changes in the distance of
/// a level from the lowest one, and of the larger one of their shifts.
constexpr double kShareOfChange = 0.4, kShareOfShift = 0.04;
/// With more than two electrons it has shares too of what configurations that were left out give in second
/// order, which gives too much of it, and of all excitations to spinors outside of the first few, of which
/// there are none with larger l.
constexpr double kShareOfRest = 0.6, kShareOfExcitations = 0.1;
/// Light above this part of the smallest distance of a core spinor from one above acts as light of that
/// frequency.
constexpr double kLargestFrequency = 0.7;
constexpr double kFitted = 1e-10;  // hartree, of energies that factors are fitted to
constexpr double kLargestFactor = 10;
constexpr int kMostFitRounds = 50;
constexpr double kNamedShare = 2;     // percent: configurations with less of a level do not name it
constexpr double kThreeShare = 0.01;  // of a state, that a configuration has for Sigma_3 to be computed

/// The shells of the electrons above the core, in the order of names.
using Shells = std::vector<std::pair<int, int>>;

std::string nameOf(const Shells& shells) {
  std::string text;
  std::map<std::pair<int, int>, int> electrons;
  for (const auto& s : shells) ++electrons[s];
  for (const auto& [shell, count] : electrons)
    text += (text.empty() ? "" : " ") + Shell{shell.first, shell.second}.name() + std::to_string(count);
  return text;
}

std::string termName(int multiplicity, int l, bool odd) {
  std::string letter(1, letterOfL(l));
  letter[0] = static_cast<char>(std::toupper(letter[0]));
  return std::to_string(multiplicity) + letter + (odd ? "o" : "");
}

/// What a level is called, and the shares of all terms of all configurations in it, in percent.
struct LevelName {
  Shells shells;
  std::string term;
  double percent = 0;
  std::map<std::pair<Shells, std::string>, double> terms{};
};

/// States of one J and parity over one electron's spinors or pairs of them.
struct ValenceStates {
  int twoJ = 0;
  bool odd = false;
  int symmetry = -1;                      ///< of one electron
  std::optional<PairSpace> pairs{};       ///< of two
  std::optional<CoupledSpace> coupled{};  ///< of more
  Eigen::VectorXd rest{}, first{};        ///< of more, as in CoupledStates
  Eigen::MatrixXd with{}, without{};      ///< the Hamiltonian with Sigma and without
  Eigen::VectorXd values{}, plainValues{};
  Eigen::MatrixXd vectors{}, plainVectors{};
  std::vector<LevelName> names{};  ///< of the levels
};

class ValenceSolver {
 public:
  ValenceSolver(const OrbitalSpace& orbitals, const Configuration& core, double coreEnergy,
                const ValenceRequest& request, CorrelationEngine& engine, ThreadPool& pool,
                const Checkpoint& checkpoint)
      : request_(request),
        coreEnergy_(coreEnergy),
        pool_(pool),
        checkpoint_(checkpoint),
        space_(valenceSpace(orbitals, core, request.spinors, pool)) {
    for (const LevelSpace::Part& part : request.configurations) named_.insert(shellsAbove(part));
    const bool hasResponse = request.iteratedRings && !space_.holes.empty(),
               hasBreit = orbitals.repulsion() != TwoElectronOperator::Coulomb;
    const bool hasRadiation = this->hasResponse() && request.structuralRadiation;
    if (hasResponse || hasBreit || hasRadiation || request.recoil != 0) {
      std::vector<ExcitedSpinors> excited = excitedSpinors(space_, pool);
      if (hasBreit)
        added_.push_back(std::make_unique<CoreBreit>(space_, excited, orbitals.repulsion(), pool));
      if (request.recoil != 0)
        added_.push_back(std::make_unique<CoreBreit>(
            space_, excited, std::make_unique<RecoilInteraction>(orbitals, request.field, request.recoil),
            pool));
      if (hasResponse || hasRadiation)
        excitations_.emplace(coreExcitations(orbitals, space_.factors(), std::move(excited), pool));
      if (hasResponse) response_.emplace(space_, *excitations_, pool);
      if (hasRadiation)
        radiation_.emplace(space_, StructuralRadiation::valenceOf(space_), *excitations_, pool);
    }
    std::vector<std::vector<Eigen::MatrixXd>> rest;
    const std::vector<Eigen::MatrixXd> sigma = secondOrder(engine, [&] {
      if (request.electrons > 1) makeInteraction();
      rest = beyondSecondOrder();
    });
    makeOneBody(sigma, rest);
    if (request.electrons > 2) makePlaces();
  }

  ValenceIntegrals integrals() {
    std::vector<ValenceShells> configurations;
    for (const LevelSpace::Part& part : request_.configurations) {
      ValenceShells& shells = configurations.emplace_back();
      for (const auto& shell : shellsAbove(part)) {
        const auto same = std::ranges::find_if(
            shells, [&](const Shell& s) { return s.n == shell.first && s.l == shell.second; });
        if (same == shells.end())
          shells.push_back({shell.first, shell.second, 0, 1});
        else
          ++same->electrons;
      }
    }
    return {valenceParameters(hamiltonian(true), configurations, pool_),
            valenceParameters(hamiltonian(false), configurations, pool_),
            space_.holes.empty() ? 0 : smallestExcitation(space_)};
  }

  ValenceLevels levels() {
    const std::map<std::pair<int, bool>, int> wanted = wantedBlocks();
    if (request_.electrons > 2)
      for (const bool odd : {false, true}) solveCoupled(odd, wanted);
    else
      solveBlocks(wanted);
    ValenceLevels result;
    result.spinors = static_cast<int>(space_.spinors.size());
    result.factors = factors_;
    result.smallestExcitation = space_.holes.empty() ? 0 : smallestExcitation(space_);
    collect(result);
    return result;
  }

 private:
  /// Sigma_1 of second order of each symmetry. While a GPU sums them, the processors do `meanwhile`.
  std::vector<Eigen::MatrixXd> secondOrder(CorrelationEngine& engine,
                                           const std::function<void()>& meanwhile) const {
    std::vector<Eigen::MatrixXd> sums(space_.holes.empty() ? 0 : usize(space_.symmetries()));
    const auto sumAll = [&](ThreadPool& pool, const Checkpoint& checkpoint) {
      for (std::size_t s = 0; s < sums.size(); ++s)
        sums[s] = selfEnergy(space_, static_cast<int>(s), engine, pool, checkpoint, request_.allWaves);
    };
    ThreadPool own(1);
    WorkerThreads beside;
    if (engine.takesThreads() || beside.start(1, [&](int) { sumAll(own, {}); }) == 0)
      sumAll(pool_, checkpoint_);
    meanwhile();
    beside.join();
    return sums;
  }

  /// What the polarisation to all orders and interactions beside the repulsion add to Sigma_1 of each
  /// symmetry.
  std::vector<std::vector<Eigen::MatrixXd>> beyondSecondOrder() const {
    std::vector<std::vector<Eigen::MatrixXd>> parts(space_.holes.empty() ? 0 : usize(space_.symmetries()));
    for (std::size_t s = 0; s < parts.size(); ++s) {
      if (response_) parts[s].push_back(response_->selfEnergy(static_cast<int>(s)));
      for (const auto& added : added_) parts[s].push_back(added->selfEnergy(static_cast<int>(s)));
    }
    return parts;
  }

  void makeOneBody(const std::vector<Eigen::MatrixXd>& second,
                   const std::vector<std::vector<Eigen::MatrixXd>>& beyond) {
    for (int s = 0; s < space_.symmetries(); ++s) {
      const Eigen::MatrixXd h = space_.coreField(s) + operators(s);
      plain_.push_back(h);
      with_.push_back(h);
      operands_.push_back(space_.functions[usize(s)]);
      if (second.empty()) continue;
      Eigen::MatrixXd sigma = second[usize(s)];
      for (const Eigen::MatrixXd& part : beyond[usize(s)]) sigma += part;
      sigma *= factorOf(s, h, sigma.bottomRightCorner(h.rows(), h.cols()));
      with_.back() += sigma.bottomRightCorner(h.rows(), h.cols());
      addCoreTo(operands_.back(), s, sigma.topRightCorner(sigma.rows() - h.rows(), h.cols()));
    }
  }
  /// The valence spinors with what Sigma_1 mixes into them of the core's spinors, which are occupied: that
  /// says nothing about the energy in second order, but operators that act near the nucleus are large there.
  void addCoreTo(SpinorFunctions& f, int s, Eigen::MatrixXd sigma) const {
    const SymmetryOrbitals& o = space_.orbitals.symmetries()[usize(s)];
    if (o.closed == 0) return;
    sigma.array().colwise() /= space_.lowest(s) - o.energies.head(o.closed).array();
    f.large += o.large.leftCols(o.closed) * sigma;
    if (f.small.rows() > 0) f.small += o.small.leftCols(o.closed) * sigma;
  }
  const ValenceSpinor& spinor(int s, int i) const {
    return space_.spinors[usize(space_.first[usize(s)] + i)];
  }

  void makeInteraction() {
    coulomb_.emplace(coulombTable(space_, pool_));
    if (space_.holes.empty()) return;
    rings_.emplace(ringTable(space_, pool_, checkpoint_));
    if (response_) response_->addTo(*rings_);
    std::vector<const CoreBreit*> list;
    for (const auto& added : added_) {
      addedRings_.push_back(added->rings());
      list.push_back(added.get());
    }
    holes_.emplace(space_, pool_, std::move(list));
  }

  ValenceHamiltonian hamiltonian(bool sigma) const {
    ValenceHamiltonian h{space_, sigma ? with_ : plain_, {}};
    if (coulomb_) h.interactions.push_back(&*coulomb_);
    for (const auto& added : added_) h.interactions.push_back(&added->interaction());
    if (sigma) addRings(h);
    if (sigma && holes_) h.holes = &*holes_;
    return h;
  }

  /// What Sigma adds to the Hamiltonian.
  ValenceHamiltonian sigma() const {
    ValenceHamiltonian h{space_, {}, {}};
    for (std::size_t s = 0; s < with_.size(); ++s) h.oneBody.push_back(with_[s] - plain_[s]);
    addRings(h);
    if (holes_) h.holes = &*holes_;
    return h;
  }
  void addRings(ValenceHamiltonian& h) const {
    if (rings_) h.interactions.push_back(&*rings_);
    for (const PairTable& table : addedRings_) h.interactions.push_back(&table);
  }

  void makePlaces() {
    withPlaces_.emplace(hamiltonian(true), pool_);
    plainPlaces_.emplace(hamiltonian(false), pool_);
    if (!space_.holes.empty()) three_.emplace(space_, *withPlaces_, request_.spinors.eigenvectors);
  }

  /// What the field has beside the nucleus, between the valence spinors of a symmetry.
  Eigen::MatrixXd operators(int s) const {
    const ValenceFunctions& f = space_.functions[usize(s)];
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(f.count(), f.count());
    const Eigen::VectorXd& weight = space_.orbitals.weights();
    for (const RadialOperator& extra : request_.field.extra) {
      const SampledOperator sampled(extra, space_.orbitals.radii());
      const Eigen::VectorXd local = weight.cwiseProduct(sampled.local(space_.type(s)));
      matrix += f.large.transpose() * local.asDiagonal() * f.large +
                f.small.transpose() * local.asDiagonal() * f.small;
      if (sampled.coupling().size() > 0) {
        const Eigen::MatrixXd mixed =
            f.large.transpose() * weight.cwiseProduct(sampled.coupling()).asDiagonal() * f.small;
        matrix += mixed + mixed.transpose();
      }
    }
    return matrix;
  }

  /// What Sigma_1 of a symmetry is multiplied by; a fitted one by Newton's method.
  double factorOf(int s, const Eigen::MatrixXd& h, const Eigen::MatrixXd& sigma) {
    const auto place = std::ranges::find(factors_, space_.type(s), &SigmaFactor::type);
    if (place == factors_.end()) return 1;
    for (int round = 0; place->fitted; ++round) {
      const SymmetricEigen states(h + place->factor * sigma);
      const double missing = *place->fitted - states.eigenvalues()(0);
      if (std::abs(missing) < kFitted) break;
      const Eigen::VectorXd lowest = states.eigenvectors().col(0);
      place->factor += missing / lowest.dot(sigma * lowest);
      if (round == kMostFitRounds || !(std::abs(place->factor) < kLargestFactor))
        throw NotConvergedError(
            fmt::format("no factor of Sigma_1 gives the lowest level {} an energy of {:.6f} hartree",
                        spinor(s, 0).label(), *place->fitted));
    }
    return place->factor;
  }

  /// The wanted J and parities, and how many levels of each.
  std::map<std::pair<int, bool>, int> wantedBlocks() const {
    std::map<std::pair<int, bool>, int> wanted;
    if (request_.configurations.empty()) {
      if (request_.electrons == 1) {
        for (int s = 0; s < space_.symmetries(); ++s)
          wanted[{space_.type(s).twoJ(), space_.type(s).l() % 2 != 0}] = request_.roots;
      } else {
        for (int twoJ = request_.electrons % 2; twoJ <= kLargestTwoJ; twoJ += 2)
          for (const bool odd : {false, true}) wanted[{twoJ, odd}] = request_.roots;
      }
      return wanted;
    }
    for (const LevelSpace::Part& part : request_.configurations) {
      const std::vector<int> ls = valenceLs(part);
      if (ls.size() == 1) {
        for (const int twoJ : {2 * ls[0] - 1, 2 * ls[0] + 1})
          if (twoJ > 0) wanted[{twoJ, part.odd}] = std::max(wanted[{twoJ, part.odd}], request_.roots);
      } else if (ls.size() == 2) {
        for (int twoJ = std::max(0, 2 * std::abs(ls[0] - ls[1]) - 2); twoJ <= 2 * (ls[0] + ls[1]) + 2;
             twoJ += 2)
          wanted[{twoJ, part.odd}] = std::max(wanted[{twoJ, part.odd}], request_.roots);
      } else {
        int most = 0;
        for (const int l : ls) most += 2 * l + 1;
        for (int twoJ = request_.electrons % 2; twoJ <= most; twoJ += 2) {
          const auto states = static_cast<int>(statesOf(shellsAbove(part), twoJ));
          if (states > 0)
            wanted[{twoJ, part.odd}] = std::max({wanted[{twoJ, part.odd}], request_.roots, states});
        }
      }
    }
    return wanted;
  }

  /// All distributions over j of electrons in these shells.
  std::vector<ValenceOccupation> occupationsOf(const Shells& shells) const {
    std::set<ValenceOccupation> all{{}};
    for (const auto& [n, l] : shells) {
      std::set<ValenceOccupation> next;
      for (const ValenceOccupation& o : all)
        for (std::size_t a = 0; a < space_.spinors.size(); ++a) {
          const ValenceSpinor& s = space_.spinors[a];
          if (s.n != n || s.type.l() != l ||
              std::ranges::count(o, static_cast<int>(a)) >= s.type.degeneracy())
            continue;
          ValenceOccupation made = o;
          made.push_back(static_cast<int>(a));
          std::ranges::sort(made);
          next.insert(std::move(made));
        }
      all = std::move(next);
    }
    return {all.begin(), all.end()};
  }

  /// How many states of one J these shells have.
  Eigen::Index statesOf(const Shells& shells, int twoJ) const {
    const CoupledSpace space(space_, twoJ);
    Eigen::Index states = 0;
    for (const ValenceOccupation& o : occupationsOf(shells)) states += space.configurationOf(o).count();
    return states;
  }

  /// The l of the electrons above the core.
  std::vector<int> valenceLs(const LevelSpace::Part& part) const {
    std::vector<int> ls;
    for (const auto& shell : shellsAbove(part)) ls.push_back(shell.second);
    return ls;
  }

  Shells shellsAbove(const LevelSpace::Part& part) const {
    Shells shells;
    for (const Shell& s : part.shells) {
      int electrons = s.electrons;
      for (std::size_t a = 0; a < space_.orbitals.symmetries().size(); ++a) {
        const SymmetryOrbitals& o = space_.orbitals.symmetries()[a];
        if (o.symmetry.l() != s.l) continue;
        for (int c = 0; c < o.closed; ++c)
          if (o.n[usize(c)] == s.n) electrons -= o.symmetry.degeneracy();
      }
      for (int e = 0; e < electrons; ++e) shells.emplace_back(s.n, s.l);
    }
    std::ranges::sort(shells);
    return shells;
  }

  /// Blocks of one and two electrons, beside each other: much of what each takes is of one thread.
  void solveBlocks(const std::map<std::pair<int, bool>, int>& wanted) {
    pass(checkpoint_);
    std::vector<int> roots;
    for (const auto& [key, count] : wanted) {
      blocks_.push_back({key.first, key.second});
      roots.push_back(count);
    }
    const auto count = static_cast<int>(roots.size());
    std::deque<ThreadPool> pools;
    for (int worker = 0; worker < pool_.threads(); ++worker)
      pools.emplace_back(std::max(1, pool_.threads() / std::max(1, count)));
    pool_.forEach(count, [&](int i, int worker) {
      makeHamiltonian(blocks_[usize(i)], pools[usize(worker)]);
      solve(blocks_[usize(i)], roots[usize(i)], pools[usize(worker)]);
    });
  }

  void makeHamiltonian(ValenceStates& block, ThreadPool& pool) const {
    if (request_.electrons == 1) {
      for (int s = 0; s < space_.symmetries(); ++s)
        if (space_.type(s).twoJ() == block.twoJ && (space_.type(s).l() % 2 != 0) == block.odd)
          block.symmetry = s;
      if (block.symmetry < 0) return;
      block.with = with_[usize(block.symmetry)];
      block.without = plain_[usize(block.symmetry)];
      return;
    }
    block.pairs.emplace(space_, block.twoJ, block.odd);
    block.without = block.pairs->hamiltonian(hamiltonian(false), pool);
    block.with = block.pairs->hamiltonian(sigma(), pool);
    overColumns(block.with.cols(), pool, [&](Eigen::Index first, Eigen::Index count) {
      block.with.middleCols(first, count) += block.without.middleCols(first, count);
    });
  }

  /// All blocks of a parity, of more than two electrons.
  void solveCoupled(bool odd, const std::map<std::pair<int, bool>, int>& all) {
    std::vector<CoupledWish> wishes;
    for (const auto& [key, roots] : all)
      if (key.second == odd) wishes.push_back({key.first, roots});
    std::set<Shells> named;
    for (const Shells& shells : named_) {
      int l = 0;
      for (const auto& s : shells) l += s.second;
      if ((l % 2 != 0) == odd) named.insert(shells);
    }
    while (!wishes.empty()) {
      std::vector<CoupledStates> found =
          lowestCoupledStates(*withPlaces_, *plainPlaces_, space_, request_.electrons, odd, wishes, named, {},
                              pool_, checkpoint_);
      std::vector<ValenceStates> blocks;
      bool again = false;
      for (std::size_t i = 0; i < wishes.size(); ++i) {
        ValenceStates block{wishes[i].twoJ, odd};
        block.coupled.emplace(std::move(found[i].space));
        block.values = std::move(found[i].values);
        block.vectors = std::move(found[i].vectors);
        block.rest = std::move(found[i].rest);
        block.first = std::move(found[i].first);
        block.plainValues = std::move(found[i].plainValues);
        block.plainVectors = std::move(found[i].plainVectors);
        if (block.values.size() == 0) continue;
        block.names = coupledNames(block);
        // Until all levels of the named configurations are there.
        std::map<Shells, Eigen::Index> levels;
        for (const LevelName& name : block.names) ++levels[name.shells];
        const bool isWhole = std::ranges::all_of(
            named, [&](const Shells& s) { return levels[s] >= statesOf(s, wishes[i].twoJ); });
        if (!isWhole && wishes[i].count < std::min<Eigen::Index>(kMostRoots, block.coupled->size())) {
          again = true;
          wishes[i].count = std::min<Eigen::Index>(kMostRoots, 2 * wishes[i].count);
        }
        blocks.push_back(std::move(block));
      }
      if (again) continue;
      for (ValenceStates& block : blocks) blocks_.push_back(std::move(block));
      return;
    }
  }

  /// The terms of one configuration in a block, over determinants of its open places.
  struct Terms {
    LevelSpace space;
    std::vector<int> bits;
    std::unordered_map<Determinant, int> rows;
    Eigen::MatrixXd states;  ///< determinants x terms
    std::vector<std::string> names;
  };
  Terms termsOf(const Shells& shells, int twoJ, bool odd) const {
    Terms t{levelSpace((request_.core.empty() ? "" : request_.core + " ") + nameOf(shells)), {}, {}, {}, {}};
    t.bits = firstBits(t.space.open);
    LevelBlock block = prophet::blockOf(t.space, twoJ, odd);
    const TermStates terms = TermAnalysis(t.space, placesOf(t.space)).of(block).front();
    t.states = block.states * terms.vectors;
    t.rows = std::move(block.places);
    t.names = terms.names;
    return t;
  }

  /// A determinant of valence places as one of a configuration's open places, and the sign between them.
  std::pair<Determinant, double> openDeterminant(const CoupledSpace::Places& d, const Terms& t) const {
    Determinant made = 0;
    double sign = 1;
    std::vector<int> before;
    for (int e = 0; e < request_.electrons; ++e) {
      const ValencePlace& place = withPlaces_->places()[d[usize(e)]];
      const ValenceSpinor& s = space_.spinors[usize(place.spinor)];
      const auto open = std::ranges::find_if(
          t.space.open, [&](const LevelSpinor& o) { return o.n == s.n && o.symmetry == s.type; });
      if (open == t.space.open.end()) continue;  // of full shells, which change no sign
      const int bit = t.bits[usize(open - t.space.open.begin())] + (place.twoM + s.type.twoJ()) / 2;
      for (const int other : before)
        if (other > bit) sign = -sign;
      before.push_back(bit);
      made |= Determinant(1) << bit;
    }
    return {made, sign};
  }

  /// Names of the levels of more than two electrons: the configuration and term with the largest share.
  std::vector<LevelName> coupledNames(const ValenceStates& block) const {
    std::map<Shells, std::vector<const CoupledSpace::Configuration*>> members;
    for (const CoupledSpace::Configuration& c : block.coupled->configurations())
      members[shellsOf(c.spinors)].push_back(&c);
    std::map<Shells, Terms> known;
    std::vector<LevelName> names;
    for (Eigen::Index i = 0; i < block.values.size(); ++i) {
      LevelName name;
      for (const auto& [shells, list] : members) {
        double share = 0;
        for (const auto* c : list) share += block.vectors.col(i).segment(c->first, c->count()).squaredNorm();
        if (100 * share < kNamedShare) continue;
        auto place = known.find(shells);
        if (place == known.end()) place = known.emplace(shells, termsOf(shells, block.twoJ, block.odd)).first;
        const Terms& t = place->second;
        Eigen::VectorXd state = Eigen::VectorXd::Zero(t.states.rows());
        for (const auto* c : list) {
          const Eigen::VectorXd own = c->states * block.vectors.col(i).segment(c->first, c->count());
          for (std::size_t d = 0; d < c->determinants.size(); ++d) {
            const auto [determinant, sign] = openDeterminant(c->determinants[d], t);
            if (const auto row = t.rows.find(determinant); row != t.rows.end())
              state(row->second) += sign * own(static_cast<Eigen::Index>(d));
          }
        }
        const Eigen::VectorXd shares = 100 * (t.states.transpose() * state).cwiseAbs2();
        for (Eigen::Index k = 0; k < shares.size(); ++k) {
          double& percent = name.terms[{shells, t.names[usize(k)]}];
          percent += shares(k);
          if (percent > name.percent) {
            name.shells = shells;
            name.term = t.names[usize(k)];
            name.percent = percent;
          }
        }
      }
      names.push_back(std::move(name));
    }
    return names;
  }

  Shells shellsOf(const ValenceOccupation& spinors) const {
    Shells shells;
    for (const int a : spinors) {
      const ValenceSpinor& s = space_.spinors[usize(a)];
      shells.emplace_back(s.n, s.type.l());
    }
    std::ranges::sort(shells);
    return shells;
  }

  /// The lowest energy of one electron less, which is taken from the outermost shell of the lowest level.
  double ionEnergy() const {
    double ion = std::numeric_limits<double>::infinity();
    if (request_.electrons == 2) {
      for (const Eigen::MatrixXd& h : with_) ion = std::min(ion, lowestPairStates(h, 1, pool_).values(0));
      return ion;
    }
    const ValenceStates* lowest = nullptr;
    for (const ValenceStates& block : blocks_)
      if (block.values.size() > 0 && (!lowest || block.values(0) < lowest->values(0))) lowest = &block;
    if (!lowest) return ion;
    Shells all = lowest->names.front().shells;
    std::set<Shells> less;
    for (std::size_t i = 0; i < all.size(); ++i) {
      Shells one = all;
      one.erase(one.begin() + static_cast<std::ptrdiff_t>(i));
      less.insert(std::move(one));
    }
    std::map<bool, std::set<int>> blocks;
    for (const Shells& shells : less) {
      int l = 0, most = 0;
      for (const auto& s : shells) l += s.second, most += 2 * s.second + 1;
      for (int twoJ = (request_.electrons - 1) % 2; twoJ <= most; twoJ += 2)
        if (statesOf(shells, twoJ) > 0) blocks[l % 2 != 0].insert(twoJ);
    }
    for (const auto& [odd, list] : blocks) {
      std::vector<CoupledWish> wishes;
      for (const int twoJ : list) wishes.push_back({twoJ, 1});
      for (const CoupledStates& states :
           lowestCoupledStates(*withPlaces_, *withPlaces_, space_, request_.electrons - 1, odd, wishes, less,
                               {}, pool_, checkpoint_))
        if (states.values.size() > 0) ion = std::min(ion, states.values(0));
    }
    return ion;
  }

  void solve(ValenceStates& block, int roots, ThreadPool& pool) const {
    if (block.with.rows() == 0) return;
    std::map<Shells, int> sizes;  // relativistic states of each configuration in the block
    for (Eigen::Index i = 0; i < block.with.rows(); ++i) ++sizes[shellsOf(block, i)];
    // Until all levels of the named configurations are there.
    for (int count = roots;; count = std::min(kMostRoots, 2 * count)) {
      PairStates states = lowestPairStates(block.with, count, pool);
      block.values = std::move(states.values);
      block.vectors = std::move(states.vectors);
      std::map<Shells, int> found;
      block.names = namesOf(block);
      for (const LevelName& name : block.names) ++found[name.shells];
      const bool all = std::ranges::all_of(named_, [&](const Shells& s) { return found[s] >= sizes[s]; });
      if (all || count >= kMostRoots || count >= block.with.rows()) break;
    }
    PairStates plain = lowestPairStates(block.without, block.values.size() + 4, pool);
    block.plainValues = std::move(plain.values);
    block.plainVectors = std::move(plain.vectors);
    // Hundreds of megabytes in all blocks together.
    block.with.resize(0, 0);
    block.without.resize(0, 0);
  }

  /// The shells of a state of the block.
  Shells shellsOf(const ValenceStates& block, Eigen::Index state) const {
    Shells shells;
    const auto add = [&](const ValenceSpinor& s) { shells.emplace_back(s.n, s.type.l()); };
    if (block.pairs) {
      const PairSpace::Pair p = block.pairs->pairs()[usize(state)];
      add(space_.spinors[usize(p.a)]);
      add(space_.spinors[usize(p.b)]);
    } else {
      add(spinor(block.symmetry, static_cast<int>(state)));
    }
    std::ranges::sort(shells);
    return shells;
  }

  /// What a level is called after: the inner electron's shell, the l of the outer one, and a term of both.
  /// Spinors of the core's field are not those of the atom, so that the outer electron is in several of them.
  struct Channel {
    std::pair<int, int> inner;  ///< n and l; (0, 0) of one electron
    int l = 0;
    std::string term;
    bool operator<(const Channel& o) const {
      return std::tie(inner, l, term) < std::tie(o.inner, o.l, o.term);
    }
  };
  using Couplings = std::map<std::array<int, 4>, double>;  ///< between jj and LS, of one J
  /// The lowest energy of a shell's spinors in the core's field.
  double energyOf(std::pair<int, int> shell) const {
    for (const ValenceSpinor& s : space_.spinors)
      if (s.type.l() == shell.second && s.n == shell.first) return s.energy;
    return std::numeric_limits<double>::infinity();
  }

  /// Shares, in percent, of all channels in a level, and of all terms of all configurations.
  void addShares(const ValenceStates& block, Eigen::Index level, Couplings& couplings,
                 std::map<Channel, double>& channels,
                 std::map<std::pair<Shells, std::string>, double>& terms) const {
    std::map<std::pair<Shells, std::string>, double> amplitudes;
    for (Eigen::Index i = 0; i < block.vectors.rows(); ++i) {
      const double c = block.vectors(i, level);
      const Shells shells = shellsOf(block, i);
      if (!block.pairs) {
        amplitudes[{shells, termName(2, shells[0].second, block.odd)}] += c;
        continue;
      }
      const PairSpace::Pair p = block.pairs->pairs()[usize(i)];
      const ValenceSpinor &a = space_.spinors[usize(p.a)], &b = space_.spinors[usize(p.b)];
      // The electron of the first shell of the name comes first.
      const bool swap = std::pair(b.n, b.type.l()) < std::pair(a.n, a.type.l());
      const Symmetry first = swap ? b.type : a.type, second = swap ? a.type : b.type;
      const double sign = swap ? -minusOneTo((first.twoJ() + second.twoJ() - block.twoJ) / 2) : 1;
      const bool oneShell = shells[0] == shells[1];
      for (int s = 0; s <= 1; ++s)
        for (int l = std::abs(first.l() - second.l()); l <= first.l() + second.l(); ++l) {
          if (oneShell && (l + s) % 2 != 0) continue;
          const double factor = coupling(first, second, l, s, block.twoJ, couplings);
          if (factor != 0)
            amplitudes[{shells, termName(2 * s + 1, l, block.odd)}] +=
                c * sign * factor * (oneShell && p.a != p.b ? std::sqrt(2.0) : 1);
        }
    }
    for (const auto& [key, amplitude] : amplitudes) {
      const double percent = 100 * amplitude * amplitude;
      terms[key] += percent;
      const Shells& shells = key.first;
      if (shells.size() == 1) {
        channels[{{0, 0}, shells[0].second, key.second}] += percent;
        continue;
      }
      const bool firstIsInner = energyOf(shells[0]) <= energyOf(shells[1]);
      const auto inner = shells[firstIsInner ? 0 : 1], outer = shells[firstIsInner ? 1 : 0];
      channels[{inner, outer.second, key.second}] += percent;
    }
  }

  static double coupling(Symmetry first, Symmetry second, int l, int s, int twoJ, Couplings& known) {
    const auto [place, isNew] = known.try_emplace({first.kappa, second.kappa, l, s}, 0.0);
    if (isNew) place->second = couplingOfLS(first, second, l, s, twoJ);
    return place->second;
  }

  /// Names of the levels of a block: in each channel the outer electron's n in order of energy.
  std::vector<LevelName> namesOf(const ValenceStates& block) const {
    std::map<Channel, int> next;
    Couplings couplings;
    std::vector<LevelName> names;
    for (Eigen::Index i = 0; i < block.values.size(); ++i) {
      std::map<Channel, double> channels;
      LevelName name;
      addShares(block, i, couplings, channels, name.terms);
      const auto best = std::ranges::max_element(channels, {}, [](const auto& c) { return c.second; });
      const Channel& channel = best->first;
      const auto [place, isNew] = next.try_emplace(channel, 0);
      if (isNew) place->second = firstOf(channel, name.terms);
      const std::pair<int, int> outer{place->second++, channel.l};
      name.shells = {outer};
      name.term = channel.term;
      name.percent = best->second;
      if (block.pairs) name.shells.push_back(channel.inner);
      std::ranges::sort(name.shells);
      names.push_back(std::move(name));
    }
    return names;
  }

  /// The lowest n of the outer electron in a channel.
  int firstOf(const Channel& channel, const std::map<std::pair<Shells, std::string>, double>& terms) const {
    int n = 0;
    for (const ValenceSpinor& s : space_.spinors) {
      if (s.type.l() != channel.l || (n > 0 && s.n >= n)) continue;
      const std::pair<int, int> outer{s.n, s.type.l()};
      if (channel.inner.first > 0) {
        if (energyOf(outer) < energyOf(channel.inner)) continue;
        Shells shells{outer, channel.inner};
        std::ranges::sort(shells);
        if (!terms.contains({shells, channel.term})) continue;  // two electrons of one shell
      }
      n = s.n;
    }
    return n;
  }

  int configurationOf(const Shells& shells, ValenceLevels& result) {
    const auto [place, isNew] = configurations_.try_emplace(shells, static_cast<int>(configurations_.size()));
    if (!isNew) return place->second;
    LevelSpace::Part part;
    part.text = (request_.core.empty() ? "" : request_.core + " ") + nameOf(shells);
    if (!request_.core.empty()) part.shells = parseShells(request_.core);
    std::map<std::pair<int, int>, int> electrons;
    for (const auto& s : shells) ++electrons[s];
    for (const auto& [shell, count] : electrons) part.shells.push_back({shell.first, shell.second, 0, count});
    int l = 0;
    for (const auto& s : shells) l += s.second;
    part.odd = l % 2 != 0;
    result.configurations.push_back(std::move(part));
    return place->second;
  }

  /// What a level is made of, and what it is called.
  void compose(const ValenceStates& block, Eigen::Index level, const LevelName& name, Level& out,
               ValenceLevels& result) {
    out.configuration = configurationOf(name.shells, result);
    out.label = nameOf(name.shells) + " " + name.term;
    out.percent = name.percent;
    // The shares of a channel stand under the configuration that the level is called after.
    for (const auto& [key, percent] : name.terms)
      if (percent >= kShownPart && key.first != name.shells && isNamed(key.first))
        out.terms.push_back({key.second, percent, configurationOf(key.first, result)});
    std::ranges::stable_sort(out.terms,
                             [](const LevelPart& x, const LevelPart& y) { return x.percent > y.percent; });
    out.terms.insert(out.terms.begin(), {name.term, name.percent, out.configuration});
    if (block.coupled)
      for (const CoupledSpace::Configuration& c : block.coupled->configurations()) {
        const double percent = 100 * block.vectors.col(level).segment(c.first, c.count()).squaredNorm();
        if (percent >= kShownPair) out.couplings.push_back({textOf(c.spinors), percent, out.configuration});
      }
    for (Eigen::Index i = 0; !block.coupled && i < block.vectors.rows(); ++i) {
      const double percent = 100 * block.vectors(i, level) * block.vectors(i, level);
      if (percent < kShownPair) continue;
      std::string text;
      if (block.pairs) {
        const PairSpace::Pair p = block.pairs->pairs()[usize(i)];
        const ValenceSpinor &a = space_.spinors[usize(p.a)], &b = space_.spinors[usize(p.b)];
        text = p.a == p.b ? fmt::format("{}(2){}", a.label(), halves(block.twoJ))
                          : fmt::format("{}(1){} {}(1){} {}", a.label(), halves(a.type.twoJ()), b.label(),
                                        halves(b.type.twoJ()), halves(block.twoJ));
      } else {
        text = spinor(block.symmetry, static_cast<int>(i)).label();
      }
      out.couplings.push_back({text, percent, out.configuration});
    }
    std::ranges::stable_sort(out.couplings,
                             [](const LevelPart& x, const LevelPart& y) { return x.percent > y.percent; });
  }

  /// "2s1/2(2) 2p1/2(1)".
  std::string textOf(const ValenceOccupation& spinors) const {
    std::string text;
    for (auto first = spinors.begin(); first != spinors.end();) {
      const auto next = std::find_if(first, spinors.end(), [&](int s) { return s != *first; });
      text += fmt::format("{}{}({})", text.empty() ? "" : " ", space_.spinors[usize(*first)].label(),
                          next - first);
      first = next;
    }
    return text;
  }

  void collect(ValenceLevels& result) {
    struct Found {
      Level level;
      ValenceLevel detail;
      double plain = 0;
      const ValenceStates* block = nullptr;
      Eigen::Index column = 0;
    };
    std::vector<Found> all;
    double lowest = std::numeric_limits<double>::infinity();
    for (const ValenceStates& block : blocks_)
      if (block.values.size() > 0) lowest = std::min(lowest, block.values(0));
    // Energy of the atom without one of these electrons.
    const double ion = request_.electrons > 1 ? ionEnergy() : 0;
    for (ValenceStates& block : blocks_) {
      const Properties properties = propertiesOf(block);
      const Eigen::VectorXd three = block.coupled && three_ && block.values.size() > 0
                                        ? three_->expectation(*block.coupled, block.vectors, kThreeShare)
                                        : Eigen::VectorXd::Zero(block.values.size());
      for (Eigen::Index i = 0; i < block.values.size(); ++i) {
        const LevelName& name = block.names[usize(i)];
        const bool isWanted = named_.empty() ? isInBox(ion - block.values(i)) : named_.contains(name.shells);
        if (!isWanted) continue;
        Found f;
        f.block = &block;
        f.column = i;
        f.level.twoJ = block.twoJ;
        f.level.odd = block.odd;
        f.level.index = static_cast<int>(i) + 1;
        f.level.energy = block.values(i);
        compose(block, i, name, f.level, result);
        f.level.g = properties.g(i);
        f.level.hyperfineA = properties.a(i);
        f.level.hyperfineB = properties.b(i);
        f.level.meanSquareRadius = properties.square(i);
        Eigen::Index same = 0;
        (block.plainVectors.transpose() * block.vectors.col(i)).cwiseAbs().maxCoeff(&same);
        f.plain = block.plainValues(same);
        f.detail.shift = block.values(i) - f.plain;
        f.detail.threeElectrons = three(i);
        if (block.coupled) {
          f.detail.rest = block.rest(i);
          f.detail.excitations = block.values(i) - block.first(i);
        }
        all.push_back(std::move(f));
      }
    }
    std::ranges::stable_sort(all,
                             [](const Found& a, const Found& b) { return a.level.energy < b.level.energy; });
    if (all.empty()) return;
    const Found& first = all.front();
    const double zero = first.level.energy, plainZero = first.plain, shiftZero = first.detail.shift;
    const ValenceLevel zeroDetail = first.detail;
    for (Found& f : all) {
      f.level.excitation = f.level.energy - zero;
      f.detail.valence = f.plain - plainZero;
      f.detail.error =
          f.level.excitation == 0
              ? 0
              : std::hypot(std::hypot(kShareOfChange * (f.detail.shift - shiftZero),
                                      kShareOfShift * std::max(std::abs(f.detail.shift), std::abs(shiftZero)),
                                      f.detail.threeElectrons - zeroDetail.threeElectrons),
                           kShareOfRest * (f.detail.rest - zeroDetail.rest),
                           kShareOfExcitations * (f.detail.excitations - zeroDetail.excitations));
      f.level.relative = f.level.energy;
      f.level.energy += coreEnergy_;
      result.details.push_back(f.detail);
      result.levels.push_back(f.level);
    }
    result.removal = ion - lowest;
    numberRepeated(result.levels);
    std::vector<Place> places;
    for (const Found& f : all) places.push_back({f.block, f.column});
    result.lines.leftOut.assign(all.size(), 0.0);
    for (const Multipole& m : request_.multipoles) addLines(m, places, result);
    result.lines.sort();
  }

  /// Where a level is.
  struct Place {
    const ValenceStates* block;
    Eigen::Index column;
  };

  Eigen::MatrixXd elementsBetween(const ValenceStates& bra, const Eigen::MatrixXd& braVectors,
                                  const ValenceStates& ket, const Eigen::MatrixXd& ketVectors, int k,
                                  const Eigen::MatrixXd& elements) const {
    if (bra.coupled)
      return reducedElements(*withPlaces_, space_, k, elements, *bra.coupled, braVectors, *ket.coupled,
                             ketVectors);
    if (bra.pairs)
      return reducedElements(space_, k, elements, *bra.pairs, braVectors, *ket.pairs, ketVectors);
    return braVectors.transpose() *
           elements.block(space_.first[usize(bra.symmetry)], space_.first[usize(ket.symmetry)],
                          space_.count(bra.symmetry), space_.count(ket.symmetry)) *
           ketVectors;
  }

  void addLines(const Multipole& m, const std::vector<Place>& places, ValenceLevels& result) {
    if (m.magnetic && m.rank != 1) throw Error("core-valence lines are electric ones and M1");
    const double c = request_.field.speedOfLight;
    const SpinorOperator length =
        m.magnetic ? magneticDipole(space_.orbitals, c) : electricMultipole(space_.orbitals, m.rank);
    const auto isLine = [&](const Level& upper, const Level& lower) {
      return m.connects(upper.twoJ, upper.odd, lower.twoJ, lower.odd) && upper.energy > lower.energy;
    };
    double highest = 0;
    for (std::size_t u = 0; u < places.size(); ++u)
      for (std::size_t l = 0; l < u; ++l)
        if (isLine(result.levels[u], result.levels[l]))
          highest = std::max(highest, result.levels[u].energy - result.levels[l].energy);
    result.largestFrequency = largestFrequency();
    // Between these the core's response, which is smooth below the core's own excitations, is a polynomial.
    std::vector<double> frequencies{0};
    if (const double most = std::min(highest, result.largestFrequency); hasResponse() && most > 0)
      frequencies.insert(frequencies.end(), {most / 2, most});
    std::vector<SpinorOperator> operators{length};
    if (!m.magnetic) operators.push_back(electricVelocity(space_.orbitals, m.rank, c));
    const std::vector<std::vector<Reduced>> reducedOnes = reduced(operators, frequencies);
    struct BlockElements {
      std::vector<Eigen::MatrixXd> lengths, velocities;
    };
    std::map<std::pair<const ValenceStates*, const ValenceStates*>, BlockElements> kept;
    for (std::size_t u = 0; u < places.size(); ++u)
      for (std::size_t l = 0; l < u; ++l) {
        const Level &upper = result.levels[u], &lower = result.levels[l];
        if (!isLine(upper, lower)) continue;
        const double energy = upper.energy - lower.energy;
        const auto [place, isNew] = kept.try_emplace({places[u].block, places[l].block});
        const auto between = [&](const Reduced& elements) {
          return radiatingBetween(*places[u].block, *places[l].block, m.rank, elements);
        };
        if (isNew) {
          for (const Reduced& e : reducedOnes[0]) place->second.lengths.push_back(between(e));
          if (!m.magnetic)
            for (const Reduced& e : reducedOnes[1]) place->second.velocities.push_back(between(e));
        }
        const auto at = [&](const std::vector<Eigen::MatrixXd>& elements) {
          double sum = 0;
          for (std::size_t i = 0; i < elements.size(); ++i) {
            double weight = elements[i](places[u].column, places[l].column);
            for (std::size_t j = 0; j < elements.size(); ++j)
              if (j != i)
                weight *= (std::min(energy, frequencies.back()) - frequencies[j]) /
                          (frequencies[i] - frequencies[j]);
            sum += weight;
          }
          return sum;
        };
        Line line;
        line.upper = static_cast<int>(u);
        line.lower = static_cast<int>(l);
        line.multipole = m;
        line.energy = energy;
        line.strength = std::pow(at(place->second.lengths), 2);
        line.velocityStrength =
            m.magnetic ? line.strength : std::pow(at(place->second.velocities) / energy, 2);
        line.energyError = std::hypot(result.details[u].error, result.details[l].error);
        result.lines.add(line, upper.twoJ, 0, c);
      }
  }

  bool hasResponse() const { return request_.corePolarisation && !space_.holes.empty(); }
  /// The highest frequency of light that the core's response is computed for, hartree: next to the core's own
  /// excitations it has poles.
  double largestFrequency() const {
    if (!hasResponse()) return std::numeric_limits<double>::infinity();
    double occupied = -std::numeric_limits<double>::infinity(), free = -occupied;
    for (const SymmetryOrbitals& o : space_.orbitals.symmetries()) {
      if (o.closed > 0) occupied = std::max(occupied, o.energies(o.closed - 1));
      if (o.virtuals() > 0) free = std::min(free, o.energies(o.occupied()));
    }
    return kLargestFrequency * (free - occupied);
  }

  /// Whether a level has no electron so far outside that the box's wall matters: `binding` is the energy that
  /// removes it, hartree.
  bool isInBox(double binding) const {
    return binding > 0 && request_.ionCharge / std::sqrt(2 * binding) <= kLargestEffectiveN;
  }
  /// Whether the shells are of eigenvectors of the field, which have names.
  bool isNamed(const Shells& shells) const {
    return std::ranges::all_of(shells, [&](const auto& shell) {
      for (const ValenceSpinor& s : space_.spinors)
        if (s.type.l() == shell.second && s.n == shell.first)
          return shell.first - spinor(s.symmetry, 0).n < request_.spinors.eigenvectors;
      return false;
    });
  }

  struct Properties {
    Eigen::VectorXd g, a, b, square;
  };

  /// Reduced elements between all valence spinors with the core's response, and with structural radiation and
  /// normalisation too.
  struct Reduced {
    Eigen::MatrixXd dressed, whole;
  };
  /// Those of some operators at each of some frequencies: [operator][frequency]. Structural radiation is that
  /// at the last of these.
  std::vector<std::vector<Reduced>> reduced(const std::vector<SpinorOperator>& operators,
                                            const std::vector<double>& frequencies) {
    std::vector<std::vector<Reduced>> made(operators.size());
    std::vector<StructuralRadiation::Dressed> dressed;
    for (std::size_t o = 0; o < operators.size(); ++o)
      for (const double omega : frequencies) {
        SpinorOperator op = operators[o];
        if (hasResponse()) {
          const auto response =
              std::make_shared<CorePolarisation>(space_.orbitals, op, omega, pool_, checkpoint_);
          op.elements = [response](const SpinorFunctions& bra, const SpinorFunctions& ket) {
            return response->dressed(bra, ket);
          };
        }
        made[o].push_back({betweenSpinors(op), {}});
        made[o].back().whole = made[o].back().dressed;
        if (radiation_ && omega == frequencies.back()) dressed.push_back({op, omega});
      }
    if (!radiation_) return made;
    const StructuralRadiation::Elements radiated = radiation_->of(dressed, checkpoint_);
    for (std::size_t o = 0; o < made.size(); ++o)
      for (Reduced& r : made[o]) addRadiation(radiated[o], r.whole);
    return made;
  }
  Eigen::MatrixXd betweenSpinors(const SpinorOperator& op) const {
    const auto count = static_cast<Eigen::Index>(space_.spinors.size());
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(count, count);
    for (int a = 0; a < space_.symmetries(); ++a)
      for (int b = 0; b < space_.symmetries(); ++b)
        if (op.couples(space_.type(a), space_.type(b)))
          matrix.block(space_.first[usize(a)], space_.first[usize(b)], space_.count(a), space_.count(b)) =
              op.elements(operands_[usize(a)], operands_[usize(b)]);
    return matrix;
  }
  /// Makes t' + dSigma - 1/2 (d t' + t' d) of t'.
  void addRadiation(const std::vector<std::vector<Eigen::MatrixXd>>& radiated,
                    Eigen::MatrixXd& matrix) const {
    for (int a = 0; a < space_.symmetries(); ++a)
      for (int b = 0; b < space_.symmetries(); ++b) {
        const Eigen::MatrixXd& change = radiated[usize(a)][usize(b)];
        if (change.size() == 0) continue;
        auto block =
            matrix.block(space_.first[usize(a)], space_.first[usize(b)], space_.count(a), space_.count(b));
        const Eigen::MatrixXd dressed = block;
        block += change - 0.5 * (radiation_->lost(usize(a)) * dressed + dressed * radiation_->lost(usize(b)));
      }
  }

  /// What the electrons outside of the core are less than one each, times the states of a block.
  const Eigen::MatrixXd& lostOf(const ValenceStates& block) {
    const auto [place, isNew] = lost_.try_emplace(&block);
    if (!isNew) return place->second;
    if (block.symmetry >= 0) return place->second = radiation_->lost(usize(block.symmetry)) * block.vectors;
    if (block.pairs) {
      ValenceHamiltonian lost{space_, {}, {}};
      for (int s = 0; s < space_.symmetries(); ++s) lost.oneBody.push_back(radiation_->lost(usize(s)));
      return place->second = block.pairs->hamiltonian(lost, pool_) * block.vectors;
    }
    const auto count = static_cast<Eigen::Index>(space_.spinors.size());
    Eigen::MatrixXd lost = Eigen::MatrixXd::Zero(count, count);
    for (int s = 0; s < space_.symmetries(); ++s)
      lost.block(space_.first[usize(s)], space_.first[usize(s)], space_.count(s), space_.count(s)) =
          radiation_->lost(usize(s));
    return place->second = scalarTimes(*withPlaces_, lost, *block.coupled, block.vectors, pool_);
  }

  /// elementsBetween() of what reduced() made. Sigma is that of one energy; at those of the states, of which
  /// d is the derivative, states mix by 1/2 d. What is left of the normalisation is each state's own.
  Eigen::MatrixXd radiatingBetween(const ValenceStates& bra, const ValenceStates& ket, int k,
                                   const Reduced& elements) {
    Eigen::MatrixXd between = elementsBetween(bra, bra.vectors, ket, ket.vectors, k, elements.whole);
    if (!radiation_) return between;
    const Eigen::MatrixXd &lostBra = lostOf(bra), &lostKet = lostOf(ket);
    const Eigen::VectorXd ofBra = (bra.vectors.transpose() * lostBra).diagonal(),
                          ofKet = (ket.vectors.transpose() * lostKet).diagonal();
    Eigen::MatrixXd bras(bra.vectors.rows(), 2 * ofBra.size()), kets(ket.vectors.rows(), 2 * ofKet.size());
    bras << bra.vectors, lostBra;
    kets << ket.vectors, lostKet;
    const Eigen::MatrixXd all = elementsBetween(bra, bras, ket, kets, k, elements.dressed),
                          dressed = all.topLeftCorner(ofBra.size(), ofKet.size()),
                          mixed = all.bottomLeftCorner(ofBra.size(), ofKet.size()) +
                                  all.topRightCorner(ofBra.size(), ofKet.size());
    between += 0.5 * (mixed - ofBra.asDiagonal() * dressed - dressed * ofKet.asDiagonal());
    return between;
  }

  Properties propertiesOf(const ValenceStates& block) {
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(block.values.size());
    Properties p{none, none, none, none};
    if (block.values.size() == 0) return p;
    if (square_.size() == 0) {
      std::vector<std::vector<Reduced>> all =
          reduced({magneticDipole(space_.orbitals, request_.field.speedOfLight),
                   hyperfineDipole(space_.orbitals), hyperfineQuadrupole(space_.orbitals)},
                  {0});
      moment_ = std::move(all[0][0]);
      dipole_ = std::move(all[1][0]);
      quadrupole_ = std::move(all[2][0]);
      square_ = squares();
    }
    p.square = elementsBetween(block, block.vectors, block, block.vectors, 0, square_).diagonal() /
               std::sqrt(block.twoJ + 1.0);
    p.square.array() += closedSquare_;
    if (block.twoJ == 0) return p;
    const double j = 0.5 * block.twoJ;
    // <J J|T^1_0|J J> = 3j(J 1 J; -J 0 J) <J||T||J>, of which g and A are the J-th part.
    const double stretched = wigner3j(block.twoJ, 2, block.twoJ, -block.twoJ, 0, block.twoJ);
    const auto expectation = [&](int k, const Reduced& elements) {
      return Eigen::VectorXd(radiatingBetween(block, block, k, elements).diagonal());
    };
    p.g = stretched * expectation(1, moment_) / j;
    p.a = kMegahertzOfDipole * stretched * expectation(1, dipole_) / j;
    if (block.twoJ > 1)
      p.b = kMegahertzOfQuadrupole * wigner3j(block.twoJ, 4, block.twoJ, -block.twoJ, 0, block.twoJ) *
            expectation(2, quadrupole_);
    return p;
  }

  /// r^2 as reduced elements of rank 0, and what the core has of it.
  Eigen::MatrixXd squares() {
    const auto count = static_cast<Eigen::Index>(space_.spinors.size());
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(count, count);
    const Eigen::VectorXd weight =
        space_.orbitals.weights().cwiseProduct(space_.orbitals.radii().cwiseAbs2());
    for (int s = 0; s < space_.symmetries(); ++s) {
      const SpinorFunctions& f = operands_[usize(s)];
      matrix.block(space_.first[usize(s)], space_.first[usize(s)], space_.count(s), space_.count(s)) =
          std::sqrt(space_.type(s).degeneracy()) * (f.large.transpose() * weight.asDiagonal() * f.large +
                                                    f.small.transpose() * weight.asDiagonal() * f.small);
    }
    for (const SymmetryOrbitals& o : space_.orbitals.symmetries())
      for (int c = 0; c < o.closed; ++c)
        closedSquare_ += o.symmetry.degeneracy() *
                         (weight.dot(o.large.col(c).cwiseAbs2()) + weight.dot(o.small.col(c).cwiseAbs2()));
    return matrix;
  }

  const ValenceRequest& request_;
  double coreEnergy_;
  ThreadPool& pool_;
  const Checkpoint& checkpoint_;
  ValenceSpace space_;
  std::vector<SigmaFactor> factors_ = request_.factors;
  std::vector<Eigen::MatrixXd> plain_, with_;  ///< of one electron, without Sigma_1 and with it
  std::vector<SpinorFunctions> operands_;      ///< of each symmetry, between which operators act
  std::optional<PairTable> coulomb_, rings_;
  std::vector<std::unique_ptr<const CoreBreit>> added_;  ///< of interactions beside the repulsion
  std::vector<PairTable> addedRings_;                    ///< of each
  std::optional<HolePairs> holes_;
  std::optional<CoreExcitations> excitations_;
  std::optional<CoreResponse> response_;
  std::optional<StructuralRadiation> radiation_;
  std::map<const ValenceStates*, Eigen::MatrixXd> lost_;      ///< lostOf()
  std::optional<PlaceHamiltonian> withPlaces_, plainPlaces_;  ///< of more than two electrons
  std::optional<ThreeElectronTerms> three_;
  std::set<Shells> named_;  ///< by the request
  std::vector<ValenceStates> blocks_;
  std::map<Shells, int> configurations_;
  Reduced moment_, dipole_, quadrupole_;
  Eigen::MatrixXd square_;
  double closedSquare_ = 0;
};

}  // namespace

ValenceLevels valenceLevels(const OrbitalSpace& orbitals, const Configuration& core, double coreEnergy,
                            const ValenceRequest& request, CorrelationEngine& engine, ThreadPool& pool,
                            const Checkpoint& checkpoint) {
  return ValenceSolver(orbitals, core, coreEnergy, request, engine, pool, checkpoint).levels();
}

ValenceIntegrals valenceIntegrals(const OrbitalSpace& orbitals, const Configuration& core,
                                  const ValenceRequest& request, CorrelationEngine& engine, ThreadPool& pool,
                                  const Checkpoint& checkpoint) {
  return ValenceSolver(orbitals, core, 0, request, engine, pool, checkpoint).integrals();
}

}  // namespace prophet
