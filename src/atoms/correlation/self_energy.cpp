#include "atoms/correlation/self_energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "atoms/correlation/correlated_spinors.hpp"
#include "atoms/correlation/pair_angles.hpp"
#include "core/common/error.hpp"
#include "core/linalg/dense.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {
namespace {

constexpr double kBruecknerRange = 100;  // hartree: spinors above do not mix with valence electrons

/// Sigma between some spinors of one symmetry, and its diagonal element of the valence state by waves.
struct SigmaPart {
  Eigen::MatrixXd matrix;
  std::size_t wave = 0;
  double gap = std::numeric_limits<double>::infinity();
};

/// The self-energy of second order between spinors of one symmetry at one energy.
class SelfEnergy {
 public:
  SelfEnergy(const OrbitalSpace& space, std::vector<ActiveSpinor> holes, int symmetry,
             std::vector<Eigen::Index> columns, double energy)
      : space_(space),
        holes_(std::move(holes)),
        symmetry_(symmetry),
        columns_(std::move(columns)),
        energy_(energy) {}

  const std::vector<ActiveSpinor>& holes() const { return holes_; }

  /// Two particles of these symmetries, r not after s, and a hole.
  SigmaPart particles(const ActiveSpinor& a, int r, int s, const SpinorPotentials& ofA,
                      PairAngles& angles) const {
    SigmaPart part = empty({of(a.symmetry), of(r), of(s)});
    const PairSymmetries pair{own().symmetry, of(a.symmetry).symmetry, of(r).symmetry, of(s).symmetry};
    const PairSymmetries swapped{pair.a, pair.b, pair.s, pair.r};
    const std::vector<int> direct = pairRanks(pair), exchange = pairRanks(swapped);
    const Eigen::Index nr = of(r).virtuals(), ns = of(s).virtuals();
    if (direct.empty() + exchange.empty() == 2 || nr * ns == 0) return part;
    std::vector<Eigen::MatrixXd> x(direct.size() + exchange.size(), Eigen::MatrixXd(nr * ns, count()));
    for (Eigen::Index p = 0; p < count(); ++p) {
      const auto put = [&](std::size_t n, const Eigen::MatrixXd& values) { x[n].col(p) = values.reshaped(); };
      const Eigen::MatrixXd first = products(p, r), second = products(p, s);
      for (std::size_t i = 0; i < direct.size(); ++i)
        put(i, multiply(first, true, ofA.of(s, direct[i]).rightCols(ns), false));
      for (std::size_t i = 0; i < exchange.size(); ++i)
        put(direct.size() + i, multiply(ofA.of(r, exchange[i]).rightCols(nr), true, second, false));
    }
    Eigen::VectorXd weights(nr * ns);
    for (Eigen::Index j = 0; j < ns; ++j)
      for (Eigen::Index i = 0; i < nr; ++i) {
        const double difference =
            energy_ + a.energy - of(r).energies(of(r).closed + i) - of(s).energies(of(s).closed + j);
        part.gap = std::min(part.gap, std::abs(difference));
        weights(i + j * nr) = (r == s ? 0.5 : 1.0) / difference;
      }
    add(x, angles.form(pair), weights, part);
    return part;
  }

  /// Two holes, b not before a, and a particle of a symmetry.
  SigmaPart holesAnd(const ActiveSpinor& a, const ActiveSpinor& b, int m, PairAngles& angles) const {
    SigmaPart part = empty({of(a.symmetry), of(b.symmetry), of(m)});
    const PairSymmetries pair{own().symmetry, of(m).symmetry, of(a.symmetry).symmetry,
                              of(b.symmetry).symmetry};
    const PairSymmetries swapped{pair.a, pair.b, pair.s, pair.r};
    const std::vector<int> direct = pairRanks(pair), exchange = pairRanks(swapped);
    if (direct.empty() + exchange.empty() == 2 || of(m).virtuals() == 0) return part;
    std::vector<Eigen::MatrixXd> x;
    for (const int k : direct) x.push_back(withHoles(a, b, m, k));
    for (const int k : exchange) x.push_back(withHoles(b, a, m, k));
    const Eigen::VectorXd differences =
        (energy_ - a.energy - b.energy + of(m).energies.tail(of(m).virtuals()).array()).matrix();
    part.gap = differences.cwiseAbs().minCoeff();
    add(x, angles.form(pair), (a.sameAs(b) ? 0.5 : 1.0) * differences.cwiseInverse(), part);
    return part;
  }

