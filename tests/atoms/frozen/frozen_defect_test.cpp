#include <gtest/gtest.h>

#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/basis/well_tempered.hpp"
#include "atoms/frozen/frozen_field.hpp"
#include "core/common/constants.hpp"

namespace prophet {
namespace {

FrozenField fieldOf(int z) {
  NucleusRequest request;
  request.model = NuclearModel::Gaussian;
  request.charge = z;
  const Nucleus nucleus = makeNucleus(request);
  const Configuration configuration = parseConfiguration(groundConfiguration(z));
  return {makeWellTempered(universalSpec(nucleus, configuration, 1.6)), nucleus, configuration,
          constants::kSpeedOfLight};
}

constexpr double kStep = 0.02;
/// Of differences: rounding beside 2 c^2, over the step.
constexpr double kRounding = 2e-5;

/// Few functions far into the nucleus: a set with a large defect, in closed and in open shells; its rise too
/// has the derivatives of differences.
class FrozenDefect : public ::testing::TestWithParam<int> {};

TEST_P(FrozenDefect, IsPositiveWithTheGradientOfDifferences) {
  const FrozenField field = fieldOf(GetParam());
  for (int a = 0; a < field.symmetries(); ++a) {
    if (field.occupied(a) == 0) continue;
    const int l = Symmetry::fromIndex(a).l();
    std::vector<double> exponents;
    for (double zeta = 0.1 * (1 + 2 * l); zeta < 1e7 / std::pow(20.0, l); zeta *= 3.0)
      exponents.push_back(zeta);
    const Eigen::VectorXd weights = Eigen::VectorXd::LinSpaced(field.occupied(a), 0.5, 2.0);
    const DefectSlopes slopes = field.defectSlopes(a, exponents, weights);
    EXPECT_GT(slopes.defect, 0.0);
    EXPECT_NEAR(slopes.rise, field.rise(a, exponents), 1e-10 * std::abs(field.referenceEnergy()));
    EXPECT_NEAR(field.defectSlopes(a, exponents, Eigen::VectorXd::Ones(weights.size())).weighted, slopes.rise,
                1e-12 * std::abs(field.referenceEnergy()));
    EXPECT_EQ(field.defectSlopes(a, exponents).weighted, 0.0);
    const double largest = slopes.ofDefect.cwiseAbs().maxCoeff();
    const double largestRise = slopes.ofRise.cwiseAbs().maxCoeff();
    for (std::size_t p = 0; p < exponents.size(); p += 3) {
      const auto at = [&](double change) {
        std::vector<double> moved = exponents;
        moved[p] *= std::exp(change);
        const DefectSlopes s = field.defectSlopes(a, moved, weights);
        return Eigen::Vector3d(s.defect, s.rise, s.weighted);
      };
      const Eigen::Vector3d numerical =
          (8.0 * (at(kStep) - at(-kStep)) - (at(2 * kStep) - at(-2 * kStep))) / (12.0 * kStep);
      const auto i = static_cast<Eigen::Index>(p);
      EXPECT_NEAR(slopes.ofDefect(i), numerical(0), 1e-3 * largest + kRounding) << a << " " << p;
      EXPECT_NEAR(slopes.ofRise(i), numerical(1), 1e-4 * largestRise + kRounding) << a << " " << p;
      EXPECT_NEAR(slopes.ofWeighted(i), numerical(2), 1e-4 * largestRise + kRounding) << a << " " << p;
    }
  }
}

/// Searches weigh the defect a hundredfold and more: it must be as smooth as they need it where small
/// functions become those that the reference has, which are then left out. The functions of Cs in prophet-tz,
/// all moved in steps of a thousandth, in ln zeta; hartree.
TEST(FrozenDefectOfASet, DoesNotJump) {
  constexpr double kStepOfAll = 1e-3, kSmooth = 8e-9;
  const FrozenField field = fieldOf(55);
  const BasisSet set = makeBasis(*readLibraryEntry(55, "prophet-tz"));
  std::vector<double> defects;
  for (int i = 0; i < 150; ++i) {
    double sum = 0;
    for (int a = 0; a < 3; ++a) {
      std::vector<double> exponents = set.symmetries[a].exponents;
      for (double& zeta : exponents) zeta *= std::exp(kStepOfAll * i);
      sum += field.defectSlopes(a, exponents).defect;
    }
    defects.push_back(sum);
  }
  for (std::size_t i = 2; i < defects.size(); ++i)
    EXPECT_NEAR(defects[i] - 2 * defects[i - 1] + defects[i - 2], 0.0, kSmooth) << i;
}

/// Tables have the same without function values on a grid: rounding apart, that of derivatives being what
/// small functions near the reference's bring into it.
TEST_P(FrozenDefect, IsInterpolatedFromTables) {
  const FrozenField field = fieldOf(GetParam());
  const double scale = std::abs(field.referenceEnergy());
  for (int a = 0; a < field.symmetries(); ++a) {
    const int l = Symmetry::fromIndex(a).l();
    std::vector<double> exponents;
    for (double zeta = 0.1 * (1 + 2 * l); zeta < 1e7 / std::pow(20.0, l); zeta *= 2.7)
      exponents.push_back(zeta);
    const FieldTable table = field.table(a, true);
    ASSERT_TRUE(table.contains(exponents));
    const Eigen::VectorXd weights = Eigen::VectorXd::LinSpaced(field.occupied(a), 0.5, 2.0);
    const DefectSlopes exact = field.defectSlopes(a, exponents, weights),
                       fast = table.defectSlopes(exponents, weights),
                       without = table.defectSlopes(exponents, weights, false);
    EXPECT_NEAR(fast.rise, exact.rise, 1e-12 * scale) << a;
    EXPECT_NEAR(fast.weighted, exact.weighted, 1e-12 * scale) << a;
    EXPECT_NEAR(fast.defect, exact.defect, 1e-11 * scale) << a;
    const auto near = [&](const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
      return (x - y).cwiseAbs().maxCoeff() / std::max(y.cwiseAbs().maxCoeff(), 1e-3);
    };
    EXPECT_LT(near(fast.ofRise, exact.ofRise), 1e-6) << a;
    EXPECT_LT(near(fast.ofWeighted, exact.ofWeighted), 1e-6) << a;
    EXPECT_LT(near(fast.ofDefect, exact.ofDefect), 1e-6) << a;
    EXPECT_EQ(without.rise, fast.rise);
    EXPECT_EQ(without.ofWeighted, fast.ofWeighted);
    EXPECT_EQ(without.defect, 0.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Atoms, FrozenDefect, ::testing::Values(24, 86));

}  // namespace
}  // namespace prophet
