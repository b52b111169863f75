#include "cuda/atoms/batch/cuda_service.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "atoms/functional/functional.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "atoms/service/energy_service.hpp"
#include "tests/atoms/calculation/from_text.hpp"
#include "tests/atoms/service/library_calculation.hpp"

namespace prophet::cuda {
namespace {

using test::libraryCalculation;

class CudaService : public ::testing::Test {
 protected:
  void SetUp() override {
    if (visibleDevices() == 0) GTEST_SKIP() << "no GPU";
  }
};

/// Energies agree to `tolerance`. What is of first order in the spinors' error agrees only as far as the
/// thresholds have it: the two start from guesses on different grids, and may end an iteration apart.
void expectEqual(const Result& gpu, const Result& host, double tolerance, const std::string& what = "") {
  ASSERT_EQ(gpu.status, host.status) << what << ": " << gpu.reason;
  EXPECT_NEAR(gpu.energy.total, host.energy.total, tolerance * std::abs(host.energy.total)) << what;
  ASSERT_EQ(gpu.energy.parts.size(), host.energy.parts.size()) << what;
  EXPECT_NEAR(gpu.energy.value(EnergyPartId::Kinetic), host.energy.value(EnergyPartId::Kinetic),
              2e-7 * std::abs(host.energy.total))
      << what;
  EXPECT_NEAR(gpu.virialRatio, host.virialRatio, 2e-7) << what;
  ASSERT_EQ(gpu.spinors.size(), host.spinors.size()) << what;
  for (std::size_t i = 0; i < gpu.spinors.size(); ++i) {
    EXPECT_EQ(gpu.spinors[i].label(), host.spinors[i].label()) << what;
    EXPECT_NEAR(gpu.spinors[i].occupation, host.spinors[i].occupation, 1e-14) << what;
    EXPECT_NEAR(gpu.spinors[i].energy, host.spinors[i].energy,
                1e-5 * (1.0 + std::abs(host.spinors[i].energy)))
        << what << " " << host.spinors[i].label();
  }
}

TEST_F(CudaService, AgreesWithTheHostForClosedAndOpenShells) {
  CudaEnergyService service;
  for (const int z : {2, 6, 10, 18, 24, 54, 63, 86}) {
    const Result gpu = service.evaluate(libraryCalculation(z)), host = computeOrReason(libraryCalculation(z));
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
    Calculation request = libraryCalculation(36);
    NucleusRequest nucleus;
    nucleus.model = model;
    nucleus.charge = 36;
    request.problem.nucleus = makeNucleus(nucleus);
    expectEqual(service.evaluate(request), computeOrReason(request), 1e-12);
  }
  EXPECT_EQ(service.leftToHost(), 0u);
}

TEST_F(CudaService, AgreesWithTheHostForGauntAndBreit) {
  std::vector<Calculation> requests;
  for (const int z : {2, 5, 10, 24, 54, 63, 86}) {
    for (const auto repulsion : {TwoElectronOperator::CoulombGaunt, TwoElectronOperator::CoulombBreit}) {
      for (const bool selfConsistent : {false, true}) {
        requests.push_back(libraryCalculation(z));
        requests.back().problem.hamiltonian.repulsion = repulsion;
        requests.back().problem.hamiltonian.breitTreatment =
            selfConsistent ? Treatment::SelfConsistent : Treatment::FirstOrder;
      }
    }
  }
  CudaEnergyService service;
  const auto outcomes = service.evaluateAll(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Result host = computeOrReason(requests[i]);
    expectEqual(outcomes[i], host, 1e-12);
    for (std::size_t p = 0; p < host.energy.parts.size(); ++p)
      EXPECT_EQ(outcomes[i].energy.parts[p].treatment, host.energy.parts[p].treatment) << i;
    EXPECT_NE(host.energy.value(EnergyPartId::Gaunt), 0.0);
    EXPECT_NEAR(outcomes[i].energy.value(EnergyPartId::Gaunt), host.energy.value(EnergyPartId::Gaunt),
                1e-9 * std::abs(host.energy.value(EnergyPartId::Gaunt)))
        << i;
    EXPECT_NEAR(outcomes[i].energy.value(EnergyPartId::BreitGauge),
                host.energy.value(EnergyPartId::BreitGauge),
                1e-9 * std::abs(host.energy.value(EnergyPartId::Gaunt)))
        << i;
  }
  EXPECT_EQ(service.leftToHost(), 0u);
}

TEST_F(CudaService, AgreesWithTheHostForFunctionals) {
  if (!hasFunctionals()) GTEST_SKIP() << "built without libxc";
  std::vector<Calculation> requests;
  for (const int z : {2, 6, 10, 24, 54, 63, 86}) {
    for (const char* functional : {"lda", "rlda", "pbe", "pbesol"}) {
      requests.push_back(libraryCalculation(z));
      Hamiltonian& h = requests.back().problem.hamiltonian;
      h.functional = functional;
      if (z == 54) h.qed.vacuumPolarisation = h.qed.selfEnergy = true;
      h.qedTreatment = z == 54 && h.functional == "pbe" ? Treatment::SelfConsistent : Treatment::FirstOrder;
    }
  }
  CudaEnergyService service;
  const auto outcomes = service.evaluateAll(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Result host = computeOrReason(requests[i]);
    expectEqual(outcomes[i], host, 1e-12, requests[i].problem.hamiltonian.functional);
    const double part = host.energy.value(EnergyPartId::ExchangeCorrelation);
    EXPECT_LT(part, 0.0);
    EXPECT_NEAR(outcomes[i].energy.value(EnergyPartId::ExchangeCorrelation), part, 1e-6 * std::abs(part))
        << i;
  }
  EXPECT_EQ(service.leftToHost(), 0u);
}

TEST_F(CudaService, AgreesWithTheHostForQedCorrections) {
  std::vector<Calculation> requests;
  for (const int z : {2, 10, 24, 54, 86}) {
    for (const NuclearModel model : {NuclearModel::Point, NuclearModel::Gaussian, NuclearModel::Fermi}) {
      for (const bool selfConsistent : {false, true}) {
        Calculation request = libraryCalculation(z);
        NucleusRequest nucleus;
        nucleus.model = model;
        nucleus.charge = z;
        request.problem.nucleus = makeNucleus(nucleus);
        Hamiltonian& h = request.problem.hamiltonian;
        h.qed.vacuumPolarisation = h.qed.selfEnergy = true;
        h.qed.kallenSabry = h.qed.wichmannKroll = z == 54;
        h.qedTreatment = selfConsistent ? Treatment::SelfConsistent : Treatment::FirstOrder;
        if (z == 24) h.repulsion = TwoElectronOperator::CoulombBreit;
        requests.push_back(request);
      }
    }
  }
  CudaEnergyService service;
  const auto outcomes = service.evaluateAll(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Result host = computeOrReason(requests[i]);
    expectEqual(outcomes[i], host, 1e-12, std::to_string(i));
    for (std::size_t p = 0; p < host.energy.parts.size(); ++p) {
      const EnergyPart &mine = outcomes[i].energy.parts[p], &theirs = host.energy.parts[p];
      EXPECT_EQ(mine.id, theirs.id) << i;
      EXPECT_EQ(mine.treatment, theirs.treatment) << i;
      if (!isQed(theirs.id)) continue;
      EXPECT_NEAR(mine.value, theirs.value, 1e-7 * std::abs(theirs.value)) << i << " " << p;
    }
    EXPECT_GT(host.energy.value(EnergyPartId::SelfEnergy), 0.0);
  }
  EXPECT_EQ(service.leftToHost(), 0u);
}

/// Batches of several shapes run side by side: no digit may depend on which.
TEST_F(CudaService, GivesTheSameBitsBesideOtherShapes) {
  std::vector<Calculation> requests;
  for (int i = 0; i < 60; ++i)
    requests.push_back(libraryCalculation(std::vector<int>{2, 10, 18, 24, 36, 54}[i % 6], 1.0 + 0.001 * i));
  CudaServiceOptions one;
  one.mixedBatches = one.batchesPerDevice = 1;
  const auto mixed = CudaEnergyService().evaluateAll(requests),
             alone = CudaEnergyService(one).evaluateAll(requests);
  for (std::size_t i = 0; i < requests.size(); ++i)
    EXPECT_EQ(mixed[i].energy.total, alone[i].energy.total) << i;
}

TEST_F(CudaService, AgreesWithTheHostForAllLibraryAtomsInOneBatch) {
  std::vector<Calculation> requests;
  for (const int z : libraryElements(test::kCollection)) {
    for (const double stretch : {0.97, 1.0, 1.04}) requests.push_back(libraryCalculation(z, stretch));
  }
  CudaEnergyService service;
  const auto gpu = service.evaluateAll(requests);
  const auto host = HostEnergyService().evaluateAll(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) expectEqual(gpu[i], host[i], 1e-12);
  EXPECT_EQ(service.leftToHost(), 0u);
}

TEST_F(CudaService, StatesTheErrorOfBasisSetsAndWarnsAsTheHostDoes) {
  std::vector<Calculation> requests;
  for (const char* text :
       {"$nuc znuc=11 $end\n$seconfig config='[Ne]' $end",
        "$nuc znuc=24 nucmdl=1 $end\n$seconfig config='[Ar] 3d5' $end",
        "$nuc znuc=80 $end\n$bas bastype='library' library='wtbs-2.1-by-symmetry' $end", "$nuc znuc=10 $end",
        "$nuc znuc=55 nucmdl=1 $end\n$bas bastype='library' library='prophet-1' $end",
        "$nuc znuc=120 nucmdl=1 $end\n$seconfig config='1s2' $end", "$nuc znuc=54 nucmdl=4 $end"}) {
    requests.push_back(test::calculationFrom(text));
    requests.back().inBasis().estimateError = true;
    requests.back().inBasis().start =
        nullptr;  // GPUs begin anew: from the same guess both end at the same point
  }
  CudaEnergyService service;
  const auto outcomes = service.evaluateAll(requests);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Result host = computeOrReason(requests[i]);
    expectEqual(outcomes[i], host, 1e-11, std::to_string(i));
    ASSERT_EQ(outcomes[i].basisError.has_value(), host.basisError.has_value()) << i;
    if (host.basisError) {
      EXPECT_EQ(outcomes[i].basisError->known, host.basisError->known) << i;
      EXPECT_NEAR(outcomes[i].basisError->value, host.basisError->value,
                  0.02 * std::abs(host.basisError->value) + 2e-11 * std::abs(host.energy.total))
          << i;
    }
    ASSERT_EQ(outcomes[i].warnings.size(), host.warnings.size()) << i;
    for (std::size_t w = 0; w < host.warnings.size(); ++w)
      EXPECT_EQ(outcomes[i].warnings[w].id, host.warnings[w].id) << i;
  }
}

/// Small steps alone do not end a calculation: the thresholds here are met by the first ones.
TEST_F(CudaService, ConvergesOnlyWithASmallGradient) {
  Calculation loose = libraryCalculation(54);
  ScfOptions& options = loose.inBasis().scf;
  options.thresholdLL = options.thresholdSL = options.thresholdSS = options.energyThreshold = 1e3;
  const Result gpu = CudaEnergyService().evaluate(loose), host = computeOrReason(loose);
  EXPECT_GT(gpu.iterations, 3);
  EXPECT_NEAR(gpu.iterations, host.iterations, 1);
  expectEqual(gpu, host, 1e-11);
}

TEST_F(CudaService, LeavesToTheHostWhatDiisDoesNotConverge) {
  Calculation request = libraryCalculation(54);
  request.inBasis().scf.energyThreshold = 0.0;  // never met
  CudaEnergyService service;
  const Result left = service.evaluate(request), host = computeOrReason(request);
  EXPECT_EQ(left.status, host.status);  // it ends where rounding alone changes the density
  EXPECT_NEAR(left.energy.total, host.energy.total, 1e-10 * std::abs(host.energy.total));
  EXPECT_EQ(service.leftToHost(), 1u);
  ASSERT_EQ(service.notes().size(), 1u);
  EXPECT_NE(service.notes()[0].find("DIIS alone did not converge"), std::string::npos);
}

TEST_F(CudaService, GivesTheSameBitsHoweverRequestsAreBatched) {
  std::vector<Calculation> requests;
  for (int i = 0; i < 40; ++i) requests.push_back(libraryCalculation(i % 2 == 0 ? 36 : 24, 1.0 + 0.001 * i));
  CudaServiceOptions few;
  few.slots = 7;
  const auto many = CudaEnergyService().evaluateAll(requests);
  std::reverse(requests.begin(), requests.end());
  const auto reversed = CudaEnergyService(few).evaluateAll(requests);
  for (std::size_t i = 0; i < many.size(); ++i)
    EXPECT_EQ(many[i].energy.total, reversed[many.size() - 1 - i].energy.total) << i;
}

TEST_F(CudaService, FailsOneAloneWithItsReason) {
  std::vector<Calculation> requests(6, libraryCalculation(10));
  requests[1].inBasis().basis.symmetries[0].exponents[3] = -1.0;
  requests[2].inBasis().scf.maxIterations = 2;
  requests[3].inBasis().basis.symmetries.resize(2);
  requests[4].inBasis().basis.symmetries[0].exponents[5] =
      requests[4].inBasis().basis.symmetries[0].exponents[6] *
      (1.0 + 1e-9);  // dependent: the host drops a direction
  CudaEnergyService service;
  const auto outcomes = service.evaluateAll(requests);
  EXPECT_TRUE(outcomes[0].ok() && outcomes[5].ok());
  EXPECT_EQ(outcomes[0].energy.total, outcomes[5].energy.total);
  EXPECT_EQ(outcomes[1].status, Status::Failed);
  EXPECT_EQ(outcomes[2].status, Status::NotConverged);
  EXPECT_EQ(outcomes[2].iterations, 2);
  EXPECT_EQ(outcomes[3].status, Status::Failed);
  EXPECT_FALSE(outcomes[3].reason.empty());
  expectEqual(outcomes[4], computeOrReason(requests[4]), 1e-12);
  EXPECT_EQ(service.leftToHost(), 3u);
  std::string notes;
  for (const std::string& note : service.notes()) notes += note + "\n";
  EXPECT_NE(notes.find("1 job left to the CPU: the basis is near-dependent"), std::string::npos) << notes;
  EXPECT_NE(notes.find("1 job left to the CPU: the calculation is not valid"), std::string::npos) << notes;
}

TEST_F(CudaService, GivesAndTakesSpinorsAsTheHostDoes) {
  CudaEnergyService service;
  for (const int z : {2, 24, 63, 86}) {
    Calculation first = libraryCalculation(z);
    first.inBasis().keepSpinors = true;
    const Result gpu = service.evaluate(first), host = computeOrReason(first);
    ASSERT_TRUE(gpu.coefficients && gpu.wavefunction && host.coefficients) << z;
    const StartSpinors &mine = *gpu.coefficients, &theirs = *host.coefficients;
    ASSERT_GE(mine.basis.symmetries.size(), gpu.spinors.empty() ? 0u : 1u);
    for (std::size_t a = 0; a < mine.large.size(); ++a) {
      const OverlapBlocks s = overlapBetween(mine.basis.symmetries[a], theirs.basis.symmetries[a]);
      for (Eigen::Index i = 0; i < mine.large[a].cols(); ++i) {
        const double overlap = mine.large[a].col(i).dot(s.large * theirs.large[a].col(i)) +
                               mine.small[a].col(i).dot(s.small * theirs.small[a].col(i));
        EXPECT_NEAR(std::abs(overlap), 1.0, 1e-8) << z << " " << a << " " << i;
      }
    }
    const Calculation cold = libraryCalculation(z, 1.002);
    Calculation warm = cold;
    warm.inBasis().start = gpu.coefficients;
    const Result fromThere = service.evaluate(warm), fromHost = computeOrReason(warm),
                 alone = service.evaluate(cold);
    expectEqual(fromThere, fromHost, 1e-12, std::to_string(z));
    EXPECT_NEAR(fromThere.energy.total, alone.energy.total, 1e-12 * std::abs(alone.energy.total)) << z;
    EXPECT_NEAR(fromThere.iterations, fromHost.iterations, 1) << z;
    EXPECT_LT(fromThere.iterations, alone.iterations) << z;
  }
  EXPECT_EQ(service.leftToHost(), 0u);
}

TEST_F(CudaService, TakesTheDefaultGuessWhereSpinorsDoNotFit) {
  CudaEnergyService service;
  Calculation source = libraryCalculation(54);
  source.inBasis().keepSpinors = true;
  const Result spinors = service.evaluate(source);
  const Result cold = service.evaluate(libraryCalculation(54));
  // Functions so much tighter represent nothing of them; and those of another number of electrons are not
  // taken.
  StartSpinors tight = *spinors.coefficients;
  for (SymmetryBasis& block : tight.basis.symmetries)
    for (double& zeta : block.exponents) zeta *= 1e5;
  Calculation unfit = libraryCalculation(54), other = libraryCalculation(36);
  unfit.inBasis().start = std::make_shared<StartSpinors>(tight);
  const Result again = service.evaluate(unfit);
  EXPECT_EQ(again.energy.total, cold.energy.total);
  EXPECT_EQ(again.iterations, cold.iterations);
  other.inBasis().start = spinors.coefficients;
  EXPECT_EQ(service.evaluate(other).energy.total, service.evaluate(libraryCalculation(36)).energy.total);
  EXPECT_EQ(service.leftToHost(), 0u);
}

/// A spinor below -2c^2 is no bound state, on the GPU as on the host.
TEST_F(CudaService, LeavesDivedSpinorsToTheHost) {
  NucleusRequest nucleus;
  nucleus.charge = 178;
  nucleus.model = NuclearModel::Gaussian;
  nucleus.massNumber = 340;
  BasisSet basis;
  basis.symmetries.push_back({Symmetry::fromIndex(0), {}});
  for (double zeta = 10.0; zeta < 1e12; zeta *= 1.8) basis.symmetries[0].exponents.push_back(zeta);
  const Calculation request =
      calculationIn(basis, AtomProblem{makeNucleus(nucleus), parseConfiguration("1s1"), {}});
  CudaEnergyService service;
  const Result host = computeOrReason(request), result = service.evaluate(request);
  ASSERT_NE(host.status, Status::Converged);
  EXPECT_EQ(result.status, host.status);
  EXPECT_EQ(result.reason, host.reason);
  EXPECT_NE(result.reason.find("-2c^2"), std::string::npos) << result.reason;
}

/// Sizes, occupations and numbers of symmetries as they come, not those of libraries.
TEST_F(CudaService, AgreesWithTheHostForRandomShapes) {
  std::mt19937 random(25);
  std::uniform_real_distribution<double> uniform(0, 1);
  constexpr int kMost[] = {8, 16, 24, 33, 40, 48, 56, 64, 80, 100};
  std::vector<Calculation> requests;
  for (int i = 0; i < 40; ++i) {
    const int z = i < 10 ? 111 - i : 1 + static_cast<int>(random() % 60), most = kMost[i % 10];
    const Configuration configuration = parseConfiguration(groundConfiguration(z));
    BasisSet basis;
    for (int a = 0; a < configuration.occupiedSymmetries(); ++a) {
      const Symmetry symmetry = Symmetry::fromIndex(a);
      const int m = configuration.occupiedSpinors(a), l = symmetry.l();
      const int n = std::max(m + 2, most - static_cast<int>(random() % 8) - 3 * l);
      // Down to what the outermost shell has, up to the size of the nucleus or as far as functions reach.
      const double first = 0.02 + 0.02 * l + 0.05 * uniform(random),
                   last = std::min(1e9, first * std::pow(1.9, n));
      basis.symmetries.push_back({symmetry, {}});
      for (int k = 0; k < n; ++k)
        basis.symmetries.back().exponents.push_back(first * std::pow(last / first, k / (n - 1.0)));
    }
    NucleusRequest nucleus;
    nucleus.model = NuclearModel::Gaussian;
    nucleus.charge = z;
    requests.push_back(calculationIn(std::move(basis), AtomProblem{makeNucleus(nucleus), configuration, {}}));
  }
  const std::vector<Result> host = HostEnergyService().evaluateAll(requests);
  CudaEnergyService service;
  const std::vector<Result> results = service.evaluateAll(requests);
  int onDevice = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    ASSERT_EQ(results[i].status, host[i].status) << i << " " << results[i].reason << host[i].reason;
    if (results[i].provenance.backend == "cuda") ++onDevice;
    if (results[i].status != Status::Converged) continue;
    EXPECT_NEAR(results[i].energy.total, host[i].energy.total, 1e-12 * std::abs(host[i].energy.total)) << i;
  }
  // Near-dependent sets and those that DIIS alone does not bring to an end are the host's.
  EXPECT_GT(onDevice, 20);
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
      const std::vector<Calculation> list(5, libraryCalculation(18, 1.0 + 0.01 * i));
      for (int round = 0; round < 3; ++round) energies[i] = service.evaluateAll(list)[4].energy.total;
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(energies[i], service.evaluate(libraryCalculation(18, 1.0 + 0.01 * i)).energy.total);
}

