#include "atoms/correlation/self_energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "atoms/correlation/correlated_spinors.hpp"
#include "atoms/correlation/correlation_engine.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {

Eigen::VectorXd SigmaWeights::values() const {
  Eigen::VectorXd weights(rows.size() * columns.size());
  for (Eigen::Index j = 0; j < columns.size(); ++j)
    for (Eigen::Index i = 0; i < rows.size(); ++i) weights(i + j * rows.size()) = factor / difference(i, j);
  return weights;
}

double SigmaWeights::gap() const {
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index j = 0; j < columns.size(); ++j)
    for (Eigen::Index i = 0; i < rows.size(); ++i) least = std::min(least, std::abs(difference(i, j)));
  return least;
}

namespace {

/// Place of a spinor by its principal quantum number: of an occupied one, or counted on from them.
Eigen::Index columnOf(const SymmetryOrbitals& s, int n) {
  for (int i = 0; i < s.closed; ++i)
    if (s.n[usize(i)] == n) return i;
  const Eigen::Index column = n - s.symmetry.l() - 1;
  if (column < s.closed || column >= s.count())
    throw Error(fmt::format("there is no spinor {}; {} has n from {} to {}",
                            spinorLabel(s.symmetry, n - s.symmetry.l()), s.symmetry.label(),
                            s.symmetry.l() + 1, s.symmetry.l() + s.count()));
  return column;
}

SelfEnergyTerms termsOf(const OrbitalSpace& space, const std::vector<ActiveSpinor>& holes, int symmetry,
                        int n, const CorrelationOptions& options) {
  const SymmetryOrbitals& own = space.symmetries()[usize(symmetry)];
  const Eigen::Index column = columnOf(own, n);
  SelfEnergyTerms terms{space, holes, symmetry, {}, 0, own.energies(column), *options.pool};
  for (Eigen::Index i = 0; i < own.count(); ++i) {
    if (i == column) terms.place = terms.count();
    if (i == column || own.energies(i) < options.bruecknerRange) terms.columns.push_back(i);
  }
  return terms;
}

ValenceState valenceState(const SelfEnergyTerms& terms, const CorrelationOptions& options,
                          CorrelationEngine& engine) {
  const Eigen::Index place = terms.place, column = terms.columns[usize(place)];
  const SymmetryOrbitals& own = terms.own();
  ValenceState state;
  state.symmetry = terms.symmetry;
  state.column = column;
  state.hole = column < own.closed;
  state.label = state.hole ? own.label(static_cast<int>(column))
                           : spinorLabel(own.symmetry, static_cast<int>(column) + 1);
  state.energy = terms.energy;
  state.waves.assign(usize(terms.space.largestL()) + 1, 0.0);
  Eigen::MatrixXd matrix = own.energies(terms.columns).asDiagonal();
  state.smallestGap = std::numeric_limits<double>::infinity();
  const std::unique_ptr<SigmaSums> sums = engine.sums(terms);
  for (std::size_t a = 0; a < terms.holes.size(); ++a) {
    pass(options.checkpoint);
    const SigmaPart part = sums->partOf(a);
    matrix += part.matrix;
    for (std::size_t l = 0; l < part.waves.size(); ++l) state.waves[l] += part.waves[l];
    state.smallestGap = std::min(state.smallestGap, part.gap);
  }
  for (const double wave : state.waves) state.secondOrder += wave;
  matrix = (0.5 * (matrix + matrix.transpose())).eval();
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  EigenSolver().solve(matrix, 0, static_cast<int>(terms.count()), values, vectors);
  Eigen::Index most = 0;
  vectors.row(place).cwiseAbs().maxCoeff(&most);
  state.brueckner = values(most);
  state.bruecknerSpinor = Eigen::VectorXd::Zero(own.count());
  state.bruecknerSpinor(terms.columns) = vectors.col(most) * (vectors(place, most) < 0 ? -1.0 : 1.0);
  return state;
}

/// Calls task for each of the spinors, in their order.
template <class Task>
void forStates(const OrbitalSpace& space, const Configuration& configuration,
               const std::vector<Shell>& valence, const CorrelationOptions& options, const Task& task) {
  if (configuration.hasOpenShells())
    throw Error(
        fmt::format("the self-energy is that of closed shells; found '{}'", configuration.description));
  const OpenGroups groups(configuration);
  const std::vector<ActiveSpinor> holes = activeSpinors(space, groups, options.frozen);
  for (const Shell& shell : valence) {
    if (shell.l > space.largestL())
      throw Error(fmt::format("there are no spinors {}; those of the largest l are {}", shell.name(),
                              letterOfL(space.largestL())));
    for (std::size_t a = 0; a < space.symmetries().size(); ++a)
      if (const Symmetry s = space.symmetries()[a].symmetry; s.l() == shell.l && shell.has(s.twoJ()))
        task(termsOf(space, holes, static_cast<int>(a), shell.n, options));
  }
}

}  // namespace

double SelfEnergyTerms::operations() const {
  double integrals = 0;
  for (const ActiveSpinor& a : holes)
    for (int r = 0; r < symmetries(); ++r)
      for (int s = r; s < symmetries(); ++s) {
        const PairSymmetries pair = particles(a, r, s);
        const std::size_t ranks = pairRanks(pair).size() + pairRanks({pair.a, pair.b, pair.s, pair.r}).size();
        integrals += static_cast<double>(ranks) * static_cast<double>(of(r).virtuals() * of(s).virtuals());
      }
  return 2 * integrals * static_cast<double>(count() * (space.points() + count()));
}

double valenceOperations(const OrbitalSpace& space, const Configuration& configuration,
                         const std::vector<Shell>& valence, const CorrelationOptions& options) {
  double sum = 0;
  forStates(space, configuration, valence, options,
            [&](const SelfEnergyTerms& terms) { sum += terms.operations(); });
  return sum;
}

std::vector<ValenceState> valenceStates(const OrbitalSpace& space, const Configuration& configuration,
                                        const std::vector<Shell>& valence,
                                        const CorrelationOptions& options) {
  const std::unique_ptr<CorrelationEngine> ownEngine = options.engine ? nullptr : hostCorrelationEngine();
  std::vector<ValenceState> states;
  forStates(space, configuration, valence, options, [&](const SelfEnergyTerms& terms) {
    states.push_back(valenceState(terms, options, options.engine ? *options.engine : *ownEngine));
  });
  return states;
}

}  // namespace prophet
