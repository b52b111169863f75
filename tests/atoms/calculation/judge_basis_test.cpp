#include "atoms/calculation/judge_basis.hpp"

#include <gtest/gtest.h>

#include "atoms/integrals/one_electron.hpp"
#include "atoms/scf/fock_operator.hpp"
#include "from_text.hpp"

namespace prophet {
namespace {

using test::calculationFrom;

/// What a GPU would deliver: the spinors of a result over orthonormalised functions.
std::vector<Eigen::MatrixXd> orthonormal(const Calculation& calculation, const StartSpinors& spinors) {
  std::vector<Eigen::MatrixXd> list;
  const int count = calculation.problem.configuration.occupiedSymmetries();
  for (int a = 0; a < count; ++a) {
    const auto matrices =
        oneElectronMatrices({{calculation.inBasis().basis.symmetries[a]}, ""}, calculation.problem.nucleus);
    const SymmetrySpace space = makeSymmetrySpace(matrices.front(), constants::kSpeedOfLight, 1e-11);
    Eigen::MatrixXd& c = list.emplace_back(space.size(), spinors.large[a].cols());
    c.topRows(space.largeSize()) = space.large.dual * spinors.large[a];
    c.bottomRows(space.smallSize()) = space.small.dual * spinors.small[a];
  }
  return list;
}

TEST(JudgeSpinors, EstimatesTheErrorAsTheHostsCalculationDoes) {
  for (const char* text : {"$nuc znuc=11 $end\n$seconfig config='[Ne]' $end",
                           "$nuc znuc=24 nucmdl=1 $end\n$seconfig config='[Ar] 3d5' $end",
                           "$nuc znuc=80 $end\n$bas bastype='library' library='wtbs-2.1-by-symmetry' $end"}) {
    Calculation calculation = calculationFrom(text);
    calculation.inBasis().estimateError = calculation.inBasis().keepSpinors = true;
    const Result host = compute(calculation);
    ASSERT_TRUE(host.ok() && host.basisError && host.coefficients) << text;
    Result other = host;
    other.basisError.reset();
    other.warnings.clear();
    ASSERT_TRUE(asksForJudgement(calculation, other)) << text;
    judgeSpinors(calculation, orthonormal(calculation, *host.coefficients), other);
    ASSERT_TRUE(other.basisError) << text << (other.warnings.empty() ? "" : other.warnings[0].text);
    EXPECT_NEAR(other.basisError->value, host.basisError->value,
                1e-3 * std::abs(host.basisError->value) + 5e-11 * std::abs(host.energy.total))
        << text;
    ASSERT_EQ(other.warnings.size(), host.warnings.size()) << text;
    for (std::size_t i = 0; i < host.warnings.size(); ++i)
      EXPECT_EQ(other.warnings[i].id, host.warnings[i].id);
  }
}

/// A wrong estimate would be worse than none.
TEST(JudgeSpinors, SaysWhereTheSpinorsAreNotThoseOfTheResult) {
  Calculation calculation = calculationFrom("$nuc znuc=11 $end\n$seconfig config='[Ne]' $end");
  calculation.inBasis().estimateError = calculation.inBasis().keepSpinors = true;
  Result result = compute(calculation);
  std::vector<Eigen::MatrixXd> coefficients = orthonormal(calculation, *result.coefficients);
  coefficients[0].row(0).swap(coefficients[0].row(1));
  result.basisError.reset();
  judgeSpinors(calculation, coefficients, result);
  EXPECT_FALSE(result.basisError);
  EXPECT_TRUE(test::warns(result, "no_error_estimate"));
  coefficients.pop_back();
  judgeSpinors(calculation, coefficients, result);
  EXPECT_FALSE(result.basisError);
}

TEST(JudgeSpinors, TakesWhatIsKnownWithoutSpinors) {
  Calculation neon = calculationFrom("$nuc znuc=10 $end");
  neon.inBasis().estimateError = true;
  Result result;
  result.status = Status::Converged;
  EXPECT_FALSE(asksForJudgement(neon, result));
  judgeSpinors(neon, {}, result);
  ASSERT_TRUE(result.basisError);
  EXPECT_TRUE(result.basisError->known);
  EXPECT_TRUE(result.warnings.empty());
}

}  // namespace
}  // namespace prophet
