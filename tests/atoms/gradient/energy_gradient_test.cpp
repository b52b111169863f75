#include <gtest/gtest.h>

#include "atoms/atom/elements.hpp"
#include "core/common/constants.hpp"
#include "finite_differences.hpp"

namespace prophet {
namespace {

struct GradientCase {
  const char* name;
  double charge;
  NuclearModel model;
  const char* configuration;
  double first, last, ratio;
  int every = 1;  ///< of so many functions one is checked
  TwoElectronOperator repulsion = TwoElectronOperator::Coulomb;
};

void PrintTo(const GradientCase& c, std::ostream* out) { *out << c.name; }

ScfProblem problemOf(const GradientCase& c) {
  NucleusRequest request;
  request.model = c.model;
  request.charge = c.charge;
  ScfProblem problem;
  problem.nucleus = makeNucleus(request);
  problem.configuration = parseConfiguration(c.configuration);
  problem.speedOfLight = constants::kSpeedOfLight;
  for (int a = 0; a < problem.configuration.occupiedSymmetries(); ++a) {
    // Ladders that become narrower with l; a little different for each j, so that no list is shared.
    SymmetryBasis block{Symmetry::fromIndex(a), {}};
    const int l = block.symmetry.l();
    for (double zeta = c.first * (1.0 + 0.5 * l + 0.1 * a); zeta < c.last / std::pow(8.0, l); zeta *= c.ratio)
      block.exponents.push_back(zeta);
    problem.basis.symmetries.push_back(block);
  }
  return problem;
}

class EnergyGradient : public ::testing::TestWithParam<GradientCase> {};

/// To 1e-7 of the largest element, which is what differences of energies can tell.
TEST_P(EnergyGradient, IsThatOfFiniteDifferences) {
  test::DisplacedEnergies energies(problemOf(GetParam()), GetParam().repulsion);
  ASSERT_TRUE(energies.result().converged);
  double largest = 0.0, worst = 0.0;
  for (std::size_t a = 0; a < energies.gradient().size(); ++a) {
    const auto& elements = energies.gradient()[a];
    largest = std::max(largest, elements.cwiseAbs().maxCoeff());
    for (int p = static_cast<int>(a) % GetParam().every; p < elements.size(); p += GetParam().every) {
      const double analytic = elements(p);
      const double numerical = energies.derivative(static_cast<int>(a), p, 0.01);
      worst = std::max(worst, std::abs(analytic - numerical));
    }
  }
  EXPECT_GT(largest, 1e-3);
  EXPECT_LT(worst, 1e-7 * largest);
}

constexpr auto kBreit = TwoElectronOperator::CoulombBreit;
constexpr auto kGaunt = TwoElectronOperator::CoulombGaunt;

INSTANTIATE_TEST_SUITE_P(
    Atoms, EnergyGradient,
    ::testing::Values(
        GradientCase{"hydrogenlike", 80, NuclearModel::Point, "1s1", 100, 1e7, 5.0},
        GradientCase{"neon", 10, NuclearModel::Gaussian, "1s2 2s2 2p6", 0.2, 1e5, 3.5},
        GradientCase{"neonPoint", 10, NuclearModel::Point, "1s2 2s2 2p6", 0.2, 1e5, 3.5},
        GradientCase{"neonSphere", 10, NuclearModel::Sphere, "1s2 2s2 2p6", 0.2, 1e5, 3.5},
        GradientCase{"neonFermi", 10, NuclearModel::Fermi, "1s2 2s2 2p6", 0.2, 1e5, 3.5},
        GradientCase{"neonBreit", 10, NuclearModel::Gaussian, "1s2 2s2 2p6", 0.2, 1e5, 3.5, 1, kBreit},
        GradientCase{"boron", 5, NuclearModel::Gaussian, "1s2 2s2 2p1", 0.08, 3e4, 4.0},
        GradientCase{"coreHole", 10, NuclearModel::Gaussian, "1s1 2s2 2p6", 0.2, 1e5, 3.5},
        GradientCase{"chromium", 24, NuclearModel::Gaussian, "[Ar] 3d5 4s1", 0.03, 1e6, 4.0, 4},
        GradientCase{"chromiumBreit", 24, NuclearModel::Gaussian, "[Ar] 3d5 4s1", 0.03, 1e6, 5.0, 5, kBreit},
        GradientCase{"xenonGaunt", 54, NuclearModel::Gaussian, "[Kr] 4d10 5s2 5p6", 0.1, 1e7, 5.0, 7, kGaunt},
        GradientCase{"radon", 86, NuclearModel::Gaussian, "[Xe] 4f14 5d10 6s2 6p6", 0.1, 5e7, 5.0, 7}));

}  // namespace
}  // namespace prophet
