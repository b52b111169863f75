#include "atoms/properties/radial_fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

/// <T + V_effective> of a spinor without relativity, hartree, V being what its own electrons feel.
double energyIn(const RadialFields& fields, const Result& result, const std::string& label) {
  const int i = test::indexOf(result, label);
  const Spinor& spinor = result.spinors[static_cast<std::size_t>(i)];
  const double step = 1e-2;  // in ln r
  const Eigen::VectorXd r =
      (Eigen::ArrayXd::LinSpaced(2000, std::log(1e-7), std::log(1e-7) + 1999 * step)).exp();
  const auto at = [&](double shift) -> Eigen::ArrayXd {
    return result.wavefunction->radial(i, std::exp(shift) * r).large;
  };
  const Eigen::ArrayXd p = at(0),
                       slope = (8 * (at(step) - at(-step)) - at(2 * step) + at(-2 * step)) / (12 * step),
                       v = fields.potential(PotentialPart::Effective, r, fields.spinShares()[i]);
  const int l = spinor.symmetry.l();
  return step *
         ((0.5 * (slope.square() + l * (l + 1) * p.square()) / r.array() + v * p.square() * r.array()).sum());
}

/// With spins the potential that the electrons of a shell feel is that of the calculation: it gives their
/// energies.
TEST_F(FunctionalFields, PotentialsOfSpinsGiveTheEnergiesOfTheShells) {
  for (const auto& [name, atom] : {std::pair("lda", 7), std::pair("pbe", 8)}) {
    const test::Computed c =
        test::computed("$nuc znuc=" + std::to_string(atom) + " nucmdl='point' $end $contrl functional='" +
                       name + "' spin='polarised' hamiltonian='nonrel' jobtype='limit' $end");
    const RadialFields fields(c.problem, c.result);
    EXPECT_TRUE(fields.isPolarised());
    for (const Spinor& s : c.result.spinors)
      EXPECT_NEAR(energyIn(fields, c.result, s.label()), s.energy, std::max(3e-6, 1e-5 * std::abs(s.energy)))
          << name << " " << s.label();
  }
}

TEST_F(FunctionalFields, SpinsHaveTwoPotentials) {
  const test::Computed n = test::computed(
      "$nuc znuc=7 nucmdl='point' $end $contrl functional='lda' spin='polarised' hamiltonian='nonrel' "
      "jobtype='limit' $end");
  const RadialFields fields(n.problem, n.result);
  const int p = test::indexOf(n.result, "2p1/2"), s = test::indexOf(n.result, "2s1/2");
  EXPECT_NEAR(n.result.spinors[static_cast<std::size_t>(p)].energy, -0.308151, 1e-6);
  EXPECT_EQ(fields.spinShares()[p], 1);  // half-filled
  EXPECT_EQ(fields.spinShares()[s], 0);
  const Eigen::VectorXd r = radiiOf({0.1, 1, 3});
  EXPECT_THROW(fields.potential(PotentialPart::Effective, r), Error);
  const std::vector<RadialFields::NamedPotential> all = fields.potentials(r);
  ASSERT_EQ(all.size(), 6U);
  EXPECT_EQ(all[2].name, "xc_potential_up");
  EXPECT_EQ(all[5].name, "effective_potential_down");
  for (int i = 0; i < 3; ++i)
    EXPECT_LT(all[2].values[i], all[3].values[i] - 1e-3);  // more exchange with more of the same
  // Of closed shells both are those of the functional without spin.
  const char* neon = "$nuc znuc=10 $end $contrl functional='pbe' spin='none' jobtype='limit' $end";
  const test::Computed plain = test::computed(neon);
  test::Computed polarised = plain;
  polarised.problem.hamiltonian.spin = SpinPolarisation::Polarised;
  const Eigen::VectorXd one =
      RadialFields(plain.problem, plain.result).potential(PotentialPart::Effective, r);
  for (const double spin : {1.0, -1.0})
    EXPECT_LT(
        (RadialFields(polarised.problem, polarised.result).potential(PotentialPart::Effective, r, spin) - one)
            .lpNorm<Eigen::Infinity>(),
        1e-9);
}

/// One electron: there is no density of the other spin, and with gradients no potential of it.
TEST_F(FunctionalFields, ASpinWithoutElectronsHasFinitePotentials) {
  for (const char* name : {"lda", "pbe"}) {
    const test::Computed h =
        test::computed(std::string("$nuc znuc=1 $end $contrl spin='polarised' jobtype='limit' functional='") +
                       name + "' $end");
    for (const auto& potential : RadialFields(h.problem, h.result).potentials(radiiOf({0, 1e-3, 1, 20})))
      EXPECT_TRUE(potential.values.tail(3).allFinite()) << name << " " << potential.name;
  }
}

/// Meta-GGAs have no potential that is a function of r, which is said instead.
TEST_F(FunctionalFields, MetaGgasHaveNone) {
  for (const char* name : {"tpss", "r2scan", "hyb_mgga_xc_tpssh"}) {
    const test::Computed he =
        test::computed(std::string("$nuc znuc=2 $end $contrl functional='") + name + "' $end");
    const RadialFields fields(he.problem, he.result);
    EXPECT_FALSE(fields.has(PotentialPart::ExchangeCorrelation) || fields.has(PotentialPart::Effective))
        << name;
    EXPECT_EQ(fields.potentials(radiiOf({1})).size(), 2U) << name;
    EXPECT_NE(fields.leftOut().find(
                  std::string("xc_potential, effective_potential: the potential of functional='") + name),
              std::string::npos)
        << fields.leftOut();
    EXPECT_THROW(fields.potential(PotentialPart::Effective, radiiOf({1})), Error) << name;
    EXPECT_THROW(fitScreening(he.problem, he.result, 2), Error) << name;
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
