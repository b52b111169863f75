#include "operations/energies/compared_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <unordered_map>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/energy_breakdown.hpp"
#include "atoms/atom/species.hpp"
#include "atoms/atom/symmetry.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "core/common/unique_json.hpp"
#include "operations/input/settings.hpp"

namespace prophet {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSameCharge = 1e-6;

bool isOfLevels(const Json& j) { return j.value("operation", "") == "levels"; }

void readSpinors(const Json& j, ComparedResult& r) {
  if (j.contains("orbitals")) {
    for (const Json& orbital : j["orbitals"])
      r.spinors[orbital.at("label").get<std::string>()] = {orbital.at("occupation").get<double>(),
                                                           orbital.at("energy").get<double>()};
  } else if (j.contains("labels") && j.contains("occupations") && j.contains("orbital_energies")) {
    for (const auto& [symmetry, labels] : j["labels"].items()) {
      const Json& occupations = j["occupations"].at(symmetry);
      const Json& energies = j["orbital_energies"].at(symmetry);
      for (std::size_t i = 0; i < labels.size(); ++i)
        r.spinors[labels.at(i).get<std::string>()] = {occupations.at(i).get<double>(),
                                                      energies.at(i).get<double>()};
    }
  }
}

void readSettings(const Json& j, ComparedResult& r) {
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) r.settings.emplace_back(name, value);
  };
  if (j.contains("nucleus")) {
    const Json& nucleus = j["nucleus"];
    add("nucleus", nucleus.value("model", ""));
    add("nuclear charge radius",
        nucleus.contains("rms_bohr") ? fmt::format("{:.6g} bohr", nucleus["rms_bohr"].get<double>()) : "");
    for (const auto& [key, value] : nucleus.items())
      if (value.is_number() && key != "charge" && key != "mass_number" && key != "rms_bohr")
        add("nucleus, " + key, fmt::format("{:.6g}", value.get<double>()));
  }
  const Json& treatment = j.contains("treatment") ? j["treatment"] : j;
  add("Breit interaction", treatment.contains("breit") ? treatment["breit"].get<std::string>() : "none");
  add("QED", treatment.contains("qed") ? treatment["qed"].get<std::string>() : "none");
  add(kMethod, j.value("job", ""));
  if (j.contains("speed_of_light"))
    add("speed of light", fmt::format("{:.9g}", j["speed_of_light"].get<double>()));
  const std::string hamiltonian = j.value("hamiltonian", "Dirac");  // lines of batches name others only
  add("Hamiltonian", hamiltonian.starts_with("Dirac") ? "Dirac" : hamiltonian);
  r.kohnSham = j.contains("functional");
  add("functional", j.value("functional", "none, exact exchange"));
  add("spin of the functional", j.value("spin", "none"));
  add("charged shell", j.contains("charged_shell") ? j["charged_shell"].dump() : "none");
  add("levels fitted to experiment", j.contains("fitted_levels") ? "yes" : "no");
}

std::string textOf(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? ".true." : ".false.";
  return value.is_string() ? "'" + lowerCase(value.get<std::string>()) + "'"
                           : fmt::format("{}", value.get<double>());
}

/// Whether results that differ in a keyword are of different calculations. Not so for what says which state
/// is computed, what results state as they understood it (the nucleus), and what changes only the way to the
/// same energy or how many levels are listed; every other keyword, so that none is forgotten.
bool isCompared(const Keyword& k) {
  static const std::set<std::string> kWay = {"jobtype", "functional", "maxitr",  "ixtrp",
                                             "dfctr",   "fock",       "mapping", "roots"};
  return k.group != "nuc" && k.group != "seconfig" && !kWay.contains(k.name);
}

/// A keyword's default in the operation of a result.
std::string defaultOf(const Keyword& k, const Json& j) {
  const std::string operation = j.value("operation", "");
  for (const JobName& job : jobNames()) {
    const std::string* ofJob = job.name == operation ? jobDefault(k, job.type) : nullptr;
    if (ofJob) return "'" + *ofJob + "'";
  }
  return k.defaultText;
}

void readInput(const Json& j, ComparedResult& r) {
  const Json::json_pointer at("/request/input");
  if (!j.contains(at) || !j[at].is_string()) return;
  const std::string text = j[at].get<std::string>();
  Diagnostics ignored;  // of an input that was computed
  const NamelistFile file = readNamelist(text, ignored);
  const Settings settings(file, ignored);
  r.given.emplace();
  for (const Keyword& k : keywords()) {
    const GivenKeyword* given = isCompared(k) ? settings.find(k.group, k.name) : nullptr;
    if (given == nullptr) continue;
    std::string values;
    for (const auto& [index, value] : given->values)
      values += (values.empty() ? "" : ",") + textOf(value.value);
    if (values != defaultOf(k, j)) (*r.given)["$" + k.group + " " + k.name] = values;
  }
}

std::optional<WithError> valueOf(const Json& j, const std::string& key) {
  if (!j.contains(key)) return std::nullopt;
  WithError number{j[key].get<double>(), {}};
  if (j.contains(key + "_error")) number.error = j[key + "_error"].get<double>();
  return number;
}

