#include "atoms/atom/nucleus.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atoms/atom/fermi.hpp"
#include "core/common/constants.hpp"
#include "core/common/math_constants.hpp"

namespace prophet {

template <>
const Names<NuclearModel>& namesOf() {
  static const Names<NuclearModel> kNames = {{"point", NuclearModel::Point},
                                             {"sphere", NuclearModel::Sphere},
                                             {"Gaussian", NuclearModel::Gaussian},
                                             {"Fermi", NuclearModel::Fermi}};
  return kNames;
}

template <>
const Names<RadiusSource>& namesOf() {
  static const Names<RadiusSource> kNames = {{"given", RadiusSource::Given},
                                             {"formula", RadiusSource::Formula},
                                             {"experiment", RadiusSource::Experiment}};
  return kNames;
}

double Nucleus::potential(double r) const {
  switch (model) {
    case NuclearModel::Point:
      break;
    case NuclearModel::Sphere: {
      const double x = r / sphereRadius;
      if (x < 1.0) return -charge / (2.0 * sphereRadius) * (3.0 - x * x);
      break;
    }
    case NuclearModel::Gaussian:
      return -charge * std::erf(std::sqrt(exponent) * r) / r;
    case NuclearModel::Fermi:
      return -charge / fermiA * fermi::reducedPotential(r / fermiA, fermiC / fermiA);
  }
  return -charge / r;
}

double Nucleus::chargeDensity(double r) const {
  switch (model) {
    case NuclearModel::Point:
      break;
    case NuclearModel::Sphere:
      return r > sphereRadius ? 0 : 3 * charge / (4 * constants::kPi * std::pow(sphereRadius, 3));
    case NuclearModel::Gaussian:
      return charge * std::pow(exponent / constants::kPi, 1.5) * std::exp(-exponent * r * r);
    case NuclearModel::Fermi: {
      const double norm = 4 * constants::kPi * std::pow(fermiA, 3) * fermi::moment(2, fermiC / fermiA);
      return charge / (norm * (1 + std::exp((r - fermiC) / fermiA)));
    }
  }
  return 0;
}

// A Gaussian that widens obeys the diffusion equation, d rho/d<r^2> = (Laplacian rho)/6, so that its
// potential changes by 2 pi/3 of the density.
double Nucleus::potentialSlope(double r) const {
  switch (model) {
    case NuclearModel::Point:
      break;
    case NuclearModel::Sphere: {
      const double x = r / sphereRadius;  // <r^2> = 3/5 R^2
      return x > 1 ? 0 : 5 * charge * (1 - x * x) / (4 * std::pow(sphereRadius, 3));
    }
    case NuclearModel::Gaussian:
      return 2 * constants::kPi / 3 * chargeDensity(r);
    case NuclearModel::Fermi: {
      const double y = fermiC / fermiA;
      return -charge * fermi::reducedPotentialSlope(r / fermiA, y) /
             (std::pow(fermiA, 3) * fermi::meanSquareSlope(y));
    }
  }
  return 0;
}

std::string Nucleus::description() const {
  std::string text = nameOf(model) + (model == NuclearModel::Point ? " nucleus" : " charge distribution");
  text += fmt::format(", Z = {:.10g}", charge);
  if (massNumber > 0) text += fmt::format(", A = {}", massNumber);
  if (model == NuclearModel::Point) return text;
  const double fm = constants::kFemtometresPerBohr;
  text += fmt::format(", rms radius {:.6f} fm", rms * fm);
  if (rmsSource == RadiusSource::Experiment) text += " (measured, Angeli and Marinova 2013)";
  if (model == NuclearModel::Sphere) text += fmt::format(", radius {:.10e} bohr", sphereRadius);
  if (model == NuclearModel::Gaussian) text += fmt::format(", exponent {:.10e} bohr^-2", exponent);
  if (model == NuclearModel::Fermi)
    text += fmt::format(", half-density radius c = {:.6f} fm, skin t = {:.6g} fm", fermiC * fm,
                        4.0 * std::log(3.0) * fermiA * fm);
  return text;
}

}  // namespace prophet
