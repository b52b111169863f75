#include "atom/nucleus.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atom/fermi.hpp"
#include "common/constants.hpp"

namespace prophet {

std::string nameOf(NuclearModel model) {
  switch (model) {
    case NuclearModel::Point:
      return "point";
    case NuclearModel::Sphere:
      return "sphere";
    case NuclearModel::Gaussian:
      return "Gaussian";
    case NuclearModel::Fermi:
      return "Fermi";
  }
  return "unknown";
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

double Nucleus::effectiveCharge(double r) const { return -r * potential(r); }

std::string Nucleus::description() const {
  std::string text = nameOf(model) + (model == NuclearModel::Point ? " nucleus" : " charge distribution");
  text += fmt::format(", Z = {:.10g}", charge);
  if (massNumber > 0) text += fmt::format(", A = {}", massNumber);
  if (model == NuclearModel::Point) return text;
  const double fm = constants::kFemtometresPerBohr;
  text += fmt::format(", rms radius {:.6f} fm", rms * fm);
  if (model == NuclearModel::Sphere) text += fmt::format(", radius {:.10e} bohr", sphereRadius);
  if (model == NuclearModel::Gaussian) text += fmt::format(", exponent {:.10e} bohr^-2", exponent);
  if (model == NuclearModel::Fermi)
    text += fmt::format(", half-density radius c = {:.6f} fm, skin t = {:.6g} fm", fermiC * fm,
                        4.0 * std::log(3.0) * fermiA * fm);
  return text;
}

}  // namespace prophet
