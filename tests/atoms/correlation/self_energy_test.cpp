#include "atoms/correlation/self_energy.hpp"

#include <gtest/gtest.h>

#include "atoms/correlation/correlation_engine.hpp"
#include "atoms/correlation/product_points.hpp"
#include "tests/atoms/correlation/determinants.hpp"
#include "tests/atoms/correlation/spaces.hpp"

namespace prophet {
namespace {

/// With the spinors and energies of the closed shells alone second order of a determinant with an electron
/// more is larger by the self-energy, and with an electron less smaller.
TEST(SelfEnergy, IsTheDifferenceOfDeterminantsWithAnElectronMoreOrLess) {
  struct Case {
    const char* closed;
    double z;
    std::vector<std::vector<double>> exponents;
    OneElectronOperator hamiltonian;
    const char* valence;
  };
  const std::vector<Case> cases = {
      {"1s2", 3, {{30, 5, 1, 0.2, 0.05}, {2, 0.4, 0.1}, {0.5}}, OneElectronOperator::Dirac, "1s 2s 2p 3d"},
      {"1s2 2s2 2p6",
       11,
       {{500, 60, 9, 1.6, 0.3}, {20, 4, 0.8, 0.1}},
       OneElectronOperator::X2c,
       "2s 2p3/2 3s"}};
  ThreadPool pool(2);
  for (const Case& c : cases) {
    const AtomProblem problem = atomOf(c.z, c.closed, c.hamiltonian);
    const OrbitalSpace space = spaceIn(sharedSet(c.exponents), problem, pool);
    Places places(space);
    std::vector<std::size_t> closed;
    for (std::size_t p = 0; p < places.list.size(); ++p)
      if (places.list[p].column <
          space.symmetries()[static_cast<std::size_t>(places.list[p].symmetry)].closed)
        closed.push_back(p);
    const double without = byDeterminants(places, {closed});
    for (const ValenceState& state :
         valenceStates(space, problem.configuration, parseShells(c.valence), {{}, &pool, {}})) {
      const auto found = std::find_if(places.list.begin(), places.list.end(), [&](const Places::Place& p) {
        const Symmetry s = space.symmetries()[static_cast<std::size_t>(p.symmetry)].symmetry;
        return spinorLabel(s, static_cast<int>(p.column) + 1) == state.label;
      });
      ASSERT_NE(found, places.list.end()) << state.label;
      std::vector<std::size_t> changed = closed;
      const auto place = static_cast<std::size_t>(found - places.list.begin());
      if (state.hole) {
        std::erase(changed, place);
      } else {
        changed.push_back(place);
        std::sort(changed.begin(), changed.end());
      }
      const double difference = byDeterminants(places, {changed}) - without;
      EXPECT_GT(std::abs(difference), 1e-5) << state.label;
      EXPECT_NEAR(state.secondOrder, state.hole ? -difference : difference, 1e-11) << state.label;
      double waves = 0;
      for (const double wave : state.waves) waves += wave;
      EXPECT_NEAR(waves, state.secondOrder, 1e-14);
    }
  }
}

/// Repulsions of products of smooth functions and all spinors are the same from a few points of the mesh,
/// here of spinors up to 144,000 hartree.
TEST(ProductPoints, SayAllAboutRepulsion) {
  ThreadPool pool(2);
  const AtomProblem problem = atomOf(12, "1s2 2s2 2p6", OneElectronOperator::Dirac);
  const OrbitalSpace space = splineSpace(problem, 1, 2, 30, pool);
  std::vector<SpinorFunctions> smooth;
  for (int s = 0; s < 5; ++s)
    smooth.push_back(functionsOf(space, s, 0, space.symmetries()[usize(s)].closed + 4));
  const ProductPoints few = productPoints(space, smooth, pool);
  EXPECT_LT(2 * few.points.size(), usize(space.points()));
  double largest = 0;
  for (const SpinorFunctions& f : smooth)
    for (Eigen::Index i = 0; i < f.count(); ++i)
      for (int s = 0; s < 5; ++s)
        for (const int k : {0, 1, 4}) {
          const SymmetryOrbitals& g = space.symmetries()[usize(s)];
          const Eigen::MatrixXd products =
              f.large.col(i).asDiagonal() * g.large + Eigen::MatrixXd(f.small.col(i).asDiagonal() * g.small);
          const Eigen::MatrixXd values = few.valuesOf(products),
                                known = products.transpose() * space.potentials(k, products),
                                found = values.transpose() * few.potentials(k, values);
          largest = std::max(largest, known.cwiseAbs().maxCoeff());
          EXPECT_LT((found - known).cwiseAbs().maxCoeff(), 5e-9) << f.symmetry.label() << i << ' ' << s;
        }
  EXPECT_GT(largest, 1);
}

/// Between combinations of spinors, as levels with core-valence correlation take them.
TEST(SelfEnergy, OfFewPointsIsThatOfAll) {
  ThreadPool pool(2);
  const AtomProblem problem = atomOf(12, "1s2 2s2 2p6", OneElectronOperator::Dirac);
  const OrbitalSpace space = splineSpace(problem, 0.7, 3, 30, pool);
  const std::vector<ActiveSpinor> holes =
      activeSpinors(space, OpenGroups(problem.configuration), std::vector<Shell>{});
  std::mt19937_64 engine(7);
  for (const int symmetry : {0, 2}) {
    const SpinorFunctions low = functionsOf(space, symmetry, 0, 6);
    const Eigen::MatrixXd factors = randomFactors(engine, 6, 3);
    const SpinorFunctions mixed{low.symmetry, low.large * factors, low.small * factors};
    std::vector<SpinorFunctions> all{mixed};
    for (int s = 0; s < 3; ++s) all.push_back(functionsOf(space, s, 0, space.symmetries()[usize(s)].closed));
    ProductPoints every;
    for (Eigen::Index i = 0; i < space.points(); ++i) every.points.push_back(i);
    for (int k = 0; k <= space.kernel().largestK(); ++k) every.kernels.push_back(space.kernelMatrix(k));
    const ProductPoints few = productPoints(space, all, pool);
    EXPECT_LT(2 * few.points.size(), usize(space.points()));
    const auto sumAt = [&](const ProductPoints& points) {
      const SelfEnergyTerms terms{space, holes, symmetry, mixed, 0, -0.3, points, pool};
      const std::unique_ptr<CorrelationEngine> host = hostCorrelationEngine();
      const std::unique_ptr<SigmaSums> parts = host->sums(terms);
      Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(3, 3);
      for (std::size_t a = 0; a < holes.size(); ++a) sum += parts->partOf(a).matrix;
      return sum;
    };
    const Eigen::MatrixXd known = sumAt(every);
    EXPECT_GT(known.cwiseAbs().maxCoeff(), 1e-4);
    EXPECT_LT((sumAt(few) - known).cwiseAbs().maxCoeff(), 1e-9 * known.cwiseAbs().maxCoeff());
  }
}

TEST(SelfEnergy, NeedsClosedShells) {
  ThreadPool pool(1);
  const AtomProblem problem = atomOf(3, "1s2 2s1", OneElectronOperator::Dirac);
  const OrbitalSpace space = spaceIn(sharedSet({{30, 5, 1, 0.2}}), problem, pool);
  EXPECT_THROW(valenceStates(space, problem.configuration, parseShells("2p"), {{}, &pool, {}}), Error);
}

TEST(SelfEnergy, HasNoSpinorsBeyondTheSpace) {
  ThreadPool pool(1);
  const AtomProblem problem = atomOf(3, "1s2", OneElectronOperator::Dirac);
  const OrbitalSpace space = spaceIn(sharedSet({{30, 5, 1, 0.2}}), problem, pool);
  EXPECT_THROW(valenceStates(space, problem.configuration, parseShells("5s"), {{}, &pool, {}}), Error);
  EXPECT_THROW(valenceStates(space, problem.configuration, parseShells("2p"), {{}, &pool, {}}), Error);
}

}  // namespace
}  // namespace prophet
