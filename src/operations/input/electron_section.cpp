#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/configurations/level_space.hpp"
#include "core/common/text.hpp"
#include "operations/input/sections.hpp"
#include "operations/input/settings.hpp"

namespace prophet {

/// $seconfig with nclose and nopen; `lines` of the lines behind the group belong to it.
void readSpinorLists(JobReading& reading, const NamelistGroup& group, std::size_t lines);

namespace {

/// Most electrons that an atom may have beyond its protons: more are taken for a typing error.
constexpr int kMostExtraElectrons = 4;

}  // namespace

/// Adds an error at a keyword of $seconfig if there are far more electrons than protons.
void checkTotal(JobReading& reading, double electrons, const std::string& keyword) {
  const auto charge = reading.settings.number("nuc", "znuc");
  if (!charge || electrons <= *charge + kMostExtraElectrons) return;
  reading.fail(
      "seconfig", keyword,
      fmt::format("found {:g} electrons for znuc={:g}; expected at most {} more than the nuclear charge",
                  electrons, *charge, kMostExtraElectrons));
}

/// Whether the basis has room for the occupied spinors of each symmetry; the error goes to a keyword (see
/// JobReading::place) and names the configuration as `what`.
void checkSpinors(JobReading& reading, const std::vector<int>& needed, const std::string& group,
                  const std::string& keyword, const std::string& what) {
  const int nsym = reading.job.symmetries;
  if (nsym > 0) {
    if (const auto missing = missingSymmetry(what, needed, nsym))
      return reading.fail(group, keyword,
                          fmt::format("{}; expected nsym={} or more", *missing, needed.size()));
  }
  for (const auto& missing : missingFunctions(what, needed, reading.functions))
    reading.fail(group, keyword, missing);
}

namespace {

/// The default configuration of the neutral atom, or of an ion of this charge.
void readDefault(JobReading& reading, int ion) {
  reading.job.configuration.groundState = true;
  reading.job.configuration.charge = ion;
  const auto charge = reading.settings.number("nuc", "znuc");
  if (!charge) return;
  if (elementOfCharge(*charge)) {
    try {
      const std::string text = defaultConfiguration(static_cast<int>(*charge), ion).text;
      checkSpinors(reading, functionsNeeded(parseConfiguration(text)), "bas", "nsym",
                   "the default configuration " + text);
    } catch (const Error& error) {
      reading.fail("seconfig", "charge", error.what());
    }
  } else if (reading.job.libraryName.empty()) {  // else the basis has reported it
    reading.fail(
        "nuc", "znuc",
        fmt::format(
            "found znuc={:g} without a configuration; only whole charges from 1 to 118 have a default "
            "configuration",
            *charge));
  }
}

void rejectLists(JobReading& reading, const std::string& keyword) {
  for (const char* other : {"nclose", "nopen", "freel", "autogen", "nconf"})
    reading.reject("seconfig", other, "beside '" + keyword + "', which determines it");
}

bool changesShells(const Settings& settings) {
  return settings.has("seconfig", "hole") || settings.has("seconfig", "promote");
}

/// The configurations with the electrons taken out and moved that 'hole' and 'promote' name; as they are
/// where the keywords are absent or wrong.
std::string withChanges(JobReading& reading, std::string configurations) {
  const auto change = [&](const char* keyword, const auto& make) {
    const GivenKeyword* setting = reading.settings.find("seconfig", keyword);
    if (setting == nullptr || setting->damaged) return;
    const GivenValue& value = setting->values.begin()->second;
    try {
      configurations = make(configurations, value.value.get<std::string>());
    } catch (const Error& error) {
      reading.diagnostics.add(value.at, fmt::format("in {}: {}", keyword, error.what()));
    }
  };
  reading.job.configuration.changed = changesShells(reading.settings);
  change("hole", withHoles);
  change("promote", withPromotions);
  return configurations;
}

/// 'hole' and 'promote' in the default configuration.
void readChanges(JobReading& reading) {
  const std::string keyword = reading.settings.has("seconfig", "hole") ? "hole" : "promote";
  rejectLists(reading, keyword);
  const auto charge = reading.settings.number("nuc", "znuc");
  if (!charge || reading.settings.damaged("seconfig", "charge")) return;
  const auto z = elementOfCharge(*charge);
  if (!z)
    return reading.fail(
        "seconfig", keyword,
        fmt::format("'{}' needs 'config' where the nuclear charge is not that of an element", keyword));
  try {
    const int ion = reading.settings.integer("seconfig", "charge").value_or(0);
    const std::string text = withChanges(reading, defaultConfiguration(*z, ion).text);
    reading.job.configuration.text = text;
    checkSpinors(reading, functionsNeeded(parseConfiguration(text)), "bas", "nsym", "'" + text + "'");
  } catch (const Error& error) {
    reading.fail("seconfig", "charge", error.what());
  }
}

void readText(JobReading& reading) {
  rejectLists(reading, "config");
  const auto text = reading.settings.text("seconfig", "config");
  if (!text) return;
  reading.job.configuration.text = trimmed(*text);
  const Position at = reading.settings.find("seconfig", "config")->values.begin()->second.at;
  const auto notAscii = std::find_if(text->begin(), text->end(), [](char c) { return (c & 0x80) != 0; });
  if (notAscii != text->end()) {
    const int column = static_cast<int>(notAscii - text->begin()) + 1;
    return reading.diagnostics.add(
        {at.line, at.column + column},
        "in config: this character has no place in a configuration; expected something "
        "like '[Ne] 3s2 3p4'");
  }
  const auto charge = reading.settings.number("nuc", "znuc");
  try {
    IonConfiguration ion{*text, 0, ""};
    if (charge) {
      try {
        ion = ionConfiguration(*charge, reading.settings.integer("seconfig", "charge"), *text);
      } catch (const ConfigurationError&) {
        throw;
      } catch (const Error& error) {
        return reading.fail("seconfig", "charge", error.what());
      }
    }
    reading.job.configuration.remark = ion.remark;
    averageOfConfigurations(ion.text);  // its own errors first
    reading.job.configuration.text = withChanges(reading, ion.text);
    const Configuration configuration = averageOfConfigurations(reading.job.configuration.text);
    checkTotal(reading, configuration.electrons(), "config");
    checkSpinors(reading, functionsNeeded(configuration), "seconfig", "config",
                 "'" + reading.job.configuration.text + "'");
  } catch (const ConfigurationError& error) {
    // The opening quote stands at `at`.
    reading.diagnostics.add({at.line, at.column + std::max(error.column, 1)}, "in config: " + error.reason);
  } catch (const Error& error) {
    reading.diagnostics.add(at, error.what());
  }
}

/// Lines behind $seconfig that belong to it: nconf of them, all where nconf is damaged.
std::size_t dataLines(const JobReading& reading, const NamelistGroup& group) {
  if (reading.settings.damaged("seconfig", "nconf")) return group.data.size();
  const int lines = reading.settings.integer("seconfig", "nconf").value_or(0);
  return std::min(group.data.size(), static_cast<std::size_t>(lines));
}

}  // namespace

void applyElectrons(JobReading& reading) {
  const Settings& s = reading.settings;
  const NamelistGroup* group = s.group("seconfig");
  if (group == nullptr) return readDefault(reading, s.integer("seconfig", "charge").value_or(0));
  const std::size_t lines = dataLines(reading, *group);
  if (s.has("seconfig", "config")) {
    readText(reading);
  } else if (changesShells(s)) {
    readChanges(reading);
  } else if (s.has("seconfig", "nclose") || s.has("seconfig", "nopen")) {
    readSpinorLists(reading, *group, lines);
  } else if (const auto ion = s.integer("seconfig", "charge")) {
    readDefault(reading, *ion);
  } else if (!group->damaged && !s.has("seconfig", "charge")) {
    reading.fail(
        "seconfig", "",
        "$seconfig does not describe the electrons; expected 'config', 'charge', 'hole', 'promote', or "
        "'nclose' and 'nopen'");
  }
  refuseData(*group, lines, "a group such as $nuc", reading.diagnostics);
}

namespace {

/// Most configurations of an average; their list stays in memory.
constexpr int kMostDistributions = 200000;

/// Reads nclose, nopen, freel, autogen and nconf with its lines.
class SpinorLists {
 public:
  SpinorLists(JobReading& reading, const NamelistGroup& group, std::size_t lines)
      : reading_(reading),
        settings_(reading.settings),
        request_(reading.job.configuration),
        group_(group),
        dataUsed_(lines) {}

