#include <gtest/gtest.h>

#include "atoms/service/energy_service.hpp"
#include "fixtures.hpp"

namespace prophet {
namespace {

/// The energies that the optimiser of Hennessey (2018) reached with its printed sets, to the digits given.
/// (For Ar all four methods end at -528.6837597986.)
struct Goal {
  int z;
  double energy, lastDigit;
};

class FromTheTable : public testing::TestWithParam<Goal> {};

TEST_P(FromTheTable, NewuoaReachesTheTablesEnergy) {
  const auto [z, goal, lastDigit] = GetParam();
  HostEnergyService service(1);
  const BsoptResult result = runBsopt(test::fromTheTable(z), {}, service);
  EXPECT_LE(result.energy, goal + 0.5 * lastDigit);
  EXPECT_LE(result.evaluations, 501);
}

INSTANTIATE_TEST_SUITE_P(NobleGases, FromTheTable,
                         testing::Values(Goal{2, -2.8618133122, 1e-10}, Goal{10, -128.6919299, 1e-7},
                                         Goal{18, -528.6837598, 1e-7}));

}  // namespace
}  // namespace prophet
