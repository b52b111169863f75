#include <gtest/gtest.h>

#include <cmath>

#include "atoms/calculation/compute.hpp"
#include "atoms/scf/guess.hpp"
#include "atoms/subshells/compton_profile.hpp"
#include "cuda/atoms/batch/cuda_service.hpp"
#include "operations/tables/species_tables.hpp"

namespace prophet::cuda {
namespace {

class SubshellTables : public ::testing::Test {
 protected:
  void SetUp() override {
    if (visibleDevices() == 0) GTEST_SKIP() << "no GPU";
  }
};

/// Largest difference of a column over its largest value in the same rows.
double difference(const SpeciesTables& a, const SpeciesTables& b, std::size_t table, const char* column) {
  const Eigen::VectorXd &x = a.tables.at(table).find(column)->numbers(),
                        &y = b.tables.at(table).find(column)->numbers();
  if (x.size() != y.size()) return INFINITY;
  return (x - y).cwiseAbs().maxCoeff() / y.cwiseAbs().maxCoeff();
}

// The fields come from the GPU with their coefficients; what is made of them is what the host's fields give.
TEST_F(SubshellTables, AreThoseOfTheHostsFields) {
  TablesRequest request;
  request.what = {TableTopic::Binding, TableTopic::Compton, TableTopic::Incoherent, TableTopic::XrayFactor};
  request.p = biggsMomenta();
  request.q = Eigen::VectorXd::LinSpaced(11, 0, 20);
  CudaEnergyService service;
  for (const Species& species : {Species{"", 10, 0, ""}, Species{"", 26, 3, ""}, Species{"", 64, 3, ""},
                                 Species{"", 92, 0, ""}, Species{"", 86, 85, ""}}) {
    SpeciesTask task = speciesTask(request, species, {});
    ASSERT_TRUE(task.calculation) << task.tables.reason;
    const Result field = service.evaluate(*task.calculation), alone = compute(*task.calculation, {1});
    ASSERT_TRUE(field.coefficients && alone.coefficients) << task.tables.name;
    const StartSpinors &mine = *field.coefficients, &theirs = *alone.coefficients;
    for (std::size_t a = 0; a < theirs.large.size(); ++a)
      for (Eigen::Index i = 0; i < theirs.large[a].cols(); ++i) {
        const double sign = mine.large[a].col(i).dot(theirs.large[a].col(i)) < 0 ? -1 : 1;
        // Over primitives, which are far from orthogonal: relative to the largest.
        EXPECT_LT((sign * mine.large[a].col(i) - theirs.large[a].col(i)).cwiseAbs().maxCoeff(),
                  1e-5 * theirs.large[a].col(i).cwiseAbs().maxCoeff())
            << task.tables.name << " " << a << " " << i;
      }
    const SpeciesTables gpu = tablesOf(request, std::move(task), field, 0, {}),
                        host = speciesTables(request, species, {});
    ASSERT_EQ(gpu.status, host.status) << gpu.reason << host.reason;
    EXPECT_LT(difference(gpu, host, 0, "binding_energy"), 1e-9) << gpu.name;
    EXPECT_LT(difference(gpu, host, 1, "J"), 1e-7) << gpu.name;
    EXPECT_LT(difference(gpu, host, 2, "S"), 1e-8) << gpu.name;
    EXPECT_LT(difference(gpu, host, 3, "f"), 1e-8) << gpu.name;
  }
  EXPECT_EQ(service.leftToHost(), 0U);
}

}  // namespace
}  // namespace prophet::cuda