 private:
  const SymmetryOrbitals& of(int symmetry) const {
    return space_.symmetries()[static_cast<std::size_t>(symmetry)];
  }
  const SymmetryOrbitals& own() const { return of(symmetry_); }
  Eigen::Index count() const { return static_cast<Eigen::Index>(columns_.size()); }

  SigmaPart empty(const std::vector<std::reference_wrapper<const SymmetryOrbitals>>& spinors) const {
    int wave = 0;
    for (const SymmetryOrbitals& s : spinors) wave = std::max(wave, s.symmetry.l());
    return {Eigen::MatrixXd::Zero(count(), count()), static_cast<std::size_t>(wave)};
  }
  Eigen::MatrixXd products(Eigen::Index p, int symmetry) const {
    return space_.densities(symmetry_, columns_[static_cast<std::size_t>(p)], symmetry, of(symmetry).closed,
                            of(symmetry).virtuals());
  }
  /// R^k(pm,ab), rows m, columns p.
  Eigen::MatrixXd withHoles(const ActiveSpinor& a, const ActiveSpinor& b, int m, int k) const {
    Eigen::MatrixXd densities(space_.points(), count());
    for (Eigen::Index p = 0; p < count(); ++p)
      densities.col(p) =
          space_.densities(a.symmetry, a.column, symmetry_, columns_[static_cast<std::size_t>(p)], 1);
    const Eigen::MatrixXd moving = space_.densities(b.symmetry, b.column, m, of(m).closed, of(m).virtuals());
    return multiply(moving, true, space_.potentials(k, densities), false);
  }

