#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atom/elements.hpp"
#include "atom/ion_configuration.hpp"
#include "basis/coverage.hpp"
#include "common/text.hpp"
#include "input/electrons.hpp"

namespace prophet {
namespace {

/// The ground configuration of the neutral atom, or of an ion of this charge.
void readGroundState(JobReading& reading, int ion) {
  reading.job.configuration.groundState = true;
  reading.job.configuration.charge = ion;
  const auto charge = reading.settings.number("nuc", "znuc");
  if (!charge) return;
  if (elementOfCharge(*charge)) {
    try {
      const std::string text = ionConfiguration(static_cast<int>(*charge), ion);
      checkSpinors(reading, functionsNeeded(parseConfiguration(text)), "bas", "nsym",
                   "the ground configuration " + text);
    } catch (const Error& error) {
      reading.fail("seconfig", "charge", error.what());
    }
  } else if (reading.job.libraryName.empty()) {  // else the basis has reported it
    reading.fail(
        "nuc", "znuc",
        fmt::format("found znuc={:g} without a configuration; only whole charges from 1 to 118 have a ground "
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

void readText(JobReading& reading) {
  for (const char* other : {"nclose", "nopen", "freel", "autogen", "nconf"}) {
    reading.reject("seconfig", other, "beside 'config', which says it all");
  }
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
  try {
    const Configuration configuration = parseConfiguration(*text);
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
  if (group == nullptr) return readGroundState(reading, 0);
  const std::size_t lines = dataLines(reading, *group);
  if (s.has("seconfig", "config")) {
    readText(reading);
  } else if (s.has("seconfig", "nclose") || s.has("seconfig", "nopen")) {
    reading.reject("seconfig", "charge",
                   "beside 'nclose' and 'nopen', which say how many electrons there are");
    readSpinorLists(reading, *group, lines);
  } else if (const auto ion = s.integer("seconfig", "charge")) {
    readGroundState(reading, *ion);
  } else if (!group->damaged && !s.has("seconfig", "charge")) {
    reading.fail(
        "seconfig", "",
        "$seconfig says nothing about the electrons; expected 'config', 'charge', or 'nclose' and 'nopen'");
  }
  reading.rejectData(*group, lines, "a group such as $nuc");
}

}  // namespace prophet
