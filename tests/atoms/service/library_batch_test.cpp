#include <gtest/gtest.h>

#include "atoms/fock/grid_builder.hpp"
#include "atoms/service/energy_service.hpp"
#include "library_calculation.hpp"

namespace prophet {
namespace {

/// All library atoms, each three times with other parameters, in one batch against single runs.
TEST(LibraryBatch, AgreesWithSingleRunsToOnePartIn1e12) {
  std::vector<Calculation> requests;
  for (const int z : libraryElements(test::kCollection)) {
    for (const double stretch : {0.97, 1.0, 1.04}) requests.push_back(test::libraryCalculation(z, stretch));
  }
  ASSERT_EQ(requests.size(), 3u * 80u);
  const std::vector<Result> outcomes = HostEnergyService().evaluateAll(requests);
  double worst = 0.0;
  ThreadPool pool(2);
  for (std::size_t i = 0; i < requests.size(); i += 7) {
    const Calculation& r = requests[i];
    GridFockBuilder builder(r.inBasis().basis, fockGrid(r.inBasis().basis), pool);
    const ScfResult single = runScf(
        {r.inBasis().basis, r.problem.nucleus, r.problem.configuration, r.problem.hamiltonian.speedOfLight},
        builder, r.inBasis().scf, pool);
    worst = std::max(worst, std::abs(outcomes[i].energy.total / single.energy.total - 1.0));
  }
  for (const Result& outcome : outcomes) EXPECT_TRUE(outcome.ok()) << outcome.reason;
  EXPECT_LT(worst, 1e-12);
}

}  // namespace
}  // namespace prophet
