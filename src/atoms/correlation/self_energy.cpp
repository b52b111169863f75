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

/// A valence spinor among those of its symmetry that it may mix with.
struct ValencePlace {
  int symmetry = 0;
  Eigen::Index place = 0;  ///< among the columns
  std::vector<Eigen::Index> columns;

  Eigen::Index column() const { return columns[usize(place)]; }
};

ValencePlace placeOf(const OrbitalSpace& space, int symmetry, int n, const CorrelationOptions& options) {
  const SymmetryOrbitals& own = space.symmetries()[usize(symmetry)];
  const Eigen::Index column = columnOf(own, n);
  ValencePlace made{symmetry, 0, {}};
  for (Eigen::Index i = 0; i < own.count(); ++i) {
    if (i == column) made.place = static_cast<Eigen::Index>(made.columns.size());
    if (i == column || own.energies(i) < options.bruecknerRange) made.columns.push_back(i);
  }
  return made;
}

SpinorFunctions functionsAt(const SymmetryOrbitals& o, const std::vector<Eigen::Index>& columns) {
  return {o.symmetry, o.large(Eigen::all, columns),
          o.small.rows() > 0 ? Eigen::MatrixXd(o.small(Eigen::all, columns))
                             : Eigen::MatrixXd(0, static_cast<Eigen::Index>(columns.size()))};
}

ValenceState valenceState(const ValencePlace& valence, const SelfEnergyTerms& terms,
                          const CorrelationOptions& options, CorrelationEngine& engine) {
  const Eigen::Index place = valence.place, column = valence.column();
  const SymmetryOrbitals& own = terms.own();
  ValenceState state;
  state.symmetry = terms.symmetry;
  state.column = column;
  state.hole = column < own.closed;
  state.label = state.hole ? own.label(static_cast<int>(column))
                           : spinorLabel(own.symmetry, static_cast<int>(column) + 1);
  state.energy = terms.energy;
  SigmaPart sum{own.energies(valence.columns).asDiagonal(),
                std::vector<double>(usize(terms.space.largestL()) + 1, 0.0)};
  addHoles(*engine.sums(terms), terms.holes.size(), options.checkpoint, sum);
  state.waves = std::move(sum.waves);
  state.smallestGap = sum.gap;
  for (const double wave : state.waves) state.secondOrder += wave;
  Eigen::MatrixXd matrix = 0.5 * (sum.matrix + sum.matrix.transpose());
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  EigenSolver().solve(matrix, 0, static_cast<int>(terms.count()), values, vectors);
  Eigen::Index most = 0;
  vectors.row(place).cwiseAbs().maxCoeff(&most);
  state.brueckner = values(most);
  state.bruecknerSpinor = Eigen::VectorXd::Zero(own.count());
  state.bruecknerSpinor(valence.columns) = vectors.col(most) * (vectors(place, most) < 0 ? -1.0 : 1.0);
  return state;
}

/// Places of the spinors, in their order.
std::vector<ValencePlace> placesOf(const OrbitalSpace& space, const Configuration& configuration,
                                   const std::vector<Shell>& valence, const CorrelationOptions& options) {
  if (configuration.hasOpenShells())
    throw Error(
        fmt::format("the self-energy is that of closed shells; found '{}'", configuration.description));
  std::vector<ValencePlace> places;
  for (const Shell& shell : valence) {
    if (shell.l > space.largestL())
      throw Error(fmt::format("there are no spinors {}; those of the largest l are {}", shell.name(),
                              letterOfL(space.largestL())));
    for (std::size_t a = 0; a < space.symmetries().size(); ++a)
      if (const Symmetry s = space.symmetries()[a].symmetry; s.l() == shell.l && shell.has(s.twoJ()))
        places.push_back(placeOf(space, static_cast<int>(a), shell.n, options));
  }
  return places;
}

/// The operations are those of the products with two particles, which are almost all.
double operationsOf(const OrbitalSpace& space, const std::vector<ActiveSpinor>& holes,
                    const ValencePlace& place) {
  const auto& all = space.symmetries();
  double integrals = 0;
  for (const ActiveSpinor& a : holes)
    for (std::size_t r = 0; r < all.size(); ++r)
      for (std::size_t s = r; s < all.size(); ++s) {
        const PairSymmetries pair{all[usize(place.symmetry)].symmetry, all[usize(a.symmetry)].symmetry,
                                  all[r].symmetry, all[s].symmetry};
        const std::size_t ranks = pairRanks(pair).size() + pairRanks({pair.a, pair.b, pair.s, pair.r}).size();
        integrals += static_cast<double>(ranks) * static_cast<double>(all[r].virtuals() * all[s].virtuals());
      }
  // Products are known by a third of the points or so.
  const auto count = static_cast<double>(place.columns.size());
  return 2 * integrals * count * (static_cast<double>(space.points()) / 3 + count);
}

}  // namespace

double valenceOperations(const OrbitalSpace& space, const Configuration& configuration,
                         const std::vector<Shell>& valence, const CorrelationOptions& options) {
  const std::vector<ValencePlace> places = placesOf(space, configuration, valence, options);
  const std::vector<ActiveSpinor> holes = activeSpinors(space, OpenGroups(configuration), options.frozen);
  double sum = 0;
  for (const ValencePlace& place : places) sum += operationsOf(space, holes, place);
  return sum;
}

std::vector<ValenceState> valenceStates(const OrbitalSpace& space, const Configuration& configuration,
                                        const std::vector<Shell>& valence,
                                        const CorrelationOptions& options) {
  const std::vector<ValencePlace> places = placesOf(space, configuration, valence, options);
  const std::vector<ActiveSpinor> holes = activeSpinors(space, OpenGroups(configuration), options.frozen);
  const std::unique_ptr<CorrelationEngine> ownEngine = options.engine ? nullptr : hostCorrelationEngine();
  std::vector<SpinorFunctions> factors;
  for (std::size_t s = 0; s < space.symmetries().size(); ++s)
    if (const int closed = space.symmetries()[s].closed; closed > 0)
      factors.push_back(functionsOf(space, static_cast<int>(s), 0, closed));
  for (const ValencePlace& v : places)
    factors.push_back(functionsAt(space.symmetries()[usize(v.symmetry)], v.columns));
  const ProductPoints products = productPoints(space, factors, *options.pool);
  std::vector<ValenceState> states;
  for (const ValencePlace& v : places) {
    const SymmetryOrbitals& own = space.symmetries()[usize(v.symmetry)];
    const SelfEnergyTerms terms{
        space,    holes,        v.symmetry, functionsAt(own, v.columns), v.place, own.energies(v.column()),
        products, *options.pool};
    states.push_back(valenceState(v, terms, options, options.engine ? *options.engine : *ownEngine));
  }
  return states;
}

}  // namespace prophet