  void read() {
    const int nsym = spinorSymmetries();
    if (nsym == 0) return;
    const std::string because =
        reading_.job.symmetries > 0 ? fmt::format("nsym={}", nsym) : "as many as 'nclose' or 'nopen' has";
    const auto closed = settings_.paddedArray("seconfig", "nclose", nsym, because, reading_.diagnostics);
    const auto open = settings_.paddedArray("seconfig", "nopen", nsym, because, reading_.diagnostics);
    request_.closed.assign(closed.begin(), closed.end());
    request_.open.assign(open.begin(), open.end());
    if (closed.empty() || open.empty()) return;
    const std::size_t before = reading_.diagnostics.size();
    readOpenElectrons();
    if (reading_.diagnostics.size() == before && !electronsDamaged()) checkWhole();
  }

 private:
  bool electronsDamaged() const {
    return settings_.damaged("seconfig", "freel") || settings_.damaged("seconfig", "autogen") ||
           settings_.damaged("seconfig", "nconf");
  }

  /// nsym, or where a library basis decides it, or none is needed, the longer one of the two lists; 0 where
  /// that is unknown.
  int spinorSymmetries() const {
    if (reading_.job.symmetries > 0) return reading_.job.symmetries;
    const BasisType type = reading_.job.basisType;
    if (!reading_.basisTypeKnown || type == BasisType::WellTempered || type == BasisType::ReadIn) return 0;
    int count = 0;
    for (const char* name : {"nclose", "nopen"}) {
      const GivenKeyword* setting = settings_.find("seconfig", name);
      if (setting == nullptr) continue;
      if (setting->damaged) return 0;
      count = std::max({count, setting->listLength, setting->values.rbegin()->first});
    }
    return count;
  }

