#include "atoms/levels/virtual_spinors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "atoms/configurations/determinant_space.hpp"
#include "atoms/levels/extended_wavefunction.hpp"
#include "atoms/levels/open_interaction.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/linalg/decompositions.hpp"

namespace prophet {
namespace {

// Exponents: mean square radii from `kOutermost` times that of the largest excited spinor down to
// 1/kInnermost of the smallest one's.
constexpr double kOutermost = 8, kInnermost = 50, kLadderRatio = 1.9;
constexpr double kDependent = 1e-8;  // eigenvalue of the overlap below which a combination is dropped
/// Coefficients of occupied spinors in a virtual one of norm 1 above which it is what is left of functions
/// that the occupied ones describe but for 1e-4. Its small component is not that of its large one, as none of
/// the ladder is as tight as inner shells are, and 1e-4 of solutions of negative energy lower it by some
/// hartree.
constexpr double kCancelling = 100;
constexpr double kSmoothing = 0.04;  // hartree^2, added to squares of denominators
// Iterations take so many virtual shells more, n of configuration strings and determinants of a block.
constexpr int kMoreShells = 4, kLargestVirtualN = 20;
constexpr double kLargestBlock = 5000;

/// The virtual spinors of one symmetry: eigenvectors of the average's Fock operator.
struct VirtualSet {
  Symmetry symmetry;
  Eigen::VectorXd energies;
  std::vector<ExtendedWavefunction::Function> functions;
};

using Functions = std::vector<ExtendedWavefunction::Function>;

Eigen::VectorXd unitVector(Eigen::Index size, Eigen::Index place) {
  return size == 0 ? Eigen::VectorXd() : Eigen::VectorXd(Eigen::VectorXd::Unit(size, place));
}

/// A result that holds these functions instead of its own.
Result withFunctions(const Result& reference, const std::vector<double>& ladder, const Functions& functions) {
  Result result = reference;
  result.coefficients = nullptr;
  result.spinors.clear();
  for (const auto& f : functions) {
    Spinor spinor;
    spinor.symmetry = f.symmetry;
    result.spinors.push_back(spinor);
  }
  result.wavefunction = std::make_shared<ExtendedWavefunction>(reference.wavefunction, ladder, functions);
  return result;
}

Functions occupiedFunctions(const Result& reference) {
  Functions functions;
  const auto count = static_cast<Eigen::Index>(reference.spinors.size());
  for (Eigen::Index i = 0; i < count; ++i)
    functions.push_back({reference.spinors[usize(i)].symmetry, unitVector(count, i), {}, {}});
  return functions;
}

std::vector<double> ladderFor(const Result& reference, const std::vector<int>& excited,
                              const LevelField& field) {
  const SpinorTable table(reference, field, 1);
  const Eigen::VectorXd square = table.radii().array().square();
  double largest = 0, smallest = std::numeric_limits<double>::infinity();
  for (const int a : excited) {
    const double value = table.density(a, a, square);
    largest = std::max(largest, value);
    smallest = std::min(smallest, value);
  }
  std::vector<double> ladder;
  for (double zeta = 0.75 / (kOutermost * largest); zeta < 0.75 * kInnermost / smallest; zeta *= kLadderRatio)
    ladder.push_back(zeta);
  return ladder;
}

/// What virtual spinors of a symmetry lie above, hartree: the occupied ones with all n up to the first that
/// is missing, and solutions of negative energy. Occupied spinors of another basis that are taken out of
/// small components leave some of the latter above -c^2, the more the deeper these spinors are.
double lowerBound(const Result& reference, Symmetry symmetry, double speedOfLight) {
  std::map<int, double> occupied;
  for (const Spinor& s : reference.spinors)
    if (s.symmetry == symmetry) occupied[s.n] = s.energy;
  double bound = -speedOfLight * speedOfLight;
  for (int n = symmetry.l() + 1; occupied.contains(n); ++n) bound = std::max(bound, occupied[n]);
  return bound;
}

/// The eigenvectors of positive energy of the Fock operator of the average outside its occupied spinors.
VirtualSet virtualSet(const Result& reference, const std::vector<double>& ladder, Symmetry symmetry,
                      int largestK, const LevelField& field) {
  const auto occupied = static_cast<Eigen::Index>(reference.spinors.size());
  const auto rungs = static_cast<Eigen::Index>(ladder.size());
  Functions functions = occupiedFunctions(reference);
  for (Eigen::Index i = 0; i < rungs; ++i)
    functions.push_back({symmetry, Eigen::VectorXd::Zero(occupied), unitVector(rungs, i), {}});
  for (Eigen::Index i = 0; i < rungs; ++i)
    functions.push_back({symmetry, Eigen::VectorXd::Zero(occupied), {}, unitVector(rungs, i)});
  const SpinorTable table(withFunctions(reference, ladder, functions), field, largestK);
  const SpinorInteraction interaction(table, TwoElectronOperator::Coulomb);

  std::vector<int> own;  // of this symmetry
  for (int i = 0; i < table.count(); ++i)
    if (table.symmetry(i) == symmetry) own.push_back(i);
  const Eigen::Index count = static_cast<Eigen::Index>(own.size()), below = count - 2 * rungs;
  std::vector<std::pair<int, double>> electrons;
  for (int c = 0; c < static_cast<int>(occupied); ++c)
    electrons.emplace_back(c, reference.spinors[usize(c)].occupation);
  const Eigen::VectorXd repulsion = table.directPotential(electrons);
  Eigen::MatrixXd overlap(count, count), fock(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      const int a = own[usize(i)], b = own[usize(j)];
      double sum = table.oneElectron(a, b) + table.density(a, b, repulsion);
      for (const auto& [c, charge] : electrons)
        if (charge > 0) sum -= charge / table.symmetry(c).degeneracy() * interaction.exchange(a, b, c);
      fock(i, j) = fock(j, i) = sum;
      overlap(i, j) = overlap(j, i) = table.largeOverlap(a, b) + table.smallOverlap(a, b);
    }
  }
  // Out of the occupied spinors, then orthonormal, then eigenvectors.
  Eigen::MatrixXd outside = Eigen::MatrixXd::Zero(count, 2 * rungs);
  outside.bottomRows(2 * rungs).setIdentity();
  outside.topRows(below) = -overlap.topRightCorner(below, 2 * rungs);
  const Eigen::VectorXd norms =
      (outside.transpose() * overlap * outside).diagonal().cwiseMax(1e-30).cwiseSqrt();
  outside = outside * norms.cwiseInverse().asDiagonal();
  const SymmetricEigen metric(outside.transpose() * overlap * outside);
  Eigen::Index dropped = 0;
  while (dropped < 2 * rungs && metric.eigenvalues()(dropped) < kDependent) ++dropped;
  const Eigen::Index kept = 2 * rungs - dropped;
  const Eigen::MatrixXd basis = outside * metric.eigenvectors().rightCols(kept) *
                                metric.eigenvalues().tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  const SymmetricEigen solver(basis.transpose() * fock * basis);
  const Eigen::MatrixXd vectors = basis * solver.eigenvectors();
  const Eigen::VectorXd& energies = solver.eigenvalues();
  // What is left of occupied spinors may lie among the virtual ones; above them it is as good as any.
  const double bound = lowerBound(reference, symmetry, field.speedOfLight);
  double clean = bound;
  const auto isCancelling = [&](Eigen::Index v) { return vectors.col(v).head(below).norm() > kCancelling; };
  for (Eigen::Index v = 0; v < kept; ++v)
    if (energies(v) >= bound && !isCancelling(v)) clean = energies(v);
  VirtualSet set{symmetry, Eigen::VectorXd(kept), {}};
  Eigen::Index positive = 0;
  for (Eigen::Index v = 0; v < kept; ++v) {
    if (energies(v) < bound || (energies(v) < clean && isCancelling(v))) continue;
    set.energies(positive++) = energies(v);
    ExtendedWavefunction::Function f{symmetry, Eigen::VectorXd::Zero(occupied),
                                     vectors.col(v).segment(below, rungs), vectors.col(v).tail(rungs)};
    for (Eigen::Index i = 0; i < below; ++i) {
      const int a = own[usize(i)];
      f.occupied(a) = table.sign(a) * vectors(i, v);
    }
    for (Eigen::Index i = 0; i < rungs; ++i) {
      f.large(i) *= table.sign(own[usize(below + i)]);
      f.small(i) *= table.sign(own[usize(below + rungs + i)]);
    }
    set.functions.push_back(std::move(f));
  }
  set.energies.conservativeResize(positive);
  return set;
}

/// Sum over all m of the product of the factors of X^k in <ab|rs> and of X^k' in <ba|r's>, r and r' of one
/// symmetry.
class ExchangeFactors {
 public:
  double operator()(Symmetry a, Symmetry b, Symmetry r, Symmetry s, int k, int other) {
    const auto [place, isNew] = kept_.try_emplace({a.twoJ(), b.twoJ(), r.twoJ(), s.twoJ(), k, other});
    if (isNew) place->second = sum(a, b, r, s, k, other);
    return place->second;
  }