/// What `cudaprophet levels` wrote, as the energy of its lowest level.
void readLevel(const Json& j, ComparedResult& r) {
  const Json& lowest = j.at("levels").at(0);
  r.status = "converged";
  r.energy = j.at("ground_energy").get<double>();
  r.level = fmt::format("{}, J = {:g}", lowest.at("label").get<std::string>(), lowest.at("J").get<double>());
}

/// Throws where a result says twice, and differently, what it is of or whether it can be trusted.
void requireOneMeaning(const Json& j, const ComparedResult& r) {
  const auto differ = [](const std::string& one, const std::string& other) {
    throw Error(fmt::format("it says {} and {}; correct one of them, or run it again", one, other));
  };
  const std::string nucleus = fmt::format("a nucleus of charge {:g}", r.z);
  if (j.contains("Z") && j["Z"].is_number() && std::abs(j["Z"].get<double>() - r.z) > kSameCharge)
    differ(fmt::format("Z = {:g}", j["Z"].get<double>()), nucleus);
  const std::string symbol =
      j.contains("symbol") && j["symbol"].is_string() ? j["symbol"].get<std::string>() : "";
  const auto element = elementOf(symbol), charged = elementOfCharge(r.z);
  if (element && charged && *element != *charged) differ("symbol " + symbol, nucleus);
  if (j.contains("charge") && j["charge"].is_number() &&
      std::abs(j["charge"].get<double>() - r.charge) > kSameCharge)
    differ(fmt::format("charge {:g}", j["charge"].get<double>()),
           fmt::format("{:g} electrons about {}", r.z - r.charge, nucleus));
  if (j.contains("converged") && j["converged"].is_boolean() && r.status == "converged" &&
      !j["converged"].get<bool>())
    differ("status converged", "converged false");
}

ComparedResult fromJson(const Json& j, const std::string& name) {
  ComparedResult r;
  r.name = name;
  if (isOfLevels(j)) {
    readLevel(j, r);
  } else {
    r.status = j.at("status").get<std::string>();
    r.energy = j.contains("total_with_corrections") ? j["total_with_corrections"].get<double>()
                                                    : j.at("energy").get<double>();
  }
  r.settings.emplace_back("energies", r.level.empty() ? "averages of configuration" : "lowest levels");
  const Json& configuration = j.at("configuration");
  r.configuration = configuration.at("description").get<std::string>();
  r.z = j.at("nucleus").at("charge").get<double>();
  r.charge = static_cast<int>(std::lround(r.z - configuration.at("electrons").get<double>()));
  requireOneMeaning(j, r);
  const Json& parts = j.contains("energy_parts") ? j["energy_parts"] : j;
  for (const EnergyPartKind& kind : kEnergyParts) {
    if (parts.contains(kind.key)) r.parts.emplace_back(kind.label, parts[kind.key].get<double>());
  }
  readSpinors(j, r);
  readSettings(j, r);
  readInput(j, r);
  if (j.contains("estimated_error") && j["estimated_error"].is_number())
    r.error = j["estimated_error"].get<double>();
  if (j.contains("basis_error_estimate")) r.error = j["basis_error_estimate"].get<double>();
  if (j.contains("basis") && j["basis"].contains("error_estimate"))
    r.error = j["basis"]["error_estimate"].get<double>();
  const Json::json_pointer nucleus("/properties/nucleus");
  if (j.contains(nucleus)) {
    r.density = valueOf(j[nucleus], "density");
    r.meanDensity = valueOf(j[nucleus], "mean_density");
    r.energySlope = valueOf(j[nucleus], "energy_slope");
  }
  return r;
}

std::string firstLine(std::string text) { return text.substr(0, text.find('\n')); }

/// One result a line; the last line of an id counts.
std::vector<ComparedResult> readLines(const std::string& text, std::vector<std::string>& leftOut,
                                      const KeyCheck& requireKnown) {
  std::vector<std::pair<std::string, std::string>> lines;  // id, line
  std::unordered_map<std::string, std::size_t> places;
  std::istringstream in(text);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const Json j = uniqueJson<Json>(line);
    if (!j.is_object())
      throw Error(fmt::format(
          "line {} is not JSON; expected a result that --json writes, whole, or lines of --json-lines",
          number));
    requireKnown(j, j.value("operation", "batch"), fmt::format("line {}", number));
    const std::string id = j.value("id", fmt::format("line {}", number));
    const auto [place, isNew] = places.emplace(id, lines.size());
    if (isNew) lines.emplace_back(id, line);
    lines[place->second].second = line;
  }
  std::vector<ComparedResult> results;
  for (const auto& [id, line] : lines) {
    try {
      results.push_back(comparedResult(line, id));
    } catch (const Error& e) {
      leftOut.push_back(id + ": " + e.what());
    }
  }
  return results;
}

}  // namespace