  void readOpenElectrons() {
    int spinors = 0, capacity = 0;
    for (std::size_t i = 0; i < request_.open.size(); ++i) {
      spinors += request_.open[i];
      capacity += request_.open[i] * degeneracyOf(i);
    }
    if (spinors == 0) {
      for (const char* name : {"freel", "autogen", "nconf"}) {
        const bool none = std::string(name) == "autogen" ? !settings_.logical("seconfig", name).value_or(true)
                                                         : settings_.integer("seconfig", name) == 0;
        if (none) continue;
        reading_.reject("seconfig", name, "without open spinors (nopen)");
      }
      return;
    }
    if (!settings_.has("seconfig", "freel")) {
      return fail("nopen",
                  fmt::format("'freel' is missing; expected the electrons in the {} open spinors, 1 to {}",
                              spinors, capacity - 1));
    }
    if (!settings_.damaged("seconfig", "freel") &&
        (request_.freeElectrons < 1 || request_.freeElectrons >= capacity)) {
      return fail("freel",
                  fmt::format("found freel={}; expected 1 to {}, fewer than the open spinors can hold ({})",
                              request_.freeElectrons, capacity - 1, capacity));
    }
    readDistribution(spinors);
  }

  /// autogen or nconf.
  void readDistribution(int spinors) {
    const int lines = settings_.integer("seconfig", "nconf").value_or(0);
    const bool list = lines > 0 || settings_.damaged("seconfig", "nconf");
    if (request_.autogen && list)
      return fail("nconf", "'nconf' and autogen=.true. exclude each other; expected one of them");
    if (!list) {
      request_.autogen = request_.autogen || spinors == 1;
      if (!request_.autogen && !settings_.damaged("seconfig", "autogen")) {
        fail(
            "nopen",
            fmt::format("{} spinors are open; expected autogen=.true. or 'nconf' to distribute the electrons",
                        spinors));
      }
      return;
    }
    const auto& data = group_.data;
    if (lines == 0) return;
    if (data.size() < static_cast<std::size_t>(lines)) {
      fail("nconf", fmt::format("found {} line{} behind $seconfig; expected {} (nconf={})", data.size(),
                                data.size() == 1 ? "" : "s", lines, lines));
    }
    for (std::size_t i = 0; i < dataUsed_; ++i) readConfigurationLine(data[i], spinors);
  }

  void readConfigurationLine(const NamelistDataLine& line, int spinors) {
    std::vector<std::size_t> symmetries;
    for (std::size_t i = 0; i < request_.open.size(); ++i) {
      if (request_.open[i]) symmetries.push_back(i);
    }
    if (line.values.size() != symmetries.size()) {
      std::vector<std::string> names;
      for (const std::size_t i : symmetries) names.push_back(labelOf(i));
      return reading_.diagnostics.add(
          line.at, fmt::format("found {} number{}; expected {}, the electrons in the open spinors of {}",
                               line.values.size(), line.values.size() == 1 ? "" : "s", spinors,
                               fmt::join(names, ", ")));
    }
    std::vector<double> row;
    for (std::size_t i = 0; i < symmetries.size(); ++i) {
      const auto electrons = openElectrons(line.values[i], symmetries[i]);
      if (electrons) row.push_back(*electrons);
    }
    if (row.size() != symmetries.size()) return;
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    if (sum != request_.freeElectrons && !settings_.damaged("seconfig", "freel")) {
      return reading_.diagnostics.add(
          line.at, fmt::format("found {:g} electrons in this configuration; expected {} (freel)", sum,
                               request_.freeElectrons));
    }
    if (std::ranges::find(request_.list, row) != request_.list.end()) {
      return reading_.diagnostics.add(line.at, "this configuration appears twice; expected different ones");
    }
    request_.list.push_back(std::move(row));
  }

