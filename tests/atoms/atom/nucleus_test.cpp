#include "atoms/atom/nucleus.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <functional>
#include <tuple>
#include <vector>

#include "atoms/atom/nuclear_charge.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kFm = constants::kFemtometresPerBohr;

Nucleus nucleusOf(NuclearModel model, double charge, std::optional<double> rms = {},
                  std::optional<double> skin = {}) {
  NucleusRequest request;
  request.model = model;
  request.charge = charge;
  request.rmsFemtometres = rms;
  request.skinFemtometres = skin;
  return makeNucleus(request);
}

/// Unnormalised charge density.
double density(const Nucleus& n, double r) {
  switch (n.model) {
    case NuclearModel::Sphere:
      return r < n.sphereRadius ? 1.0 : 0.0;
    case NuclearModel::Gaussian:
      return std::exp(-n.exponent * r * r);
    case NuclearModel::Fermi:
      return 1.0 / (1.0 + std::exp((r - n.fermiC) / n.fermiA));
    default:
      return 0.0;
  }
}

/// Adaptive quadrature over [from, to], cut where the density has its edge.
double integrate(const Nucleus& n, const std::function<double(double)>& f, double from, double to) {
  const double edge = n.model == NuclearModel::Sphere ? n.sphereRadius : n.fermiC;
  std::vector<double> points{from};
  for (const double p : {0.1 * n.rms, 0.5 * n.rms, edge, 2.0 * n.rms, 4.0 * n.rms, 8.0 * n.rms})
    if (p > points.back() && p < to) points.push_back(p);
  points.push_back(to);
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    sum +=
        boost::math::quadrature::gauss_kronrod<double, 61>::integrate(f, points[i], points[i + 1], 5, 1e-15);
  return sum;
}

/// V(r) from the density alone: -Z [integral(0,r) s^2 rho / r + integral(r,inf) s rho] / integral s^2 rho.
double potentialByQuadrature(const Nucleus& n, double r) {
  const double end = n.model == NuclearModel::Sphere ? n.sphereRadius : 30.0 * n.rms;
  const auto shell = [&](double s) { return s * s * density(n, s); };
  const auto outer = [&](double s) { return s * density(n, s); };
  const double inside = integrate(n, shell, 0.0, std::min(r, end));
  const double outside = r < end ? integrate(n, outer, r, end) : 0.0;
  return -n.charge * (inside / r + outside) / integrate(n, shell, 0.0, end);
}

double worstError(const Nucleus& n) {
  double worst = 0.0;
  for (double x = 1e-3; x < 40.0; x *= 1.17) {
    const double r = x * n.rms;
    worst = std::max(worst, std::abs(n.potential(r) / potentialByQuadrature(n, r) - 1.0));
  }
  return worst;
}

TEST(Nucleus, PotentialIsThatOfTheDensity) {
  for (const double z : {6.0, 54.0, 86.0, 118.0})
    for (const auto model : {NuclearModel::Sphere, NuclearModel::Gaussian, NuclearModel::Fermi})
      EXPECT_LT(worstError(nucleusOf(model, z)), 3e-15) << nameOf(model) << " Z = " << z;
  EXPECT_LT(worstError(nucleusOf(NuclearModel::Fermi, 2, 1.6755, 1.0)), 3e-15);
  EXPECT_LT(worstError(nucleusOf(NuclearModel::Fermi, 2, 1.884, 2.3)), 3e-15);    // c close to 0
  EXPECT_LT(worstError(nucleusOf(NuclearModel::Fermi, 86, 5.632, 0.05)), 3e-15);  // almost a sphere
}

