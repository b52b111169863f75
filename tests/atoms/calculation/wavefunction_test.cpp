#include <gtest/gtest.h>

#include <cmath>

#include "atoms/calculation/compute.hpp"
#include "core/common/error.hpp"
#include "from_text.hpp"

namespace prophet {
namespace {

/// Points of an exponential grid over all that a wave function covers; weights r h.
struct LogGrid {
  explicit LogGrid(const Wavefunction& f) : h(0.01) {
    const double first = f.smallestRadius();
    const int points = static_cast<int>(std::log(f.largestRadius() / first) / h) + 1;
    r = first * (h * Eigen::ArrayXd::LinSpaced(points, 0, points - 1)).exp();
  }
  double integral(const Eigen::ArrayXd& f) const { return (f * r.array()).sum() * h; }
  double h;
  Eigen::VectorXd r;
};

using test::calculationFrom;

Result withSpinors(const std::string& text) {
  Calculation calculation = calculationFrom(text);
  if (!calculation.isLimit()) calculation.inBasis().keepSpinors = true;
  return compute(calculation);
}

TEST(Wavefunction, IsNormalisedAndOrthogonalInBasisAndLimit) {
  for (const char* job : {"", " $contrl jobtype='limit' $end"}) {
    const Result result = withSpinors(std::string("$nuc znuc=18 $end") + job);
    ASSERT_TRUE(result.wavefunction);
    const Wavefunction& f = *result.wavefunction;
    ASSERT_EQ(f.count(), static_cast<int>(result.spinors.size()));
    const LogGrid grid(f);
    for (int i = 0; i < f.count(); ++i) {
      const RadialFunctions a = f.radial(i, grid.r);
      for (int j = 0; j < f.count(); ++j) {
        if (result.spinors[j].symmetry.kappa != result.spinors[i].symmetry.kappa) continue;
        const RadialFunctions b = f.radial(j, grid.r);
        const double overlap =
            grid.integral(a.large.array() * b.large.array() + a.small.array() * b.small.array());
        EXPECT_NEAR(overlap, i == j ? 1 : 0, 1e-8) << job << i << ' ' << j;
      }
      const double meanRadius =
          grid.integral((a.large.array().square() + a.small.array().square()) * grid.r.array());
      EXPECT_NEAR(meanRadius, *result.spinors[i].meanRadius, 1e-8 * meanRadius) << job;
    }
  }
}

// Two expansions that share no code: B-splines and Gaussians. The basis lacks 4e-5 hartree of the energy
// (5e-9), and an error d of an outer spinor, of energy 0.4 hartree, costs about 0.4 d^2: so d is below 1e-2.
TEST(Wavefunction, OfBasisAndLimitAgree) {
  const Result basis = withSpinors("$nuc znuc=54 $end");
  const Result limit = withSpinors("$nuc znuc=54 $end $contrl jobtype='limit' $end");
  ASSERT_EQ(basis.spinors.size(), limit.spinors.size());
  const LogGrid grid(*limit.wavefunction);
  for (int i = 0; i < limit.wavefunction->count(); ++i) {
    ASSERT_EQ(basis.spinors[i].label(), limit.spinors[i].label());
    const RadialFunctions a = basis.wavefunction->radial(i, grid.r),
                          b = limit.wavefunction->radial(i, grid.r);
    const double distance =
        grid.integral((a.large - b.large).array().square() + (a.small - b.small).array().square());
    EXPECT_LT(std::sqrt(distance), 2e-3) << basis.spinors[i].label();
  }
}

TEST(Wavefunction, RefusesWhatItCannotEvaluate) {
  const Result result = withSpinors("$nuc znuc=2 $end");
  EXPECT_THROW(result.wavefunction->radial(1, Eigen::VectorXd::Ones(1)), Error);
  EXPECT_THROW(result.wavefunction->radial(-1, Eigen::VectorXd::Ones(1)), Error);
  EXPECT_THROW(result.wavefunction->radial(0, -Eigen::VectorXd::Ones(1)), Error);
  EXPECT_THROW(result.wavefunction->radial(0, Eigen::VectorXd::Constant(1, std::nan(""))), Error);
}

}  // namespace
}  // namespace prophet
