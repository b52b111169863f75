#include "atoms/functional/functional.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "atoms/functional/libxc_sum.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kLight = 137.0359895;

std::string complaint(const std::string& name, double c = kLight) {
  try {
    Functional(name, c);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// electrons exp(-2 zeta r) zeta^3 / pi on a fine grid.
DensityOnGrid exponential(double electrons, double zeta) {
  constexpr int kRadii = 4000;
  const double first = std::log(1e-7), step = (std::log(60.0) - first) / (kRadii - 1);
  DensityOnGrid d;
  d.r = (Eigen::ArrayXd::LinSpaced(kRadii, first, std::log(60.0))).exp();
  d.weight = Eigen::VectorXd::Constant(kRadii, step);
  const Eigen::ArrayXd r = d.r.array();
  d.value = 4 * electrons * (zeta * r).cube() * (-2 * zeta * r).exp();
  d.slope = (3 - 2 * zeta * r) * d.value.array();
  // One spinor's, and a bit more: at exactly one spinor's, meta-GGAs need not be smooth.
  d.kinetic = 1.2 * 0.5 * zeta * zeta * d.value;
  return d;
}

/// The same with a share of the electrons, of a narrower density, with spin down.
DensityOnGrid withSpins(double electrons, double zeta, double downElectrons, double downZeta) {
  DensityOnGrid d = exponential(electrons - downElectrons, zeta);
  const DensityOnGrid down = exponential(downElectrons, downZeta);
  d.value += down.value;
  d.slope += down.slope;
  d.kinetic += down.kinetic;
  d.down = {down.value, down.slope, down.kinetic};
  return d;
}

const std::vector<std::string> kOfEveryFamily = {"lda",   "rlda", "pbe",  "pbe0",   "blyp",
                                                 "b3lyp", "tpss", "scan", "r2scan", "hyb_mgga_xc_tpssh"};

class WithLibxc : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!hasFunctionals()) GTEST_SKIP() << "built without libxc";
  }
};

TEST(RelativisticExchange, HasTheSameValueOnBothSidesOfTheSeries) {
  for (const double beta : {0.0199999, 0.0200001}) {
    const RelativisticExchange x = relativisticExchange(beta);
    EXPECT_NEAR(x.factor, 1 - 2.0 / 3 * beta * beta + 0.4 * std::pow(beta, 4), 3e-11);
    EXPECT_NEAR(x.slope, -4.0 / 3 * beta + 1.6 * std::pow(beta, 3), 1e-8);
  }
  // At high densities the transverse part turns the sign: R -> -1/2.
  EXPECT_NEAR(relativisticExchange(1e4).factor, -0.5, 1e-6);
}

TEST(RelativisticExchange, SlopeIsTheDerivative) {
  for (const double beta : {0.005, 0.3, 1.0, 4.0}) {
    const double step = 1e-4 * beta;
    const double difference =
        (relativisticExchange(beta + step).factor - relativisticExchange(beta - step).factor) / (2 * step);
    EXPECT_NEAR(relativisticExchange(beta).slope, difference, 1e-7) << beta;
  }
}

TEST_F(WithLibxc, EveryNameOfOursIsKnown) {
  for (const FunctionalName& name : functionalNames()) EXPECT_EQ(complaint(name.name), "") << name.name;
  EXPECT_EQ(complaint("GGA_X_PBE+gga_c_lyp"), "");
  EXPECT_EQ(Functional("pbe0", kLight).exactExchange(), 0.25);
  EXPECT_EQ(Functional("hyb_mgga_xc_tpssh", kLight).exactExchange(), 0.1);
  EXPECT_NE(complaint("pbee").find(namesOfFunctionals()), std::string::npos);
  EXPECT_EQ(Functional("PBE", kLight).exactExchange(), 0);
}

TEST(ClosedForms, AreFoundUnderEveryName) {
  EXPECT_EQ(closedFormOf("PBE"), ClosedForm::Pbe);
  EXPECT_EQ(closedFormOf("gga_c_pbe+gga_x_pbe"), ClosedForm::Pbe);
  EXPECT_EQ(closedFormOf("lda_x_rel+lda_c_vwn"), ClosedForm::Rlda);
  EXPECT_EQ(closedFormOf("gga_x_pbe"), ClosedForm::None);
  EXPECT_EQ(closedFormOf("pbe0"), ClosedForm::None);
}

