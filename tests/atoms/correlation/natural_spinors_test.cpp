#include "atoms/correlation/natural_spinors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/correlation/open_groups.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "core/common/error.hpp"
#include "tests/atoms/correlation/determinants.hpp"
#include "tests/atoms/correlation/spaces.hpp"

namespace prophet {
namespace {

double electronsIn(const OrbitalSpace& space, const std::vector<SymmetryDensity>& densities) {
  double sum = 0;
  for (std::size_t a = 0; a < densities.size(); ++a) {
    const SymmetryDensity& d = densities[a];
    sum +=
        space.symmetries()[a].symmetry.degeneracy() * (d.closed.trace() + d.open.sum() + d.virtuals.trace());
  }
  return sum;
}

double heldBy(const std::vector<NaturalSpinor>& spinors) {
  double sum = 0;
  for (const NaturalSpinor& s : spinors) sum += s.electrons;
  return sum;
}

void expectSame(const std::vector<SymmetryDensity>& one, const std::vector<SymmetryDensity>& other,
                double tolerance, const std::string& what) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t a = 0; a < one.size(); ++a) {
    const auto differ = [](const auto& x, const auto& y) {
      return x.size() == 0 ? 0.0 : (x - y).cwiseAbs().maxCoeff();
    };
    EXPECT_LT(differ(one[a].closed, other[a].closed), tolerance) << what << " closed, symmetry " << a;
    EXPECT_LT(differ(one[a].open, other[a].open), tolerance) << what << " open, symmetry " << a;
    EXPECT_LT(differ(one[a].virtuals, other[a].virtuals), tolerance) << what << " virtual, symmetry " << a;
  }
}

struct NaturalCase {
  const char* configuration;
  double z;
  std::vector<std::vector<double>> exponents;
  OneElectronOperator hamiltonian;
  bool virtualOnly;
};

TEST(NaturalSpinors, DensityIsTheMeanOverTheWaveFunctionsOfAllDeterminants) {
  const std::vector<std::vector<double>> ofCarbon = {{60, 9, 1.6, 0.4}, {2.5, 0.5}};
  // Where 2p1/2 and 2p3/2 are far apart.
  const std::vector<std::vector<double>> ofZirconium = {{2700, 400, 70, 18}, {110, 22}};
  const std::vector<std::vector<double>> ofLithium = {{12, 2, 0.5, 0.1}, {0.6}, {0.5}};
  const std::vector<NaturalCase> cases = {
      {"1s2 2s2", 4, {{60, 9, 1.6, 0.4, 0.1}, {2.5, 0.5}, {0.7}}, OneElectronOperator::Dirac, false},
      {"1s2 2s2 2p2", 6, ofCarbon, OneElectronOperator::Dirac, false},
      {"1s2 2s2 2p2", 6, ofCarbon, OneElectronOperator::X2c, true},
      {"1s2 2s1 2p3", 6, ofCarbon, OneElectronOperator::Nonrelativistic, false},
      {"1s2 2s1 2p1/2:1 2p3/2:2", 40, ofZirconium, OneElectronOperator::Dirac, false},
      {"1s1 2s2", 3, ofLithium, OneElectronOperator::X2c, false},
      {"1s2 2s1", 3, ofLithium, OneElectronOperator::Dirac, true},
      {"1s2 3d2", 20, {{300, 40, 6}, {12}, {6, 1.5}}, OneElectronOperator::Nonrelativistic, false}};
  ThreadPool pool(2);
  for (const NaturalCase& c : cases) {
    const AtomProblem problem = atomOf(c.z, c.configuration, c.hamiltonian);
    const OrbitalSpace space = spaceIn(sharedSet(c.exponents), problem, pool);
    CorrelationOptions options{{}, &pool, {}};
    options.virtualOnly = c.virtualOnly;
    const std::vector<SymmetryDensity> densities = secondOrderDensity(space, problem.configuration, options);
    Places places(space);
    for (Places::Place& p : places.list)
      if (c.virtualOnly && !p.isVirtual)
        p.energy = space.symmetries()[static_cast<std::size_t>(p.symmetry)].ownEnergies(p.column);
    const auto determinants = determinantsOf(places, space, OpenGroups(problem.configuration));
    expectSame(densities, densityByDeterminants(places, space, determinants, c.virtualOnly), 1e-12,
               c.configuration);
    EXPECT_NEAR(electronsIn(space, densities), 0, 1e-11) << c.configuration;
    EXPECT_GT(densities[0].virtuals.trace(), 1e-5) << c.configuration;
  }
}