 private:
  static double sum(Symmetry a, Symmetry b, Symmetry r, Symmetry s, int k, int other) {
    const auto factor = [](const Place& first, const Place& second, const Place& third, const Place& fourth,
                           int rank) {
      const int twoQ = first.twoM - third.twoM;
      return (twoQ / 2 % 2 == 0 ? 1 : -1) * coupling(first, rank, third) * coupling(second, rank, fourth);
    };
    double total = 0;
    for (int ma = -a.twoJ(); ma <= a.twoJ(); ma += 2)
      for (int mb = -b.twoJ(); mb <= b.twoJ(); mb += 2)
        for (int mr = -r.twoJ(); mr <= r.twoJ(); mr += 2) {
          const int ms = ma + mb - mr;
          if (std::abs(ms) > s.twoJ()) continue;
          const Place pa{0, ma, a}, pb{0, mb, b}, pr{0, mr, r}, ps{0, ms, s};
          total += factor(pa, pb, pr, ps, k) * factor(pb, pa, pr, ps, other);
        }
    return total;
  }
  std::map<std::array<int, 6>, double> kept_;
};

/// Pairs of excited electrons, and what they go to.
struct CorrelatedPairs {
  std::vector<int> excited;     ///< spinors of the table
  Eigen::MatrixXd probability;  ///< that two places of two of them are both occupied
  std::vector<int> targets;     ///< excited spinors with room, then all virtual ones
  Eigen::VectorXd room;         ///< probability that a place of a target is empty
  Eigen::VectorXd energies;     ///< of all spinors of the table
};

double denominator(const CorrelatedPairs& pairs, int a, int b, int r, int s) {
  const double d = pairs.energies(a) + pairs.energies(b) - pairs.energies(r) - pairs.energies(s);
  return -std::sqrt(d * d + kSmoothing);
}

/// Mean density matrix of first order in the place of spinors `own`, which are of one symmetry.
Eigen::MatrixXd firstOrderDensity(const SpinorTable& table, const CorrelatedPairs& pairs,
                                  const std::vector<int>& own, ExchangeFactors& factors) {
  const SpinorInteraction interaction(table, TwoElectronOperator::Coulomb);
  const auto count = static_cast<Eigen::Index>(own.size());
  const Symmetry sr = table.symmetry(own.front());
  Eigen::MatrixXd density = Eigen::MatrixXd::Zero(count, count);
  const auto amplitudes = [&](int a, int b, int s, int ranks) {
    Eigen::MatrixXd x(count, ranks);  // X^k(ab,rs)/D
    for (Eigen::Index r = 0; r < count; ++r)
      for (int k = 0; k < ranks; ++k)
        x(r, k) =
            interaction.multipole(k, a, b, own[usize(r)], s) / denominator(pairs, a, b, own[usize(r)], s);
    return x;
  };
  for (std::size_t i = 0; i < pairs.excited.size(); ++i) {
    for (std::size_t j = 0; j < pairs.excited.size(); ++j) {
      const int a = pairs.excited[i], b = pairs.excited[j];
      const Symmetry sa = table.symmetry(a), sb = table.symmetry(b);
      const double weight = pairs.probability(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      if (weight == 0) continue;
      for (std::size_t t = 0; t < pairs.targets.size(); ++t) {
        const int s = pairs.targets[t];
        const Symmetry ss = table.symmetry(s);
        if ((sa.l() + sb.l() + sr.l() + ss.l()) % 2 != 0) continue;
        const int ranks = (std::min(std::max(sa.twoJ() + sr.twoJ(), sb.twoJ() + sr.twoJ()),
                                    std::max(sa.twoJ() + ss.twoJ(), sb.twoJ() + ss.twoJ()))) /
                              2 +
                          1;
        const Eigen::MatrixXd direct = amplitudes(a, b, s, ranks), swapped = amplitudes(b, a, s, ranks);
        Eigen::MatrixXd angular(ranks, ranks);
        for (int k = 0; k < ranks; ++k)
          for (int other = 0; other < ranks; ++other) angular(k, other) = factors(sa, sb, sr, ss, k, other);
        Eigen::MatrixXd part = -direct * angular * swapped.transpose();
        for (int k = 0; k < ranks; ++k) part += direct.col(k) * direct.col(k).transpose() / (2 * k + 1);
        density += weight * pairs.room(static_cast<Eigen::Index>(t)) * 0.5 * (part + part.transpose());
      }
    }
  }
  return density / sr.degeneracy();
}

bool belongsTo(const std::vector<ShellName>& shells, const LevelSpinor& s) {
  return std::find(shells.begin(), shells.end(), ShellName{s.n, s.symmetry.l()}) != shells.end();
}

/// The excited spinors of the references with their pairs, and the room that open ones have.
CorrelatedPairs correlatedPairs(const Result& reference, const LevelSpace& references,
                                const ExcitedConfigurations& configurations) {
  CorrelatedPairs pairs;
  std::vector<Eigen::Index> open;  // place among the open spinors of the average, or -1
  for (const auto* list : {&references.closed, &references.open})
    for (std::size_t i = 0; i < list->size(); ++i) {
      const LevelSpinor& s = (*list)[i];
      if (!belongsTo(configurations.excited, s)) continue;
      pairs.excited.push_back(s.index);
      open.push_back(list == &references.open ? static_cast<Eigen::Index>(i) : -1);
    }
  const auto spinor = [&](std::size_t i) -> const Spinor& {
    return reference.spinors[usize(pairs.excited[i])];
  };
  const auto count = static_cast<Eigen::Index>(pairs.excited.size());
  pairs.probability.resize(count, count);
  for (std::size_t i = 0; i < pairs.excited.size(); ++i)
    for (std::size_t j = 0; j < pairs.excited.size(); ++j) {
      const bool both = open[i] >= 0 && open[j] >= 0;
      const double weight = both ? references.average.openPairWeights(open[i], open[j])
                                 : spinor(i).occupation * spinor(j).occupation;
      // One spinor has w = <n(n-1)> g/(g-1), so that w/g^2 is the probability of two places that differ.
      pairs.probability(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          weight / (spinor(i).symmetry.degeneracy() * spinor(j).symmetry.degeneracy());
    }
  std::vector<double> room;
  for (std::size_t i = 0; i < pairs.excited.size(); ++i) {
    const double empty = 1 - spinor(i).occupation / spinor(i).symmetry.degeneracy();
    if (open[i] < 0 || empty < 1e-12) continue;
    pairs.targets.push_back(pairs.excited[i]);
    room.push_back(empty);
  }
  pairs.room = Eigen::Map<Eigen::VectorXd>(room.data(), static_cast<Eigen::Index>(room.size()));
  return pairs;
}

/// The symmetries of these shells, and how many shells each has.
std::map<int, int> shellsOfSymmetries(const std::vector<ShellName>& shells) {
  std::map<int, int> counts;
  for (const auto& [n, l] : shells)
    for (const int kappa : {l, -l - 1})
      if (kappa != 0) ++counts[Symmetry{kappa}.index()];
  return counts;
}

/// The natural virtual spinors of every symmetry, most occupied first, and how they are put into results.
class VirtualPool {
 public:
  /// Those of second order. `largestK`: of multipoles.
  VirtualPool(const Result& reference, const VirtualRequirements& required, int largestK)
      : reference_(reference),
        field_(required.hamiltonian.field),
        pairs_(correlatedPairs(reference, required.references, required.configurations)),
        ladder_(ladderFor(reference, pairs_.excited, field_)) {
    std::vector<VirtualSet> sets;
    std::vector<std::vector<int>> places;
    Functions all = occupiedFunctions(reference);
    std::vector<double> energies, room(pairs_.room.begin(), pairs_.room.end());
    for (const Spinor& s : reference.spinors) energies.push_back(s.energy);
    for (const auto& [index, count] : shellsOfSymmetries(required.configurations.virtuals)) {
      sets.push_back(virtualSet(reference, ladder_, Symmetry::fromIndex(index), largestK, field_));
      std::vector<int>& own = places.emplace_back();
      for (std::size_t v = 0; v < sets.back().functions.size(); ++v) {
        own.push_back(static_cast<int>(all.size()));
        pairs_.targets.push_back(own.back());
        room.push_back(1);
        energies.push_back(sets.back().energies(static_cast<Eigen::Index>(v)));
        all.push_back(sets.back().functions[v]);
      }
    }
    pairs_.energies =
        Eigen::Map<Eigen::VectorXd>(energies.data(), static_cast<Eigen::Index>(energies.size()));
    pairs_.room = Eigen::Map<Eigen::VectorXd>(room.data(), static_cast<Eigen::Index>(room.size()));
    const SpinorTable table(withFunctions(reference, ladder_, all), field_, largestK);
    ExchangeFactors factors;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      for (std::size_t v = 0; v < places[i].size(); ++v) turn(sets[i].functions[v], table.sign(places[i][v]));
      functions_[sets[i].symmetry.index()] =
          rotated(sets[i].functions, descendingVectors(firstOrderDensity(table, pairs_, places[i], factors)));
    }
  }

  /// The reference with the spinors that a space asks for; virtual ones have the sign of a SpinorTable.
  Result in(const LevelSpace& space, const ExcitedConfigurations& configurations) {
    std::vector<const LevelSpinor*> order(space.closed.size() + space.open.size());
    for (const auto* list : {&space.closed, &space.open})
      for (const LevelSpinor& s : *list) order[usize(s.index)] = &s;
    Functions functions;
    std::vector<Spinor> spinors;
    std::vector<ExtendedWavefunction::Function*> own;
    std::map<int, std::size_t> taken;
    const Functions occupied = occupiedFunctions(reference_);
    for (const LevelSpinor* s : order) {
      const auto found =
          std::find_if(reference_.spinors.begin(), reference_.spinors.end(),
                       [&](const Spinor& o) { return o.n == s->n && o.symmetry == s->symmetry; });
      const bool isVirtual = belongsTo(configurations.virtuals, *s);
      if (!isVirtual && found == reference_.spinors.end())
        throw Error("levels: the result has other spinors than the reference configurations");
      const int index = s->symmetry.index();
      if (isVirtual && taken[index] >= functions_[index].size())
        throw Error(fmt::format("the ladder of Gaussians has {} virtual spinors {}; more are wanted",
                                functions_[index].size(), labelOf(index)));
      own.push_back(isVirtual ? &functions_[index][taken[index]++] : nullptr);
      functions.push_back(isVirtual ? *own.back() : occupied[usize(found - reference_.spinors.begin())]);
      Spinor spinor;
      spinor.symmetry = s->symmetry;
      spinor.n = s->n;
      spinors.push_back(isVirtual ? spinor : *found);
    }
    const SpinorTable signs(withFunctions(reference_, ladder_, functions), field_, 1);
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i]) {
        turn(*own[i], signs.sign(static_cast<int>(i)));
        functions[i] = *own[i];
      }
    Result result = withFunctions(reference_, ladder_, functions);
    result.spinors = std::move(spinors);
    return result;
  }

