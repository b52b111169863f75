#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/basis/basis_set.hpp"
#include "core/common/text.hpp"
#include "operations/input/electrons.hpp"

namespace prophet {
namespace {

/// The words of a text, with blanks or commas between them.
std::vector<std::string> wordsOf(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

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

/// A charge beside a configuration must be what the configuration leaves.
void checkCharge(JobReading& reading, double electrons) {
  const auto ion = reading.settings.integer("seconfig", "charge");
  const auto charge = reading.settings.number("nuc", "znuc");
  if (!ion || !charge || std::abs(*charge - *ion - electrons) < 1e-9) return;
  reading.fail(
      "seconfig", "charge",
      fmt::format("found charge={} beside a configuration of {:g} electrons, which for znuc={:g} leaves "
                  "charge={:g}; leave one of them out",
                  *ion, electrons, *charge, *charge - electrons));
}

void rejectLists(JobReading& reading, const std::string& keyword) {
  for (const char* other : {"nclose", "nopen", "freel", "autogen", "nconf"})
    reading.reject("seconfig", other, "beside '" + keyword + "', which says it all");
}

/// The configuration without the electrons that 'hole' names; itself where the keyword is absent or wrong.
std::string withHoles(JobReading& reading, std::string configuration) {
  const GivenKeyword* setting = reading.settings.find("seconfig", "hole");
  if (setting == nullptr || setting->damaged) return configuration;
  const SettingValue& holes = setting->values.begin()->second;
  try {
    for (const std::string& shell : wordsOf(holes.text)) configuration = withHole(configuration, shell);
  } catch (const Error& error) {
    reading.diagnostics.add(holes.at, std::string("in hole: ") + error.what());
  }
  return configuration;
}

/// Holes in the default configuration: of the neutral atom, or of the ion from which they leave this charge.
void readHoles(JobReading& reading) {
  rejectLists(reading, "hole");
  const auto charge = reading.settings.number("nuc", "znuc");
  const auto holes = reading.settings.text("seconfig", "hole");
  if (!charge || !holes) return;
  const auto z = elementOfCharge(*charge);
  if (!z) return reading.fail("seconfig", "hole", "a hole in no whole atom needs 'config' beside it");
  const int left = static_cast<int>(wordsOf(*holes).size());
  const int ion = reading.settings.integer("seconfig", "charge").value_or(left);
  try {
    const std::string text = withHoles(reading, defaultConfiguration(*z, ion - left).text);
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
  const std::string given = trimmed(*text);
  reading.job.configuration.text = given;
  const Position at = reading.settings.find("seconfig", "config")->values.begin()->second.at;
  const auto notAscii = std::find_if(text->begin(), text->end(), [](char c) { return (c & 0x80) != 0; });
  if (notAscii != text->end()) {
    const int column = static_cast<int>(notAscii - text->begin()) + 1;
    return reading.diagnostics.add(
        {at.line, at.column + column},
        "in config: this character has no place in a configuration; expected something "
        "like '[Ne] 3s2 3p4'");
  }
  try {
    parseConfiguration(*text);  // its own errors first
    reading.job.configuration.text = withHoles(reading, given);
    const Configuration configuration = parseConfiguration(reading.job.configuration.text);
    checkTotal(reading, configuration.electrons(), "config");
    checkCharge(reading, configuration.electrons());
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

void readElectrons(JobReading& reading) {
  const Settings& s = reading.settings;
  const NamelistGroup* group = s.group("seconfig");
  if (group == nullptr) return readDefault(reading, 0);
  const std::size_t lines = dataLines(reading, *group);
  if (s.has("seconfig", "config")) {
    readText(reading);
  } else if (s.has("seconfig", "hole")) {
    readHoles(reading);
  } else if (s.has("seconfig", "nclose") || s.has("seconfig", "nopen")) {
    reading.reject("seconfig", "charge",
                   "beside 'nclose' and 'nopen', which say how many electrons there are");
    readSpinorLists(reading, *group, lines);
  } else if (const auto ion = s.integer("seconfig", "charge")) {
    readDefault(reading, *ion);
  } else if (!group->damaged && !s.has("seconfig", "charge")) {
    reading.fail(
        "seconfig", "",
        "$seconfig says nothing about the electrons; expected 'config', 'charge', 'hole', or 'nclose' and "
        "'nopen'");
  }
  reading.rejectData(*group, lines, "a group such as $nuc");
}

}  // namespace prophet
