#include <fmt/format.h>

#include <algorithm>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/symmetry.hpp"
#include "atoms/basis/basis_set.hpp"
#include "core/common/text.hpp"
#include "operations/input/sections.hpp"
#include "operations/input/settings.hpp"

namespace prophet {
namespace {

std::vector<int> asIntegers(const std::vector<double>& values) { return {values.begin(), values.end()}; }

/// Reads the parameters of all groups and checks what one range for all of them cannot: alpha > 0 and beta
/// > 1.
void readParameters(JobReading& reading, int groups) {
  const std::vector<double> values = reading.settings.array(
      "wtbs", "wtbspara", 4 * groups, fmt::format("4 for each group, ngroup={}", groups), std::nullopt,
      reading.diagnostics);
  if (values.empty()) return;
  const GivenKeyword& setting = *reading.settings.find("wtbs", "wtbspara");
  for (int g = 0; g < groups; ++g) {
    const WellTemperedParameters p{values[4 * g], values[4 * g + 1], values[4 * g + 2], values[4 * g + 3]};
    if (!(p.alpha > 0)) {
      reading.diagnostics.add(
          setting.values.at(4 * g + 1).at,
          fmt::format("found alpha={:g} in group {}; expected a number, more than 0", p.alpha, g + 1));
    }
    if (!(p.beta > 1)) {
      reading.diagnostics.add(setting.values.at(4 * g + 2).at,
                              fmt::format("found beta={:g} in group {}; expected a number, more than 1 (the "
                                          "order is alpha, beta, delta, gamma)",
                                          p.beta, g + 1));
    }
    reading.job.wellTempered.groups.push_back(p);
  }
}

/// Every symmetry's group must exist, and every group must be used.
void checkGroups(JobReading& reading, int groups) {
  const std::vector<int>& used = reading.job.wellTempered.group;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (used[i] <= groups) continue;
    reading.diagnostics.add(reading.settings.find("wtbs", "groups")->values.at(static_cast<int>(i) + 1).at,
                            fmt::format("found group {} for {}; expected {} (ngroup={})", used[i],
                                        Symmetry::fromIndex(static_cast<int>(i)).label(),
                                        groups == 1 ? "1" : fmt::format("1 to {}", groups), groups));
  }
  for (int g = 1; g <= groups && !used.empty(); ++g) {
    if (std::ranges::find(used, g) != used.end()) continue;
    const bool given = reading.settings.has("wtbs", "groups");
    reading.fail(
        given ? "wtbs" : "bas", given ? "groups" : "ngroup",
        fmt::format("no symmetry uses group {} of ngroup={}; expected it in 'groups' of $wtbs", g, groups));
  }
}

/// What only the ladders show: exponents that no atom needs.
void checkLadders(JobReading& reading) {
  if (!reading.diagnostics.empty()) return;
  try {
    makeWellTempered(reading.job.wellTempered);
  } catch (const Error& error) {
    reading.fail("wtbs", "wtbspara", error.what());
  }
}

void readWellTempered(JobReading& reading) {
  const Settings& s = reading.settings;
  if (s.group("wtbs") == nullptr)
    return reading.fail("bas", "bastype", "bastype='wtbs' needs the group $wtbs");
  WellTemperedSpec& spec = reading.job.wellTempered;
  reading.require("wtbs", "wtbspara");
  reading.require("wtbs", "nbs");
  if (!s.text("wtbs", "pool")) spec.pool = LadderPool::Shared;
  const int groups = s.integer("bas", "ngroup").value_or(1);
  const bool groupsKnown = !s.damaged("bas", "ngroup");
  if (groupsKnown && s.has("wtbs", "wtbspara")) readParameters(reading, groups);

  const GivenKeyword* nbs = s.find("wtbs", "nbs");
  const bool fromNbs = !s.has("bas", "nsym") && nbs != nullptr && !nbs->damaged;
  const int nsym =
      fromNbs ? std::max(nbs->listLength, nbs->values.rbegin()->first) : s.integer("bas", "nsym").value_or(0);
  if (nsym == 0) return;
  reading.job.symmetries = nsym;
  const std::string because = fromNbs ? "as many as 'nbs' has" : fmt::format("nsym={}", nsym);
  if (nbs != nullptr) {
    spec.functions = asIntegers(s.array("wtbs", "nbs", nsym, because, std::nullopt, reading.diagnostics));
    reading.functions = spec.functions;
  }
  spec.start = asIntegers(s.array("wtbs", "start", nsym, because, 1, reading.diagnostics));
  spec.group = asIntegers(s.array("wtbs", "groups", nsym, because, 1, reading.diagnostics));
  if (groupsKnown) checkGroups(reading, groups);
  checkLadders(reading);
}

/// Reads the lines behind $bas: for each symmetry a count and that many exponents.
class ExponentReader {
 public:
  ExponentReader(JobReading& reading, const NamelistGroup& group) : reading_(reading), group_(group) {}

