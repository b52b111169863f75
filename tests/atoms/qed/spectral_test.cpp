#include <gtest/gtest.h>

#include <cmath>

#include "atoms/qed/qed.hpp"
#include "atoms/qed/spectral.hpp"

namespace prophet::qed {
namespace {

/// Values from adaptive quadrature with 25 digits.
TEST(Spectral, AgreesWithExtendedPrecision) {
  struct Row {
    double x, uehling, electric, magnetic, field;
  };
  const Row rows[] = {
      {1e-8, 17.70327893805842, 363.9434708586832, 1.570796226611835e-8, -9.51830612980539e-16},
      {0.001, 6.191531183683066, 56.84921029441831, 0.001566534483218263, -3.761843914425722e-6},
      {0.1, 1.699366473969667, 8.375634791773169, 0.1374787102166316, -0.01461552191293939},
      {1.0, 0.1779335788892343, 0.5427741785481877, 0.7263792479738838, -0.3980927698027654},
      {10.0, 2.021766713365004e-6, -4.840300959613842e-6, 0.9999836640546393, -0.9998135122654617}};
  for (const Row& r : rows) {
    EXPECT_NEAR(uehling(r.x), r.uehling, 1e-13 * r.uehling) << r.x;
    EXPECT_NEAR(electricFormFactor(r.x, 4.0), r.electric, 1e-13 * std::abs(r.electric)) << r.x;
    EXPECT_NEAR(magneticFormFactor(r.x), r.magnetic, 1e-13 * r.magnetic) << r.x;
    EXPECT_NEAR(magneticField(r.x), r.field, 1e-12 * std::abs(r.field)) << r.x;
  }
}

/// Values from adaptive quadrature with 15 digits; the second moment is the exact -82/81 of the low-energy
/// limit.
TEST(Spectral, TwoLoopVacuumPolarisation) {
  EXPECT_NEAR(kallenSabry(0.001), -21.900347858848, 1e-11);
  EXPECT_NEAR(kallenSabry(0.1), -3.4955773951873, 1e-12);
  EXPECT_NEAR(kallenSabry(1.0), -0.42494912225292, 1e-13);
  EXPECT_NEAR(kallenSabry(10.0), -1.2989984661432e-5, 1e-17);
  double moment = 0.0;
  for (double logX = -40.0; logX < 6.0; logX += 0.05)
    moment += 0.05 * std::exp(2.0 * logX) * kallenSabry(std::exp(logX));
  EXPECT_NEAR(moment, -82.0 / 81.0, 1e-12);
}

/// Short and long distance limits of the Uehling function: -ln(x/2) - gamma - 5/6 + 3 pi x/8, and
/// (3/4) sqrt(pi/2) exp(-x) x^(-3/2) 2/... within its first correction.
TEST(Spectral, UehlingLimits) {
  const double x = 1e-6;
  EXPECT_NEAR(uehling(x),
              -std::log(0.5 * x) - 0.57721566490153286 - 5.0 / 6.0 + 3.0 * 3.14159265358979 * x / 8.0, 1e-10);
  const double far = 400.0;
  EXPECT_NEAR(uehling(far) * std::exp(far) * std::pow(far, 1.5), 1.5 * std::sqrt(0.5 * 3.14159265358979),
              0.02);
}

/// Finite nuclei: far outside their potentials are that of the point nucleus, and inside they are finite.
TEST(Potentials, FiniteNucleiAgreeOutside) {
  constexpr double kC = 137.03599976;
  NucleusRequest request;
  request.charge = 80.0;
  const Potentials point(makeNucleus(request), kC);
  for (const NuclearModel model : {NuclearModel::Sphere, NuclearModel::Gaussian, NuclearModel::Fermi}) {
    request.model = model;
    const Nucleus nucleus = makeNucleus(request);
    const Potentials finite(nucleus, kC);
    const double r = 0.03, size = nucleus.rms * nucleus.rms * kC * kC;
    EXPECT_NEAR(finite.uehling(r), point.uehling(r), 2.0 * size * std::abs(point.uehling(r)));
    EXPECT_NEAR(finite.electricHigh(r), point.electricHigh(r), 3.0 * size * std::abs(point.electricHigh(r)));
    EXPECT_NEAR(finite.electricLow(r), point.electricLow(r), 1e-4 * point.electricLow(r));
    EXPECT_NEAR(finite.magnetic(r), point.magnetic(r), 1e-3 * std::abs(point.magnetic(r)));
    for (const double small : {1e-14, 1e-10, 1e-7}) {
      EXPECT_NEAR(finite.uehling(small), finite.uehling(1e-8), 1e-4 * std::abs(finite.uehling(1e-8)));
      EXPECT_LT(std::abs(finite.magnetic(small)), std::abs(finite.magnetic(nucleus.rms)));
    }
    for (const double large : {1.0, 30.0, 1e3}) {
      EXPECT_NEAR(finite.uehling(large), 0.0, 1e-20);
      EXPECT_NEAR(finite.magnetic(large) * large * large, -80.0 / (4.0 * 3.14159265358979 * kC * kC), 1e-10);
    }
  }
}

}  // namespace
}  // namespace prophet::qed
