#include "operations/energies/compare_isotopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "atoms/atom/atomic_masses.hpp"
#include "atoms/atom/nuclear_radii.hpp"
#include "atoms/atom/species.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/text.hpp"
#include "operations/catalogue/job_operation.hpp"

namespace prophet {
namespace {

/// docs/theory/levels.md has the table.
constexpr const char* kUncorrelated =
    "without core polarisation and correlation with the core, on which isotope shifts depend more than "
    "energies "
    "do: of 4s-4p1/2 of Ca+, 48 against 40, 1705.4 MHz are measured (F. Gebert et al., Phys. Rev. Lett. 115 "
    "(2015) 053003) and 1402 computed in this way; of five such lines of Li, Mg+, K, Ca+ and Rb 6 to 26 % "
    "are "
    "missing";

/// A line of an isotope, and what its shift is made of.
struct IsotopeLine {
  std::string type, lower, upper;
  double lowerJ = 0, upperJ = 0, wavelength = 0;
  double normal = 0, specific = 0;  ///< GHz dalton
  std::optional<double> field;      ///< MHz/fm^2
};

struct IsotopeLines {
  IsotopeName isotope;
  double mass = 0;           ///< of the nucleus, dalton
  double radius = 0;         ///< root mean square, fm; 0: a point
  std::string radiusSource;  ///< RadiusSource
  std::map<std::vector<std::string>, IsotopeLine>
      lines;  ///< by multipole, J, parity and index of both levels
  std::vector<std::vector<std::string>> order;
  std::vector<RecordWarning> warnings;
  std::string device;
};

/// A line of an isotope against the first one, MHz.
struct Shift {
  const IsotopeLines *from, *to;
  const IsotopeLine* line;  ///< of the first isotope
  double normal = 0, specific = 0;
  std::optional<double> field;
  double massFactors[2] = {0, 0};     ///< means of both, GHz dalton
  std::optional<double> fieldFactor;  ///< MHz/fm^2

