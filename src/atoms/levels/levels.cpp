#include "atoms/levels/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "atoms/angular/angular.hpp"
#include "atoms/configurations/determinant_space.hpp"
#include "atoms/configurations/term_analysis.hpp"
#include "atoms/levels/angular_tables.hpp"
#include "atoms/levels/isotope_shifts.hpp"
#include "atoms/levels/kept_matrices.hpp"
#include "atoms/levels/level_engine.hpp"
#include "atoms/levels/lowest_states.hpp"
#include "atoms/levels/open_electrons.hpp"
#include "atoms/levels/parameter_operators.hpp"
#include "atoms/properties/hyperfine_units.hpp"
#include "atoms/properties/spinor_integrals.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/common/memory.hpp"
#include "core/common/threads.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet {
namespace {

constexpr double kShownTerm = 0.05, kShownCoupling = 1;  // percent: smaller parts of a level are not listed
constexpr double kAnomaly = 2 * 0.00115965218;           // g_s - 2

std::vector<LevelPart> sorted(std::vector<LevelPart> parts, double least) {
  std::stable_sort(parts.begin(), parts.end(),
                   [](const LevelPart& a, const LevelPart& b) { return a.percent > b.percent; });
  const double shown = parts.empty() ? 0 : std::min(least, parts.front().percent);
  std::erase_if(parts, [&](const LevelPart& p) { return p.percent < shown; });
  return parts;
}

/// A label and its share of a level.
using Name = std::pair<std::string, double>;

/// Shares of the terms, and the state of LS coupling with the largest one.
Name composeTerms(const std::vector<TermStates>& terms, const Eigen::VectorXd& vector, Level& level) {
  Name name;
  for (std::size_t c = 0; c < terms.size(); ++c) {
    const TermStates& t = terms[c];
    if (t.states.empty()) continue;
    const Eigen::VectorXd shares = 100 * (t.vectors.transpose() * vector(t.states)).array().square().matrix();
    std::map<std::string, double> sums, labels;
    for (Eigen::Index i = 0; i < shares.size(); ++i) {
      sums[t.names[usize(i)]] += shares(i);
      labels[t.labels[usize(i)]] += shares(i);
    }
    for (const auto& [term, percent] : sums) level.terms.push_back({term, percent, static_cast<int>(c)});
    for (const auto& [label, percent] : labels)
      if (percent > name.second) name = {label, percent};
  }
  level.terms = sorted(std::move(level.terms), kShownTerm);
  return name;
}

void composeCouplings(const LevelBlock& block, const Eigen::VectorXd& vector, Level& level) {
  const Eigen::VectorXd shares = 100 * vector.cwiseAbs2();
  const double least = std::min(kShownCoupling, shares.maxCoeff());
  for (Eigen::Index s = 0; s < block.size(); ++s)
    if (shares(s) >= least)
      level.couplings.push_back({block.labels[usize(s)], shares(s), block.configurations[usize(s)]});
  level.couplings = sorted(std::move(level.couplings), kShownCoupling);
}

}  // namespace

void numberRepeated(std::vector<Level>& levels) {
  std::map<std::tuple<int, bool, std::string>, std::vector<Level*>> same;
  for (Level& l : levels) same[{l.twoJ, l.odd, l.label}].push_back(&l);
  for (const auto& [key, list] : same)
    if (list.size() > 1)
      for (std::size_t i = 0; i < list.size(); ++i) list[i]->label += fmt::format(" ({})", i + 1);
}

