#include "atoms/correlation/second_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "atoms/correlation/correlated_spinors.hpp"
#include "atoms/correlation/pair_angles.hpp"
#include "core/common/error.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// What one task adds.
struct Part {
  double gap = std::numeric_limits<double>::infinity(), integrals = 0;
  std::vector<double> waves;
};

/// Excitations of pairs of electrons.
class PairSums {
 public:
  PairSums(const OrbitalSpace& space, const OpenGroups& groups, const CorrelationOptions& options)
      : space_(space),
        groups_(groups),
        options_(options),
        symmetries_(static_cast<int>(space.symmetries().size())) {}

  /// Of a pair, into symmetries of which r is the first and all that do not come before it the other.
  Part excite(const ActiveSpinor& a, const ActiveSpinor& b, int r, const SpinorPotentials& ofA,
              PairAngles& angles) const {
    const auto isTarget = [&](int s) {
      return options_.targets.empty() || options_.targets[static_cast<std::size_t>(s)];
    };
    Part part;
    part.waves.assign(static_cast<std::size_t>(space_.largestL()) + 1, 0.0);
    if (a.inner && b.inner) return part;
    for (int s = r; s < symmetries_; ++s)
      if (isTarget(r) || isTarget(s)) addSymmetries(a, b, r, s, ofA, angles, part);
    return part;
  }

 private:
  const SymmetryOrbitals& of(int symmetry) const {
    return space_.symmetries()[static_cast<std::size_t>(symmetry)];
  }
  /// R^k(ab,rs), rows r, columns s, for each rank.
  std::vector<Eigen::MatrixXd> integrals(const ActiveSpinor& b, int r, int s, const std::vector<int>& ranks,
                                         const SpinorPotentials& ofA, Part& part) const {
    std::vector<Eigen::MatrixXd> list;
    if (ranks.empty()) return list;
    const Eigen::MatrixXd density = space_.densities(b.symmetry, b.column, s, of(s).closed, of(s).targets());
    for (const int k : ranks) list.push_back(multiply(ofA.of(r, k), true, density, false));
    part.integrals += static_cast<double>(ranks.size() * list.front().size());
    return list;
  }

  void addSymmetries(const ActiveSpinor& a, const ActiveSpinor& b, int r, int s, const SpinorPotentials& ofA,
                     PairAngles& angles, Part& part) const {
    const PairSymmetries pair{of(a.symmetry).symmetry, of(b.symmetry).symmetry, of(r).symmetry,
                              of(s).symmetry};
    const PairSymmetries swapped{pair.a, pair.b, pair.s, pair.r};
    if (of(r).targets() == 0 || of(s).targets() == 0) return;
    std::vector<Eigen::MatrixXd> x = integrals(b, r, s, pairRanks(pair), ofA, part);
    if (r == s) {
      const std::size_t direct = x.size();
      for (std::size_t i = 0; i < direct; ++i) x.emplace_back(x[i].transpose());
    } else {
      for (Eigen::MatrixXd& m : integrals(b, s, r, pairRanks(swapped), ofA, part))
        x.emplace_back(m.transpose());
    }
    if (x.empty()) return;
    Eigen::MatrixXd squares = quadraticForm(angles.form(pair), x);
    correctSamePlaces(a, b, r, s, pair, x, angles, squares);
    const double count = (a.sameAs(b) ? 0.25 : 0.5) * (r == s ? 1 : 2);
    part.waves[static_cast<std::size_t>(std::max(pair.r.l(), pair.s.l()))] +=
        count * weightedSum(a, b, r, s, squares, part.gap);
  }

  static Eigen::MatrixXd quadraticForm(const Eigen::MatrixXd& form, const std::vector<Eigen::MatrixXd>& x) {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(x.front().rows(), x.front().cols());
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        const double factor =
            (i == j ? 1 : 2) * form(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        if (factor != 0) sum.array() += factor * x[i].array() * x[j].array();
      }
    return sum;
  }