  double total() const { return normal + specific + field.value_or(0); }
};

bool isCoreValence(const Json& settings) {
  return settings.contains("core_valence") && settings["core_valence"] != false;
}

std::vector<std::string> keyOf(const Json& line, const Json& levels) {
  std::vector<std::string> key{line["type"].get<std::string>()};
  for (const char* end : {"lower", "upper"}) {
    const Json& level = levels[line[end].get<std::size_t>()];
    for (const char* part : {"J", "parity", "index"}) key.push_back(level[part].dump());
  }
  return key;
}

IsotopeLines linesOf(const IsotopeName& isotope, const Json& request, const Execution& execution) {
  IsotopeLines result;
  result.isotope = isotope;
  const std::optional<double> mass = nuclearMass(isotope.z, isotope.massNumber);
  if (!mass)
    throw SettingError("files", fmt::format("the mass of {} is not in the table of measured masses (AME2020)",
                                            isotope.name));
  result.mass = *mass;
  Execution own = execution;
  own.brief = own.reportOnly = false;
  own.reader = {};
  execution.show({.unit = "", .note = isotope.name});
  const Record record = findOperation("lines")->run(request, own);
  if (record.outcome != Outcome::Done) throw NotConvergedError(isotope.name + ": " + record.reason);
  const Json json = recordJson(record);
  const Json& nucleus = json["nucleus"];
  if (nucleus.contains("rms_bohr"))
    result.radius = constants::kFemtometresPerBohr * nucleus["rms_bohr"].get<double>();
  result.radiusSource = nucleus.value("rms_source", "");
  for (const Json& l : json["lines"]) {
    IsotopeLine line;
    line.type = l["type"].get<std::string>();
    line.lower = l["lower_label"].get<std::string>();
    line.upper = l["upper_label"].get<std::string>();
    line.lowerJ = l["lower_J"].get<double>();
    line.upperJ = l["upper_J"].get<double>();
    line.wavelength = l["wavelength_vacuum"].get<double>();
    if (!l["K_NMS_GHz_u"].is_number()) continue;  // of a level without counterpart (addIsotopeShifts)
    line.normal = l["K_NMS_GHz_u"].get<double>();
    line.specific = l["K_SMS_GHz_u"].get<double>();
    if (l["F_MHz_per_fm^2"].is_number()) line.field = l["F_MHz_per_fm^2"].get<double>();
    const std::vector<std::string> key = keyOf(l, json["levels"]);
    if (result.lines.emplace(key, std::move(line)).second) result.order.push_back(key);
  }
  result.warnings = record.warnings;
  result.device = record.device;
  return result;
}

/// The shift of a line between nuclei: the factors, which depend on the nucleus little, are means of both.
Shift shiftOf(const IsotopeLines& from, const IsotopeLines& to, const IsotopeLine& first,
              const IsotopeLine& second) {
  constexpr double kMegahertzPerGigahertz = 1e3;
  Shift s{&from, &to, &first, 0, 0, {}, {0, 0}, {}};
  const double masses = kMegahertzPerGigahertz * (1 / to.mass - 1 / from.mass);
  s.massFactors[0] = 0.5 * (first.normal + second.normal);
  s.massFactors[1] = 0.5 * (first.specific + second.specific);
  s.normal = masses * s.massFactors[0];
  s.specific = masses * s.massFactors[1];
  if (first.field && second.field) {
    s.fieldFactor = 0.5 * (*first.field + *second.field);
    s.field = *s.fieldFactor * (to.radius * to.radius - from.radius * from.radius);
  }
  return s;
}

Table tableOf(const std::vector<Shift>& shifts) {
  using S = const Shift&;
  return {
      "isotope_shifts",
      {columnOf(shifts, {"from", "", "isotope"}, [](S s) { return s.from->isotope.name; }),
       columnOf(shifts, {"to", "", "isotope, whose lines have these frequencies more"},
                [](S s) { return s.to->isotope.name; }),
       columnOf(shifts, {"type", "", "E1, M1, E2, M2, E3 or M3"}, [](S s) { return s.line->type; }),
       columnOf(shifts, {"lower_label", "", "label of the lower level"}, [](S s) { return s.line->lower; }),
       columnOf(shifts, {"lower_J", "1", "its total angular momentum"}, [](S s) { return s.line->lowerJ; }),
       columnOf(shifts, {"upper_label", "", "label of the upper level"}, [](S s) { return s.line->upper; }),
       columnOf(shifts, {"upper_J", "1", "its total angular momentum"}, [](S s) { return s.line->upperJ; }),
       columnOf(shifts, {"wavelength_vacuum", "nm", "computed wavelength in vacuum"},
                [](S s) { return s.line->wavelength; }),
       columnOf(shifts, {"shift_MHz", "MHz", "isotope shift, the sum of the three parts"},
                [](S s) { return s.total(); }),
       columnOf(shifts, {"normal_MHz", "MHz", "its part that is normal mass shift"},
                [](S s) { return s.normal; }),
       columnOf(shifts, {"specific_MHz", "MHz", "its part that is specific mass shift"},
                [](S s) { return s.specific; }),
       columnOf(shifts, {"field_MHz", "MHz", "its part that is field shift; none of point nuclei"},
                [](S s) { return s.field; }),
       columnOf(shifts, {"K_NMS_GHz_u", "GHz*u", "factor of the normal mass shift"},
                [](S s) { return s.massFactors[0]; }),
       columnOf(shifts, {"K_SMS_GHz_u", "GHz*u", "factor of the specific mass shift"},
                [](S s) { return s.massFactors[1]; }),
       columnOf(shifts, {"F_MHz_per_fm^2", "MHz/fm^2", "field-shift factor"},
                [](S s) { return s.fieldFactor; })},
      Table::Layout::Rows,
      0};
}

std::string nameOf(const std::string& label, double j) {
  return fmt::format("{} J={}", label, halves(static_cast<int>(2 * j + 0.5)));
}

std::string linesText(const std::vector<Shift>& shifts, std::size_t rows) {
  std::size_t width = 5;
  for (const Shift& s : shifts)
    width = std::max(
        {width, nameOf(s.line->upper, s.line->upperJ).size(), nameOf(s.line->lower, s.line->lowerJ).size()});
  std::string text;
  const std::size_t shown = std::min(shifts.size(), rows);
  for (std::size_t i = 0; i < shown; ++i) {
    const Shift& s = shifts[i];
    if (i == 0 || s.to != shifts[i - 1].to)
      text += fmt::format(
          "\n  {} - {}, frequencies in MHz\n  {:<{}}  {:<{}}  {:>4}  {:>14}  {:>12}  {:>12}  {:>12}  "
          "{:>12}\n",
          s.to->isotope.name, s.from->isotope.name, "lower", width, "upper", width, "type", "wavelength [nm]",
          "shift", "normal mass", "spec. mass", "field");
    text += fmt::format("  {:<{}}  {:<{}}  {:>4}  {:>14.3f}  {:>12.2f}  {:>12.2f}  {:>12.2f}  {:>12}\n",
                        nameOf(s.line->lower, s.line->lowerJ), width, nameOf(s.line->upper, s.line->upperJ),
                        width, s.line->type, s.line->wavelength, s.total(), s.normal, s.specific,
                        s.field ? fmt::format("{:.2f}", *s.field) : "");
  }
  return text + moreRows(shifts.size(), shown, "lines");
}

}  // namespace

std::optional<IsotopeName> isotopeNamed(const std::string& text) {
  try {
    const Species species = parseIsotope(text);
    if (species.massNumber == 0 || !species.configuration.empty()) return {};
    return IsotopeName{species.name, ionName(species.z, species.charge), species.z, species.charge,
                       species.massNumber};
  } catch (const Error&) {
    return {};
  }
}

std::vector<Setting> isotopeSettings() {
  static const std::set<std::string> kOfLines = {"multipoles", "relaxed", "least_gf", "excite"};
  std::vector<Setting> settings = keywordSettings(JobType::Lines);
  std::erase_if(settings, [](const Setting& s) { return s.file != FileUse::None && s.name != "basis"; });
  for (const Setting& s : findOperation("lines")->settings)
    if (kOfLines.contains(s.name)) settings.push_back(s);
  for (Setting& s : settings) {
    s.inInput = s.common = false;
    if (s.name == "config") s.common = true;
    if (s.name == "config" || s.heading.empty()) s.heading = "Isotopes";
  }
  return settings;
}

std::vector<Json> linesOfIsotopes(const std::vector<IsotopeName>& isotopes, const Json& settings) {
  for (const char* said : {"mass", "isotope", "charge"})
    if (settings.contains(said))
      throw SettingError(said, fmt::format("is said by {}; omit it", isotopes.front().name));
  Json values = settings;
  values["isotope_shifts"] = true;
  if (!values.contains("multipoles")) values["multipoles"] = "E1";
  // Spinors of their own would polarise the core without correlation, which acts against it: the lines of the
  // warning above are then off by 11 to 95 %.
  if (!values.contains("relaxed") && !isCoreValence(values)) values["relaxed"] = "none";
  const auto isPoint = [&](const char* name) {
    return values.contains(name) && (values[name] == "point" || values[name] == "1" || values[name] == 1);
  };
  const bool hasSize = isPoint("nucleus") || isPoint("nucmdl") || values.contains("rnuc") ||
                       values.contains("radius") || values.contains("rms") || values.contains("alpha");
  if (!hasSize && std::ranges::all_of(isotopes, [](const IsotopeName& i) {
        return measuredRms(i.z, i.massNumber).has_value();
      }))
    values["rnuc"] = "experimental";
  std::vector<Json> requests;
  for (const IsotopeName& i : isotopes) {
    Json& request = requests.emplace_back(values);
    request["atom"] = i.atom;
    request["mass"] = i.massNumber;
  }
  return requests;
}

Table isotopeShiftTable() { return tableOf({}); }

Record isotopeShifts(const std::vector<IsotopeName>& isotopes, const Json& settings,
                     const Execution& execution) {
  const Stopwatch watch;
  std::vector<IsotopeLines> all;
  const std::vector<Json> requests = linesOfIsotopes(isotopes, settings);
  for (std::size_t i = 0; i < isotopes.size(); ++i)
    all.push_back(linesOf(isotopes[i], requests[i], execution));
  std::vector<Shift> shifts;
  for (std::size_t i = 1; i < all.size(); ++i)
    for (const auto& key : all.front().order)
      if (const auto found = all[i].lines.find(key); found != all[i].lines.end())
        shifts.push_back(shiftOf(all.front(), all[i], all.front().lines.at(key), found->second));
  if (shifts.empty())
    throw SettingError("config",
                       "there is no line between these levels; name configurations of both parities, such as "
                       "'4s | 4p', or other multipoles");
  Record record;
  record.title = "Isotope shifts of " + ionName(isotopes.front().z, isotopes.front().charge);
  Json nuclei = Json::array();
  std::string shown;
  for (const IsotopeLines& i : all) {
    nuclei.push_back({{"name", i.isotope.name},
                      {"mass_number", i.isotope.massNumber},
                      {"nuclear_mass_u", i.mass},
                      {"rms_radius_fm", i.radius > 0 ? Json(i.radius) : Json()},
                      {"rms_source", i.radiusSource}});
    shown += fmt::format("{}{} {:.8f} u", shown.empty() ? "" : "; ", i.isotope.name, i.mass);
    if (i.radius > 0)
      shown += fmt::format(", {:.4f} fm ({})", i.radius,
                           i.radiusSource == "experiment" ? "measured" : i.radiusSource);
    for (const RecordWarning& w : i.warnings)
      if (std::ranges::none_of(record.warnings, [&](const RecordWarning& o) { return o.id == w.id; }))
        record.warn(w.id, w.text);
  }
  record.quantities.push_back({"isotopes", "nuclei", std::move(nuclei), shown, Quantity::Place::Result});
  record.quantities.push_back(
      {"lines_compared", "lines", shifts.size(), fmt::format("{}", shifts.size()), Quantity::Place::Result});
  if (!isCoreValence(settings)) record.warn("isotope_shift_uncorrelated", kUncorrelated);
  record.tables.push_back(tableOf(shifts));
  record.device = all.front().device;
  record.csvComments = false;
  record.body = linesText(shifts, static_cast<std::size_t>(execution.style.rows.value_or(kShownRows)));
  record.seconds = watch.seconds();
  return record;
}

}  // namespace prophet