namespace {

/// One-body operators whose expectation values in |J J> are properties of a level.
struct Observables {
  OneBody moment, anomaly, dipole, quadrupole, square, density;
  double closedSquare = 0, closedDensity = 0;  ///< of the closed shells
};

Observables observablesOf(const LevelSpace& space, const SpinorTable& spinors,
                          const SpinorIntegrals& integrals, const std::vector<Place>& places,
                          const LevelField& field) {
  const double c = field.speedOfLight;
  // Component 0 of rank k with these reduced elements; even parity.
  const auto of = [&](int k, const std::function<double(int, int, Symmetry, Symmetry)>& reduced) {
    return oneBodyOf(places, [&](const Place& to, const Place& from) {
      const Symmetry a = to.symmetry, b = from.symmetry;
      if (to.twoM != from.twoM || (a.l() + b.l()) % 2 != 0 || std::abs(a.twoJ() - b.twoJ()) > 2 * k ||
          a.twoJ() + b.twoJ() < 2 * k)
        return 0.0;
      return coupling(to, k, from) *
             reduced(space.open[usize(to.spinor)].index, space.open[usize(from.spinor)].index, a, b);
    });
  };
  // The magnetic moment between a and b, with a radial integral of r^power.
  const auto magnetic = [&](int a, int b, Symmetry sa, Symmetry sb, int power) {
    return (sa.kappa + sb.kappa) * reducedC(Symmetry{-sa.kappa}, 1, sb) * spinors.sign(a) * spinors.sign(b) *
           integrals.productBetween(a, b, power);
  };
  const SpinorIntegrals::Weight inverseCube = integrals.powerWeight(-3), square = integrals.powerWeight(2);
  Observables o;
  o.moment = of(1, [&](int a, int b, Symmetry sa, Symmetry sb) { return -c * magnetic(a, b, sa, sb, 1); });
  o.anomaly = of(1, [&](int a, int b, Symmetry sa, Symmetry sb) {
    const double angular = reducedC(Symmetry{-sa.kappa}, 1, sb);
    return angular * ((sa.kappa + sb.kappa - 1) * spinors.largeOverlap(a, b) +
                      (sa.kappa + sb.kappa + 1) * spinors.smallOverlap(a, b));
  });
  o.dipole = of(1, [&](int a, int b, Symmetry sa, Symmetry sb) { return -magnetic(a, b, sa, sb, -2); });
  o.quadrupole = of(2, [&](int a, int b, Symmetry sa, Symmetry sb) {
    const double angular = reducedC(sa, 2, sb);
    return angular == 0 ? 0.0
                        : -angular * spinors.sign(a) * spinors.sign(b) * integrals.between(a, b, inverseCube);
  });
  // Elements of a function of r alone between the open spinors, and the sum over the closed ones.
  const auto scalar = [&](const SpinorIntegrals::Weight& weight, double& closed) {
    for (const LevelSpinor& s : space.closed)
      closed += s.symmetry.degeneracy() * integrals.density(s.index, weight);
    return oneBodyOf(places, [&](const Place& to, const Place& from) {
      if (!(to.symmetry == from.symmetry) || to.twoM != from.twoM) return 0.0;
      const int a = space.open[usize(to.spinor)].index, b = space.open[usize(from.spinor)].index;
      return spinors.sign(a) * spinors.sign(b) * integrals.between(a, b, weight);
    });
  };
  o.square = scalar(square, o.closedSquare);
  if (!field.nucleus.isPoint())
    o.density = scalar(
        integrals.weight([&](double r) { return field.nucleus.chargeDensity(r) / field.nucleus.charge; }),
        o.closedDensity);
  return o;
}

/// The expectation values of an operator between the coupled states, in each of these vectors.
Eigen::VectorXd expectations(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& vectors) {
  return vectors.cwiseProduct(matrix * vectors).colwise().sum().transpose();
}

/// What follows from the vectors of a block, into its levels.
void addProperties(const Observables& o, const LevelBlock& block, const Eigen::MatrixXd& vectors,
                   std::vector<Level>& levels) {
  const auto expectation = [&](const OneBody& list) { return expectations(list, block, vectors); };
  const Eigen::VectorXd square = expectation(o.square);
  Eigen::VectorXd density = Eigen::VectorXd::Zero(vectors.cols());
  if (!o.density.empty()) density = expectation(o.density);
  for (Eigen::Index i = 0; i < vectors.cols(); ++i) {
    levels[usize(i)].meanSquareRadius = o.closedSquare + square(i);
    levels[usize(i)].density = o.closedDensity + density(i);
  }
  if (block.twoJ == 0) return;
  // With T^1_0 in |J J>: g = <T>/J, A = (mu/I) <T>/J; the 3j symbol of stretched states is the rest.
  const double j = 0.5 * block.twoJ;
  const Eigen::VectorXd moment = expectation(o.moment), anomaly = expectation(o.anomaly),
                        dipole = expectation(o.dipole);
  Eigen::VectorXd quadrupole = Eigen::VectorXd::Zero(vectors.cols());
  if (block.twoJ > 1) quadrupole = expectation(o.quadrupole);
  for (Eigen::Index i = 0; i < vectors.cols(); ++i) {
    Level& level = levels[usize(i)];
    level.g = moment(i) / j;
    level.gAnomaly = 0.5 * kAnomaly * anomaly(i) / j;
    level.hyperfineA = kMegahertzOfDipole * dipole(i) / j;
    level.hyperfineB = kMegahertzOfQuadrupole * quadrupole(i);
  }
}

/// The levels of one J and parity, energies but for what all levels share.
struct SolvedBlock {
  std::vector<Level> levels;
  LevelVectors vectors{};
  Eigen::MatrixXd density{};  ///< between open spinors, sum over the states of the levels
};

/// Those by parameters that some level depends on.
void keepDerivatives(const std::vector<ParameterOperator>& operators, LevelResult& r) {
  constexpr double kNoWeight = 1e-10;
  for (std::size_t p = operators.size(); p-- > 0;) {
    if (std::any_of(r.levels.begin(), r.levels.end(),
                    [&](const Level& l) { return std::abs(l.derivatives[p]) > kNoWeight; })) {
      r.parameters.insert(r.parameters.begin(), operators[p].parameter());
    } else {
      for (Level& l : r.levels) l.derivatives.erase(l.derivatives.begin() + static_cast<std::ptrdiff_t>(p));
    }
  }
}

void requireSpinors(const LevelSpace& space, const Result& result) {
  std::size_t count = space.closed.size() + space.open.size();
  if (result.spinors.size() != count)
    throw Error("levels: the result has other spinors than the configurations");
  for (const auto* list : {&space.closed, &space.open})
    for (const LevelSpinor& s : *list) {
      const Spinor& found = result.spinors[usize(s.index)];
      if (found.n != s.n || !(found.symmetry == s.symmetry))
        throw Error("levels: the result has other spinors than the configurations");
    }
}

/// What all blocks of a space share, and the levels of one of them.
class BlockSolver {
 public:
  /// All of them must stay as long.
  BlockSolver(const LevelSpace& space, const Result& result, const LevelHamiltonian& hamiltonian,
              const LevelOptions& options)
      : space_(space),
        options_(options),
        places_(placesOf(space)),
        electrons_(space, result, hamiltonian, places_),
        ownEngine_(options.engine ? nullptr : hostLevelEngine()),
        engine_(options.engine ? *options.engine : *ownEngine_) {
    if (options.detail == LevelDetail::Configurations) return;
    if (options.wanted.all()) analysis_.emplace(space, places_);
    if (options.finer) finer_.emplace(space, *options.finer, hamiltonian, places_);
    const bool finer = finer_ && options.propertiesOfFiner;
    AtomProblem problem{hamiltonian.field.nucleus, space.average, {}};
    problem.hamiltonian.speedOfLight = hamiltonian.field.speedOfLight;
    const SpinorTable& spinors = (finer ? *finer_ : electrons_).spinors();
    const SpinorIntegrals integrals(problem, finer ? *options.finer : result);
    observables_ = observablesOf(space, spinors, integrals, places_, hamiltonian.field);
    if (options.isotopeShifts)
      isotopes_.emplace(space, spinors, integrals, places_, hamiltonian.field.nucleus);
    if (options.derivatives)
      operators_ = parameterOperators(space, places_, slaterParameters(space, result, hamiltonian, {}));
  }