// Densities and gradients of an atom, from next to a nucleus to its outskirts.
TEST_F(WithLibxc, ClosedFormsAreThoseOfLibxc) {
  std::mt19937 random(32);
  std::uniform_real_distribution<double> logarithm(-20, 18), reduced(0, 4);
  for (const char* name : {"lda", "rlda", "pbe", "pbesol"}) {
    const Functional functional(name, kLight);
    const ClosedForm form = closedFormOf(name);
    ASSERT_EQ(functional.needsGradient(), needsGradient(form)) << name;
    for (int sample = 0; sample < 2000; ++sample) {
      Eigen::VectorXd n(1), sigma(1);
      n[0] = std::exp(logarithm(random));
      const double s = std::exp(reduced(random)) - 1;
      sigma[0] = std::pow(s * 2 * std::cbrt(3 * constants::kPi * constants::kPi * n[0]) * n[0], 2);
      const FunctionalValues libxc = functional.at(n, sigma);
      const PointFunctional own = closedForm(form, n[0], sigma[0], kLight);
      const double scale = std::pow(n[0], 1.0 / 3);
      EXPECT_NEAR(own.energy, libxc.energy[0], 2e-12 * n[0] * scale + 1e-13 * n[0]) << name << " " << n[0];
      EXPECT_NEAR(own.slope, libxc.slope[0], 2e-12 * scale * (1 + s) + 1e-13) << name << " " << n[0];
      // Where it is small exchange and correlation cancel: 1e-9 of either, which go like n^(-4/3).
      EXPECT_NEAR(own.slopeOfSigma, libxc.slopeOfSigma[0],
                  1e-9 * std::abs(libxc.slopeOfSigma[0]) + 1e-9 * 2e-3 / (n[0] * scale))
          << name << " " << n[0] << " " << s;
    }
  }
}

TEST_F(WithLibxc, SaysWhatItCannotDo) {
  EXPECT_NE(complaint("pbee").find("'pbee' is not a functional of libxc"), std::string::npos);
  EXPECT_NE(complaint("").find("is not a functional of libxc"), std::string::npos);
  EXPECT_NE(complaint("mgga_x_br89").find("Laplacian"), std::string::npos);
  EXPECT_NE(complaint("hyb_gga_xc_hse06").find("range-separated"), std::string::npos);
  EXPECT_NE(complaint("gga_xc_vv10").find("non-local"), std::string::npos);
  EXPECT_NE(complaint("lda_k_tf").find("kinetic"), std::string::npos);
  EXPECT_NE(complaint("lda_x_2d").find("three dimensions"), std::string::npos);
  EXPECT_NE(complaint("gga_x_lb").find("no energy"), std::string::npos);
  EXPECT_NE(complaint("rlda", kInfinite).find("functional='lda'"), std::string::npos);
}

/// The fault of most of the 47 names of libxc that were not a number: B97 and its kind, M05, M06, SG4 in the
/// tail, Chachiyo's where the gradient vanishes; others with one spin alone. Finite in the whole range of
/// densities of an atom, and continuous where a threshold may be.
TEST_F(WithLibxc, EveryFunctionalIsANumberAtDensitiesOfAtoms) {
  int usable = 0;
  for (const std::string& name : libxcNames()) {
    for (const auto spin : {SpinPolarisation::None, SpinPolarisation::Polarised}) {
      std::optional<Functional> functional;
      try {
        functional.emplace(name, kLight, spin);
      } catch (const Error& refusal) {
        EXPECT_NE(std::string(refusal.what()).find("choose another functional"), std::string::npos)
            << refusal.what();
        continue;
      }
      ++usable;
      const DensityOnGrid one = functional->isPolarised() ? withSpins(1, 1, 1e-30, 1) : exponential(1, 1),
                          many = functional->isPolarised() ? withSpins(10, 8, 3, 9) : exponential(10, 8);
      for (const DensityOnGrid* density : {&one, &many}) {
        try {
          const RadialExchangeCorrelation xc = radialExchangeCorrelation(*functional, *density);
          EXPECT_TRUE(std::isfinite(xc.energy) && std::isfinite(xc.potential) && std::isfinite(xc.virial))
              << name << " " << xc.energy;
        } catch (const Error& refusal) {  // libxc's own fault: not-a-number at ordinary densities
          EXPECT_EQ(name, "mgga_c_revscan") << refusal.what();
        }
      }
    }
  }
  EXPECT_GT(usable, 2 * 400);
}

