#include <gtest/gtest.h>

#include <boost/math/special_functions/bessel.hpp>
#include <cmath>

#include "atoms/angular/angular.hpp"
#include "atoms/breit/retarded.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "core/common/constants.hpp"
#include "reference.hpp"
#include "tests/atoms/qed/no_interaction.hpp"

namespace prophet {
namespace {

constexpr double kBreitC = constants::kSpeedOfLight;

Nucleus gaussian(double z) {
  NucleusRequest request;
  request.model = NuclearModel::Gaussian;
  request.charge = z;
  return makeNucleus(request);
}

/// Continuation at x = 1 between the series and the functions themselves.
TEST(Retarded, ReducedBesselFunctions) {
  for (const int order : {0, 1, 4, 8}) {
    for (const double x : {0.3, 0.999, 1.001, 7.0}) {
      double odd = 1.0;
      for (int n = 2 * order - 1; n > 1; n -= 2) odd *= n;
      const double j = std::pow(x, order) / (odd * (2.0 * order + 1.0)) * (1.0 + reducedBesselJ(order, x));
      const double y = -odd / std::pow(x, order + 1) * (1.0 + reducedBesselY(order, x));
      const double exactJ = boost::math::sph_bessel(static_cast<unsigned>(order), x);
      const double exactY = boost::math::sph_neumann(static_cast<unsigned>(order), x);
      EXPECT_NEAR(j, exactJ, 1e-13 * std::abs(exactJ)) << order << " " << x;
      EXPECT_NEAR(y, exactY, 1e-13 * std::abs(exactY)) << order << " " << x;
    }
  }
}

TEST(Retarded, WeightsOfIndefiniteIntegration) {
  const Eigen::VectorXd s = indefiniteIntegrationWeights(50);
  EXPECT_EQ(s(0), 0.5);
  EXPECT_NEAR(s(1), 0.5 + 1.8519370519824662 / 3.14159265358979324, 1e-14);  // Si(pi)
  EXPECT_NEAR(s(2), 0.5 + 1.4181515761326284 / 3.14159265358979324, 1e-14);  // Si(2 pi)
  EXPECT_NEAR(s(49), 1.0, 0.0022);
}

/// With an infinite speed of light the static interaction comes back, quadratically.
TEST(Retarded, StaticLimit) {
  ThreadPool pool(2);
  const BasisSet basis = test::evenTempered(5, 0.05, 2.4, 20);
  const Nucleus nucleus = gaussian(24.0);
  const Configuration chromium = parseConfiguration("[Ar] 3d5 4s1", 5);
  const RadialGrid grid = fockGrid(basis);
  const auto builder = makeGridBuilder(basis, grid, TwoElectronOperator::Coulomb, pool);
  const ScfResult scf = runScf({basis, nucleus, chromium, kBreitC}, *builder, {}, pool);
  const BreitEnergy still = breitEnergy(basis, grid, chromium, scf, TwoElectronOperator::CoulombBreit, pool);
  const auto retarded = [&](double c) { return retardedBreitEnergy(basis, grid, chromium, scf, c, pool); };
  const BreitEnergy slow = retarded(1e9), quick = retarded(1e3 * kBreitC), half = retarded(5e2 * kBreitC);
  EXPECT_NEAR(slow.gaunt, still.gaunt, 1e-11 * still.gaunt);
  EXPECT_NEAR(slow.gauge, still.gauge, 1e-11 * std::abs(still.gauge));
  EXPECT_NEAR((half.gaunt - still.gaunt) / (quick.gaunt - still.gaunt), 4.0, 0.01);
  EXPECT_NEAR((half.gauge - still.gauge) / (quick.gauge - still.gauge), 4.0, 0.01);
}

/// Gauge invariance: in a local potential the gauge term of the Coulomb gauge is the retardation
/// [cos(omega r12) - 1]/r12 of the charges in the Feynman gauge. Hydrogen-like Z = 80: 1s to 3d.
TEST(Retarded, CoulombAndFeynmanGaugeAgree) {
  ThreadPool pool(2);
  const BasisSet basis = test::evenTempered(5, 2.0, 1.6, 52);
  const Nucleus nucleus = gaussian(80.0);
  const Configuration shells = parseConfiguration("1s2 2s2 2p6 3s2 3p6 3d10", 5);
  const RadialGrid grid = makeGrid(basis, 0.1);
  test::NoInteraction none;
  const ScfResult scf = runScf({basis, nucleus, shells, kBreitC}, none, {}, pool);
  const BreitEnergy coulombGauge = retardedBreitEnergy(basis, grid, shells, scf, kBreitC, pool);

  const Eigen::VectorXd radii = grid.radii(), s = indefiniteIntegrationWeights(grid.points);
  Eigen::MatrixXd weights(grid.points, grid.points);
  for (int i = 0; i < grid.points; ++i) {
    for (int j = 0; j < grid.points; ++j) weights(i, j) = i >= j ? s(i - j) : 1.0 - s(j - i);
  }
  struct Spinor {
    Symmetry symmetry;
    double energy, occupation;
    Eigen::VectorXd large, small;
  };
  std::vector<Spinor> spinors;
  for (std::size_t a = 0; a < basis.symmetries.size(); ++a) {
    const GridFunctions f = evaluateOnGrid(basis.symmetries[a], grid);
    const SymmetrySpinors& o = scf.symmetries[a];
    for (Eigen::Index i = 0; i < o.energies.size(); ++i)
      spinors.push_back({basis.symmetries[a].symmetry, o.energies(i), o.occupations(i),
                         f.large * o.large.col(i), f.small * o.small.col(i)});
  }
  double feynman = 0.0;
  for (const Spinor& a : spinors) {
    for (const Spinor& b : spinors) {
      const double omega = std::max(std::abs(a.energy - b.energy) / kBreitC, 1e-8);
      const Eigen::VectorXd rho = a.large.cwiseProduct(b.large) + a.small.cwiseProduct(b.small);
      const RetardedKernels moving(radii, weights, omega), still(radii, weights, 1e-8);
      for (const ExchangeTerm& t : exchangeTerms(a.symmetry, b.symmetry))
        feynman -= 0.5 * a.occupation * b.occupation * t.coefficient *
                   (moving.slater(t.k, rho, rho) - still.slater(t.k, rho, rho));
    }
  }
  EXPECT_LT(coulombGauge.gauge, -1.0);
  EXPECT_NEAR(coulombGauge.gauge, feynman, 1e-6 * std::abs(feynman));
}

}  // namespace
}  // namespace prophet