  double coreEnergy() const { return electrons_.coreEnergy(); }
  const std::vector<ParameterOperator>& operators() const { return operators_; }

  SolvedBlock levelsOf(const LevelCount::Block& counted) const {
    pass(options_.checkpoint);
    const std::shared_ptr<const LevelBlock> kept = Phases::of(options_.phases, "angular", [&] {
      return blockOf(options_.angular, space_, counted.twoJ, counted.odd);
    });
    const LevelBlock& block = *kept;
    const auto references = static_cast<Eigen::Index>(
        std::ranges::count_if(block.configurations, [&](int c) { return c < options_.wanted.references; }));
    Eigen::MatrixXd ofReferences;  // the Hamiltonian between their coupled states
    std::shared_ptr<LevelMatrices> matrices;
    const LowestStates states = statesOf(counted, block, references, ofReferences, matrices);
    SolvedBlock made{std::vector<Level>(usize(states.values.size())), {}, {}};
    for (Eigen::Index i = 0; i < states.values.size(); ++i) {
      Level& level = made.levels[usize(i)];
      level.twoJ = block.twoJ;
      level.odd = block.odd;
      level.index = static_cast<int>(i) + 1;
      level.relative = states.values(i);
    }
    const Eigen::MatrixXd shares = matrices ? matrices->shares() : configurationShares(block, states);
    for (Eigen::Index i = 0; i < shares.cols(); ++i)
      shares.col(i).maxCoeff(&made.levels[usize(i)].configuration);
    if (const LevelParameters* p = options_.parameters) {
      const Eigen::MatrixXd slopes = Phases::of(options_.phases, "responses", [&] {
        return matrices->move(options_.vectors ? p->changes : Eigen::MatrixXd());
      });
      for (Eigen::Index i = 0; i < slopes.rows(); ++i)
        for (Eigen::Index q = 0; q < slopes.cols(); ++q) made.levels[usize(i)].slopes.push_back(slopes(i, q));
    }
    if (options_.vectors)
      made.vectors = {block.twoJ, block.odd, block.labels, block.configurations,
                      matrices ? matrices->states() : hostStates(states.vectors)};
    if (options_.detail == LevelDetail::Configurations) {
      Phases::of(options_.phases, "names", [&] { nameByConfigurations(shares, made.levels); });
      return made;
    }
    addProperties(observables_, block, states.vectors, made.levels);
    if (isotopes_) isotopes_->add(block, states.vectors, made.levels);
    addErrors(block, states, made.levels);
    if (analysis_) {
      std::vector<Eigen::Index> columns(usize(block.size()));
      std::iota(columns.begin(), columns.end(), Eigen::Index{0});
      nameLevels(block, *analysis_, block, columns, states, made.levels);
    } else {
      nameByLeading(block, states, made.levels);
    }
    if (!options_.wanted.all()) {
      addCorrelation(ofReferences, states, made.levels);
      made.density = densityOf(block, states.vectors);
    }
    return made;
  }

