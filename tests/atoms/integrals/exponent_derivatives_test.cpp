#include <gtest/gtest.h>

#include <cmath>

#include "atoms/integrals/one_electron.hpp"
#include "atoms/integrals/radial_grid.hpp"

namespace prophet {
namespace {

constexpr double kDifference = 1e-3;

SymmetryBasis symmetryOf(int index) { return {Symmetry::fromIndex(index), {0.3, 2.0, 31.0, 5e3, 2e8}}; }

SymmetryBasis moved(const SymmetryBasis& basis, int p, double change) {
  SymmetryBasis result = basis;
  result.exponents[p] *= std::exp(change);
  return result;
}

class ExponentDerivativesOf : public ::testing::TestWithParam<NuclearModel> {};

/// Fourth-order differences of the matrices themselves: an element (p, q) changes with zeta_p by that of the
/// derivative, a diagonal one by twice that.
TEST_P(ExponentDerivativesOf, AreThoseOfTheMatrices) {
  NucleusRequest request;
  request.model = GetParam();
  request.charge = 80;
  const Nucleus nucleus = makeNucleus(request);
  for (int a = 0; a < 7; ++a) {
    const SymmetryBasis basis = symmetryOf(a);
    const ExponentDerivatives d = exponentDerivatives(basis, nucleus);
    for (int p = 0; p < basis.size(); ++p) {
      const auto at = [&](double change) {
        return oneElectronMatrices({{moved(basis, p, change)}, ""}, nucleus).front();
      };
      const OneElectronMatrices up = at(kDifference), down = at(-kDifference), up2 = at(2 * kDifference),
                                down2 = at(-2 * kDifference);
      const auto check = [&](const Eigen::MatrixXd OneElectronMatrices::*m, const Eigen::MatrixXd& analytic) {
        const Eigen::VectorXd numerical =
            (8.0 * ((up.*m).row(p) - (down.*m).row(p)) - ((up2.*m).row(p) - (down2.*m).row(p))) /
            (12.0 * kDifference);
        Eigen::VectorXd expected = analytic.row(p);
        expected(p) *= 2.0;
        EXPECT_LE((numerical - expected).cwiseAbs().maxCoeff(), 1e-9 * (up.*m).row(p).cwiseAbs().maxCoeff())
            << basis.symmetry.label() << " " << p;
      };
      check(&OneElectronMatrices::overlapLarge, d.overlapLarge);
      check(&OneElectronMatrices::overlapSmall, d.overlapSmall);
      check(&OneElectronMatrices::nuclearLarge, d.nuclearLarge);
      check(&OneElectronMatrices::nuclearSmall, d.nuclearSmall);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Nuclei, ExponentDerivativesOf,
                         ::testing::Values(NuclearModel::Point, NuclearModel::Sphere, NuclearModel::Gaussian,
                                           NuclearModel::Fermi));

/// Overlaps of functions on the grid with their derivatives are the closed forms.
TEST(ExponentDerivatives, OnTheGridAreThoseInClosedForm) {
  for (int a = 0; a < 7; ++a) {
    const SymmetryBasis basis{Symmetry::fromIndex(a), {0.3, 2.0, 31.0}};
    const RadialGrid grid = makeGrid({{basis}, ""}, 0.08);
    const GridFunctions f = evaluateOnGrid(basis, grid), df = evaluateDerivativesOnGrid(basis, grid);
    const ExponentDerivatives d = exponentDerivatives(basis, Nucleus{});
    EXPECT_LE((df.large.transpose() * f.large - d.overlapLarge).norm(), 1e-12);
    EXPECT_LE((df.small.transpose() * f.small - d.overlapSmall).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace prophet