TEST(Nucleus, CentreAndFarAwayAreExact) {
  const auto fermi = nucleusOf(NuclearModel::Fermi, 86);
  const double y = fermi.fermiC / fermi.fermiA;
  // T(0) = -Li_2(-exp y) and N = -2 Li_3(-exp y), summed here term by term.
  double eta2 = 0.0, eta3 = 0.0;
  for (int n = 1; n < 60; ++n) {
    const double term = (n % 2 ? 1.0 : -1.0) * std::exp(-n * y) / (1.0 * n * n);
    eta2 += term;
    eta3 += term / n;
  }
  const double norm = y * (y * y + M_PI * M_PI) / 3.0 + 2.0 * eta3;
  const double centre = -86.0 / fermi.fermiA * (y * y / 2.0 + M_PI * M_PI / 6.0 - eta2) / norm;
  EXPECT_NEAR(fermi.potential(1e-16) / centre, 1.0, 1e-15);

  const auto gauss = nucleusOf(NuclearModel::Gaussian, 86);
  EXPECT_NEAR(gauss.potential(1e-16) / (-172.0 * std::sqrt(gauss.exponent / M_PI)), 1.0, 1e-15);
  const auto sphere = nucleusOf(NuclearModel::Sphere, 86);
  EXPECT_NEAR(sphere.potential(1e-16) / (-129.0 / sphere.sphereRadius), 1.0, 1e-15);
  for (const auto model :
       {NuclearModel::Point, NuclearModel::Sphere, NuclearModel::Gaussian, NuclearModel::Fermi})
    for (const double r : {1e-2, 1.0, 1e4})
      EXPECT_DOUBLE_EQ(-r * nucleusOf(model, 86).potential(r), 86.0) << nameOf(model);
  EXPECT_DOUBLE_EQ(nucleusOf(NuclearModel::Point, 86).potential(1e-16), -86e16);
}

// The branches of the Fermi potential meet at x = 1 and at r = c without a step.
TEST(Nucleus, FermiBranchesMeet) {
  for (const double y : {0.0, 0.3, 1.0, 3.0, 13.0, 200.0})
    for (const double x : {1.0, y}) {
      if (x == 0.0) continue;
      const double below = fermi::reducedPotential(x * (1 - 1e-15), y);
      const double above = fermi::reducedPotential(x * (1 + 1e-15), y);
      EXPECT_NEAR(above / below, 1.0, 5e-15) << "x = " << x << " y = " << y;
    }
}

TEST(Nucleus, AlternatingSumsAtZeroAreDirichletEta) {
  EXPECT_DOUBLE_EQ(fermi::eta(1, 0.0), std::log(2.0));
  EXPECT_DOUBLE_EQ(fermi::eta(2, 0.0), M_PI * M_PI / 12.0);
  EXPECT_DOUBLE_EQ(fermi::eta(3, 0.0), 0.75 * 1.2020569031595942854);
  EXPECT_DOUBLE_EQ(fermi::eta(5, 0.0), 15.0 / 16.0 * 1.0369277551433699263);
  EXPECT_DOUBLE_EQ(fermi::eta(1, 1.0), std::log1p(std::exp(-1.0)));
  EXPECT_DOUBLE_EQ(fermi::eta(1, 30.0), std::log1p(std::exp(-30.0)));
}

// Published exponents: Visscher & Dyall, At. Data Nucl. Data Tables 67, 207 (1997).
TEST(Nucleus, GaussianExponentsAsPublished) {
  const std::pair<double, double> rows[] = {
      {1, 2.1248239171e9}, {80, 1.4011788914e8}, {86, 1.3242350205e8}, {92, 1.2700881714e8}};
  for (const auto& [z, exponent] : rows)
    EXPECT_NEAR(nucleusOf(NuclearModel::Gaussian, z).exponent / exponent, 1.0, 4e-11) << z;
}

double halfDensityRadius(const Nucleus& n) { return n.fermiC * kFm; }