 private:
  std::vector<const ElectronOperator*> electronOperators() const {
    std::vector<const ElectronOperator*> list{&electrons_.electrons()};
    if (options_.parameters)
      list.insert(list.end(), options_.parameters->operators.begin(), options_.parameters->operators.end());
    return list;
  }

  /// `matrices`: of the block, where it is dense and its Hamiltonian has parameters or no excitations.
  LowestStates statesOf(const LevelCount::Block& counted, const LevelBlock& block, Eigen::Index references,
                        Eigen::MatrixXd& ofReferences, std::shared_ptr<LevelMatrices>& matrices) const {
    const auto wanted = static_cast<Eigen::Index>(std::lround(counted.wanted));
    LowestStates states;
    if (counted.isSparse()) {
      const SparseMatrix upper = electrons_.upperTriangleOf(block);
      const CoupledHamiltonian hamiltonian(block, upper);
      ofReferences = hamiltonian.leading(references);
      return lowestStates(hamiltonian, wanted, references, options_.checkpoint);
    }
    if (references == 0 && !options_.correction) {
      Phases::of(options_.phases, "hamiltonian", [&] {
        const auto make = [&] {
          return engine_.matricesOf(block, electronOperators(),
                                    static_cast<int>(space_.configurations.size()));
        };
        const LevelParameters* p = options_.parameters;
        matrices = p && p->kept ? p->kept->of(block, make) : make();
      });
      Phases::of(options_.phases, "diagonalise", [&] {
        states.values =
            matrices->solve(options_.parameters ? options_.parameters->x : Eigen::VectorXd(), wanted);
        if (options_.detail == LevelDetail::Full) states.vectors = matrices->states()->vectors();
      });
      return states;
    }
    Eigen::MatrixXd dense =
        Phases::of(options_.phases, "hamiltonian", [&] { return electrons_.matrixOf(block); });
    if (options_.correction) options_.correction(block, dense);
    ofReferences = dense.topLeftCorner(references, references);
    Phases::of(options_.phases, "diagonalise",
               [&] { engine_.eigenpairs(dense, wanted, states.values, states.vectors); });
    return states;
  }

  /// What the basis set makes the levels wrong by, and their derivatives.
  void addErrors(const LevelBlock& block, const LowestStates& states, std::vector<Level>& levels) const {
    if (finer_) {
      Eigen::MatrixXd finerDense = finer_->matrixOf(block);
      if (options_.correction) options_.correction(block, finerDense);
      Eigen::VectorXd there = expectations(finerDense, states.vectors);
      for (Eigen::Index i = 0; options_.parameters && i < there.size(); ++i)
        for (Eigen::Index p = 0; p < options_.parameters->x.size(); ++p)
          there(i) += options_.parameters->x(p) * levels[usize(i)].slopes[usize(p)];
      for (Eigen::Index i = 0; i < there.size(); ++i)
        levels[usize(i)].excitationError = states.values(i) - there(i);
    }
    for (const ParameterOperator& o : operators_) {
      const Eigen::VectorXd slopes = expectations(o.matrixOf(block), states.vectors);
      for (Eigen::Index i = 0; i < slopes.size(); ++i) levels[usize(i)].derivatives.push_back(slopes(i));
    }
  }

