#include <gtest/gtest.h>

#include "fock/grid_builder.hpp"
#include "requests.hpp"
#include "service/host_service.hpp"

namespace prophet {
namespace {

/// All library atoms, each three times with other parameters, in one batch against single runs.
TEST(LibraryBatch, AgreesWithSingleRunsToOnePartIn1e12) {
  std::vector<EnergyRequest> requests;
  for (const int z : libraryElements(test::kCollection)) {
    for (const double stretch : {0.97, 1.0, 1.04}) requests.push_back(test::libraryRequest(z, stretch));
  }
  ASSERT_EQ(requests.size(), 3u * 80u);
  const std::vector<EnergyOutcome> outcomes = HostEnergyService().evaluateAll(requests);
  double worst = 0.0;
  ThreadPool pool(2);
  for (std::size_t i = 0; i < requests.size(); i += 7) {
    const EnergyRequest& r = requests[i];
    GridFockBuilder builder(r.basis, fockGrid(r.basis), pool);
    const ScfResult single = runScf({r.basis, r.nucleus, r.configuration, r.c}, builder, r.options, pool);
    worst = std::max(worst, std::abs(outcomes[i].energy.total / single.energy.total - 1.0));
  }
  for (const EnergyOutcome& outcome : outcomes) EXPECT_TRUE(outcome.ok()) << outcome.id << outcome.reason;
  EXPECT_LT(worst, 1e-12);
}

}  // namespace
}  // namespace prophet
