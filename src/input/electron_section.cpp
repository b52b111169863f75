#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "atom/configuration.hpp"
#include "common/text.hpp"
#include "input/lexer.hpp"
#include "input/sections.hpp"
#include "input/values.hpp"

namespace prophet {
namespace {

/// Ions are welcome, but so many electrons more than protons are a typing error.
constexpr int kMostExtraElectrons = 4;

int degeneracy(std::size_t symmetry) { return Symmetry::fromIndex(static_cast<int>(symmetry)).degeneracy(); }
std::string label(std::size_t symmetry) { return Symmetry::fromIndex(static_cast<int>(symmetry)).label(); }

/// The electrons as the file gives them, and where to report what is wrong with them.
class ElectronReader {
 public:
  explicit ElectronReader(JobReading& reading)
      : reading_(reading), settings_(reading.settings), request_(reading.job.configuration) {}

  void read() {
    const NamelistGroup* group = settings_.group("seconfig");
    if (group == nullptr) {
      readGroundState();
    } else if (settings_.has("seconfig", "config")) {
      readText(*group);
    } else if (settings_.has("seconfig", "nclose") || settings_.has("seconfig", "nopen")) {
      readSpinors();
    } else {
      fail("", "$seconfig says nothing about the electrons; expected 'config', or 'nclose' and 'nopen'");
    }
    if (group != nullptr) reading_.rejectData(*group, dataUsed_, "a group such as $nuc");
  }

 private:
  void fail(const std::string& keyword, const std::string& message) {
    reading_.fail("seconfig", keyword, message);
  }

  void readGroundState() {
    request_.groundState = true;
    const auto charge = settings_.number("nuc", "znuc");
    if (!charge) return;
    if (*charge != std::floor(*charge) || *charge < 1 || *charge > 118) {
      if (reading_.job.basisType == BasisType::Library) return;  // the basis has reported it
      return reading_.fail(
          "nuc", "znuc",
          fmt::format("found znuc={:g} without $seconfig; only whole charges from 1 to 118 have a "
                      "ground configuration",
                      *charge));
    }
    const std::string& text = groundConfiguration(static_cast<int>(*charge));
    const Configuration ground = parseConfiguration(text);
    checkSpinors(ground, "bas", "nsym", fmt::format("the ground configuration {}", text));
  }

  void readText(const NamelistGroup& group) {
    for (const char* other : {"nclose", "nopen", "freel", "autogen", "nconf"}) {
      reading_.reject("seconfig", other, "beside 'config', which says it all");
    }
    if (!settings_.has("seconfig", "nconf"))
      dataUsed_ = 0;
    else
      dataUsed_ = group.data.size();
    const auto text = settings_.text("seconfig", "config");
    if (!text) return;
    request_.text = trimmed(*text);
    const Position at = settings_.find("seconfig", "config")->values.begin()->second.at;
    try {
      const Configuration configuration = parseConfiguration(*text);
      checkTotal(configuration.electrons(), "config");
      checkSpinors(configuration, "seconfig", "config", fmt::format("'{}'", request_.text));
    } catch (const Error& error) {
      reportText(*text, at, error.what());
    }
  }

  /// Errors of the configuration parser say "configuration '...', column N: ..."; N becomes the column in the
  /// file.
  void reportText(const std::string& text, Position at, std::string message) {
    const std::string prefix = fmt::format("configuration '{}', column ", text);
    const std::size_t colon = message.find(": ", std::min(prefix.size(), message.size()));
    if (message.compare(0, prefix.size(), prefix) == 0 && colon != std::string::npos) {
      const int column = parseInteger(message.substr(prefix.size(), colon - prefix.size())).value_or(1);
      at.column += 1 + characterCount(std::string_view(text).substr(
                           0, static_cast<std::size_t>(std::max(column, 1) - 1)));
      message = "in config: " + message.substr(colon + 2);
    }
    reading_.diagnostics.add(at, message);
  }

  void readSpinors() {
    const int nsym = spinorSymmetries();
    if (nsym == 0) return;
    const std::string because =
        reading_.job.symmetries > 0 ? fmt::format("nsym={}", nsym) : "as many as 'nclose' or 'nopen' has";
    const auto closed = settings_.array("seconfig", "nclose", nsym, because, 0, reading_.diagnostics);
    const auto open = settings_.array("seconfig", "nopen", nsym, because, 0, reading_.diagnostics);
    const bool known = !closed.empty() && !open.empty();
    request_.closed.assign(closed.begin(), closed.end());
    request_.open.assign(open.begin(), open.end());
    if (!known) {
      dataUsed_ = static_cast<std::size_t>(settings_.integer("seconfig", "nconf").value_or(0));
      return;
    }
    const std::size_t before = reading_.diagnostics.size();
    readOpenElectrons();
    if (reading_.diagnostics.size() == before && !electronsDamaged()) checkWhole();
  }

  bool electronsDamaged() const {
    return settings_.damaged("seconfig", "freel") || settings_.damaged("seconfig", "autogen") ||
           settings_.damaged("seconfig", "nconf");
  }