  /// Labels from the terms of the references and of the configurations that lead in some level.
  void nameByLeading(const LevelBlock& block, const LowestStates& states, std::vector<Level>& levels) const {
    std::set<int> chosen;
    for (int c = 0; c < options_.wanted.references; ++c) chosen.insert(c);
    for (const Level& level : levels) chosen.insert(level.configuration);
    const std::vector<int> configurations(chosen.begin(), chosen.end());
    const LevelSpace part = partOf(configurations);
    std::vector<Eigen::Index> columns;
    for (Eigen::Index i = 0; i < block.size(); ++i)
      if (chosen.contains(block.configurations[usize(i)])) columns.push_back(i);
    nameLevels(block, TermAnalysis(part, places_), blockOf(part, block.twoJ, block.odd), columns, states,
               levels);
    for (Level& level : levels)
      for (LevelPart& term : level.terms) term.configuration = configurations[usize(term.configuration)];
  }

  /// The share of each configuration (rows) in each level.
  Eigen::MatrixXd configurationShares(const LevelBlock& block, const LowestStates& states) const {
    Eigen::MatrixXd shares =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(space_.configurations.size()), states.values.size());
    for (Eigen::Index s = 0; s < block.size(); ++s)
      shares.row(block.configurations[usize(s)]) += states.vectors.row(s).cwiseAbs2();
    return shares;
  }

  /// Labels that are configurations, each level's with the largest share.
  void nameByConfigurations(const Eigen::MatrixXd& shares, std::vector<Level>& levels) const {
    for (std::size_t i = 0; i < levels.size(); ++i) {
      levels[i].hasProperties = false;
      levels[i].percent = 100 * shares.col(static_cast<Eigen::Index>(i)).maxCoeff();
      levels[i].label = openText(space_, levels[i].configuration);
    }
  }

  /// The space of some of the configurations only, in the same open spinors.
  LevelSpace partOf(const std::vector<int>& configurations) const {
    LevelSpace part = space_;
    part.configurations.clear();
    part.distributions.clear();
    for (const int c : configurations) part.configurations.push_back(space_.configurations[usize(c)]);
    for (RelativisticConfiguration row : space_.distributions) {
      const auto found = std::ranges::lower_bound(configurations, row.configuration);
      if (found == configurations.end() || *found != row.configuration) continue;
      row.configuration = static_cast<int>(found - configurations.begin());
      part.distributions.push_back(std::move(row));
    }
    return part;
  }

  /// `named`: the coupled states of the block in these columns, whose terms make the labels.
  static void nameLevels(const LevelBlock& block, const TermAnalysis& analysis, const LevelBlock& named,
                         const std::vector<Eigen::Index>& columns, const LowestStates& states,
                         std::vector<Level>& levels) {
    std::vector<TermStates> terms;
    if (analysis.possible()) terms = analysis.of(named);
    for (Eigen::Index i = 0; i < states.values.size(); ++i) {
      Level& level = levels[usize(i)];
      composeCouplings(block, states.vectors.col(i), level);
      const Name jj{level.couplings.front().name, level.couplings.front().percent};
      const Name name = terms.empty() ? jj : composeTerms(terms, states.vectors.col(i)(columns), level);
      level.label = name.first;
      level.percent = name.second;
    }
  }

  static void addCorrelation(const Eigen::MatrixXd& ofReferences, const LowestStates& states,
                             std::vector<Level>& levels) {
    const SymmetricEigen alone(ofReferences);
    for (Eigen::Index i = 0; i < states.values.size(); ++i) {
      const Eigen::VectorXd shares =
          (alone.eigenvectors().transpose() * states.vectors.col(i).head(ofReferences.rows())).cwiseAbs2();
      Level& level = levels[usize(i)];
      level.referencePercent = 100 * shares.sum();
      level.aboveReferences = states.values(i) - alone.eigenvalues()(0);
      Eigen::Index nearest = 0;
      shares.maxCoeff(&nearest);
      if (level.referencePercent > 50) level.correlation = states.values(i) - alone.eigenvalues()(nearest);
    }
  }