  std::optional<double> openElectrons(const NamelistValue& value, std::size_t symmetry) {
    if (value.damaged) return std::nullopt;
    const auto number = value.kind == NamelistValue::Kind::Word ? parseReal(value.text) : std::nullopt;
    if (number && *number >= 0 && *number <= degeneracyOf(symmetry) && *number == std::floor(*number))
      return number;
    reading_.diagnostics.add(
        value.at,
        fmt::format("found '{}'; expected a whole number of electrons in {}, 0 to {}",
                    value.written.empty() ? "," : value.written, labelOf(symmetry), degeneracyOf(symmetry)));
    return std::nullopt;
  }

  /// The configuration as a whole, where every part of it is sound.
  void checkWhole() {
    int electrons = request_.freeElectrons;
    std::vector<int> occupied;
    for (std::size_t i = 0; i < request_.closed.size(); ++i) {
      electrons += request_.closed[i] * degeneracyOf(i);
      occupied.push_back(request_.closed[i] + request_.open[i]);
    }
    const std::string where = settings_.has("seconfig", "nclose") ? "nclose" : "nopen";
    if (electrons == 0) return fail(where, "the atom has no electrons; expected at least one");
    checkTotal(reading_, electrons, where);
    checkCharge(electrons);
    checkSpinors(reading_, occupied, "seconfig", where, "$seconfig");
    if (request_.autogen) return checkNumber(where);
    if (request_.list.empty()) return;
    const std::vector<bool> open(request_.open.begin(), request_.open.end());
    std::vector<OpenOccupations> list;
    for (const auto& row : request_.list) list.emplace_back(row.begin(), row.end());
    try {
      averageConfigurations(request_.closed, open, list, "");
    } catch (const Error& error) {
      fail("nconf", error.what());
    }
  }

  /// A charge beside the lists must be what they leave; without one the atom should be neutral.
  void checkCharge(int electrons) {
    const auto nuclear = settings_.number("nuc", "znuc");
    if (!nuclear) return;
    const auto z = elementOfCharge(*nuclear);
    const auto charge = settings_.integer("seconfig", "charge");
    if (charge && std::abs(*nuclear - *charge - electrons) > 1e-9)
      return fail("charge",
                  fmt::format("found charge={} beside lists of {} electrons, which leave charge={:g}; "
                              "omit the charge, or name the electrons that belong to it",
                              *charge, electrons, *nuclear - electrons));
    if (z && !settings_.has("seconfig", "charge"))
      request_.remark = chargeRemark(*z, *z - electrons, "of 'nclose' and 'nopen'");
  }

  /// How many distributions autogen makes: counted, since they may be too many to list.
  void checkNumber(const std::string& where) {
    std::vector<double> ways(static_cast<std::size_t>(request_.freeElectrons) + 1, 0.0);  // by electrons left
    ways.back() = 1;
    for (std::size_t i = 0; i < request_.open.size(); ++i) {
      if (!request_.open[i]) continue;
      std::vector<double> next(ways.size(), 0.0);
      for (std::size_t left = 0; left < ways.size(); ++left) {
        const std::size_t most = std::min(left, static_cast<std::size_t>(degeneracyOf(i)));
        for (std::size_t n = 0; n <= most; ++n) next[left - n] += ways[left];
      }
      ways = next;
    }
    if (ways[0] <= kMostDistributions) return;
    fail(settings_.has("seconfig", "autogen") ? "autogen" : where,
         fmt::format("autogen makes {:g} configurations; expected at most {}: open fewer spinors", ways[0],
                     kMostDistributions));
  }

  void fail(const std::string& keyword, const std::string& message) {
    reading_.fail("seconfig", keyword, message);
  }

  JobReading& reading_;
  const Settings& settings_;
  ConfigurationRequest& request_;
  const NamelistGroup& group_;
  std::size_t dataUsed_;
};

}  // namespace

void readSpinorLists(JobReading& reading, const NamelistGroup& group, std::size_t lines) {
  SpinorLists(reading, group, lines).read();
}

}  // namespace prophet
