#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "atoms/limit/limit.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

Nucleus nucleusOf(double charge, NuclearModel model) {
  NucleusRequest request;
  request.model = model;
  request.charge = charge;
  return makeNucleus(request);
}

LimitResult limitOf(const Nucleus& nucleus, const std::string& configuration) {
  LimitOptions options;
  options.oneElectron = OneElectronOperator::Nonrelativistic;
  options.threads = 1;
  return numericalLimit(nucleus, parseConfiguration(configuration), options);
}

struct KnownLimit {
  int charge;
  const char* configuration;
  double energy;
};

class NonrelativisticLimits : public testing::TestWithParam<KnownLimit> {};

/// The Hartree-Fock limits of closed shells, as other numerical programs have them.
TEST_P(NonrelativisticLimits, AgreeWithHartreeFockTo1e12) {
  const KnownLimit known = GetParam();
  const LimitResult result = limitOf(nucleusOf(known.charge, NuclearModel::Point), known.configuration);
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(result.energy, known.energy, 1e-12 * std::abs(known.energy));
  EXPECT_LT(result.estimatedError, 1e-11 * std::abs(known.energy));
  EXPECT_NEAR(result.virialRatio, 1, 1e-11);
}

INSTANTIATE_TEST_SUITE_P(
    Limit, NonrelativisticLimits,
    testing::Values(KnownLimit{2, "1s2", -2.861679995612}, KnownLimit{4, "1s2 2s2", -14.573023168316},
                    KnownLimit{10, "[Ne]", -128.547098109381}, KnownLimit{18, "[Ar]", -526.817512802714},
                    KnownLimit{36, "[Kr]", -2752.054977345524}, KnownLimit{54, "[Xe]", -7232.138363871597},
                    KnownLimit{86, "[Rn]", -21866.77224087}),
    [](const auto& known) { return "Z" + std::to_string(known.param.charge); });

TEST(NonrelativisticLimit, HydrogenLikeStatesHaveTheEnergiesOfBohr) {
  for (const char* state : {"1s1", "2s1", "2p1", "3d1", "4f1", "6s1"}) {
    const double n = state[0] - '0', exact = -0.5 * 80 * 80 / (n * n);
    EXPECT_NEAR(limitOf(nucleusOf(80, NuclearModel::Point), state).energy, exact, 1e-12 * std::abs(exact))
        << state;
  }
}

/// Open shells of averages, a hole, an ion: both j of an l are one orbital, and the virial theorem holds.
TEST(NonrelativisticLimit, BothJOfOpenShellsAreOneOrbital) {
  for (const auto& [charge, text] : {std::pair{6, "1s2 2s2 2p2"},
                                     {26, "[Ar] 3d6 4s2"},
                                     {26, "[Ar] 3d6"},
                                     {11, "1s1 2s2 2p6 3s2"},
                                     {64, "[Xe] 4f7 5d1 6s2"}}) {
    SCOPED_TRACE(text);
    const LimitResult result = limitOf(nucleusOf(charge, NuclearModel::Point), text);
    ASSERT_TRUE(result.converged);
    EXPECT_NEAR(result.virialRatio, 1, 1e-10);
    EXPECT_LT(result.estimatedError, 1e-10 * std::abs(result.energy));
    for (const LimitSpinor& s : result.spinors) {
      if (s.kappa < 0) continue;
      const auto other =
          std::find_if(result.spinors.begin(), result.spinors.end(),
                       [&](const LimitSpinor& o) { return o.n == s.n && o.kappa == -s.kappa - 1; });
      ASSERT_NE(other, result.spinors.end());
      EXPECT_NEAR(other->energy, s.energy, 1e-9 * std::abs(s.energy)) << s.label;
      EXPECT_NEAR(other->meanRadius, s.meanRadius, 1e-8) << s.label;
    }
  }
}

/// To first order 2/3 pi Z rho(0) <r^2> with rho(0) = Z^3/pi; the models differ in the next order.
TEST(NonrelativisticLimit, NucleiOfFiniteSizeShiftTheEnergyAsTheirRadius) {
  const double charge = 20, point = limitOf(nucleusOf(charge, NuclearModel::Point), "1s1").energy;
  for (const NuclearModel model : {NuclearModel::Sphere, NuclearModel::Gaussian, NuclearModel::Fermi}) {
    const Nucleus nucleus = nucleusOf(charge, model);
    const double first = 2.0 / 3.0 * std::pow(charge, 4) * nucleus.rms * nucleus.rms;
    const double shift = limitOf(nucleus, "1s1").energy - point;
    EXPECT_NEAR(shift / first, 1, 5e-3) << nucleus.description();
  }
}

TEST(NonrelativisticLimit, SpeedOfLightHasNoEffectAndRelativityIsRefused) {
  const Nucleus nucleus = nucleusOf(4, NuclearModel::Point);
  const Configuration beryllium = parseConfiguration("1s2 2s2");
  LimitOptions options;
  options.oneElectron = OneElectronOperator::Nonrelativistic;
  options.speedOfLight = 1;
  EXPECT_NEAR(numericalLimit(nucleus, beryllium, options).energy, -14.573023168316, 1e-11);
  options.twoElectronOperator = TwoElectronOperator::CoulombBreit;
  EXPECT_THROW(numericalLimit(nucleus, beryllium, options), Error);
  options = {};
  options.oneElectron = OneElectronOperator::X2c;
  EXPECT_THROW(numericalLimit(nucleus, beryllium, options), Error);
}

}  // namespace
}  // namespace prophet
