#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "atoms/functional/functional.hpp"
#include "from_text.hpp"

namespace prophet {
namespace {

class KohnSham : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!hasFunctionals()) GTEST_SKIP() << "built without libxc";
  }
};

Result kohnSham(const std::string& control, const std::string& groups) {
  Calculation calculation = test::calculationFrom("$contrl " + control + " $end\n" + groups);
  if (!calculation.isLimit()) calculation.inBasis().estimateError = true;
  return compute(calculation);
}

constexpr double kOfGradient = 1e-6, kOfKinetic = 1e-5;  // hartree

/// The default basis keeps its promise, 4e-9 of the energy or 8e-8 hartree, for functionals of the density,
/// and the number of hartree in `promise` for others; its spinors have the energies of the limit.
void compareWithLimit(const std::string& functional, const std::string& nucleus, double promise = 0) {
  const std::string control = "functional='" + functional + "'";
  const Result limit = kohnSham("jobtype='limit' " + control, nucleus), basis = kohnSham(control, nucleus);
  const std::string what = functional + " " + nucleus;
  ASSERT_TRUE(limit.ok() && basis.ok()) << what;
  const double error = basis.energy.total - limit.energy.total;
  const double promised = promise > 0 ? promise : std::max(4e-9 * std::abs(limit.energy.total), 8e-8);
  EXPECT_LT(std::abs(error), promised) << what;
  ASSERT_EQ(basis.spinors.size(), limit.spinors.size());
  for (std::size_t i = 0; i < basis.spinors.size(); ++i)
    EXPECT_NEAR(basis.spinors[i].energy, limit.spinors[i].energy,
                std::max({1e-5, 3 * promise, 1e-7 * std::abs(limit.spinors[i].energy)}))
        << what << " " << i;
  for (const EnergyPartId id : {EnergyPartId::ExchangeCorrelation, EnergyPartId::ElectronRepulsion})
    EXPECT_NEAR(basis.energy.value(id), limit.energy.value(id),
                1e-6 * std::max(1.0, std::abs(limit.energy.total)))
        << what;
  EXPECT_FALSE(test::warns(basis, "no_error_estimate")) << what;
  ASSERT_TRUE(basis.basisError.has_value()) << what;
  EXPECT_NEAR(basis.basisError->value, error, std::max(1e-9 * std::abs(limit.energy.total), 2e-8)) << what;
}

TEST_F(KohnSham, DefaultBasisOfLightAtoms) {
  compareWithLimit("rlda", "$nuc znuc=10 $end");
  for (const std::string functional : {"pbe", "pbe0"})
    compareWithLimit(functional, "$nuc znuc=10 $end", kOfGradient);
  compareWithLimit("pbe", "$nuc znuc=6 $end", kOfGradient);
}

TEST_F(KohnSham, DefaultBasisOfAHeavyAtomWithOpenShells) {
  compareWithLimit("rlda", "$nuc znuc=92 nucmdl=1 $end");
}

TEST_F(KohnSham, WithoutRelativity) {
  compareWithLimit("lda' hamiltonian='nonrel", "$nuc znuc=15 nucmdl=1 $end");
}

/// Spin densities and meta-GGAs, closed and open shells, one-electron atoms (which have one spin alone).
TEST_F(KohnSham, SpinPolarisedAtoms) {
  const std::string spin = "' spin='polarised";
  for (const std::string functional : {"lda", "rlda"})
    compareWithLimit(functional + spin, "$nuc znuc=7 $end");
  compareWithLimit("pbe0" + spin, "$nuc znuc=7 $end", kOfGradient);
  compareWithLimit("r2scan" + spin, "$nuc znuc=7 $end", kOfKinetic);
  compareWithLimit("lda' hamiltonian='nonrel" + spin, "$nuc znuc=1 nucmdl=1 $end");
  compareWithLimit("pbe" + spin, "$nuc znuc=1 $end", kOfGradient);
}

/// These were not a number: powers that overflow in the tail, or 0/0 where the gradient vanishes.
TEST_F(KohnSham, FunctionalsWithWidePowers) {
  for (const std::string functional : {"gga_xc_b97_d", "gga_x_chachiyo+gga_c_pbe", "gga_x_sg4+gga_c_sg4"})
    compareWithLimit(functional, "$nuc znuc=2 $end", 2e-5);
}

TEST_F(KohnSham, MetaGgas) {
  for (const std::string functional : {"r2scan", "hyb_mgga_xc_tpssh"})
    compareWithLimit(functional, "$nuc znuc=10 $end", kOfKinetic);
}

/// Every function of a calculation on the grid that has no meaning here says so.
TEST_F(KohnSham, RefusesWhatThereIsNot) {
  const auto complaint = [](auto change) {
    Calculation c = test::calculationFrom("$contrl functional='pbe' $end $nuc znuc=2 $end");
    change(c);
    try {
      compute(c);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(complaint([](Calculation& c) { c.inBasis().fock = FockKind::Stored; }).find("fock='grid'"),
            std::string::npos);
  EXPECT_NE(complaint([](Calculation& c) { c.inBasis().exponentGradient = true; }).find("derivatives"),
            std::string::npos);
  EXPECT_NE(complaint([](Calculation& c) {
              c.problem.hamiltonian.repulsion = TwoElectronOperator::CoulombBreit;
              c.problem.hamiltonian.breitTreatment = Treatment::SelfConsistent;
            }).find("first order only"),
            std::string::npos);
  const Calculation c = test::calculationFrom("$contrl functional='pbe' $end $nuc znuc=2 $end");
  EXPECT_THROW(verifyGrid(c, 1), Error);
}

/// The Breit interaction and QED follow in first order, on the spinors of the functional.
TEST_F(KohnSham, HasBreitAndQedInFirstOrder) {
  const std::string control = "functional='pbe' breit='breit' qedvp='uehling' ", neon = "$nuc znuc=10 $end";
  const Result r = kohnSham(control, neon), limit = kohnSham(control + "jobtype='limit'", neon);
  for (const EnergyPartId id :
       {EnergyPartId::Gaunt, EnergyPartId::BreitGauge, EnergyPartId::VacuumPolarisation}) {
    EXPECT_NEAR(r.energy.value(id) / limit.energy.value(id), 1, 1e-5);
  }
}

}  // namespace
}  // namespace prophet