std::string shellOf(const std::string& label) {
  const std::size_t letter = label.find_first_not_of("0123456789");
  return label.substr(0, letter == std::string::npos ? letter : letter + 1);
}

std::string ComparedResult::species() const {
  if (const auto element = elementOfCharge(z)) return ionName(*element, charge);
  return fmt::format("Z={:g}", z) + (charge == 0 ? "" : fmt::format(", charge {:+d}", charge));
}

ComparedResult comparedResult(const std::string& text, const std::string& name) {
  const Json j = uniqueJson<Json>(text);
  if (!j.is_object()) throw Error("this is not the JSON result of a run");
  if (!isOfLevels(j) && (!j.contains("energy") || !j["energy"].is_number()))
    throw Error("it has no energy" + (j.contains("reason") ? ": " + j.value("reason", "") : std::string()));
  try {
    return fromJson(j, name);
  } catch (const Json::exception& e) {
    throw Error(fmt::format("it lacks what a comparison needs ({}); run it again with this version",
                            firstLine(e.what())));
  }
}

std::vector<ComparedResult> readResults(const std::string& path, std::vector<std::string>& leftOut,
                                        const KeyCheck& requireKnown) {
  const std::string text = readFile(path);
  try {
    const Json whole = uniqueJson<Json>(text);
    if (whole.is_object() && !whole.contains("id")) {
      if (isOfLevels(whole) || whole.contains("energy"))
        requireKnown(whole, whole.value("operation", ""), "the result");
      return {comparedResult(text, path)};
    }
    return readLines(text, leftOut, requireKnown);
  } catch (const Error& e) {
    throw Error(path + ": " + e.what());
  }
}

std::vector<SettingDifference> differingSettings(const ComparedResult& first, const ComparedResult& second) {
  std::vector<SettingDifference> list;
  for (const auto& [name, value] : first.settings) {
    const auto other =
        std::ranges::find_if(second.settings, [&n = name](const auto& s) { return s.first == n; });
    if (other != second.settings.end() && other->second != value)
      list.push_back({name, value, other->second});
  }
  if (!first.given || !second.given) return list;
  std::map<std::string, std::pair<std::string, std::string>> both;
  for (const auto& [name, value] : *first.given) both[name].first = value;
  for (const auto& [name, value] : *second.given) both[name].second = value;
  const auto shown = [](const std::string& value) {
    return value.empty() ? std::string("not given") : value;
  };
  for (const auto& [name, values] : both)
    if (values.first != values.second) list.push_back({name, shown(values.first), shown(values.second)});
  return list;
}

namespace {

constexpr double kElectronMoved = 1e-6;

using ElectronsByShell = std::map<std::string, double>;  // by shell or spinor

/// Changes of the spinors by shell.
std::map<std::string, ElectronsByShell> changes(const ComparedResult& from, const ComparedResult& to) {
  std::map<std::string, ElectronsByShell> byShell;
  for (const auto& [label, s] : to.spinors) byShell[shellOf(label)][label] += s.electrons;
  for (const auto& [label, s] : from.spinors) byShell[shellOf(label)][label] -= s.electrons;
  for (auto& [shell, spinors] : byShell) {
    for (auto s = spinors.begin(); s != spinors.end();)
      s = std::abs(s->second) < kElectronMoved ? spinors.erase(s) : std::next(s);
  }
  return byShell;
}

bool isWhole(double electrons) { return std::abs(electrons - std::round(electrons)) < kElectronMoved; }

/// Whether the spinors are to be told apart: one of a pair alone, or both in opposite directions.
bool byJ(const std::string& shell, const ElectronsByShell& spinors) {
  if (spinors.empty() || shell.back() == 's') return false;
  for (const auto& [label, electrons] : spinors)
    if (!isWhole(electrons)) return false;
  return spinors.size() == 1 || spinors.begin()->second * spinors.rbegin()->second < 0;
}

void add(const std::string& name, double electrons, std::string& text) {
  if (electrons < kElectronMoved) return;
  text += (text.empty() ? "" : " ") + name;
  if (std::abs(electrons - 1) < kElectronMoved) return;
  text += (name.find('/') == std::string::npos ? "" : ":") + fmt::format("{:g}", electrons);
}

}  // namespace

std::string movedElectrons(const ComparedResult& from, const ComparedResult& to) {
  if (from.spinors.empty() || to.spinors.empty()) return "";
  std::string lost, gained;
  for (const auto& [shell, spinors] : changes(from, to)) {
    double sum = 0;
    for (const auto& [label, electrons] : spinors) {
      sum += electrons;
      if (!byJ(shell, spinors)) continue;
      add(label, -electrons, lost);
      add(label, electrons, gained);
    }
    if (byJ(shell, spinors)) continue;
    add(shell, -sum, lost);  // none between an average and one of its j
    add(shell, sum, gained);
  }
  if (lost.empty() && gained.empty()) return "";
  if (lost.empty() || gained.empty()) return " (" + lost + gained + ")";
  return " (" + lost + " -> " + gained + ")";
}

}  // namespace prophet