  /// The first spinors of a symmetry mixed to natural ones of this density, of which `kept` stay in front and
  /// the others go to the end.
  void rotate(int symmetry, const Eigen::MatrixXd& density, std::ptrdiff_t kept) {
    Functions& functions = functions_[symmetry];
    const auto count = static_cast<std::ptrdiff_t>(density.rows());
    const Functions first(functions.begin(), functions.begin() + count);
    const Functions mixed = rotated(first, descendingVectors(density));
    std::copy(mixed.begin(), mixed.end(), functions.begin());
    std::rotate(functions.begin() + kept, functions.begin() + count, functions.end());
  }
  /// Virtual spinors that both symmetries of an l have.
  int count(int l) {
    std::size_t least = functions_[Symmetry{-l - 1}.index()].size();
    if (l > 0) least = std::min(least, functions_[Symmetry{l}.index()].size());
    return static_cast<int>(least);
  }

 private:
  static void turn(ExtendedWavefunction::Function& f, double sign) {
    f.occupied *= sign;
    f.large *= sign;
    f.small *= sign;
  }
  /// Eigenvectors, those of the largest eigenvalues first.
  static Eigen::MatrixXd descendingVectors(const Eigen::MatrixXd& density) {
    return SymmetricEigen(density).eigenvectors().rowwise().reverse();
  }
  static Functions rotated(const Functions& functions, const Eigen::MatrixXd& vectors) {
    Functions mixed;
    for (Eigen::Index i = 0; i < vectors.cols(); ++i) {
      ExtendedWavefunction::Function f = functions.front();
      turn(f, vectors(0, i));
      for (Eigen::Index v = 1; v < vectors.rows(); ++v) {
        const auto& part = functions[usize(v)];
        f.occupied += vectors(v, i) * part.occupied;
        f.large += vectors(v, i) * part.large;
        f.small += vectors(v, i) * part.small;
      }
      mixed.push_back(std::move(f));
    }
    return mixed;
  }

