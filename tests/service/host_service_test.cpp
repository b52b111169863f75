#include "service/host_service.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "breit/breit.hpp"
#include "fock/grid_builder.hpp"
#include "requests.hpp"
#include "service/json_lines.hpp"

namespace prophet {
namespace {

using test::libraryRequest;

TEST(HostService, GivesTheEnergyOfASingleRun) {
  for (const int z : {2, 10, 24}) {
    const EnergyRequest request = libraryRequest(z);
    ThreadPool pool(2);
    GridFockBuilder builder(request.basis, fockGrid(request.basis), pool);
    const ScfResult single = runScf({request.basis, request.nucleus, request.configuration, request.c},
                                    builder, request.options, pool);
    HostEnergyService service(2);
    const EnergyOutcome outcome = service.evaluate(request);
    ASSERT_EQ(outcome.status, EnergyStatus::Converged) << outcome.reason;
    EXPECT_EQ(outcome.id, request.id);
    EXPECT_NEAR(outcome.energy.total, single.energy.total, 1e-12 * std::abs(single.energy.total)) << z;
    EXPECT_EQ(outcome.iterations, static_cast<int>(single.iterations.size()));
    EXPECT_NEAR(outcome.orbitals[0].energies[0], single.symmetries[0].energies(0),
                1e-9 * std::abs(single.symmetries[0].energies(0)));
  }
}

TEST(HostService, HonoursTheTwoElectronOperator) {
  ThreadPool pool(1);
  EnergyRequest request = libraryRequest(24);
  const RadialGrid grid = fockGrid(request.basis);
  const EnergyOutcome coulomb = computeEnergy(request);
  EXPECT_EQ(coulomb.energy.gaunt, 0.0);
  EXPECT_EQ(jsonLine(coulomb).find("breit"), std::string::npos);
  for (const auto operation : {TwoElectronOperator::CoulombGaunt, TwoElectronOperator::CoulombBreit}) {
    request.operation = operation;
    const auto builder = makeGridBuilder(request.basis, grid, operation, pool);
    const ScfResult scf = runScf({request.basis, request.nucleus, request.configuration, request.c}, *builder,
                                 request.options, pool);
    const BreitEnergy parts = breitEnergy(request.basis, grid, request.configuration, scf, operation, pool);
    const EnergyOutcome outcome = HostEnergyService(1).evaluate(request);
    ASSERT_TRUE(outcome.ok()) << outcome.reason;
    EXPECT_NEAR(outcome.energy.total, scf.energy.total, 1e-9);
    EXPECT_GT(outcome.energy.total, coulomb.energy.total + 0.3);
    EXPECT_NEAR(outcome.energy.gaunt, parts.gaunt, 1e-9);
    EXPECT_NEAR(outcome.energy.breitGauge, parts.gauge, 1e-9);
    EXPECT_NE(jsonLine(outcome).find("\"breit\":\"self-consistent\""), std::string::npos)
        << jsonLine(outcome);
  }
  EnergyRequest first = request;
  first.breitSelfConsistent = false;
  const EnergyOutcome outcome = computeEnergy(first);
  EXPECT_EQ(outcome.energy.total, coulomb.energy.total);
  // Chromium at the numerical limit: Gaunt 0.3894123090, gauge -0.0334654764; the set is small.
  EXPECT_NEAR(outcome.energy.gaunt, 0.3894123090, 1e-4);
  EXPECT_NEAR(outcome.energy.breitGauge, -0.0334654764, 1e-5);
}

/// The parts and totals of a single run's functions, in both treatments; the Breit interaction beside them.
TEST(HostService, GivesQedParts) {
  EnergyRequest request = libraryRequest(36);
  const EnergyOutcome bare = computeEnergy(request);
  EXPECT_TRUE(bare.corrections().empty());
  EXPECT_EQ(jsonLine(bare).find("qed"), std::string::npos);
  EXPECT_EQ(jsonLine(bare).find("total_with_corrections"), std::string::npos);
  request.qed.vacuumPolarisation = request.qed.selfEnergy = true;
  request.operation = TwoElectronOperator::CoulombBreit;
  request.breitSelfConsistent = false;
  ThreadPool pool(1);
  const auto builder =
      makeGridBuilder(request.basis, fockGrid(request.basis), TwoElectronOperator::Coulomb, pool);
  const auto terms = qedTerms(request.basis, request.nucleus, request.c, request.qed);
  for (const bool selfConsistent : {false, true}) {
    request.qedSelfConsistent = selfConsistent;
    const ScfResult scf = runScf({request.basis, request.nucleus, request.configuration, request.c,
                                  selfConsistent ? terms : std::vector<OneElectronTerm>{}},
                                 *builder, request.options, pool);
    const std::vector<double> values = selfConsistent ? scf.energy.extra : firstOrderEnergies(terms, scf);
    const EnergyOutcome outcome = HostEnergyService(1).evaluate(request);
    ASSERT_TRUE(outcome.ok()) << outcome.reason;
    EXPECT_EQ(outcome.energy.total, scf.energy.total);
    EXPECT_EQ(outcome.energy.total == bare.energy.total, !selfConsistent);
    const std::vector<EnergyCorrection> parts = outcome.corrections();
    ASSERT_EQ(parts.size(), 4u);
    EXPECT_EQ(parts[2].name, "vacuum polarisation");
    EXPECT_EQ(parts[2].value, values[0]);
    EXPECT_EQ(parts[3].value, values[1]);
    EXPECT_GT(parts[3].value, 0.5);
    EXPECT_EQ(parts[3].selfConsistent, selfConsistent);
    const std::string line = jsonLine(outcome);
    const char* treatment = selfConsistent ? "\"qed\":\"self-consistent\"" : "\"qed\":\"first order\"";
    for (const char* part : {treatment, "\"breit\":\"first order\"",
                             "\"self_energy\":", "\"vacuum_polarisation\":", "\"total_with_corrections\":"})
      EXPECT_NE(line.find(part), std::string::npos) << line;
  }
}

TEST(HostService, SelfEnergyBeyondItsTablesIsNoEnergy) {
  EnergyRequest request = libraryRequest(10);
  request.nucleus.charge = 121;
  request.qed.selfEnergy = true;
  const EnergyOutcome outcome = computeEnergy(request);
  EXPECT_EQ(outcome.status, EnergyStatus::Failed);
  EXPECT_NE(outcome.reason.find("120"), std::string::npos) << outcome.reason;
}

TEST(HostService, KnowsTheEnergyOfHelium) {
  // The published set is 3e-9 to 2e-7 above the numerical limit -2.8618133228 (Gaussian nucleus).
  const EnergyOutcome outcome = HostEnergyService(1).evaluate(libraryRequest(2));
  EXPECT_GT(outcome.energy.total, -2.8618133229);
  EXPECT_LT(outcome.energy.total, -2.8618133228 * (1 - 3e-7));
}

TEST(HostService, FailsOneAloneWithItsReason) {
  std::vector<EnergyRequest> requests = {libraryRequest(2), libraryRequest(3), libraryRequest(4),
                                         libraryRequest(5), libraryRequest(6)};
  requests[1].basis.symmetries[0].exponents[3] = -1.0;
  requests[2].options.maxIterations = 2;
  requests[3].basis.symmetries.resize(2);
  const std::vector<EnergyOutcome> outcomes = HostEnergyService(2).evaluateAll(requests);
  EXPECT_TRUE(outcomes[0].ok());
  EXPECT_EQ(outcomes[1].status, EnergyStatus::Failed);
  EXPECT_NE(outcomes[1].reason.find("-1"), std::string::npos) << outcomes[1].reason;
  EXPECT_EQ(outcomes[2].status, EnergyStatus::NotConverged);
  EXPECT_NE(outcomes[2].reason.find("2 iterations"), std::string::npos) << outcomes[2].reason;
  EXPECT_EQ(outcomes[3].status, EnergyStatus::Failed);
  EXPECT_NE(outcomes[3].reason.find("p+"), std::string::npos) << outcomes[3].reason;
  EXPECT_TRUE(outcomes[4].ok());
}

TEST(HostService, GivesTheSameBitsHoweverRequestsAreBatched) {
  std::vector<EnergyRequest> requests;
  for (int z = 2; z <= 12; ++z) requests.push_back(libraryRequest(z));
  const std::vector<EnergyOutcome> forward = HostEnergyService(1).evaluateAll(requests);
  std::reverse(requests.begin(), requests.end());
  const std::vector<EnergyOutcome> backward = HostEnergyService(5).evaluateAll(requests);
  for (std::size_t i = 0; i < forward.size(); ++i) {
    EXPECT_EQ(forward[i].energy.total, backward[forward.size() - 1 - i].energy.total) << forward[i].id;
  }
}

TEST(HostService, CollectsRequestsOfManyCallersAtOnce) {
  HostEnergyService service(2);
  std::vector<double> energies(4);
  std::atomic<int> seen{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&, i] {
      const std::vector<EnergyRequest> list(3, libraryRequest(2 + i));
      const auto outcomes = service.evaluateAll(list, [&](std::size_t, const EnergyOutcome&) { ++seen; });
      energies[i] = outcomes[2].energy.total;
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(seen, 12);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(energies[i], computeEnergy(libraryRequest(2 + i)).energy.total);
}

TEST(HostService, KeepsSpinorsWhereAskedAndFallsBackFromABadStart) {
  EnergyRequest request = libraryRequest(10);
  EXPECT_EQ(computeEnergy(request).spinors, nullptr);
  request.keepSpinors = true;
  const EnergyOutcome cold = computeEnergy(request);
  ASSERT_NE(cold.spinors, nullptr);
  request.start = cold.spinors;
  const EnergyOutcome warm = computeEnergy(request);
  EXPECT_LT(warm.iterations, cold.iterations);
  EXPECT_NEAR(warm.energy.total, cold.energy.total, 1e-12 * std::abs(cold.energy.total));
  // A swollen atom, from which it does not converge in as many iterations as from the default guess.
  auto swollen = std::make_shared<StartSpinors>(*cold.spinors);
  for (SymmetryBasis& s : swollen->basis.symmetries) {
    for (double& zeta : s.exponents) zeta *= 0.3;
  }
  request.start = swollen;
  EXPECT_GT(computeEnergy(request).iterations, cold.iterations);
  request.options.maxIterations = cold.iterations;
  EXPECT_EQ(computeEnergy(request).energy.total, cold.energy.total);
  // Spinors in functions of another symmetry: an error, not only slow.
  auto wrong = std::make_shared<StartSpinors>(*cold.spinors);
  std::swap(wrong->basis.symmetries[1].symmetry, wrong->basis.symmetries[2].symmetry);
  request.start = wrong;
  EXPECT_EQ(computeEnergy(request).energy.total, cold.energy.total);
}

TEST(HostService, PassesOnWhatAnObserverThrows) {
  HostEnergyService service(2);
  const std::vector<EnergyRequest> list(3, libraryRequest(2));
  EXPECT_THROW(service.evaluateAll(list, [](std::size_t, const EnergyOutcome&) { throw Error("stop"); }),
               Error);
}

}  // namespace
}  // namespace prophet
