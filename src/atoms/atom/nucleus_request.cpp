#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/fermi.hpp"
#include "atoms/atom/nuclear_radii.hpp"
#include "atoms/atom/nucleus.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kDefaultSkin = 2.30;                            // fm
constexpr double kSmallestSkin = 1e-3;                           // fm; a sharper edge is a sphere
constexpr double kSmallestLength = 1e-12, kLargestLength = 1.0;  // bohr: 5e-8 fm to 5e4 fm
constexpr double kLargestMassNumber = 1000.0;

void requirePositive(const std::optional<double>& value, const char* name) {
  if (value && !(std::isfinite(*value) && *value > 0.0))
    throw Error(fmt::format("the {} must be a positive number, but {:g} was given", name, *value));
}

void requireModel(const std::optional<double>& value, const char* name, NuclearModel model,
                  NuclearModel needed) {
  if (value && model != needed)
    throw Error(
        fmt::format("a {} belongs to the {} nucleus, but the nuclear model is {}: drop the {} or choose "
                    "nuclear model {}",
                    name, nameOf(needed), nameOf(model), name, static_cast<int>(needed)));
}

void checkRequest(const NucleusRequest& request) {
  requirePositive(request.charge, "nuclear charge");
  requirePositive(request.radius, "nuclear sphere radius");
  requirePositive(request.exponent, "Gaussian nuclear exponent");
  requirePositive(request.massNumber, "mass number");
  requirePositive(request.rmsFemtometres, "nuclear rms radius");
  requirePositive(request.skinFemtometres, "Fermi skin thickness");
  requireModel(request.radius, "sphere radius", request.model, NuclearModel::Sphere);
  requireModel(request.exponent, "Gaussian exponent", request.model, NuclearModel::Gaussian);
  requireModel(request.skinFemtometres, "skin thickness", request.model, NuclearModel::Fermi);
  if (request.massNumber && (*request.massNumber < 1.0 || *request.massNumber > kLargestMassNumber))
    throw Error(fmt::format("the mass number must lie between 1 and {}, but {:g} was given",
                            kLargestMassNumber, *request.massNumber));
  if (request.model == NuclearModel::Point && (request.rmsFemtometres || request.measuredRadius))
    throw Error(
        "an rms radius was given, but the nuclear model is point: drop it or choose nuclear model 2, 3 or 4");
}

/// Mass number of the request, else the default of the element; empty where Z is no element's charge.
std::optional<double> massNumberFor(const NucleusRequest& request) {
  if (request.massNumber) return request.massNumber;
  const double nearest = std::round(request.charge);
  if (std::abs(request.charge - nearest) > 1e-9 || nearest < 1 || nearest > kLastElement) return std::nullopt;
  return massNumberOf(static_cast<int>(nearest));
}

/// In bohr. Throws Error where the table lacks the isotope.
double measuredRmsFor(const NucleusRequest& request, const std::optional<double>& massNumber) {
  if (!massNumber)
    throw Error(
        fmt::format("the nuclear charge {:.10g} is not that of an element, so its radius was not measured",
                    request.charge));
  const int z = static_cast<int>(std::lround(request.charge)), a = static_cast<int>(std::lround(*massNumber));
  if (a != *massNumber)
    throw Error(fmt::format("a measured nuclear radius needs an isotope; the mass number {:g} is not whole",
                            *massNumber));
  if (const auto rms = measuredRms(z, a)) return *rms / constants::kFemtometresPerBohr;
  const std::vector<int> isotopes = isotopesWithMeasuredRms(z);
  throw Error(fmt::format(
      "the table of measured nuclear radii (Angeli and Marinova 2013) has none of {}-{}; {}", symbolOf(z), a,
      isotopes.empty()
          ? "nor of another isotope of this element: give rms, or leave the radius to the formula"
          : fmt::format("it has those of the isotopes {}", fmt::join(isotopes, ", "))));
}

double rmsFor(const NucleusRequest& request, const std::optional<double>& massNumber) {
  if (request.radius) return std::sqrt(0.6) * *request.radius;
  if (request.exponent) return std::sqrt(1.5 / *request.exponent);
  if (request.rmsFemtometres) return *request.rmsFemtometres / constants::kFemtometresPerBohr;
  if (massNumber) return defaultRms(*massNumber);
  throw Error(
      fmt::format("the nuclear charge {:.10g} is not that of an element, so it has no default size: give a "
                  "mass number or an rms radius",
                  request.charge));
}

void fillFermi(Nucleus& nucleus, double skin) {
  const double fm = constants::kFemtometresPerBohr;
  if (skin < kSmallestSkin)
    throw Error(fmt::format(
        "the Fermi skin thickness {:g} fm is below {:g} fm: use a finite sphere (nuclear model 2)", skin,
        kSmallestSkin));
  const double a = skin / (4.0 * std::log(3.0)) / fm;
  const double smallest = a * fermi::smallestRms();
  if (nucleus.rms < smallest)
    throw Error(fmt::format(
        "no Fermi distribution with a skin of {:.4g} fm has an rms radius of {:.4f} fm (the least "
        "is {:.4f} fm): choose a skin of {:.3f} fm or less, a larger rms radius, or a Gaussian "
        "nucleus (nuclear model 3)",
        skin, nucleus.rms * fm, smallest * fm, std::floor(1000.0 * skin * nucleus.rms / smallest) / 1000.0));
  nucleus.fermiA = a;
  nucleus.fermiC = a * fermi::halfDensityRadius(nucleus.rms / a);
}

}  // namespace

double defaultRms(double massNumber) {
  return (0.836 * std::cbrt(massNumber) + 0.570) / constants::kFemtometresPerBohr;
}

Nucleus makeNucleus(const NucleusRequest& request) {
  checkRequest(request);
  Nucleus nucleus;
  nucleus.model = request.model;
  nucleus.charge = request.charge;
  const bool sizeGiven = request.radius || request.exponent || request.rmsFemtometres;
  if (request.model == NuclearModel::Point || sizeGiven) {
    if (request.massNumber) nucleus.massNumber = static_cast<int>(std::lround(*request.massNumber));
    if (request.model == NuclearModel::Point) return nucleus;
  }
  const auto massNumber = massNumberFor(request);
  if (massNumber && !sizeGiven) nucleus.massNumber = static_cast<int>(std::lround(*massNumber));
  nucleus.rms = request.measuredRadius ? measuredRmsFor(request, massNumber) : rmsFor(request, massNumber);
  if (request.measuredRadius) nucleus.rmsSource = RadiusSource::Experiment;
  if (!request.measuredRadius && !sizeGiven) nucleus.rmsSource = RadiusSource::Formula;
  if (!(nucleus.rms >= kSmallestLength && nucleus.rms <= kLargestLength))
    throw Error(fmt::format("a nucleus of rms radius {:g} bohr is out of range; expected {:g} to {:g} bohr",
                            nucleus.rms, kSmallestLength, kLargestLength));
  if (request.model == NuclearModel::Sphere)
    nucleus.sphereRadius = request.radius ? *request.radius : std::sqrt(5.0 / 3.0) * nucleus.rms;
  if (request.model == NuclearModel::Gaussian)
    nucleus.exponent = request.exponent ? *request.exponent : 1.5 / (nucleus.rms * nucleus.rms);
  if (request.model == NuclearModel::Fermi)
    fillFermi(nucleus, request.skinFemtometres.value_or(kDefaultSkin));
  return nucleus;
}

}  // namespace prophet