  void read(int nsym) {
    for (int i = 0; i < nsym; ++i) {
      label_ = Symmetry::fromIndex(i).label();
      if (!readSymmetry()) return;
    }
    refuseData(group_, at_, fmt::format("a group such as $nuc after the exponents of {}", label_),
               reading_.diagnostics);
    if (!sound_) return;
    for (const auto& exponents : reading_.job.readInExponents) {
      reading_.functions.push_back(static_cast<int>(exponents.size()));
    }
  }

 private:
  bool readSymmetry() {
    const std::string expected = fmt::format("the number of functions of {} (1 to 500)", label_);
    const NamelistValue* value = nextValue(expected);
    if (value == nullptr) return false;
    const auto count = parseInteger(value->text);
    if (value->kind != NamelistValue::Kind::Word || !count || *count < 1 || *count > 500) {
      return fail(*value, expected);
    }
    std::vector<double> exponents;
    for (int k = 1; k <= *count; ++k) {
      if (!readExponent(fmt::format("exponent {} of {} of {}", k, *count, label_), exponents)) return false;
    }
    reading_.job.readInExponents.push_back(std::move(exponents));
    return true;
  }

  /// False only where the lines have come to an end.
  bool readExponent(const std::string& what, std::vector<double>& exponents) {
    const std::string expected = what + " (" + expectedExponent() + ")";
    const NamelistValue* value = nextValue(expected);
    if (value == nullptr) return false;
    const auto exponent = value->kind == NamelistValue::Kind::Word ? parseReal(value->text) : std::nullopt;
    if (!exponent || !isUsableExponent(*exponent)) {
      fail(*value, expected);
    } else if (std::ranges::find(exponents, *exponent) != exponents.end()) {
      reading_.diagnostics.add(
          value->at,
          fmt::format("exponent {} of {} appears twice; expected different ones", value->written, label_));
      sound_ = false;
    } else {
      exponents.push_back(*exponent);
    }
    return true;
  }

  bool fail(const NamelistValue& value, const std::string& expected) {
    sound_ = false;
    if (!value.damaged) {
      reading_.diagnostics.add(value.at, fmt::format("found '{}'; expected {}",
                                                     value.written.empty() ? "," : value.written, expected));
    }
    return false;
  }

  /// The value of the next line, nullptr behind the last one.
  const NamelistValue* nextValue(const std::string& expected) {
    if (at_ == group_.data.size()) {
      reading_.diagnostics.add(
          group_.data.empty() ? group_.end : group_.data.back().at,
          fmt::format("the data of $bas end here; expected {} on the next line", expected));
      return nullptr;
    }
    const NamelistDataLine& line = group_.data[at_++];
    if (line.values.size() > 1) {
      const NamelistValue& extra = line.values[1];
      if (!extra.damaged) {
        reading_.diagnostics.add(extra.at, fmt::format("found '{}'; expected one number a line",
                                                       extra.written.empty() ? "," : extra.written));
      }
      sound_ = false;
    }
    return &line.values.front();
  }