TEST_F(WithLibxc, BlanksAroundThePlusMeanNothing) {
  EXPECT_EQ(Functional(" GGA_X_PBE + gga_c_pbe ", kLight).name(), "gga_x_pbe+gga_c_pbe");
  EXPECT_EQ(complaint("gga_x_pbe + gga_c_pbe"), "");
  EXPECT_NE(complaint("gga_x_pbe +").find("is not a functional of libxc"), std::string::npos);
  EXPECT_NE(complaint("+ gga_x_pbe").find("is not a functional of libxc"), std::string::npos);
  EXPECT_NE(complaint("gga_x_pbee").find("did you mean gga_x_pbe?"), std::string::npos);
}

TEST_F(WithLibxc, TermsOfASumAreCountedOnce) {
  EXPECT_NE(complaint("gga_x_pbe+gga_x_pbe").find("counts gga_x_pbe twice; write it once"),
            std::string::npos);
  for (const char* name : {"pbe+pbe", "pbe+gga_c_lyp"})
    EXPECT_NE(
        complaint(name).find("'pbe' is a whole functional and no term of a sum; write pbe alone, or names "
                             "of libxc: pbe is gga_x_pbe+gga_c_pbe"),
        std::string::npos)
        << complaint(name);
}

/// Exchange of n = exp(-2 r)/pi: -(3/4)(3/pi)^(1/3) integral n^(4/3), in closed form.
TEST_F(WithLibxc, ExchangeOfAHydrogenAtom) {
  const RadialExchangeCorrelation xc =
      radialExchangeCorrelation(Functional("lda_x", kInfinite), exponential(1, 1));
  const double closed = -0.75 * std::cbrt(3 / constants::kPi) * 4 * std::pow(constants::kPi, -1.0 / 3) * 2 *
                        std::pow(3.0 / 8, 3);
  EXPECT_NEAR(xc.energy, closed, 1e-11);
  EXPECT_NEAR(xc.potential, 4.0 / 3 * closed, 1e-11);
  EXPECT_NEAR(xc.virial, closed, 1e-11);
}

/// Our relativistic exchange is libxc's but for the speed of light.
TEST_F(WithLibxc, RelativisticExchangeIsThatOfMacDonaldAndVosko) {
  const Eigen::VectorXd density = Eigen::VectorXd::LinSpaced(5, 1.0, 1e6), none;
  const FunctionalValues plain = Functional("lda_x", kLight).at(density, none),
                         relativistic = Functional("lda_x_rel", kLight).at(density, none);
  for (Eigen::Index i = 0; i < density.size(); ++i) {
    const double beta = std::cbrt(3 * constants::kPi * constants::kPi * density[i]) / kLight;
    EXPECT_NEAR(relativistic.energy[i] / plain.energy[i], relativisticExchange(beta).factor, 1e-12);
    const double step = 1e-4 * density[i];
    const Eigen::VectorXd around = Eigen::Vector2d(density[i] - step, density[i] + step);
    const Eigen::VectorXd energies = Functional("lda_x_rel", kLight).at(around, none).energy;
    EXPECT_NEAR(relativistic.slope[i], (energies[1] - energies[0]) / (2 * step),
                1e-7 * std::abs(relativistic.slope[i]));
  }
}

/// The potential is the derivative of the energy, for a change of the density and for a scaled one.
TEST_F(WithLibxc, PotentialIsTheDerivativeOfTheEnergy) {
  constexpr double kDensityStep = 1e-4;
  for (const std::string& name : kOfEveryFamily) {
    const Functional functional(name, kLight);
    const auto energy = [&](double electrons, double zeta) {
      return radialExchangeCorrelation(functional, exponential(electrons, zeta)).energy;
    };
    const RadialExchangeCorrelation xc = radialExchangeCorrelation(functional, exponential(8, 5));
    EXPECT_NEAR(xc.potential,
                (energy(8 * (1 + kDensityStep), 5) - energy(8 * (1 - kDensityStep), 5)) / (2 * kDensityStep),
                1e-6)
        << name;
    EXPECT_NEAR(xc.virial,
                (energy(8, 5 * (1 + kDensityStep)) - energy(8, 5 * (1 - kDensityStep))) / (2 * kDensityStep),
                1e-6)
        << name;
  }
}

