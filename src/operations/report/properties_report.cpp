#include "operations/report/properties_report.hpp"

#include <fmt/format.h>

#include "atoms/properties/nuclear_region.hpp"
#include "operations/report/text_parts.hpp"

namespace prophet {
namespace {

std::string momentKey(int k) { return k == 1 ? "r" : fmt::format("r^{}", k); }

Json momentsJson(const PowerMoments& moments) {
  Json j = Json::object();
  for (const auto& [k, value] : moments.values()) {
    if (k != 0) j[momentKey(k)] = value;
  }
  return j;
}

void addIfThere(Json& j, const char* key, const std::optional<double>& value) {
  if (value) j[key] = *value;
}

Json hyperfineJson(const std::vector<HyperfineIntegrals>& list) {
  Json j = Json::array();
  for (const HyperfineIntegrals& h : list) {
    Json& one = j.emplace_back(Json{{"label", h.label}});
    addIfThere(one, "magnetic_dipole", h.magneticDipole);
    addIfThere(one, "a_mhz", h.magneticConstant);
    addIfThere(one, "electric_quadrupole", h.electricQuadrupole);
    addIfThere(one, "b_mhz", h.quadrupoleConstant);
  }
  return j;
}

constexpr int kInALine = 4;

/// Entries side by side, the first line with the key.
std::string wrapped(const std::string& key, const std::vector<std::string>& entries) {
  std::string text, line;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    line += fmt::format("{:<18} ", entries[i]);
    if ((i + 1) % kInALine != 0 && i + 1 < entries.size()) continue;
    line.erase(line.find_last_not_of(' ') + 1);
    text += keyValue(text.empty() ? key : "", line);
    line.clear();
  }
  return text;
}

/// "15048.529 +- 0.0045".
std::string uncertain(double value, const std::optional<double>& error) {
  return error ? fmt::format("{} +- {:.2g}", withinError(value, *error), *error)
               : fmt::format("{:.4g} (error unknown)", value);
}

std::string nucleusLines(const NuclearRegion& n) {
  std::string text;
  if (n.density)
    text += keyValue("density at the nucleus", fmt::format("{} electrons/bohr^3; mean over the nucleus {}",
                                                           uncertain(*n.density, n.densityError),
                                                           uncertain(*n.meanDensity, n.meanDensityError)));
  if (n.potential) {
    const bool point = !n.density;
    text += keyValue("potential at the nucleus",
                     fmt::format("{:.8f} hartree/e", *n.potential) +
                         (point ? "" : fmt::format("; mean over the nucleus {:.8f}", *n.meanPotential)));
  }
  if (n.energySlope)
    text += keyValue("dE/d<r^2> of the nucleus",
                     uncertain(*n.energySlope, n.energySlopeError) + " hartree/bohr^2");
  return text;
}

std::string hyperfineLines(const std::vector<HyperfineIntegrals>& list) {
  std::string text;
  for (const HyperfineIntegrals& h : list) {
    std::string value;
    if (h.magneticDipole)
      value += fmt::format("[P Q r^-2] {:.8e} bohr^-2, A {:.6g} MHz/(mu_I/I)", *h.magneticDipole,
                           *h.magneticConstant);
    if (h.electricQuadrupole)
      value += fmt::format("; <r^-3> {:.8e} bohr^-3, B {:.6g} MHz/barn", *h.electricQuadrupole,
                           *h.quadrupoleConstant);
    if (!value.empty()) text += keyValue("hyperfine, " + h.label, value);
  }
  return text;
}

}  // namespace

Json propertiesJson(const Properties& p, const std::vector<Spinor>& spinors) {
  Json j{{"one_electron_energy", p.oneElectron}, {"two_electron_energy", p.twoElectron}};
  j["nucleus"] = nuclearRegionJson(p.nucleus);
  j["expectation_values"]["total"] = momentsJson(p.total);
  for (std::size_t i = 0; i < spinors.size(); ++i)
    j["expectation_values"][spinors[i].label()] = momentsJson(p.moments[i]);
  j["spin_orbit_splittings"] = Json::object();
  for (const SpinOrbitSplitting& s : p.splittings) j["spin_orbit_splittings"][s.shell] = s.value;
  j["hyperfine"] = hyperfineJson(p.hyperfine);
  return j;
}

std::string reportProperties(const Properties& p) {
  std::string text = textRule("Properties");
  text += keyValue("one-electron energy", fmt::format("{:.10f} hartree", p.oneElectron));
  text += keyValue("two-electron energy", fmt::format("{:.10f} hartree", p.twoElectron));
  text += nucleusLines(p.nucleus);
  std::vector<std::string> entries;
  for (const auto& [k, value] : p.total.values()) {
    if (k != 0) entries.push_back(fmt::format("<{}> {:.7g}", momentKey(k), value));
  }
  text += wrapped("all electrons, bohr^k", entries);
  entries.clear();
  for (const SpinOrbitSplitting& s : p.splittings)
    entries.push_back(fmt::format("{} {:.8f}", s.shell, s.value));
  if (!entries.empty()) text += wrapped("spin-orbit splittings / Eh", entries);
  return text + hyperfineLines(p.hyperfine) + warningLines(p.warnings);
}

}  // namespace prophet
