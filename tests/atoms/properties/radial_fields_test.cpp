#include "atoms/properties/radial_fields.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/properties/screening_fit.hpp"
#include "core/common/error.hpp"
#include "with_spinors.hpp"

namespace prophet {
namespace {

Eigen::VectorXd radiiOf(std::initializer_list<double> values) {
  Eigen::VectorXd r(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), r.begin());
  return r;
}

/// Density exp(-2 Z r) Z^3/pi and the potential of its charge, in closed form.
TEST(RadialFields, OfAHydrogenLikeIon) {
  const test::Computed he = test::computed(
      "$nuc znuc=2 nucmdl='point' $end $electrons config='1s1' $end $contrl hamiltonian='nonrel' "
      "jobtype='limit' $end");
  const RadialFields fields(he.problem, he.result);
  const Eigen::VectorXd r = radiiOf({3, 1e-2, 0.3, 1.1, 6});
  const RadialFields::DensityAndSlopes d = fields.density(r);
  const Eigen::VectorXd coulomb = fields.potential(PotentialPart::Coulomb, r);
  const Eigen::VectorXd nuclear = fields.potential(PotentialPart::Nuclear, r);
  for (Eigen::Index i = 0; i < r.size(); ++i) {
    const double n = 8 / M_PI * std::exp(-4 * r[i]);
    EXPECT_NEAR(d.value[i] / n, 1, 1e-8) << r[i];
    EXPECT_NEAR(d.slope[i] / n, -4, 1e-6) << r[i];
    EXPECT_NEAR(d.curvature[i] / n, 16, 4e-3) << r[i];
    EXPECT_NEAR(coulomb[i], 1 / r[i] - std::exp(-4 * r[i]) * (1 / r[i] + 2), 1e-10) << r[i];
    EXPECT_DOUBLE_EQ(nuclear[i], -2 / r[i]);
  }
  // At the nucleus, and far outside: <1/r> of the electron, and its charge.
  const Eigen::VectorXd ends = fields.potential(PotentialPart::Coulomb, radiiOf({0, 1e-30, 1e4}));
  EXPECT_NEAR(ends[0], 2, 1e-10);
  EXPECT_NEAR(ends[1], 2, 1e-10);
  EXPECT_NEAR(ends[2], 1e-4, 1e-14);
  EXPECT_FALSE(fields.has(PotentialPart::ExchangeCorrelation));
  EXPECT_THROW(fields.potential(PotentialPart::Effective, r), Error);
}

class FunctionalFields : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!hasFunctionals()) GTEST_SKIP() << "built without libxc";
  }
};

std::string argon(const std::string& functional, const std::string& job = "energy") {
  return "$nuc znuc=18 $end $contrl functional='" + functional + "' hamiltonian='nonrel' jobtype='" + job +
         "' $end";
}

TEST_F(FunctionalFields, ExchangeOfTheUniformGas) {
  const test::Computed ar = test::computed(argon("lda_x"));
  const RadialFields fields(ar.problem, ar.result);
  const Eigen::VectorXd r = radiiOf({1e-3, 0.1, 1, 4});
  const Eigen::VectorXd n = fields.density(r).value,
                        v = fields.potential(PotentialPart::ExchangeCorrelation, r);
  for (Eigen::Index i = 0; i < r.size(); ++i) EXPECT_NEAR(v[i] / -std::cbrt(3 * n[i] / M_PI), 1, 1e-12);
  const Eigen::VectorXd all = fields.potential(PotentialPart::Effective, r);
  EXPECT_NEAR(
      all[2],
      fields.potential(PotentialPart::Nuclear, r)[2] + fields.potential(PotentialPart::Coulomb, r)[2] + v[2],
      1e-13);
}

/// Energy and potential of any exchange functional: E_x = integral of v (3 n + r dn/dr) d^3r (M. Levy and J.
/// P. Perdew, Phys. Rev. A 32, 2010 (1985)), at the limit and in a basis; E_x is from the SCF.
TEST_F(FunctionalFields, GradientsObeyTheVirialOfExchange) {
  for (const bool limit : {false, true}) {
    for (const char* name : {"lda_x", "gga_x_pbe", "gga_x_b88"}) {
      const test::Computed ar = test::computed(argon(name, limit ? "limit" : "energy"));
      const RadialFields fields(ar.problem, ar.result);
      const Eigen::VectorXd r = logarithmicRadii(1e-5, 25, 1500);
      const RadialFields::DensityAndSlopes d = fields.density(r);
      const Eigen::ArrayXd v = fields.potential(PotentialPart::ExchangeCorrelation, r);
      const double virial = std::log(r[1] / r[0]) * 4 * M_PI *
                            (r.array().cube() * v * (3 * d.value + r.cwiseProduct(d.slope)).array()).sum();
      const double energy = ar.result.energy.value(EnergyPartId::ExchangeCorrelation);
      EXPECT_LT(energy, -25) << name;
      EXPECT_NEAR(virial / energy, 1, 1e-6) << name << " limit " << limit;
    }
  }
}

TEST_F(FunctionalFields, ScreeningIsFittedByErrorFunctions) {
  const test::Computed ne =
      test::computed("$nuc znuc=10 $end $contrl functional='lda_x' jobtype='limit' $end");
  const ScreeningFit fit = fitScreening(ne.problem, ne.result, 2);
  EXPECT_NEAR(fit.coefficients.sum(), 10, 1e-10);
  EXPECT_LT(fit.largestError, 1e-3);
  EXPECT_LT(fit.exponents.size(), 25);
  const RadialFields fields(ne.problem, ne.result);
  const Eigen::VectorXd r = radiiOf({3e-4, 0.02, 0.4, 1.3, 5});
  const Eigen::VectorXd v =
      fields.potential(PotentialPart::Coulomb, r) + fields.potential(PotentialPart::ExchangeCorrelation, r);
  for (Eigen::Index i = 0; i < r.size(); ++i) {
    double sum = 0;
    for (Eigen::Index k = 0; k < fit.exponents.size(); ++k)
      sum += fit.coefficients[k] * std::erf(std::sqrt(fit.exponents[k]) * r[i]);
    EXPECT_NEAR(sum, r[i] * v[i], 1.01 * fit.largestError) << r[i];
  }
  // More functions, smaller errors; the error of 1s is what the fit changes it by.
  const ScreeningFit close = fitScreening(ne.problem, ne.result, 1.6);
  EXPECT_GT(close.exponents.size(), fit.exponents.size());
  EXPECT_LT(close.rmsError, 1.01 * fit.rmsError);
  EXPECT_LT(std::abs(fit.largestEnergyError), 1e-4);
}

TEST_F(FunctionalFields, ScreeningNeedsALocalPotentialOfANeutralAtom) {
  const test::Computed exact = test::computed("$nuc znuc=4 $end");
  EXPECT_THROW(fitScreening(exact.problem, exact.result, 2), Error);
  const test::Computed ion = test::computed(
      "$nuc znuc=4 $end $contrl functional='lda_x' jobtype='limit' $end $electrons config='1s2' $end");
  EXPECT_THROW(fitScreening(ion.problem, ion.result, 2), Error);
}

}  // namespace
}  // namespace prophet