  const Result& reference_;
  LevelField field_;
  CorrelatedPairs pairs_;
  std::vector<double> ladder_;
  std::map<int, Functions> functions_;  ///< by symmetry
};

/// The largest n of the space, or l, from which the n of further shells of l goes on.
int largestN(const LevelSpace& space, int l) {
  int n = l;
  for (const auto* list : {&space.closed, &space.open})
    for (const LevelSpinor& s : *list) n = std::max(n, s.n);
  return n;
}

/// The excitations with some more virtual shells of this l.
ExcitedConfigurations withMore(const VirtualRequirements& required, int l, int shells) {
  ExcitationRequest request = required.excitations;
  for (int i = 0, n = largestN(required.space, l); i < shells; ++i)
    request.virtuals += " " + Shell{++n, l}.name();
  return excitedConfigurations(required.references.average.description, request);
}

/// How many more virtual shells of an l there may be: by the pool, by the places of determinants, and by n.
int mostMore(VirtualPool& pool, const VirtualRequirements& required, int l) {
  int places = 0;
  for (const LevelSpinor& s : required.space.open) places += s.symmetry.degeneracy();
  const auto shells = static_cast<int>(std::ranges::count_if(
      required.configurations.virtuals, [&](const ShellName& s) { return s.second == l; }));
  return std::min({kMoreShells, pool.count(l) - shells, (kMostPlaces - places) / (4 * l + 2),
                   kLargestVirtualN - largestN(required.space, l)});
}

