#include "atoms/integrals/one_electron.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/integrals/radial_grid.hpp"

namespace prophet {
namespace {

BasisSet evenTempered(int symmetries, int count, double first, double ratio) {
  BasisSet basis;
  for (int a = 0; a < symmetries; ++a) {
    SymmetryBasis block{Symmetry::fromIndex(a), {}};
    for (int i = 0; i < count; ++i) block.exponents.push_back(first * std::pow(ratio, i));
    basis.symmetries.push_back(block);
  }
  return basis;
}

/// The grid's overlaps know nothing of the closed forms.
TEST(OneElectron, OverlapsMatchTheGrid) {
  const BasisSet basis = evenTempered(9, 8, 0.02, 3.0);
  const auto matrices =
      oneElectronMatrices(basis, makeNucleus({NuclearModel::Point, 80.0, {}, {}, {}, {}, {}}));
  const RadialGrid grid = makeGrid(basis, 0.1);
  for (std::size_t a = 0; a < matrices.size(); ++a) {
    const GridFunctions f = evaluateOnGrid(basis.symmetries[a], grid);
    EXPECT_LT((f.large.transpose() * f.large - matrices[a].overlapLarge).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((f.small.transpose() * f.small - matrices[a].overlapSmall).cwiseAbs().maxCoeff(), 1e-12);
  }
}

/// (d/dr + kappa/r) P = balance Q, by central differences of the closed-form components at some radii.
TEST(OneElectron, KineticBalance) {
  const BasisSet basis = evenTempered(7, 3, 0.5, 4.0);
  const auto matrices =
      oneElectronMatrices(basis, makeNucleus({NuclearModel::Point, 1.0, {}, {}, {}, {}, {}}));
  for (int a = 0; a < 7; ++a) {
    for (int p = 0; p < 3; ++p) {
      const double r = 0.7, d = 1e-4;
      const SymmetryBasis& block = basis.symmetries[a];
      const auto at = [&](double x) {
        const GridFunctions f = evaluateOnGrid(block, RadialGrid{x, 1.0 / x, 1});  // weight sqrt(x h) = 1
        return std::make_pair(f.large(0, p), f.small(0, p));
      };
      const double derivative =
          (at(r - 2 * d).first - 8 * at(r - d).first + 8 * at(r + d).first - at(r + 2 * d).first) / (12 * d);
      const double left = derivative + block.symmetry.kappa / r * at(r).first;
      EXPECT_NEAR(left, matrices[a].balance(p) * at(r).second, 1e-9 * std::abs(left) + 1e-9) << a << ' ' << p;
    }
  }
}

class NuclearAttractionOfModels : public ::testing::TestWithParam<NuclearModel> {};

TEST_P(NuclearAttractionOfModels, ClosedFormsMatchQuadrature) {
  NucleusRequest request;
  request.model = GetParam();
  request.charge = 86;
  const Nucleus nucleus = makeNucleus(request);
  const BasisSet basis = evenTempered(7, 9, 0.05, 12.0);  // up to 2e7: inside the nucleus as well
  const auto matrices = oneElectronMatrices(basis, nucleus);
  // The sphere has a kink at R: its error falls only as a power of h, so the grid must be very fine.
  const double h = GetParam() == NuclearModel::Sphere ? 0.0005 : 0.025;
  const auto expected = potentialMatrices(
      basis, [&](double r) { return nucleus.potential(r); }, h);
  for (std::size_t a = 0; a < matrices.size(); ++a) {
    for (int p = 0; p < 9; ++p) {
      for (int q = 0; q < 9; ++q) {
        const double scale = std::sqrt(expected[a].LL(p, p) * expected[a].LL(q, q));
        const double smallScale = std::sqrt(expected[a].SS(p, p) * expected[a].SS(q, q));
        EXPECT_NEAR(matrices[a].nuclearLarge(p, q) / scale, expected[a].LL(p, q) / scale, 2e-11);
        EXPECT_NEAR(matrices[a].nuclearSmall(p, q) / smallScale, expected[a].SS(p, q) / smallScale, 2e-11);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, NuclearAttractionOfModels,
                         ::testing::Values(NuclearModel::Point, NuclearModel::Sphere, NuclearModel::Gaussian,
                                           NuclearModel::Fermi));

TEST(OneElectron, RadialMoments) {
  const BasisSet basis = evenTempered(5, 4, 0.1, 5.0);
  for (const int power : {-1, 1, 2}) {
    const auto analytic = radialMomentMatrices(basis, power);
    const auto grid = potentialMatrices(
        basis, [&](double r) { return std::pow(r, power); }, 0.1);
    for (std::size_t a = 0; a < analytic.size(); ++a) {
      EXPECT_LT((analytic[a].LL - grid[a].LL).norm() / grid[a].LL.norm(), 1e-10) << power;
      EXPECT_LT((analytic[a].SS - grid[a].SS).norm() / grid[a].SS.norm(), 1e-10) << power;
    }
  }
}

}  // namespace
}  // namespace prophet