/// Expectation value of a potential in a density; potentials of meta-GGAs of s electrons.
double expectation(const DensityOnGrid& d, const DensityParts& of, const RadialPotential& potential) {
  double sum = d.weight.dot(potential.local.cwiseProduct(of.value));
  if (potential.gradient.size() > 0) sum += d.weight.dot(potential.gradient.cwiseProduct(of.slope));
  if (potential.kinetic.size() > 0)
    sum += d.weight.dot(
        (2 * d.r.array().square()).matrix().cwiseProduct(potential.kinetic).cwiseProduct(of.kinetic));
  return sum;
}

/// The matrix elements that a potential's parts stand for add up to the expectation value.
TEST_F(WithLibxc, PartsOfThePotentialGiveTheExpectationValue) {
  for (const std::string name : {"lda", "pbe", "r2scan"}) {
    const DensityOnGrid d = exponential(8, 5);
    const RadialExchangeCorrelation xc = radialExchangeCorrelation(Functional(name, kLight), d);
    EXPECT_NEAR(expectation(d, {d.value, d.slope, d.kinetic}, xc), xc.potential, 1e-10) << name;
  }
}

/// dE/dn and dE/dm are derivatives for a change of all electrons and of those of one spin.
TEST_F(WithLibxc, SpinPotentialsAreDerivativesOfTheEnergy) {
  constexpr double kDensityStep = 1e-4;
  for (const std::string& name : kOfEveryFamily) {
    const Functional functional(name, kLight, SpinPolarisation::Polarised);
    const auto energy = [&](double up, double down, double scale) {
      return radialExchangeCorrelation(functional, withSpins(up + down, 4 * scale, down, 6 * scale)).energy;
    };
    const DensityOnGrid d = withSpins(8, 4, 3, 6);
    const RadialExchangeCorrelation xc = radialExchangeCorrelation(functional, d);
    const DensityParts up{d.value - d.down.value, d.slope - d.down.slope, d.kinetic - d.down.kinetic};
    const double ofUp = expectation(d, up, xc) + expectation(d, up, xc.spin),
                 ofDown = expectation(d, d.down, xc) - expectation(d, d.down, xc.spin);
    EXPECT_NEAR(ofUp,
                5 * (energy(5 + kDensityStep, 3, 1) - energy(5 - kDensityStep, 3, 1)) / (2 * kDensityStep),
                1e-6)
        << name;
    EXPECT_NEAR(ofDown,
                3 * (energy(5, 3 + kDensityStep, 1) - energy(5, 3 - kDensityStep, 1)) / (2 * kDensityStep),
                1e-6)
        << name;
    EXPECT_NEAR(xc.potential, ofUp + ofDown, 1e-9) << name;
    EXPECT_NEAR(xc.virial,
                (energy(5, 3, 1 + kDensityStep) - energy(5, 3, 1 - kDensityStep)) / (2 * kDensityStep), 1e-6)
        << name;
  }
}

/// Paired spins are those of the functional without spin; half of them make half of twice the density's
/// exchange.
TEST_F(WithLibxc, SpinDensitiesOfPairedAndOfLikeSpins) {
  for (const std::string& name : kOfEveryFamily) {
    const Functional functional(name, kLight, SpinPolarisation::Polarised);
    const RadialExchangeCorrelation plain = radialExchangeCorrelation(Functional(name, kLight),
                                                                      exponential(8, 5)),
                                    paired = radialExchangeCorrelation(functional, withSpins(8, 5, 4, 5));
    EXPECT_NEAR(paired.energy, plain.energy, 1e-12 * std::abs(plain.energy)) << name;
    EXPECT_NEAR(paired.potential, plain.potential, 1e-12 * std::abs(plain.potential)) << name;
  }
  for (const std::string name : {"lda_x", "lda_x_rel", "gga_x_pbe"}) {
    const RadialExchangeCorrelation like = radialExchangeCorrelation(
        Functional(name, kLight, SpinPolarisation::Polarised), withSpins(4, 5, 0, 5));
    const double twice = radialExchangeCorrelation(Functional(name, kLight), exponential(8, 5)).energy;
    EXPECT_NEAR(like.energy, 0.5 * twice, 1e-11 * std::abs(twice)) << name;
    EXPECT_TRUE(like.local.allFinite() && like.spin.local.allFinite()) << name;
  }
}

}  // namespace
}  // namespace prophet
