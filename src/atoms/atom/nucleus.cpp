#include "atoms/atom/nucleus.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/nuclear_charge.hpp"
#include "atoms/atom/nuclear_radii.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {

template <>
const Names<RadiusSource>& namesOf() {
  static const Names<RadiusSource> kNames = {{"given", RadiusSource::Given},
                                             {"formula", RadiusSource::Formula},
                                             {"experiment", RadiusSource::Experiment}};
  return kNames;
}

double Nucleus::potential(double r) const { return chargeOf(model).potential(*this, r); }
double Nucleus::chargeDensity(double r) const { return chargeOf(model).chargeDensity(*this, r); }
double Nucleus::potentialSlope(double r) const { return chargeOf(model).potentialSlope(*this, r); }
std::optional<NuclearAttraction> Nucleus::attraction() const { return chargeOf(model).attraction(*this); }
std::optional<NuclearSurface> Nucleus::surface() const { return chargeOf(model).surface(*this); }

bool Nucleus::hasShapeOf(const Nucleus& other) const {
  const std::vector<NuclearParameter>& parameters = chargeOf(model).parameters;
  return model == other.model &&
         std::all_of(parameters.begin(), parameters.end(),
                     [&](const NuclearParameter& p) { return this->*p.value == other.*p.value; });
}

std::string Nucleus::description() const {
  std::string text = nameOf(model) + (isPoint() ? " nucleus" : " charge distribution");
  text += fmt::format(", Z = {:.10g}", charge);
  if (massNumber > 0) text += fmt::format(", A = {}", massNumber);
  if (isPoint()) return text;
  text += fmt::format(", rms radius {:.6f} fm", rms * constants::kFemtometresPerBohr);
  if (rmsSource == RadiusSource::Experiment) text += " (measured, Angeli and Marinova 2013)";
  return text + chargeOf(model).describe(*this);
}

namespace {

constexpr double kSmallestLength = 1e-12, kLargestLength = 1.0;  // bohr: 5e-8 fm to 5e4 fm
constexpr double kLargestMassNumber = 1000.0;

void requirePositive(const std::optional<double>& value, const char* name) {
  if (value && !(std::isfinite(*value) && *value > 0.0))
    throw Error(fmt::format("the {} must be a positive number, but {:g} was given", name, *value));
}

void checkRequest(const NucleusRequest& request) {
  requirePositive(request.charge, "nuclear charge");
  requirePositive(request.massNumber, "mass number");
  requirePositive(request.rmsFemtometres, "nuclear rms radius");
  for (const NuclearCharge* charge : nuclearCharges()) {
    for (const NuclearKeyword& k : charge->keywords) {
      requirePositive(request.*k.given, k.name);
      if (request.*k.given && charge->model != request.model)
        throw Error(fmt::format(
            "a {} belongs to the {} nucleus, but the nuclear model is {}: drop the {} or "
            "choose nuclear model {}",
            k.name, charge->name, nameOf(request.model), k.name, static_cast<int>(charge->model)));
    }
  }
  if (request.massNumber && (*request.massNumber < 1.0 || *request.massNumber > kLargestMassNumber))
    throw Error(fmt::format("the mass number must lie between 1 and {}, but {:g} was given",
                            kLargestMassNumber, *request.massNumber));
  if (request.model == NuclearModel::Point && (request.rmsFemtometres || request.measuredRadius))
    throw Error(fmt::format(
        "an rms radius was given, but the nuclear model is point: drop it or choose nuclear model "
        "{}",
        numbersOfExtended("or")));
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
  throw Error(
      fmt::format("the table of measured nuclear radii (Angeli and Marinova 2013) has no radius of {}-{}; {}",
                  symbolOf(z), a,
                  isotopes.empty()
                      ? "it has no other isotope of this element: give rms, or use the formula for the radius"
                      : fmt::format("it has those of the isotopes {}", fmt::join(isotopes, ", "))));
}

double rmsFor(const NucleusRequest& request, const std::optional<double>& massNumber) {
  if (const auto rms = chargeOf(request.model).rmsOf(request)) return *rms;
  if (request.rmsFemtometres) return *request.rmsFemtometres / constants::kFemtometresPerBohr;
  if (massNumber) return defaultRms(*massNumber);
  throw Error(
      fmt::format("the nuclear charge {:.10g} is not that of an element, so it has no default size: give a "
                  "mass number or an rms radius",
                  request.charge));
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
  const NuclearCharge& charge = chargeOf(request.model);
  const bool sizeGiven = charge.rmsOf(request) || request.rmsFemtometres;
  if (nucleus.isPoint() || sizeGiven) {
    if (request.massNumber) nucleus.massNumber = static_cast<int>(std::lround(*request.massNumber));
    if (nucleus.isPoint()) return nucleus;
  }
  const auto massNumber = massNumberFor(request);
  if (massNumber && !sizeGiven) nucleus.massNumber = static_cast<int>(std::lround(*massNumber));
  nucleus.rms = request.measuredRadius ? measuredRmsFor(request, massNumber) : rmsFor(request, massNumber);
  if (request.measuredRadius) nucleus.rmsSource = RadiusSource::Experiment;
  if (!request.measuredRadius && !sizeGiven) nucleus.rmsSource = RadiusSource::Formula;
  if (!(nucleus.rms >= kSmallestLength && nucleus.rms <= kLargestLength))
    throw Error(fmt::format("a nucleus of rms radius {:g} bohr is out of range; expected {:g} to {:g} bohr",
                            nucleus.rms, kSmallestLength, kLargestLength));
  charge.complete(request, nucleus);
  return nucleus;
}

}  // namespace prophet
