#include "cuda/batch/cuda_service.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "service/host_service.hpp"
#include "tests/service/requests.hpp"

namespace prophet::cuda {
namespace {

using test::libraryRequest;

class CudaService : public ::testing::Test {
 protected:
  void SetUp() override {
    if (visibleDevices() == 0) GTEST_SKIP() << "no GPU";
  }
};

void expectEqual(const EnergyOutcome& gpu, const EnergyOutcome& host, double tolerance) {
  ASSERT_EQ(gpu.status, host.status) << gpu.id << ": " << gpu.reason;
  EXPECT_EQ(gpu.id, host.id);
  EXPECT_NEAR(gpu.energy.total, host.energy.total, tolerance * std::abs(host.energy.total)) << gpu.id;
  EXPECT_NEAR(gpu.energy.kinetic, host.energy.kinetic, 1e-8 * std::abs(host.energy.total)) << gpu.id;
  EXPECT_NEAR(gpu.virialRatio, host.virialRatio, 1e-8) << gpu.id;
  ASSERT_EQ(gpu.orbitals.size(), host.orbitals.size());
  for (std::size_t a = 0; a < gpu.orbitals.size(); ++a) {
    ASSERT_EQ(gpu.orbitals[a].energies.size(), host.orbitals[a].energies.size());
    for (std::size_t i = 0; i < gpu.orbitals[a].energies.size(); ++i) {
      EXPECT_NEAR(gpu.orbitals[a].energies[i], host.orbitals[a].energies[i],
                  1e-6 * (1.0 + std::abs(host.orbitals[a].energies[i])))
          << gpu.id << " " << gpu.orbitals[a].symmetry.label() << i;
    }
  }
}

TEST_F(CudaService, AgreesWithTheHostForClosedAndOpenShells) {
  CudaEnergyService service;
  for (const int z : {2, 6, 10, 18, 24, 54, 63, 86}) {
    const EnergyOutcome gpu = service.evaluate(libraryRequest(z)), host = computeEnergy(libraryRequest(z));
    expectEqual(gpu, host, 1e-12);
    EXPECT_NEAR(gpu.iterations, host.iterations, 1) << z;
  }
  EXPECT_EQ(service.leftToHost(), 0u);
  EXPECT_TRUE(service.notes().empty());
}

TEST_F(CudaService, AgreesWithTheHostForEveryNucleus) {
  CudaEnergyService service;
  for (const NuclearModel model :
       {NuclearModel::Point, NuclearModel::Sphere, NuclearModel::Gaussian, NuclearModel::Fermi}) {
    EnergyRequest request = libraryRequest(36);
    NucleusRequest nucleus;
    nucleus.model = model;
    nucleus.charge = 36;
    request.nucleus = makeNucleus(nucleus);
    expectEqual(service.evaluate(request), computeEnergy(request), 1e-12);
  }
  EXPECT_EQ(service.leftToHost(), 0u);
}

TEST_F(CudaService, AgreesWithTheHostForGauntAndBreit) {
  std::vector<EnergyRequest> requests;
  for (const int z : {2, 5, 10, 24, 54, 63, 86}) {
    for (const auto operation : {TwoElectronOperator::CoulombGaunt, TwoElectronOperator::CoulombBreit}) {
      for (const bool selfConsistent : {false, true}) {
        requests.push_back(libraryRequest(z));
        requests.back().operation = operation;
        requests.back().breitSelfConsistent = selfConsistent;
      }
    }
  }
  CudaEnergyService service;
  const auto outcomes = service.evaluateAll(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const EnergyOutcome host = computeEnergy(requests[i]);
    expectEqual(outcomes[i], host, 1e-12);
    EXPECT_EQ(outcomes[i].operation, host.operation);
    EXPECT_EQ(outcomes[i].breitSelfConsistent, host.breitSelfConsistent);
    EXPECT_NE(host.energy.gaunt, 0.0);
    EXPECT_NEAR(outcomes[i].energy.gaunt, host.energy.gaunt, 1e-9 * std::abs(host.energy.gaunt)) << i;
    EXPECT_NEAR(outcomes[i].energy.breitGauge, host.energy.breitGauge, 1e-9 * std::abs(host.energy.gaunt))
        << i;
  }
  EXPECT_EQ(service.leftToHost(), 0u);
}

TEST_F(CudaService, AgreesWithTheHostForAllLibraryAtomsInOneBatch) {
  std::vector<EnergyRequest> requests;
  for (const int z : libraryElements(test::kCollection)) {
    for (const double stretch : {0.97, 1.0, 1.04}) requests.push_back(libraryRequest(z, stretch));
  }
  CudaEnergyService service;
  const auto gpu = service.evaluateAll(requests);
  const auto host = HostEnergyService().evaluateAll(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) expectEqual(gpu[i], host[i], 1e-12);
  EXPECT_EQ(service.leftToHost(), 0u);
}

TEST_F(CudaService, GivesTheSameBitsHoweverRequestsAreBatched) {
  std::vector<EnergyRequest> requests;
  for (int i = 0; i < 40; ++i) requests.push_back(libraryRequest(i % 2 == 0 ? 36 : 24, 1.0 + 0.001 * i));
  CudaServiceOptions few;
  few.slots = 7;
  const auto many = CudaEnergyService().evaluateAll(requests);
  std::reverse(requests.begin(), requests.end());
  const auto reversed = CudaEnergyService(few).evaluateAll(requests);
  for (std::size_t i = 0; i < many.size(); ++i)
    EXPECT_EQ(many[i].energy.total, reversed[many.size() - 1 - i].energy.total) << many[i].id;
}

TEST_F(CudaService, FailsOneAloneWithItsReason) {
  std::vector<EnergyRequest> requests(6, libraryRequest(10));
  requests[1].basis.symmetries[0].exponents[3] = -1.0;
  requests[2].options.maxIterations = 2;
  requests[3].basis.symmetries.resize(2);
  requests[4].basis.symmetries[0].exponents[5] =
      requests[4].basis.symmetries[0].exponents[6] * (1.0 + 1e-9);  // dependent: the host drops a direction
  CudaEnergyService service;
  const auto outcomes = service.evaluateAll(requests);
  EXPECT_TRUE(outcomes[0].ok() && outcomes[5].ok());
  EXPECT_EQ(outcomes[0].energy.total, outcomes[5].energy.total);
  EXPECT_EQ(outcomes[1].status, EnergyStatus::Failed);
  EXPECT_EQ(outcomes[2].status, EnergyStatus::NotConverged);
  EXPECT_EQ(outcomes[2].iterations, 2);
  EXPECT_EQ(outcomes[3].status, EnergyStatus::Failed);
  EXPECT_FALSE(outcomes[3].reason.empty());
  expectEqual(outcomes[4], computeEnergy(requests[4]), 1e-12);
  EXPECT_EQ(service.leftToHost(), 3u);
  std::string notes;
  for (const std::string& note : service.notes()) notes += note + "\n";
  EXPECT_NE(notes.find("1 job left to the CPU: the basis is near-dependent"), std::string::npos) << notes;
  EXPECT_NE(notes.find("1 job left to the CPU: the request is not valid"), std::string::npos) << notes;
}

TEST_F(CudaService, SaysHowManyRequestsItComputesSideBySide) {
  CudaServiceOptions options;
  options.devices = {0};
  options.slots = 7;
  options.batchesPerDevice = 3;
  EXPECT_EQ(CudaEnergyService(options).sideBySide(), 21);
}

TEST_F(CudaService, CollectsRequestsOfManyCallersAtOnce) {
  CudaEnergyService service;
  std::vector<double> energies(6);
  std::vector<std::thread> callers;
  for (int i = 0; i < 6; ++i) {
    callers.emplace_back([&, i] {
      const std::vector<EnergyRequest> list(5, libraryRequest(18, 1.0 + 0.01 * i));
      for (int round = 0; round < 3; ++round) energies[i] = service.evaluateAll(list)[4].energy.total;
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(energies[i], service.evaluate(libraryRequest(18, 1.0 + 0.01 * i)).energy.total);
}

/// Started anew many times: what a first batch reads must have arrived before it runs.
TEST_F(CudaService, GivesTheSameBitsFromItsFirstBatchOn) {
  const std::vector<EnergyRequest> requests(8, libraryRequest(54));
  const double energy = CudaEnergyService().evaluate(requests[0]).energy.total;
  for (int i = 0; i < 10; ++i) {
    CudaServiceOptions options;
    options.slots = 1 + i;
    options.batchesPerDevice = 3;
    CudaEnergyService service(options);
    for (const EnergyOutcome& outcome : service.evaluateAll(requests))
      EXPECT_EQ(outcome.energy.total, energy);
    EXPECT_EQ(service.leftToHost(), 0u);
  }
}

TEST_F(CudaService, SpreadsOverSeveralDevices) {
  if (visibleDevices() < 2) GTEST_SKIP() << "one GPU only";
  const std::vector<EnergyRequest> requests(64, libraryRequest(18));
  CudaServiceOptions options;
  options.slots = 4;
  const double energy = CudaEnergyService().evaluate(requests[0]).energy.total;
  for (const EnergyOutcome& outcome : CudaEnergyService(options).evaluateAll(requests))
    EXPECT_EQ(outcome.energy.total, energy);
}

}  // namespace
}  // namespace prophet::cuda