  /// Between open spinors, sum over all states of the levels.
  Eigen::MatrixXd densityOf(const LevelBlock& block, const Eigen::MatrixXd& vectors) const {
    const auto count = static_cast<Eigen::Index>(space_.open.size());
    Eigen::MatrixXd density = Eigen::MatrixXd::Zero(count, count);
    for (int a = 0; a < count; ++a)
      for (int b = 0; b <= a; ++b) {
        if (!(space_.open[usize(a)].symmetry == space_.open[usize(b)].symmetry)) continue;
        const OneBody moved = oneBodyOf(places_, [&](const Place& to, const Place& from) {
          return to.spinor == a && from.spinor == b && to.twoM == from.twoM ? 1.0 : 0.0;
        });
        density(a, b) = density(b, a) = (block.twoJ + 1) * expectations(moved, block, vectors).sum();
      }
    return density;
  }

  const LevelSpace& space_;
  const LevelOptions& options_;
  std::vector<Place> places_;
  OpenElectrons electrons_;
  std::unique_ptr<LevelEngine> ownEngine_;
  LevelEngine& engine_;
  std::optional<OpenElectrons> finer_;
  std::optional<TermAnalysis> analysis_;  ///< where all levels are wanted
  Observables observables_;
  std::optional<IsotopeShiftOperators> isotopes_;
  std::vector<ParameterOperator> operators_;
};

/// The levels of all blocks in order of energy, relative to their mean.
LevelResult collected(std::vector<SolvedBlock> blocks, double coreEnergy, const LevelOptions& options) {
  LevelResult levels;
  double sum = 0;
  for (SolvedBlock& block : blocks) {
    for (Level& level : block.levels) {
      sum += (level.twoJ + 1) * level.relative;
      levels.states += level.twoJ + 1;
      levels.levels.push_back(std::move(level));
    }
    if (levels.density.size() == 0)
      levels.density = Eigen::MatrixXd::Zero(block.density.rows(), block.density.cols());
    levels.density += block.density;
    if (options.vectors) levels.vectors.push_back(std::move(block.vectors));
  }
  levels.density /= levels.states;
  const double mean = sum / levels.states;
  levels.average = coreEnergy + mean;
  std::stable_sort(levels.levels.begin(), levels.levels.end(),
                   [](const Level& a, const Level& b) { return a.relative < b.relative; });
  const double lowest = levels.levels.front().relative, lowestError = levels.levels.front().excitationError;
  for (Level& level : levels.levels) {
    level.excitation = level.relative - lowest;
    level.excitationError -= lowestError;
    level.relative -= mean;
    level.energy = levels.average + level.relative;
  }
  if (options.detail == LevelDetail::Full) numberRepeated(levels.levels);
  return levels;
}

}  // namespace

LevelResult computeLevels(const LevelSpace& space, const Result& result, const LevelHamiltonian& hamiltonian,
                          const LevelOptions& options) {
  requireSpinors(space, result);
  if (options.finer) requireSpinors(space, *options.finer);
  const LevelCount count = requireMemory(space, options.wanted);
  const BlockSolver solver(space, result, hamiltonian, options);
  // The largest ones first, as many side by side as the memory has room for.
  std::vector<std::size_t> order(count.blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t b) { return count.blocks[b].levels; });
  const int room = static_cast<int>(std::clamp(kMemoryShare * availableMemory() / count.bytes, 1.0, 1024.0));
  ThreadPool pool(std::clamp(options.threads, 1, std::min<int>(room, static_cast<int>(order.size()))));
  std::vector<SolvedBlock> blocks(order.size());
  std::atomic<std::size_t> done = 0;
  const auto show = [&](double more) {
    const std::size_t now = done += usize(more);
    if (options.progress) options.progress(now, usize(count.levels));
  };
  show(0);
  pool.forEach(static_cast<int>(order.size()), [&](int i, int) {
    const std::size_t b = order[usize(i)];
    blocks[b] = solver.levelsOf(count.blocks[b]);
    show(count.blocks[b].levels);
  });
  LevelResult levels = collected(std::move(blocks), solver.coreEnergy(), options);
  keepDerivatives(solver.operators(), levels);
  return levels;
}

}  // namespace prophet
