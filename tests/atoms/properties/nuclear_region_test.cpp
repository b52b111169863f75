#include "atoms/properties/nuclear_region.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/common/constants.hpp"
#include "with_spinors.hpp"

namespace prophet {
namespace {

/// Hydrogen-like copper with this nuclear model and rms radius (fm).
std::string copper(const std::string& model, double rms) {
  return "$nuc znuc=29 nucmdl='" + model + "' rms=" + std::to_string(rms) +
         " $end $electrons config='1s1' $end";
}

class NuclearModels : public testing::TestWithParam<const char*> {};

// The energies of atoms with slightly different nuclei against one integral over the spinors of one of them.
TEST_P(NuclearModels, EnergySlopeIsThatOfTheEnergy) {
  const double rms = 3.9, step = 0.02;
  const auto energy = [&](double radius) {
    return test::computedLimit(copper(GetParam(), radius)).result.energy.total;
  };
  const double fm = constants::kFemtometresPerBohr;
  const auto square = [&](double radius) { return radius * radius / (fm * fm); };
  const double numerical =
      (energy(rms + step) - energy(rms - step)) / (square(rms + step) - square(rms - step));
  const test::Computed c = test::computedLimit(copper(GetParam(), rms));
  EXPECT_NEAR(c.properties.nucleus.energySlope.value() / numerical, 1, 2e-5);
  // 2 pi/3 Z times the mean density, exactly for a Gaussian charge distribution.
  const double byDensity = 2 * M_PI / 3 * 29 * c.properties.nucleus.meanDensity.value();
  EXPECT_NEAR(c.properties.nucleus.energySlope.value() / byDensity, 1,
              std::string(GetParam()) == "gaussian" ? 1e-12 : 5e-3);
}

TEST_P(NuclearModels, MeanPotentialIsTheEnergyOfAttraction) {
  for (const auto& c :
       {test::computed(copper(GetParam(), 3.9)), test::computedLimit(copper(GetParam(), 3.9))}) {
    const double attraction = c.result.energy.value(EnergyPartId::NuclearAttraction);
    EXPECT_NEAR(*c.properties.nucleus.meanPotential * 29 / attraction, 1, 1e-11);
    EXPECT_LT(*c.properties.nucleus.potential, *c.properties.nucleus.meanPotential);
    EXPECT_GT(*c.properties.nucleus.density, *c.properties.nucleus.meanDensity);
  }
}

// Inside a nucleus of nearly constant electron density the potential is a parabola: mean over the nucleus
// minus value at the centre = (2 pi/3) rho <r^2>.
TEST_P(NuclearModels, PotentialRisesAsTheDensitySays) {
  const test::Computed c = test::computedLimit(copper(GetParam(), 3.9));
  const NuclearRegion& n = c.properties.nucleus;
  const double square = std::pow(c.problem.nucleus.rms, 2);
  EXPECT_NEAR((*n.meanPotential - *n.potential) / (2 * M_PI / 3 * *n.meanDensity * square), 1, 2e-2);
}

INSTANTIATE_TEST_SUITE_P(Models, NuclearModels, testing::Values("sphere", "gaussian", "fermi"));

TEST(Nucleus, ChargeDensityIntegratesToTheCharge) {
  for (const char* model : {"sphere", "gaussian", "fermi"}) {
    const Nucleus nucleus = test::calculationFrom(copper(model, 3.9)).problem.nucleus;
    RadialQuadrature::Range range{1e-3 * nucleus.rms, 30 * nucleus.rms, {}, 0.1};
    if (nucleus.model == NuclearModel::Sphere) range.breaks = {nucleus.sphereRadius};
    const RadialQuadrature q(range);
    const auto moment = [&](int k) {
      return q.integral(
          q.radii()
              .unaryExpr([&](double r) { return 4 * M_PI * std::pow(r, k + 2) * nucleus.chargeDensity(r); })
              .array(),
          k + 2.0);
    };
    EXPECT_NEAR(moment(0) / nucleus.charge, 1, 1e-11) << model;
    EXPECT_NEAR(moment(2) / nucleus.charge / std::pow(nucleus.rms, 2), 1, 1e-11) << model;
  }
}

TEST(Nucleus, PotentialSlopeIsThatOfThePotential) {
  const double step = 1e-4, fm = constants::kFemtometresPerBohr;
  for (const char* model : {"sphere", "gaussian", "fermi"}) {
    const auto with = [&](double rms) { return test::calculationFrom(copper(model, rms)).problem.nucleus; };
    const Nucleus less = with(3.9 - step), more = with(3.9 + step), nucleus = with(3.9);
    for (const double x : {1e-3, 0.3, 0.8, 1.2, 2.0, 3.0}) {
      const double r = x * nucleus.rms;
      const double slope = (more.potential(r) - less.potential(r)) / (4 * 3.9 * step) * fm * fm;
      EXPECT_NEAR(nucleus.potentialSlope(r), slope,
                  1e-6 * std::abs(nucleus.potentialSlope(0.3 * nucleus.rms)))
          << model << ' ' << x;
    }
  }
}

}  // namespace
}  // namespace prophet