/// One step of the iterations, with as many more virtual shells of an l as keep the blocks small.
void improve(VirtualPool& pool, const VirtualRequirements& required, int l) {
  for (int more = mostMore(pool, required, l); more > 0; --more) {
    const ExcitedConfigurations larger = withMore(required, l, more);
    const LevelSpace space = levelSpace(larger.text);
    if (larger.virtuals.size() != required.configurations.virtuals.size() + usize(more))
      return;  // with all room taken no excitation leads there
    if (countLevels(space, required.options.wanted).largest.determinants > kLargestBlock) continue;
    const LevelResult levels =
        computeLevels(space, pool.in(space, larger), required.hamiltonian, required.options);
    for (const int kappa : {l, -l - 1}) {
      if (kappa == 0) continue;
      std::vector<Eigen::Index> own;
      for (std::size_t i = 0; i < space.open.size(); ++i)
        if (space.open[i].symmetry == Symmetry{kappa} && belongsTo(larger.virtuals, space.open[i]))
          own.push_back(static_cast<Eigen::Index>(i));
      pool.rotate(Symmetry{kappa}.index(), levels.density(own, own),
                  static_cast<std::ptrdiff_t>(own.size()) - more);
    }
    return;
  }
}

}  // namespace

Result withNaturalVirtuals(const Result& reference, const VirtualRequirements& required) {
  if (!reference.wavefunction) throw Error("levels need the radial functions of the spinors");
  if (reference.spinors.size() != required.references.closed.size() + required.references.open.size())
    throw Error("levels: the result has other spinors than the reference configurations");
  VirtualPool pool(reference, required, largestRank(required.space));
  std::set<int> improved;
  for (const auto& [n, l] : required.configurations.virtuals) improved.insert(l);
  for (int round = 0; round < required.rounds; ++round)
    for (const int l : improved) improve(pool, required, l);
  return pool.in(required.space, required.configurations);
}

}  // namespace prophet