  JobReading& reading_;
  const NamelistGroup& group_;
  std::string label_;
  std::size_t at_ = 0;
  bool sound_ = true;
};

void readExponents(JobReading& reading) {
  const Settings& s = reading.settings;
  if (!s.has("bas", "nsym")) {
    return reading.fail("bas", "bastype",
                        "bastype='rdin' needs 'nsym' in $bas, the number of symmetries that follow");
  }
  const int nsym = s.integer("bas", "nsym").value_or(0);
  if (nsym == 0) return;
  reading.job.symmetries = nsym;
  ExponentReader(reading, *s.group("bas")).read(nsym);
}

void checkLibrary(JobReading& reading) {
  const auto charge = reading.settings.number("nuc", "znuc");
  if (charge && !elementOfCharge(*charge)) {
    reading.fail(
        "nuc", "znuc",
        fmt::format("found znuc={:g}; a library basis needs a whole nuclear charge from 1 to 118 (other "
                    "charges: bastype='wtbs' or 'rdin' in $bas)",
                    *charge));
  }
}

/// 'file' and what goes with it.
void readFileName(JobReading& reading, const std::string& by) {
  if (reading.job.basisType != BasisType::File) {
    reading.reject("bas", "file", by + "; it belongs to bastype='file'");
    return reading.reject("bas", "contracted", by + "; it belongs to bastype='file'");
  }
  reading.reject("bas", "nsym", by + ": the file decides");
  reading.require("bas", "file");
  reading.job.basisFile = trimmed(reading.settings.text("bas", "file").value_or(""));
  if (reading.settings.text("bas", "file") && reading.job.basisFile.empty())
    reading.fail("bas", "file", "expected the name of a basis set file");
}

}  // namespace

void applyBasis(JobReading& reading) {
  const Settings& s = reading.settings;
  Job& job = reading.job;
  const bool chainWithoutSet =
      job.type == JobType::Chain && s.group("bas") == nullptr && s.group("wtbs") == nullptr;
  if (job.isLimit() || chainWithoutSet) {
    job.basisType = BasisType::None;  // of a limit: checkUse rejects the groups
    return;
  }
  reading.basisTypeKnown = !s.damaged("bas", "bastype");
  if (!reading.basisTypeKnown) return;
  const bool namesFile = s.has("bas", "file");  // which says the type too
  const std::string type = s.text("bas", "bastype").value_or(namesFile ? "file" : "library");
  const std::string by = s.has("bas", "bastype") ? fmt::format("by bastype='{}'", type)
                         : namesFile             ? "beside a file"
                                                 : "by bastype='library', the default";
  if (!s.has("bas", "bastype") && namesFile) job.basisType = BasisType::File;
  if (job.basisType != BasisType::WellTempered) {
    if (s.group("wtbs") != nullptr)
      reading.fail("wtbs", "", fmt::format("$wtbs is not used {}; it belongs to bastype='wtbs'", by));
    reading.reject("bas", "ngroup", by + "; it belongs to bastype='wtbs'");
  }
  if (job.basisType == BasisType::Library) {
    reading.reject("bas", "nsym", by + ": the set decides");
    job.libraryName = trimmed(s.text("bas", "library").value_or(""));
    if (!job.libraryName.empty()) checkLibrary(reading);
  } else {
    reading.reject("bas", "library", by + "; it belongs to bastype='library'");
  }
  readFileName(reading, by);
  if (job.basisType == BasisType::WellTempered) readWellTempered(reading);
  if (job.basisType == BasisType::ReadIn) {
    readExponents(reading);
  } else if (s.group("bas") != nullptr) {
    refuseData(*s.group("bas"), 0, "a group such as $nuc (lines of exponents belong to bastype='rdin')",
               reading.diagnostics);
  }
}

}  // namespace prophet