// c (fm) of the reference energies with the default rms radius and t = 2.30 fm (GRASP 2018, which solves for
// c to some 1e-12 fm).
TEST(Nucleus, FermiHalfDensityRadiusOfDefaultNuclei) {
  const std::pair<double, double> rows[] = {
      {4, 1.6101584296199354}, {10, 2.669966945226791},  {12, 2.916755050975926}, {20, 3.6454607624972843},
      {36, 4.850884315128527}, {46, 5.276344719811002},  {54, 5.702503434431462}, {70, 6.2773594948020195},
      {86, 6.823315925496269}, {88, 6.8648763493771305}, {118, 7.503145732211696}};
  for (const auto& [z, c] : rows) {
    const auto nucleus = nucleusOf(NuclearModel::Fermi, z);
    EXPECT_NEAR(halfDensityRadius(nucleus), c, 1e-11) << z;
    EXPECT_NEAR(nucleus.fermiA * kFm, 0.5233875553104315, 1e-15);
  }
}

// The same for given rms radii, which the reference prints to 1e-9 fm only (He: exactly, t = 1.0 fm).
TEST(Nucleus, FermiHalfDensityRadiusOfGivenRms) {
  EXPECT_NEAR(halfDensityRadius(nucleusOf(NuclearModel::Fermi, 2, 1.6755, 1.0)), 1.867168381735493, 2e-12);
  const double rows[][3] = {{4, 2.519000053, 2.067117402628214},  {10, 3.005500078, 2.957608165822979},
                            {36, 4.188399792, 4.788463180054395}, {54, 4.785900116, 5.64502229808703},
                            {86, 5.691500187, 6.90508253023634},  {118, 6.128898361, 7.50314595125529}};
  for (const auto& [z, rms, c] : rows)
    EXPECT_NEAR(halfDensityRadius(nucleusOf(NuclearModel::Fermi, z, rms)), c, 1e-9) << z;
}

TEST(Nucleus, DensitiesHaveTheRmsRadius) {
  for (const auto model : {NuclearModel::Sphere, NuclearModel::Gaussian, NuclearModel::Fermi})
    for (const double z : {2.0, 10.0, 92.0}) {
      const auto n = nucleusOf(model, z);
      const double end = model == NuclearModel::Sphere ? n.sphereRadius : 30.0 * n.rms;
      const double norm = integrate(
          n, [&](double s) { return s * s * density(n, s); }, 0.0, end);
      const double r2 = integrate(
                            n, [&](double s) { return s * s * s * s * density(n, s); }, 0.0, end) /
                        norm;
      EXPECT_NEAR(std::sqrt(r2) / n.rms, 1.0, 1e-13) << nameOf(model) << " " << z;
    }
}

