#include <fmt/format.h>

#include <algorithm>

#include "basis/coverage.hpp"
#include "common/text.hpp"
#include "input/electrons.hpp"
#include "input/values.hpp"

namespace prophet {
namespace {

void readGroundState(JobReading& reading) {
  reading.job.configuration.groundState = true;
  const auto charge = reading.settings.number("nuc", "znuc");
  if (!charge) return;
  if (isElement(*charge)) {
    const std::string& text = groundConfiguration(static_cast<int>(*charge));
    checkSpinors(reading, functionsNeeded(parseConfiguration(text)), "bas", "nsym",
                 "the ground configuration " + text);
  } else if (reading.job.basisType != BasisType::Library) {  // else the basis has reported it
    reading.fail(
        "nuc", "znuc",
        fmt::format("found znuc={:g} without $seconfig; only whole charges from 1 to 118 have a ground "
                    "configuration",
                    *charge));
  }
}

/// Errors of the configuration parser say "configuration '...', column N: ..."; N becomes the column in the
/// file.
void reportText(JobReading& reading, const std::string& text, Position at, std::string message) {
  const std::string prefix = fmt::format("configuration '{}', column ", text);
  const std::size_t colon = message.find(": ", std::min(prefix.size(), message.size()));
  if (message.compare(0, prefix.size(), prefix) == 0 && colon != std::string::npos) {
    const int column = parseInteger(message.substr(prefix.size(), colon - prefix.size())).value_or(1);
    at.column += std::max(column, 1);  // the opening quote stands at `at`
    message = "in config: " + message.substr(colon + 2);
  }
  reading.diagnostics.add(at, message);
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
    checkSpinors(reading, functionsNeeded(configuration), "seconfig", "config",
                 "'" + reading.job.configuration.text + "'");
  } catch (const Error& error) {
    reportText(reading, *text, at, error.what());
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
  if (group == nullptr) return readGroundState(reading);
  const std::size_t lines = dataLines(reading, *group);
  if (s.has("seconfig", "config")) {
    readText(reading);
  } else if (s.has("seconfig", "nclose") || s.has("seconfig", "nopen")) {
    readSpinorLists(reading, *group, lines);
  } else if (!group->damaged) {
    reading.fail("seconfig", "",
                 "$seconfig says nothing about the electrons; expected 'config', or 'nclose' and 'nopen'");
  }
  reading.rejectData(*group, lines, "a group such as $nuc");
}

}  // namespace prophet