TEST(NaturalSpinors, HoldAllElectronsAndLeaveFrozenOnesAlone) {
  ThreadPool pool(2);
  const AtomProblem problem = atomOf(10, "[He] 2s2 2p6", OneElectronOperator::X2c);
  const OrbitalSpace space = spaceIn(
      sharedSet({{1000, 150, 34, 9, 2.6, 0.8, 0.25}, {60, 13, 3.6, 1.1, 0.3}, {2, 0.7}}), problem, pool);
  CorrelationOptions options{parseShells("1s"), &pool, {}};
  const std::vector<NaturalSpinor> natural =
      naturalSpinors(space, secondOrderDensity(space, problem.configuration, options));
  EXPECT_NEAR(heldBy(natural), 10, 1e-12);
  EXPECT_EQ(natural[0].label(), "1s1/2");
  EXPECT_EQ(natural[0].electrons, 2);
  EXPECT_EQ(natural[1].label(), "2s1/2");
  EXPECT_LT(natural[1].electrons, 2 - 1e-3);
  EXPECT_EQ(natural[2].label(), "3s1/2");
  EXPECT_GT(natural[2].electrons, natural[3].electrons);
  EXPECT_GT(natural[3].electrons, 0);
}

TEST(NaturalSpinors, OfInnerShellsLoseOnlyWhatOtherElectronsTake) {
  ThreadPool pool(2);
  const AtomProblem problem = atomOf(4, "[He] 2s2", OneElectronOperator::Dirac);
  const OrbitalSpace space = spaceIn(sharedSet({{60, 9, 1.6, 0.4, 0.1}, {2.5, 0.5}}), problem, pool);
  const auto lostBy1s = [&](const std::string& inner) {
    CorrelationOptions options{{}, &pool, {}};
    if (!inner.empty()) options.inner = parseShells(inner);
    return -secondOrderDensity(space, problem.configuration, options)[0].closed(0, 0);
  };
  EXPECT_GT(lostBy1s("1s"), 0);
  EXPECT_LT(lostBy1s("1s"), 0.5 * lostBy1s(""));
}

TEST(NaturalSpinors, DensityDoesNotDependOnThreads) {
  ThreadPool one(1), three(3);
  const AtomProblem problem = atomOf(6, "1s2 2s2 2p2", OneElectronOperator::Dirac);
  const OrbitalSpace space = spaceIn(sharedSet({{60, 9, 1.6, 0.4}, {2.5, 0.5}, {0.6}}), problem, one);
  expectSame(secondOrderDensity(space, problem.configuration, {{}, &one, {}}),
             secondOrderDensity(space, problem.configuration, {{}, &three, {}}), 1e-300, "threads");
}

/// Over primitives the trace with their overlap is the number of electrons.
TEST(NaturalSpinors, ElectronsOverPrimitivesAreAllElectrons) {
  ThreadPool pool(2);
  const AtomProblem problem = atomOf(6, "1s2 2s2 2p2", OneElectronOperator::X2c);
  const BasisSet basis = sharedSet({{1000, 150, 30, 7, 1.6, 0.4, 0.12}, {9, 2, 0.5, 0.12}, {0.6}});
  const OrbitalSpace space = spaceIn(basis, problem, pool);
  const auto densities = secondOrderDensity(space, problem.configuration, {{}, &pool, {}});
  double electrons = 0;
  for (std::size_t a = 0; a < densities.size(); ++a) {
    const Eigen::MatrixXd overlap = overlapBetween(basis.symmetries[a], basis.symmetries[a]).large;
    electrons += overlap.cwiseProduct(electronsOverPrimitives(space.symmetries()[a], densities[a])).sum();
  }
  EXPECT_NEAR(electrons, 6, 1e-9);
  const AtomProblem helium = atomOf(2, "1s2", OneElectronOperator::Nonrelativistic);
  const OrbitalSpace splines = splineSpace(helium, 0.5, 1, 0, pool);
  const auto ofSplines = secondOrderDensity(splines, helium.configuration, {{}, &pool, {}});
  EXPECT_NEAR(electronsIn(splines, ofSplines), 0, 1e-13);
  EXPECT_THROW(electronsOverPrimitives(splines.symmetries()[0], ofSplines[0]), Error);
}

}  // namespace
}  // namespace prophet