/// Started anew many times: what a first batch reads must have arrived before it runs.
TEST_F(CudaService, GivesTheSameBitsFromItsFirstBatchOn) {
  const std::vector<Calculation> requests(8, libraryCalculation(54));
  const double energy = CudaEnergyService().evaluate(requests[0]).energy.total;
  for (int i = 0; i < 10; ++i) {
    CudaServiceOptions options;
    options.slots = 1 + i;
    options.batchesPerDevice = 3;
    CudaEnergyService service(options);
    for (const Result& outcome : service.evaluateAll(requests)) EXPECT_EQ(outcome.energy.total, energy);
    EXPECT_EQ(service.leftToHost(), 0u);
  }
}

/// Both devices must have work at the same time: neither goes on before the other has begun.
TEST_F(CudaService, SpreadsOverSeveralDevices) {
  if (visibleDevices() < 2) GTEST_SKIP() << "one GPU only";
  const std::vector<Calculation> requests(64, libraryCalculation(18));
  struct Seen {
    std::mutex mutex;
    std::condition_variable both;
    std::set<int> devices;
  };
  const auto seen = std::make_shared<Seen>();
  CudaServiceOptions options;
  options.slots = 4;
  options.probe = [seen](batch::FaultPoint point, int) {
    if (point != batch::FaultPoint::Iteration) return;
    int device = -1;
    ASSERT_EQ(cudaGetDevice(&device), cudaSuccess);
    std::unique_lock<std::mutex> lock(seen->mutex);
    seen->devices.insert(device);
    seen->both.notify_all();
    EXPECT_TRUE(
        seen->both.wait_for(lock, std::chrono::seconds(20), [&] { return seen->devices.size() > 1; }));
  };
  const double energy = CudaEnergyService().evaluate(requests[0]).energy.total;
  for (const Result& outcome : CudaEnergyService(options).evaluateAll(requests))
    EXPECT_EQ(outcome.energy.total, energy);
}

}  // namespace
}  // namespace prophet::cuda
