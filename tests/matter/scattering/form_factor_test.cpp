#include "matter/scattering/form_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "tests/atoms/calculation/from_text.hpp"

namespace prophet {
namespace {

constexpr double kBohr = constants::kAngstromsPerBohr;

Result computed(const std::string& groups, double speedOfLight = constants::kSpeedOfLight) {
  Calculation calculation = test::calculationFrom(groups);
  calculation.problem.hamiltonian.speedOfLight = speedOfLight;
  if (!calculation.isLimit()) calculation.inBasis().keepSpinors = true;
  return compute(calculation);
}

/// Ten momenta from 0 to far beyond what is measured, 1/angstrom.
Eigen::VectorXd tenMomenta() {
  Eigen::VectorXd q(10);
  q << 0, 1e-3, 0.5, 1, 2.5, 5, 10, 25, 75, 400;
  return q;
}

/// Of 1s in the field of a point nucleus: D ~ r^(2 gamma) exp(-2 Z r). q in 1/bohr, not 0.
double diracGroundState(double z, double q) {
  const double gamma = std::sqrt(1 - std::pow(z / constants::kSpeedOfLight, 2));
  return 2 * z / (2 * gamma * q) * std::pow(1 + std::pow(q / (2 * z), 2), -gamma) *
         std::sin(2 * gamma * std::atan(q / (2 * z)));
}

TEST(FormFactor, OfTheDiracHydrogenAtomIsTheClosedForm) {
  for (const int z : {1, 50, 92}) {
    const Result limit = computed("$nuc znuc=" + std::to_string(z) +
                                  " nucmdl=1 $end $electrons config='1s1' $end $contrl jobtype='limit' $end");
    const Eigen::VectorXd q = (Eigen::VectorXd(4) << 0.3, 2, 11, 60).finished() * z;
    const Eigen::VectorXd f = formFactor(limit, q / kBohr);
    for (int i = 0; i < q.size(); ++i)
      EXPECT_NEAR(f(i), diracGroundState(z, q(i)), 1e-11) << "Z=" << z << " q=" << q(i);
  }
}

TEST(FormFactor, OfHydrogenWithoutRelativityIsTheClosedForm) {
  const Result atom = computed("$nuc znuc=1 nucmdl=1 $end $contrl jobtype='limit' $end", 1e6);
  const Eigen::VectorXd q = tenMomenta();
  const Eigen::VectorXd f = formFactor(atom, q);
  for (int i = 0; i < q.size(); ++i)
    EXPECT_NEAR(f(i), std::pow(1 + std::pow(q(i) * kBohr / 2, 2), -2), 1e-10) << "q=" << q(i);
}

TEST(FormFactor, ClosedFormIsTheIntegralOfTheDensity) {
  for (const int z : {1, 10, 26, 79, 92}) {
    const Result atom = computed("$nuc znuc=" + std::to_string(z) + " $end");
    const Eigen::VectorXd q = tenMomenta();
    const Eigen::VectorXd f = formFactor(atom, q);
    const Eigen::VectorXd numerical = formFactor(atom, q, TransformMethod::Quadrature);
    EXPECT_NEAR(f(0), z, 1e-10 * z);
    EXPECT_NEAR(numerical(0), z, 1e-10 * z);
    for (int i = 0; i < q.size(); ++i) EXPECT_NEAR(f(i), numerical(i), 1e-10) << "Z=" << z << " q=" << q(i);
  }
}

TEST(FormFactor, OfBasisAndLimitAgree) {
  for (const char* atom : {"$nuc znuc=10 $end", "$nuc znuc=26 $end $electrons charge=3 $end"}) {
    const Eigen::VectorXd q = tenMomenta();
    const Eigen::VectorXd basis = formFactor(computed(atom), q);
    const Eigen::VectorXd limit =
        formFactor(computed(std::string(atom) + " $contrl jobtype='limit' $end"), q);
    EXPECT_NEAR(limit(0), std::round(limit(0)), 1e-10 * limit(0));
    // An energy that is 5e-9 of 1272 hartree above the limit leaves errors of its root in spinors.
    EXPECT_LT((basis - limit).cwiseAbs().maxCoeff(), 2e-4) << atom;
  }
}

TEST(FormFactor, OfSpinorsAddUpToTheWhole) {
  const Result atom = computed("$nuc znuc=24 $end");
  const Eigen::VectorXd q = tenMomenta();
  const Eigen::MatrixXd parts = spinorFormFactors(atom, q);
  ASSERT_EQ(parts.cols(), static_cast<int>(atom.spinors.size()));
  EXPECT_LT((parts.rowwise().sum() - formFactor(atom, q)).cwiseAbs().maxCoeff(), 1e-11);
  for (int i = 0; i < parts.cols(); ++i) EXPECT_NEAR(parts(0, i), atom.spinors[i].occupation, 1e-10);
}

TEST(FormFactor, RefusesWhatItCannotTransform) {
  const Result atom = computed("$nuc znuc=2 $end");
  EXPECT_THROW(formFactor(atom, Eigen::VectorXd::Constant(1, -1.0)), Error);
  EXPECT_THROW(formFactor(atom, Eigen::VectorXd::Constant(1, std::nan(""))), Error);
  EXPECT_THROW(formFactor(atom, Eigen::VectorXd::Constant(1, INFINITY)), Error);
  EXPECT_THROW(spinorDensity(atom, 1), Error);
  EXPECT_THROW(formFactor(failedResult("no such thing"), Eigen::VectorXd::Ones(1)), Error);
  Result without = atom;
  without.wavefunction.reset();
  EXPECT_THROW(formFactor(without, Eigen::VectorXd::Ones(1)), Error);
  EXPECT_EQ(formFactor(atom, Eigen::VectorXd()).size(), 0);
}

TEST(ElectronScattering, IsMottBethe) {
  const Result atom = computed("$nuc znuc=10 $end");
  const Eigen::VectorXd q = tenMomenta();
  const Eigen::VectorXd f = formFactor(atom, q), e = electronScatteringFactor(atom, 10, q);
  for (int i = 2; i < q.size(); ++i)
    EXPECT_NEAR(e(i), 2 / kBohr * (10 - f(i)) / (q(i) * q(i)), 1e-11) << "q=" << q(i);
  const Eigen::VectorXd numerical = electronScatteringFactor(atom, 10, q, TransformMethod::Quadrature);
  EXPECT_LT((e - numerical).cwiseAbs().maxCoeff(), 1e-10);
  double meanSquare = 0;  // of all electrons
  const Result limit = computed("$nuc znuc=10 $end $contrl jobtype='limit' $end");
  for (const Spinor& s : limit.spinors) meanSquare += s.occupation * *s.meanSquareRadius;
  EXPECT_NEAR(electronScatteringFactor(limit, 10, q)(0), meanSquare * kBohr / 3, 1e-9);
  EXPECT_NEAR(e(0), meanSquare * kBohr / 3, 1e-4);
  EXPECT_NEAR(e(1), e(0), 1e-5);
}

TEST(ElectronScattering, OfIonsDivergesForwards) {
  const Result ion = computed("$nuc znuc=11 $end $electrons charge=1 $end");
  const Eigen::VectorXd e = electronScatteringFactor(ion, 11, tenMomenta());
  EXPECT_EQ(e(0), INFINITY);
  EXPECT_NEAR(e(1) * 1e-6, 2 / kBohr, 1e-5);
}

}  // namespace
}  // namespace prophet
