#include <gtest/gtest.h>

#include <cmath>

#include "atoms/calculation/compute.hpp"
#include "core/common/error.hpp"
#include "matter/structure/structure.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/resolve.hpp"
#include "test_paths.hpp"

namespace prophet {
namespace {

Calculation calculationOf(const std::string& groups) {
  return resolve(parseJob("test\n" + groups + "\n", PROPHET_SOURCE_DIR "/inputs/test.inp")).calculation;
}

Result resultOf(const std::string& groups) { return compute(calculationOf(groups)); }

constexpr const char* kOxygen = "$nuc znuc=8 $end $seconfig charge=-2 $end ";
constexpr const char* kLimit = "$contrl jobtype='limit' $end ";
/// MgO, edge 4.212 angstrom.
constexpr double kPotential = 2 * 1.747564594633182 * 0.529177210903 / 2.106;

/// Deep inside a wide shell every electron has -charge/radius and nothing else.
TEST(Embedding, AWideShellShiftsTheEnergy) {
  const std::string neon = "$nuc znuc=10 $end ", shell = "$watson charge=2 radius=40 $end ";
  for (const std::string job : {"", kLimit}) {
    // The same set for both: the program chooses another one in a shell.
    const std::string basis = job.empty() ? "$bas bastype='library' library='prophet-1' $end " : "";
    const Result free = resultOf(job + neon + basis), embedded = resultOf(job + neon + basis + shell);
    ASSERT_TRUE(embedded.ok()) << embedded.reason;
    EXPECT_NEAR(embedded.energy.total - free.energy.total, -10 * 2.0 / 40, 2e-8) << job;
    EXPECT_NEAR(embedded.energy.value(EnergyPartId::External), -0.5, 1e-9) << job;
  }
}

/// The limit and a basis share no integrals; the edge of the potential must not cost digits.
TEST(Embedding, BasisAndLimitAgree) {
  const std::string shell = "$watson charge=2 radius=2.277 $end ";
  const Result limit = resultOf(kLimit + std::string(kOxygen) + shell), basis = resultOf(kOxygen + shell);
  ASSERT_TRUE(limit.ok()) << limit.reason;
  ASSERT_TRUE(basis.ok()) << basis.reason;
  EXPECT_LT(limit.limit->estimatedError, 1e-9);
  EXPECT_GT(basis.energy.total, limit.energy.total - 1e-9);
  EXPECT_LT(basis.energy.total, limit.energy.total + 5e-6);
  EXPECT_NEAR(basis.energy.value(EnergyPartId::External), limit.energy.value(EnergyPartId::External), 1e-3);
}

TEST(Embedding, OxideIsBoundInItsCrystalOnly) {
  if (!hasGemmi()) GTEST_SKIP() << "built without gemmi";
  const std::string crystal = "$crystal file='mgo.cif' site='O' $end ";
  const Calculation embedded = calculationOf(kOxygen + crystal);
  const ChargedShell shell = embedded.problem.hamiltonian.shell;
  EXPECT_DOUBLE_EQ(shell.charge, 2);
  EXPECT_NEAR(shell.charge / shell.radius, kPotential, 1e-10);
  const Result held = compute(embedded), free = resultOf(kOxygen);
  EXPECT_EQ(held.status, Status::Converged) << held.reason;
  EXPECT_NE(free.status, Status::Converged);
  for (const Spinor& s : held.spinors) EXPECT_LT(s.energy, -0.2) << s.label();
}

TEST(Embedding, RefusesWhatCannotBe) {
  const std::string nowhere = "$crystal file='none.cif' site='O' $end ";
  EXPECT_THROW(calculationOf(kOxygen + nowhere), Error);
  if (!hasGemmi()) return;
  EXPECT_THROW(calculationOf("$nuc znuc=8 $end $crystal file='mgo.cif' site='O' $end "),
               Error);  // neutral oxygen
  EXPECT_THROW(calculationOf(std::string(kOxygen) + "$crystal file='mgo.cif' site='Na' $end "), Error);
  EXPECT_THROW(
      calculationOf(std::string(kOxygen) + "$crystal file='mgo.cif' site='O' charges='Mg=1,O=-2' $end "),
      Error);
}

}  // namespace
}  // namespace prophet
