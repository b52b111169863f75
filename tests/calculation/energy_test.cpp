#include <gtest/gtest.h>

#include "calculation/calculation.hpp"
#include "common/error.hpp"
#include "input/parse_job.hpp"

namespace prophet {
namespace {

Calculation resolved(const std::string& groups) {
  return resolve(parseJob("test\n" + groups + "\n", "test.inp"));
}

TEST(CalculateEnergy, TimingsAndBuilderAreReported) {
  const EnergyResult r = calculateEnergy(resolved("$nuc znuc=10 $end"), RunOptions{1});
  EXPECT_TRUE(r.scf.converged);
  EXPECT_EQ(r.builder, "grid");
  ASSERT_TRUE(r.grid.has_value());
  EXPECT_GT(r.grid->points, 50);
  EXPECT_GT(r.timings.total, 0.0);
}

TEST(CalculateEnergy, StoredIntegralsBeyondMemoryAreRefusedWithAdvice) {
  const Calculation c = resolved(
      "$nuc znuc=86 $end\n$bas nsym=7 bastype='wtbs' $end\n$wtbs wtbspara=0.05,1.2,4,1.3 nbs=7*400 $end\n"
      "$seconfig config='[Rn]' $end\n$scf fock='stored' $end");
  try {
    calculateEnergy(c, RunOptions{1});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("fock='grid'"), std::string::npos) << e.what();
  }
}

TEST(VerifyGrid, ThreeEnergiesAgree) {
  for (const char* input : {"$nuc znuc=10 $end", "$nuc znuc=24 $end", "$nuc znuc=10 nucmdl=1 $end"}) {
    const GridCheck check = verifyGrid(resolved(input), RunOptions{2});
    EXPECT_GT(check.finerGrid.points, check.grid.points);
    EXPECT_NEAR(check.finerEnergy / check.energy, 1.0, 1e-11) << input;
    ASSERT_TRUE(check.analyticEnergy.has_value());
    EXPECT_NEAR(*check.analyticEnergy / check.energy, 1.0, 1e-11) << input;
  }
}

}  // namespace
}  // namespace prophet