std::string errorOf(const NucleusRequest& request) {
  try {
    makeNucleus(request);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

NucleusRequest requestOf(NuclearModel model, double charge) {
  NucleusRequest request;
  request.model = model;
  request.charge = charge;
  return request;
}

// H is too small for the default skin; helium (A = 4) just fits.
TEST(Nucleus, TooSmallForTheSkinIsAnErrorWithAdvice) {
  const auto text = errorOf(requestOf(NuclearModel::Fermi, 1));
  EXPECT_NE(text.find("1.4060 fm"), std::string::npos) << text;
  EXPECT_NE(text.find("the least is 1.8827 fm"), std::string::npos) << text;
  EXPECT_NE(text.find("skin of 1.717 fm or less"), std::string::npos) << text;
  EXPECT_NO_THROW(nucleusOf(NuclearModel::Fermi, 1, {}, 1.717));
  EXPECT_THROW(nucleusOf(NuclearModel::Fermi, 1, {}, 1.718), Error);
  EXPECT_GT(nucleusOf(NuclearModel::Fermi, 2).fermiC, 0.0);
}

TEST(Nucleus, WhatIsGivenWins) {
  auto request = requestOf(NuclearModel::Sphere, 86.5);
  EXPECT_NE(errorOf(request).find("give a mass number or an rms radius"), std::string::npos);
  request.massNumber = 222;
  EXPECT_DOUBLE_EQ(makeNucleus(request).rms, defaultRms(222));
  EXPECT_EQ(makeNucleus(request).massNumber, 222);
  request.rmsFemtometres = 5.0;
  EXPECT_DOUBLE_EQ(makeNucleus(request).rms, 5.0 / kFm);
  EXPECT_DOUBLE_EQ(makeNucleus(request).sphereRadius, std::sqrt(5.0 / 3.0) * 5.0 / kFm);
  request.radius = 1.3e-4;
  EXPECT_DOUBLE_EQ(makeNucleus(request).sphereRadius, 1.3e-4);
  EXPECT_DOUBLE_EQ(makeNucleus(request).rms, std::sqrt(0.6) * 1.3e-4);
  request = requestOf(NuclearModel::Gaussian, 120.0);
  request.exponent = 1e8;
  EXPECT_DOUBLE_EQ(makeNucleus(request).rms, std::sqrt(1.5e-8));
  EXPECT_NO_THROW(makeNucleus(requestOf(NuclearModel::Point, 0.5)));
}

TEST(Nucleus, BadRequestsAreErrors) {
  EXPECT_NE(errorOf(requestOf(NuclearModel::Point, 0.0)), "");
  EXPECT_NE(errorOf(requestOf(NuclearModel::Point, -3.0)), "");
  EXPECT_NE(errorOf(requestOf(NuclearModel::Point, std::nan(""))), "");
  EXPECT_NE(errorOf(requestOf(NuclearModel::Gaussian, 119.0)), "");
  auto request = requestOf(NuclearModel::Point, 10);
  request.exponent = 1e8;
  EXPECT_NE(errorOf(request).find("choose nuclear model 3"), std::string::npos);
  request = requestOf(NuclearModel::Fermi, 10);
  request.skinFemtometres = -2.3;
  EXPECT_NE(errorOf(request), "");
  request = requestOf(NuclearModel::Sphere, 10);
  request.rmsFemtometres = 1e9;
  EXPECT_NE(errorOf(request).find("out of range"), std::string::npos);
}

Nucleus measured(double charge, std::optional<double> massNumber,
                 NuclearModel model = NuclearModel::Gaussian) {
  NucleusRequest request;
  request.model = model;
  request.charge = charge;
  request.massNumber = massNumber;
  request.measuredRadius = true;
  return makeNucleus(request);
}

// I. Angeli, K. P. Marinova, At. Data Nucl. Data Tables 99, 69 (2013).
TEST(Nucleus, MeasuredRadiiAreThoseOfTheTable) {
  const std::tuple<int, int, double> rows[] = {{1, 1, 0.8783},    {26, 56, 3.7377},  {26, 57, 3.7532},
                                               {50, 120, 4.6519}, {80, 202, 5.4648}, {82, 208, 5.5012},
                                               {92, 238, 5.8571}, {96, 248, 5.8687}};
  for (const auto& [z, a, rms] : rows) {
    const Nucleus n = measured(z, a);
    EXPECT_NEAR(n.rms * kFm, rms, 1e-12) << z;
    EXPECT_EQ(n.massNumber, a);
    EXPECT_EQ(n.rmsSource, RadiusSource::Experiment);
  }
  // The isotope that the formula is for, and every model with a size.
  EXPECT_NEAR(measured(26, {}, NuclearModel::Fermi).rms * kFm, 3.7377, 1e-12);
  EXPECT_NE(measured(26, 57).description().find("Angeli and Marinova 2013"), std::string::npos);
  EXPECT_EQ(nucleusOf(NuclearModel::Gaussian, 26).rmsSource, RadiusSource::Formula);
  EXPECT_EQ(nucleusOf(NuclearModel::Gaussian, 26, 3.7).rmsSource, RadiusSource::Given);
}

TEST(Nucleus, IsotopesThatWereNotMeasuredAreNamed) {
  const auto said = [](double charge, std::optional<double> a, NuclearModel model = NuclearModel::Gaussian) {
    try {
      measured(charge, a, model);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(said(26, 53).find("no radius of Fe-53; it has those of the isotopes 54, 56, 57, 58"),
            std::string::npos)
      << said(26, 53);
  EXPECT_NE(said(43, 98).find("no other isotope"), std::string::npos) << said(43, 98);
  EXPECT_NE(said(26, 56.5).find("not whole"), std::string::npos);
  EXPECT_NE(said(26.5, {}).find("not that of an element"), std::string::npos);
  EXPECT_NE(said(26, 56, NuclearModel::Point).find("point"), std::string::npos);
}

TEST(Nucleus, DescriptionNamesModelAndParameters) {
  EXPECT_EQ(nucleusOf(NuclearModel::Point, 86).description(), "point nucleus, Z = 86");
  EXPECT_EQ(nucleusOf(NuclearModel::Gaussian, 86).description(),
            "Gaussian charge distribution, Z = 86, A = 222, rms radius 5.632021 fm, exponent "
            "1.3242350205e+08 bohr^-2");
  EXPECT_EQ(nucleusOf(NuclearModel::Fermi, 10).description(),
            "Fermi charge distribution, Z = 10, A = 20, rms radius 2.839253 fm, half-density radius c = "
            "2.669967 fm, "
            "skin t = 2.3 fm");
}

TEST(NuclearCharge, HasARowForEachModelInTheirOrder) {
  int number = 0;
  for (const NuclearCharge* charge : nuclearCharges()) {
    EXPECT_EQ(static_cast<int>(charge->model), ++number);
    EXPECT_EQ(&chargeOf(charge->model), charge);
    EXPECT_EQ(nameOf(charge->model), charge->name);
  }
  EXPECT_THROW(chargeOf(static_cast<NuclearModel>(0)), Error);
  EXPECT_THROW(chargeOf(static_cast<NuclearModel>(number + 1)), Error);
  EXPECT_EQ(numbersOfExtended(), "2, 3 and 4");
}

TEST(NuclearCharge, KeywordsSayWhatANucleusWasMadeWith) {
  for (const NuclearCharge* charge : nuclearCharges()) {
    const Nucleus usual = nucleusOf(charge->model, 54);
    for (const NuclearKeyword& k : charge->keywords) {
      NucleusRequest request;
      request.model = charge->model;
      request.charge = 54;
      request.*k.given = 1.01 * k.of(usual);
      EXPECT_NEAR(k.of(makeNucleus(request)) / k.of(usual), 1.01, 1e-14) << k.keyword;
      EXPECT_NEAR(k.of(usual), k.usual.value_or(k.of(usual)), 1e-14) << k.keyword;
    }
  }
}

TEST(NuclearCharge, UnitDensityIsTheDensityOfOneCharge) {
  EXPECT_THROW(chargeOf(NuclearModel::Point).unitDensity(nucleusOf(NuclearModel::Point, 54)), Error);
  for (const NuclearModel model : {NuclearModel::Sphere, NuclearModel::Gaussian, NuclearModel::Fermi}) {
    const Nucleus n = nucleusOf(model, 54);
    const UnitDensity density = chargeOf(model).unitDensity(n);
    for (const double share : {0.01, 0.5, 0.9, 0.99})
      EXPECT_NEAR(54 * density.value(share * n.rms) / n.chargeDensity(share * n.rms), 1, 1e-14);
    EXPECT_LT(n.chargeDensity(1.0001 * density.panels.back()), 1e-12 * n.chargeDensity(0));
    EXPECT_TRUE(n.hasChargeOf(nucleusOf(model, 54)));
    EXPECT_FALSE(n.hasChargeOf(nucleusOf(model, 55)));
    EXPECT_FALSE(n.hasShapeOf(nucleusOf(NuclearModel::Point, 54)));
  }
}

}  // namespace
}  // namespace prophet