  void correctSamePlaces(const ActiveSpinor& a, const ActiveSpinor& b, int r, int s,
                         const PairSymmetries& pair, const std::vector<Eigen::MatrixXd>& x,
                         PairAngles& angles, Eigen::MatrixXd& squares) const {
    if (a.group == OpenGroups::kNone && b.group == OpenGroups::kNone) return;
    Eigen::VectorXd own(static_cast<Eigen::Index>(x.size()));
    const auto openOf = [&](int symmetry) { return static_cast<Eigen::Index>(of(symmetry).open); };
    for (Eigen::Index j = 0; j < squares.cols(); ++j)
      for (Eigen::Index i = 0; i < squares.rows(); ++i) {
        if (i >= openOf(r) && j >= openOf(s)) break;
        const unsigned left = samePlaces(space_, a, b, {r, i}, {s, j});
        if (left == kNoPlace) continue;
        for (std::size_t n = 0; n < x.size(); ++n) own(static_cast<Eigen::Index>(n)) = x[n](i, j);
        squares(i, j) = own.dot(angles.form(pair, left) * own);
      }
  }

  double weightedSum(const ActiveSpinor& a, const ActiveSpinor& b, int r, int s,
                     const Eigen::MatrixXd& squares, double& gap) const {
    const SymmetryOrbitals &first = of(r), &second = of(s);
    double sum = 0;
    for (Eigen::Index j = 0; j < squares.cols(); ++j) {
      const int groupS = groupOfTarget(second, groups_, j);
      for (Eigen::Index i = 0; i < squares.rows(); ++i) {
        const bool open = i < first.open || groupS != OpenGroups::kNone || a.group != OpenGroups::kNone ||
                          b.group != OpenGroups::kNone;
        const double weight =
            open ? pairProbability(groups_, a, b, groupOfTarget(first, groups_, i), groupS) : 1;
        if (weight == 0 || squares(i, j) == 0) continue;
        if (options_.virtualOnly && (i < first.open || groupS != OpenGroups::kNone)) continue;
        const double excitation =
            first.energies(first.closed + i) + second.energies(second.closed + j) - a.energy - b.energy;
        gap = std::min(gap, excitation);
        sum -= weight * squares(i, j) / excitation;
      }
    }
    return sum;
  }

  const OrbitalSpace& space_;
  const OpenGroups& groups_;
  const CorrelationOptions& options_;
  int symmetries_;
};

}  // namespace

SecondOrder secondOrder(const OrbitalSpace& space, const Configuration& configuration,
                        const CorrelationOptions& options) {
  const OpenGroups groups(configuration);
  const std::vector<ActiveSpinor> active = activeSpinors(space, groups, options);
  const PairSums sums(space, groups, options);
  const int symmetries = static_cast<int>(space.symmetries().size());
  SecondOrder result;
  result.smallestGap = std::numeric_limits<double>::infinity();
  result.waves.assign(static_cast<std::size_t>(space.largestL()) + 1, 0.0);
  SecondOrderCache own;
  SecondOrderCache& cache = options.cache != nullptr ? *options.cache : own;
  cache.angles.resize(static_cast<std::size_t>(options.pool->threads()));
  const bool known = cache.potentials.size() == active.size();
  for (std::size_t i = 0; i < active.size(); ++i) {
    pass(options.checkpoint);
    const SpinorPotentials ofA(space, active[i].symmetry, active[i].column, *options.pool,
                               known ? &cache.potentials[i] : nullptr, options.targets);
    if (options.cache != nullptr && !known && cache.potentials.size() == i) cache.potentials.push_back(ofA);
    const int others = static_cast<int>(active.size() - i);
    std::vector<Part> parts(static_cast<std::size_t>(others * symmetries));
    options.pool->forEach(others * symmetries, [&](int task, int worker) {
      const auto b = i + static_cast<std::size_t>(task / symmetries);
      parts[static_cast<std::size_t>(task)] = sums.excite(active[i], active[b], task % symmetries, ofA,
                                                          cache.angles[static_cast<std::size_t>(worker)]);
    });
    for (int task = 0; task < others * symmetries; ++task) {
      const Part& part = parts[static_cast<std::size_t>(task)];
      if (task % symmetries == 0) {
        PairEnergy& pair = result.pairs.emplace_back();
        pair.first = active[i].label;
        pair.second = active[i + static_cast<std::size_t>(task / symmetries)].label;
        pair.waves.assign(result.waves.size(), 0.0);
      }
      for (std::size_t l = 0; l < part.waves.size(); ++l) {
        result.pairs.back().waves[l] += part.waves[l];
        result.pairs.back().energy += part.waves[l];
        result.waves[l] += part.waves[l];
      }
      result.smallestGap = std::min(result.smallestGap, part.gap);
      result.integrals += part.integrals;
    }
  }
  addSingles(space, groups, active, options, result);
  for (const double wave : result.waves) result.energy += wave;
  return result;
}

}  // namespace prophet
