#include <gtest/gtest.h>

#include "fixtures.hpp"
#include "service/host_service.hpp"

namespace prophet {
namespace {

/// The energies that the thesis's optimiser reached from and with its printed sets.
class FromTheTable : public testing::TestWithParam<std::pair<int, double>> {};

TEST_P(FromTheTable, NewuoaReachesTheTablesEnergy) {
  const auto [z, goal] = GetParam();
  HostEnergyService service(1);
  const BsoptResult result = runBsopt(test::fromTheTable(z), {}, service);
  EXPECT_LE(result.energy, goal);
  EXPECT_LE(result.evaluations, 501);
}

INSTANTIATE_TEST_SUITE_P(NobleGases, FromTheTable,
                         testing::Values(std::pair{2, -2.8618133122}, std::pair{10, -128.6919299},
                                         std::pair{18, -528.6837598}));

}  // namespace
}  // namespace prophet