  /// Sum over all transitions, rows of each x, of x_p^T M x_q times a weight, mean over projections.
  void add(const std::vector<Eigen::MatrixXd>& x, const Eigen::MatrixXd& form, const Eigen::VectorXd& weights,
           SigmaPart& part) const {
    for (std::size_t j = 0; j < x.size(); ++j) {
      Eigen::MatrixXd mixed = Eigen::MatrixXd::Zero(x[j].rows(), x[j].cols());
      for (std::size_t i = 0; i < x.size(); ++i)
        if (const double factor = form(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
            factor != 0)
          mixed += factor * x[i];
      part.matrix += multiply(mixed, true, weights.asDiagonal() * x[j], false);
    }
    part.matrix /= own().symmetry.degeneracy();
  }

  const OrbitalSpace& space_;
  std::vector<ActiveSpinor> holes_;
  int symmetry_;
  std::vector<Eigen::Index> columns_;
  double energy_;
};

/// Place of a spinor by its principal quantum number: of an occupied one, or counted on from them.
Eigen::Index columnOf(const SymmetryOrbitals& s, int n) {
  for (int i = 0; i < s.closed; ++i)
    if (s.n[static_cast<std::size_t>(i)] == n) return i;
  const Eigen::Index column = n - s.symmetry.l() - 1;
  if (column < s.closed || column >= s.count())
    throw Error(fmt::format("there is no spinor {}; {} has n from {} to {}",
                            spinorLabel(s.symmetry, n - s.symmetry.l()), s.symmetry.label(),
                            s.symmetry.l() + 1, s.symmetry.l() + s.count()));
  return column;
}

ValenceState valenceState(const OrbitalSpace& space, const std::vector<ActiveSpinor>& holes, int symmetry,
                          int n, const CorrelationOptions& options) {
  const SymmetryOrbitals& own = space.symmetries()[static_cast<std::size_t>(symmetry)];
  const Eigen::Index column = columnOf(own, n);
  std::vector<Eigen::Index> columns;
  Eigen::Index place = 0;
  for (Eigen::Index i = 0; i < own.count(); ++i) {
    if (i == column) place = static_cast<Eigen::Index>(columns.size());
    if (i == column || own.energies(i) < kBruecknerRange) columns.push_back(i);
  }
  ValenceState state;
  state.label = spinorLabel(own.symmetry, n - own.symmetry.l());
  state.hole = column < own.closed;
  state.energy = own.energies(column);
  state.waves.assign(static_cast<std::size_t>(space.largestL()) + 1, 0.0);
  const SelfEnergy sigma(space, holes, symmetry, columns, state.energy);
  const int symmetries = static_cast<int>(space.symmetries().size());
  std::vector<std::pair<int, int>> pairs;
  for (int r = 0; r < symmetries; ++r)
    for (int s = r; s < symmetries; ++s) pairs.emplace_back(r, s);
  std::vector<PairAngles> angles(static_cast<std::size_t>(options.pool->threads()));
  const auto count = static_cast<Eigen::Index>(columns.size());
  Eigen::MatrixXd matrix = own.energies(columns).asDiagonal();
  state.smallestGap = std::numeric_limits<double>::infinity();
  const auto collect = [&](const std::vector<SigmaPart>& parts) {
    for (const SigmaPart& part : parts) {
      matrix += part.matrix;
      state.waves[part.wave] += part.matrix(place, place);
      state.smallestGap = std::min(state.smallestGap, part.gap);
    }
  };
  for (std::size_t a = 0; a < holes.size(); ++a) {
    pass(options.checkpoint);
    const SpinorPotentials ofA(space, holes[a].symmetry, holes[a].column, *options.pool);
    std::vector<SigmaPart> parts(pairs.size());
    options.pool->forEach(static_cast<int>(pairs.size()), [&](int i, int worker) {
      const auto [r, s] = pairs[static_cast<std::size_t>(i)];
      parts[static_cast<std::size_t>(i)] =
          sigma.particles(holes[a], r, s, ofA, angles[static_cast<std::size_t>(worker)]);
    });
    collect(parts);
    const int others = static_cast<int>(holes.size() - a);
    parts.assign(static_cast<std::size_t>(others * symmetries), {});
    options.pool->forEach(others * symmetries, [&](int i, int worker) {
      parts[static_cast<std::size_t>(i)] =
          sigma.holesAnd(holes[a], holes[a + static_cast<std::size_t>(i / symmetries)], i % symmetries,
                         angles[static_cast<std::size_t>(worker)]);
    });
    collect(parts);
  }
  for (const double wave : state.waves) state.secondOrder += wave;
  matrix = (0.5 * (matrix + matrix.transpose())).eval();
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  EigenSolver().solve(matrix, 0, static_cast<int>(count), values, vectors);
  Eigen::Index most = 0;
  vectors.row(place).cwiseAbs().maxCoeff(&most);
  state.brueckner = values(most);
  return state;
}

}  // namespace

std::vector<ValenceState> valenceStates(const OrbitalSpace& space, const Configuration& configuration,
                                        const std::vector<Shell>& valence,
                                        const CorrelationOptions& options) {
  if (configuration.hasOpenShells())
    throw Error(
        fmt::format("the self-energy is that of closed shells; found '{}'", configuration.description));
  const OpenGroups groups(configuration);
  const std::vector<ActiveSpinor> holes = activeSpinors(space, groups, options.frozen);
  std::vector<ValenceState> states;
  for (const Shell& shell : valence) {
    if (shell.l > space.largestL())
      throw Error(fmt::format("there are no spinors {}; those of the largest l are {}", shell.name(),
                              letterOfL(space.largestL())));
    for (std::size_t a = 0; a < space.symmetries().size(); ++a)
      if (const Symmetry s = space.symmetries()[a].symmetry; s.l() == shell.l && shell.has(s.twoJ()))
        states.push_back(valenceState(space, holes, static_cast<int>(a), shell.n, options));
  }
  return states;
}

}  // namespace prophet
