#include <gtest/gtest.h>

#include <functional>

#include "core/common/error.hpp"
#include "from_text.hpp"

namespace prophet {
namespace {

using test::calculationFrom;

TEST(Compute, TimingsAndBuilderAreReported) {
  const Result r = compute(calculationFrom("$nuc znuc=10 $end"));
  EXPECT_TRUE(r.ok());
  EXPECT_EQ(r.provenance.method, "grid");
  ASSERT_TRUE(r.provenance.grid.has_value());
  EXPECT_GT(r.provenance.grid->points, 50);
  EXPECT_GT(r.seconds("total"), 0.0);
}

TEST(Compute, BasisAndLimitGiveTheSameKindOfResult) {
  const std::string neon = "$nuc znuc=10 nucmdl=3 $end";
  const Result basis = compute(calculationFrom(neon));
  const Result limit = compute(calculationFrom("$contrl jobtype='limit' $end " + neon));
  ASSERT_EQ(basis.spinors.size(), limit.spinors.size());
  for (std::size_t i = 0; i < limit.spinors.size(); ++i) {
    EXPECT_EQ(basis.spinors[i].label(), limit.spinors[i].label());
    EXPECT_EQ(basis.spinors[i].occupation, limit.spinors[i].occupation);
    EXPECT_NEAR(basis.spinors[i].energy, limit.spinors[i].energy, 1e-5);
    EXPECT_NEAR(*basis.spinors[i].meanRadius, *limit.spinors[i].meanRadius, 1e-5);
  }
  ASSERT_EQ(basis.energy.parts.size(), limit.energy.parts.size());
  for (std::size_t i = 0; i < limit.energy.parts.size(); ++i)
    EXPECT_EQ(basis.energy.parts[i].id, limit.energy.parts[i].id);
  EXPECT_TRUE(limit.limit && !basis.limit);
}

/// A GPU that always fails in this way.
template <class Failure>
class FailingGpu : public StoredSolver {
 public:
  ScfResult runStoredScf(const AtomProblem&, const BasisMethod&, const StoredSettings&, const ScfObserver&,
                         StoredReport*) override {
    throw Failure("injected");
  }
};

TEST(Compute, TheHostTakesOverFromAGpuThatFailsWhereItMay) {
  const Calculation c = calculationFrom("$nuc znuc=2 nucmdl=3 $end $scf fock='stored' $end");
  FailingGpu<DeviceError> gpu;
  Resources resources{1, &gpu};
  EXPECT_THROW(compute(c, resources), DeviceError);
  resources.hostIfGpuFails = true;
  const Result result = compute(c, resources), host = compute(c);
  EXPECT_EQ(result.energy.total, host.energy.total);
  EXPECT_EQ(result.provenance.backend, host.provenance.backend);
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_EQ(result.warnings.front().id, "gpu_failed");
  EXPECT_NE(result.warnings.front().text.find("injected"), std::string::npos);
  // What is wrong with the calculation is so on the host too.
  FailingGpu<Error> wrong;
  resources.gpu = &wrong;
  EXPECT_THROW(compute(c, resources), Error);
}

/// A GPU whose DIIS leads nowhere.
class StuckGpu : public StoredSolver {
 public:
  ScfResult runStoredScf(const AtomProblem&, const BasisMethod&, const StoredSettings&, const ScfObserver&,
                         StoredReport*) override {
    return {};
  }
};

/// Only the host has damping and level shifts.
TEST(Compute, TheHostGoesOnWhereDiisOnAGpuLeadsNowhere) {
  const Calculation c = calculationFrom("$nuc znuc=2 nucmdl=3 $end $scf fock='stored' $end");
  StuckGpu gpu;
  Resources resources{1, &gpu};
  resources.hostIfGpuFails = true;
  const Result result = compute(c, resources);
  EXPECT_EQ(result.status, Status::Converged);
  EXPECT_EQ(result.energy.total, compute(c).energy.total);
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_NE(result.warnings.front().text.find("DIIS alone"), std::string::npos);
}

TEST(Compute, StoredIntegralsBeyondMemoryAreRefusedWithAdvice) {
  const Calculation c = calculationFrom(
      "$nuc znuc=86 $end\n$bas nsym=7 bastype='wtbs' $end\n$wtbs wtbspara=0.05,1.05,4,0.1 nbs=7*400 $end\n"
      "$seconfig config='[Rn]' $end\n$scf fock='stored' $end");
  try {
    compute(c);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("fock='grid'"), std::string::npos) << e.what();
  }
  EXPECT_NE(computeOrReason(c).reason.find("fock='grid'"), std::string::npos);
}

TEST(Compute, WarningsAreData) {
  Calculation xenon = test::calculationFrom("$nuc znuc=10 $end\n$scf maxitr=3 $end");
  EXPECT_TRUE(test::warns(compute(xenon), "not_converged"));
  EXPECT_TRUE(
      test::warns(compute(test::calculationFrom("$nuc znuc=120 nucmdl=1 $end\n$seconfig config='1s2' $end")),
                  "strong_point_nucleus"));
  // Whether or not the error is estimated.
  for (const bool estimate : {false, true}) {
    Calculation named =
        test::calculationFrom("$nuc znuc=10 nucmdl=1 $end\n$bas bastype='library' library='prophet-1' $end");
    named.inBasis().estimateError = estimate;
    EXPECT_TRUE(test::warns(compute(named), "basis_made_for_something_else")) << estimate;
  }
}

TEST(Compute, TwoComponentsStateTheErrorOfTheirOwnHamiltonian) {
  for (const char* kind : {"x2c1e", "sfx2c1e", "nonrel"}) {
    Calculation neon =
        calculationFrom(std::string("$nuc znuc=10 $end\n$contrl hamiltonian='") + kind + "' $end");
    neon.inBasis().estimateError = true;
    neon.inBasis().keepSpinors = true;
    const Result r = compute(neon);
    EXPECT_TRUE(r.ok()) << r.reason;
    ASSERT_TRUE(r.basisError.has_value());
    EXPECT_FALSE(r.basisError->known);
    EXPECT_GT(r.basisError->value, 1e-9);
    EXPECT_LT(r.basisError->value, 1e-6);
    EXPECT_NEAR(r.energy.total, -128.6, 0.1);
    EXPECT_EQ(test::warns(r, "untransformed_picture"), std::string(kind) != "nonrel");
    double sum = 0;
    for (const EnergyPart& part : r.energy.parts) sum += part.value;
    EXPECT_NEAR(sum, r.energy.total, 1e-10);
  }
}

TEST(Compute, StoredIntegralsGiveTheSameTwoComponentEnergy) {
  const std::string neon = "$nuc znuc=10 $end\n$contrl hamiltonian='x2c1e' $end\n";
  EXPECT_NEAR(compute(calculationFrom(neon)).energy.total,
              compute(calculationFrom(neon + "$scf fock='stored' $end")).energy.total, 1e-9);
}

TEST(Compute, TwoComponentsRefuseWhatTheyDoNotHave) {
  const auto reasonOf = [](const std::string& groups, const std::function<void(Calculation&)>& change) {
    Calculation c = calculationFrom(groups);
    change(c);
    return computeOrReason(c).reason;
  };
  const auto kind = [](OneElectronOperator o) {
    return [o](Calculation& c) { c.problem.hamiltonian.oneElectron = o; };
  };
  EXPECT_NE(reasonOf("$nuc znuc=10 $end\n$contrl breit='breit' $end", kind(OneElectronOperator::X2c))
                .find("hamiltonian='dirac'"),
            std::string::npos);
  EXPECT_NE(reasonOf("$nuc znuc=10 $end\n$contrl jobtype='limit' $end", kind(OneElectronOperator::X2c))
                .find("numerical limit"),
            std::string::npos);
  // Two lists for p, and a configuration of one j.
  EXPECT_NE(reasonOf("$nuc znuc=10 $end", kind(OneElectronOperator::SpinFreeX2c)).find("same exponents"),
            std::string::npos);
  EXPECT_NE(
      reasonOf("$nuc znuc=5 $end\n$contrl hamiltonian='nonrel' $end\n$electrons closed=2,0,0 open=0,1,0 "
               "open_electrons=1 $end",
               [](Calculation&) {})
          .find("does not distinguish j"),
      std::string::npos);
}

TEST(VerifyGrid, ThreeEnergiesAgree) {
  for (const char* input : {"$nuc znuc=10 $end", "$nuc znuc=24 $end", "$nuc znuc=10 nucmdl=1 $end"}) {
    const GridCheck check = verifyGrid(calculationFrom(input), 2);
    EXPECT_GT(check.finerGrid.points, check.grid.points);
    EXPECT_NEAR(check.finerEnergy / check.energy, 1.0, 1e-11) << input;
    ASSERT_TRUE(check.analyticEnergy.has_value());
    EXPECT_NEAR(*check.analyticEnergy / check.energy, 1.0, 1e-11) << input;
  }
}

}  // namespace
}  // namespace prophet