  /// nsym, or where a library basis decides it the longer one of the two lists; 0 where that is unknown.
  int spinorSymmetries() const {
    if (reading_.job.symmetries > 0) return reading_.job.symmetries;
    if (reading_.job.basisType != BasisType::Library || !reading_.basisTypeKnown) return 0;
    int count = 0;
    for (const char* name : {"nclose", "nopen"}) {
      const Setting* setting = settings_.find("seconfig", name);
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
      capacity += request_.open[i] * degeneracy(i);
    }
    if (spinors == 0) {
      for (const char* name : {"freel", "autogen", "nconf"}) {
        if (settings_.number("seconfig", name).value_or(1) == 0 && std::string(name) != "autogen") continue;
        if (!settings_.logical("seconfig", name).value_or(true) && std::string(name) == "autogen") continue;
        reading_.reject("seconfig", name, "without open spinors (nopen)");
      }
      return;
    }
    if (!settings_.has("seconfig", "freel")) {
      return fail("nopen",
                  fmt::format("'freel' is missing; expected the electrons in the {} open spinors, 1 to {}",
                              spinors, capacity - 1));
    }
    request_.freeElectrons = settings_.integer("seconfig", "freel").value_or(0);
    if (!settings_.damaged("seconfig", "freel") &&
        (request_.freeElectrons < 1 || request_.freeElectrons >= capacity)) {
      return fail("freel",
                  fmt::format("found freel={}; expected 1 to {}, fewer than the open spinors hold ({})",
                              request_.freeElectrons, capacity - 1, capacity));
    }
    readDistribution(spinors);
  }

  /// autogen or nconf.
  void readDistribution(int spinors) {
    const int lines = settings_.integer("seconfig", "nconf").value_or(0);
    const bool list = lines > 0 || settings_.damaged("seconfig", "nconf");
    const bool autogen = settings_.logical("seconfig", "autogen").value_or(false);
    if (autogen && list)
      return fail("nconf", "'nconf' and autogen=.true. exclude each other; expected one of them");
    if (!list) {
      request_.autogen = autogen || spinors == 1;
      if (!request_.autogen && !settings_.damaged("seconfig", "autogen")) {
        fail(
            "nopen",
            fmt::format("{} spinors are open; expected autogen=.true. or 'nconf' to distribute the electrons",
                        spinors));
      }
      return;
    }
    const auto& data = settings_.group("seconfig")->data;
    if (lines == 0) {
      dataUsed_ = data.size();
      return;
    }
    dataUsed_ = std::min(data.size(), static_cast<std::size_t>(lines));
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
      for (const std::size_t i : symmetries) names.push_back(label(i));
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
    if (std::find(request_.list.begin(), request_.list.end(), row) != request_.list.end()) {
      return reading_.diagnostics.add(line.at, "this configuration is there twice; expected different ones");
    }
    request_.list.push_back(std::move(row));
  }

  std::optional<double> openElectrons(const NamelistValue& value, std::size_t symmetry) {
    if (value.damaged) return std::nullopt;
    const auto number = value.kind == NamelistValue::Kind::Word ? parseReal(value.text) : std::nullopt;
    if (number && *number >= 0 && *number <= degeneracy(symmetry) && *number == std::floor(*number))
      return number;
    reading_.diagnostics.add(
        value.at,
        fmt::format("found '{}'; expected a whole number of electrons in {}, 0 to {}",
                    value.written.empty() ? "," : value.written, label(symmetry), degeneracy(symmetry)));
    return std::nullopt;
  }

  /// The configuration as a whole, where every part of it is sound.
  void checkWhole() {
    int electrons = request_.freeElectrons;
    for (std::size_t i = 0; i < request_.closed.size(); ++i) electrons += request_.closed[i] * degeneracy(i);
    const std::string where = settings_.has("seconfig", "nclose") ? "nclose" : "nopen";
    if (electrons == 0) return fail(where, "the atom has no electrons; expected at least one");
    checkTotal(electrons, where);
    std::vector<bool> open(request_.open.begin(), request_.open.end());
    std::vector<OpenOccupations> list;
    for (const auto& row : request_.list) list.emplace_back(row.begin(), row.end());
    if (list.empty()) list = allDistributions(open, request_.freeElectrons);
    try {
      checkSpinors(averageConfigurations(request_.closed, open, list, ""), "seconfig", where, "$seconfig");
    } catch (const Error& error) {
      fail(request_.list.empty() ? where : "nconf", error.what());
    }
  }

  void checkTotal(double electrons, const std::string& keyword) {
    const auto charge = settings_.number("nuc", "znuc");
    if (!charge || electrons <= *charge + kMostExtraElectrons) return;
    fail(keyword,
         fmt::format("found {:g} electrons for znuc={:g}; expected at most {} more than the nuclear charge",
                     electrons, *charge, kMostExtraElectrons));
  }

  /// Whether the basis has room for the occupied spinors.
  void checkSpinors(const Configuration& configuration, const std::string& group, const std::string& keyword,
                    const std::string& what) {
    const int nsym = reading_.job.symmetries, needed = static_cast<int>(configuration.symmetries.size());
    if (nsym > 0 && needed > nsym) {
      return reading_.fail(group, keyword,
                           fmt::format("{} occupies {}, but the basis ends at {}; expected nsym={} or more",
                                       what, label(needed - 1), label(nsym - 1), needed));
    }
    for (std::size_t i = 0; i < reading_.functions.size() && i < configuration.symmetries.size(); ++i) {
      const int spinors = configuration.occupiedSpinors(static_cast<int>(i)),
                functions = reading_.functions[i];
      if (spinors <= functions) continue;
      reading_.fail(group, keyword,
                    fmt::format("{} occupies {} spinors of {}, but the basis has {} function{} there", what,
                                spinors, label(i), functions, functions == 1 ? "" : "s"));
    }
  }

  JobReading& reading_;
  const Settings& settings_;
  ConfigurationRequest& request_;
  std::size_t dataUsed_ = 0;
};

}  // namespace

void readElectrons(JobReading& reading) { ElectronReader(reading).read(); }

}  // namespace prophet
