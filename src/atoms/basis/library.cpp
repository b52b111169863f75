#include "atoms/basis/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/basis/collection_names.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"

namespace prophet {

namespace fs = std::filesystem;
namespace {

constexpr const char* kReferenceFolder = "reference";
/// The file of a collection that has no sets of its own, but another one's, read otherwise.
constexpr const char* kReadOtherwise = "read-otherwise";

/// Where the sets may be, in order of preference; a folder counts when it holds the file `default`.
std::vector<fs::path> candidateFolders(const fs::path& chosen) {
  if (!chosen.empty()) return {chosen};
  const fs::path own = ownFile();
  std::vector<fs::path> folders;
  if (own.empty()) return folders;
  // Installed (the last is for lib/<architecture>), a build tree (the second also for its tests), a bundle.
  for (const char* place : {"../share/cudaprophet/basis_sets", "share/cudaprophet/basis_sets",
                            "../../share/cudaprophet/basis_sets", "basis_sets", "../basis_sets"})
    folders.push_back((own.parent_path() / place).lexically_normal());
  return folders;
}

std::string nameIn(const fs::path& file) {
  std::ifstream in(file);
  std::string name, more;
  if (!(in >> name) || in >> more)
    throw Error(
        fmt::format("{}:1: error: expected the name of the default collection in one word", file.string()));
  return name;
}

std::string defaultLibrary(const fs::path& folder) { return nameIn(folder / "default"); }

/// Every folder but the one with the reference energies, which is shipped along.
bool isCollection(const fs::path& folder) {
  std::error_code failure;
  return fs::is_directory(folder, failure) && folder.filename() != kReferenceFolder;
}

std::vector<std::string> collectionsIn(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (const auto& item : fs::directory_iterator(folder, failure))
    if (isCollection(item.path())) names.push_back(item.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Folder of a collection: of that name beside the others, or a path.
fs::path collectionFolder(const std::string& library, const fs::path& sets) {
  std::error_code failure;
  if (isLibraryPath(library)) {
    if (fs::is_directory(library, failure)) return library;
    throw Error(fmt::format("there is no folder '{}' with basis sets", library));
  }
  const fs::path folder = basisSetFolder(sets);
  const std::string name = library.empty() ? defaultLibrary(folder) : library;
  if (name.front() == '.' || !isCollection(folder / name)) {
    const std::vector<std::string> names = collectionsIn(folder);
    const std::string nearest = nearestName(name, names);
    throw Error(
        fmt::format("no collection of basis sets is called '{}' in {}{}; available: {}; a folder of "
                    "your own is a path, such as ./{}",
                    name, folder.string(), nearest.empty() ? "" : "; did you mean '" + nearest + "'?",
                    fmt::join(names, ", "), name));
  }
  return folder / name;
}

/// Folders of the user's own may have been renamed.
void checkPlace(const LibraryEntry& entry, int z, const fs::path& file, bool ownFolder) {
  if (entry.z != z)
    throw Error(fmt::format("{}:1: error: the file contains a set of {}, but its name says {}", file.string(),
                            symbolOf(entry.z), symbolOf(z)));
  const std::string folder = file.parent_path().filename().string();
  if (!ownFolder && entry.library != folder)
    throw Error(fmt::format("{}:1: error: the file says collection '{}', but it is in '{}'", file.string(),
                            entry.library, folder));
}

}  // namespace

std::vector<std::string> collectionNames(const fs::path& sets) { return collectionsIn(basisSetFolder(sets)); }

std::string exportCollection(const fs::path& sets) { return nameIn(basisSetFolder(sets) / "default-export"); }

fs::path basisSetFolder(const fs::path& chosen) {
  const std::vector<fs::path> folders = candidateFolders(chosen);
  std::string tried;
  for (const fs::path& folder : folders) {
    std::error_code failure;
    if (fs::is_regular_file(folder / "default", failure)) return folder;
    tried += fmt::format("{}{}", tried.empty() ? "" : ", ", folder.string());
  }
  throw Error(
      fmt::format("the folder with the basis sets (it contains a file 'default') was not found; tried {}; "
                  "state where it is (the program reads the environment variable CUDAPROPHET_BASIS_SETS)",
                  tried));
}

BasisSet makeBasis(const LibraryEntry& entry) {
  BasisSet basis;
  if (entry.exponents.empty()) {
    basis = makeWellTempered(entry.spec);
  } else {
    basis.description = "exponents";
    for (std::size_t i = 0; i < entry.exponents.size(); ++i) {
      basis.symmetries.push_back({Symmetry::fromIndex(static_cast<int>(i)), entry.exponents[i]});
      basis.description +=
          fmt::format(" {}{}", entry.exponents[i].size(), basis.symmetries[i].symmetry.label());
    }
  }
  basis.description = fmt::format("library {}, {}: {}", entry.library, symbolOf(entry.z), basis.description);
  return basis;
}

namespace {

constexpr std::string_view kBlanksOfALine = " \t\r";
constexpr int kLargestSymmetries = 15;  // to l = 7

/// Key with every run of blanks as one blank, so that "group  1" is "group 1".
std::string normalised(const std::string& key) {
  std::istringstream words(key);
  std::string result, word;
  while (words >> word) result += (result.empty() ? "" : " ") + word;
  return result;
}

struct Value {
  std::string text;
  int line = 0;
};

/// What the file kReadOtherwise of a collection says: whose sets it has, and how they are read.
struct OtherReading {
  std::string collection, of, remark;
  NuclearModel nuclearModel = NuclearModel::Gaussian;
  LadderPool pool = LadderPool::Symmetry;
};

/// One file: first all `key = value` lines are collected, then each known key is taken out; what is left over
/// is unknown.
class BasisFile {
 public:
  BasisFile(std::istream& in, std::string file) : file_(std::move(file)) {
    std::string line;
    while (std::getline(in, line)) addLine(++lines_, line);
    if (in.bad()) fail(lines_, "the file cannot be read to its end");
  }

  LibraryEntry read() {
    const bool ladders = readFormat() == 1;
    LibraryEntry entry;
    entry.library = required("collection").text;
    readElement(entry);
    readConfiguration(entry);
    entry.nuclearModel = readNucleus();
    if (ladders) entry.spec.pool = readLadder();
    readProvenance(entry);
    if (ladders) {
      readGroups(entry.spec);
      readSymmetries(entry, entry.spec);
      checkExponents(entry.spec);
    } else {
      readExponents(entry);
    }
    refuseOthers();
    return entry;
  }

  OtherReading readOtherwise() {
    OtherReading reading{required("collection").text, required("of").text, required("remark").text};
    reading.nuclearModel = readNucleus();
    reading.pool = readLadder();
    refuseOthers();
    return reading;
  }

 private:
  [[noreturn]] void fail(int line, const std::string& message) const {
    throw Error(fmt::format("{}:{}: error: {}", file_, line, message));
  }

  void refuseOthers() const {
    if (values_.empty()) return;
    const auto& [key, value] = *values_.begin();
    fail(value.line, fmt::format("unknown key '{}'", key));
  }

  void addLine(int number, const std::string& whole) {
    const std::string_view text = number == 1 ? withoutByteOrderMark(whole) : whole;
    const std::string line = trimmed(text.substr(0, text.find('#')), kBlanksOfALine);
    if (line.empty()) return;
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) fail(number, fmt::format("expected 'key = value', found '{}'", line));
    const std::string key = normalised(line.substr(0, equals)),
                      value = trimmed(line.substr(equals + 1), kBlanksOfALine);
    if (key.empty()) fail(number, "expected a key before '='");
    if (value.empty()) fail(number, fmt::format("'{}' has no value", key));
    const auto [at, added] = values_.try_emplace(key, Value{value, number});
    if (!added) fail(number, fmt::format("'{}' appears twice, first in line {}", key, at->second.line));
  }

  std::optional<Value> take(const std::string& key) {
    const auto at = values_.find(key);
    if (at == values_.end()) return std::nullopt;
    Value value = std::move(at->second);
    values_.erase(at);
    return value;
  }

  Value required(const std::string& key) {
    auto value = take(key);
    if (!value) fail(std::max(lines_, 1), fmt::format("the file ends without '{}'; is it cut off?", key));
    return *value;
  }

  template <typename T>
  T number(std::string_view text, int line) const {
    T result{};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (status != std::errc() || end != text.data() + text.size())
      fail(line, fmt::format("expected {}, found '{}'",
                             std::is_same_v<T, int> ? "a whole number" : "a number", text));
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(result)) fail(line, fmt::format("expected a finite number, found '{}'", text));
    }
    return result;
  }

  std::optional<double> optionalNumber(const std::string& key) {
    const auto value = take(key);
    if (!value) return std::nullopt;
    return number<double>(value->text, value->line);
  }

  std::string optionalText(const std::string& key) {
    const auto value = take(key);
    return value ? value->text : std::string();
  }

  /// 1: ladders; 2: exponents.
  int readFormat() {
    const Value value = required("format");
    if (value.text != "1" && value.text != "2")
      fail(value.line,
           fmt::format("format '{}' is not known to this program, which reads formats 1 and 2", value.text));
    return value.text == "1" ? 1 : 2;
  }

  void readElement(LibraryEntry& entry) {
    const Value value = required("element");
    std::istringstream words(value.text);
    std::string z, symbol, more;
    words >> z >> symbol;
    entry.z = number<int>(z, value.line);
    if (entry.z < 1 || entry.z > kLastElement || elementOf(symbol) != entry.z || words >> more)
      fail(value.line, fmt::format("expected charge and symbol such as '86 Rn', found '{}'", value.text));
  }

  void readConfiguration(LibraryEntry& entry) {
    const Value value = required("configuration");
    entry.configuration = value.text;
    try {
      parseConfiguration(value.text);
    } catch (const Error& error) {
      fail(value.line, error.what());
    }
  }

  NuclearModel readNucleus() {
    const Value value = required("nucleus");
    if (const auto model = nuclearModelNamed(value.text)) return *model;
    fail(value.line,
         fmt::format("nucleus '{}', expected {}", value.text, lowerCase(listOfNames<NuclearModel>())));
  }

  LadderPool readLadder() {
    const auto value = take("ladder");
    if (!value || value->text == "symmetry") return LadderPool::Symmetry;
    if (value->text == "shared") return LadderPool::Shared;
    fail(value->line, fmt::format("ladder '{}', expected symmetry or shared", value->text));
  }

  void readProvenance(LibraryEntry& entry) {
    BasisProvenance& p = entry.provenance;
    p.source = required("source").text;
    p.settings = optionalText("settings");
    p.program = optionalText("program");
    p.date = optionalText("date");
    p.energy = optionalNumber("energy");
    p.limit = optionalNumber("limit");
    p.error = optionalNumber("error");
    p.prolapse = optionalNumber("prolapse");
    p.speedOfLight = optionalNumber("c");
    entry.comment = p.source;
    if (!p.program.empty()) entry.comment += ", made with " + p.program;
    if (!p.date.empty()) entry.comment += ", " + p.date;
  }

  void readGroups(WellTemperedSpec& spec) {
    for (int g = 1;; ++g) {
      const auto value = g == 1 ? required("group 1") : take(fmt::format("group {}", g));
      if (!value) return;
      if (g == 1) groupLine_ = value->line;
      std::istringstream words(value->text);
      std::string word;
      std::vector<double> numbers;
      while (words >> word) numbers.push_back(number<double>(word, value->line));
      if (numbers.size() != 4)
        fail(value->line,
             fmt::format("a group has 4 numbers, alpha beta delta gamma; found {}", numbers.size()));
      if (!(numbers[0] > 0.0) || !(numbers[1] > 1.0) || !(numbers[2] >= 0.0) || !(numbers[3] >= 0.0))
        fail(value->line, "expected alpha > 0, beta > 1, delta >= 0 and gamma >= 0 in this order");
      spec.groups.push_back({numbers[0], numbers[1], numbers[2], numbers[3]});
    }
  }

  int readSymmetryCount(const LibraryEntry& entry) {
    const Value count = required("symmetries");
    const int n = number<int>(count.text, count.line);
    const int needed = static_cast<int>(parseConfiguration(entry.configuration).symmetries.size());
    if (n < needed || n > kLargestSymmetries)
      fail(count.line, fmt::format("symmetries = {}, expected {} (which the configuration needs) to {}", n,
                                   needed, kLargestSymmetries));
    return n;
  }

  /// Those of one line, which ascend.
  std::vector<double> exponentsOf(const Value& value) const {
    std::istringstream words(value.text);
    std::vector<double> exponents;
    for (std::string word; words >> word;) {
      exponents.push_back(number<double>(word, value.line));
      if (!isUsableExponent(exponents.back()))
        fail(value.line, fmt::format("expected an exponent, {}; found '{}'", expectedExponent(), word));
    }
    std::sort(exponents.begin(), exponents.end());
    if (std::adjacent_find(exponents.begin(), exponents.end()) != exponents.end())
      fail(value.line, "an exponent appears twice");
    return exponents;
  }

  /// Format 2: the exponents of each symmetry on its line, and those of groups.
  void readExponents(LibraryEntry& entry) {
    const int n = readSymmetryCount(entry);
    for (int i = 0; i < n; ++i) {
      entry.exponents.push_back(exponentsOf(required(Symmetry::fromIndex(i).label())));
      entry.spec.functions.push_back(static_cast<int>(entry.exponents.back().size()));
    }
    for (const char* name : kFunctionGroups) {
      for (int l = 0; l <= kLargestSymmetries / 2; ++l) {
        const auto value = take(fmt::format("{} {}", name, letterOfL(l)));
        if (value) entry.groups.push_back({name, l, exponentsOf(*value)});
      }
    }
  }

  void readSymmetries(const LibraryEntry& entry, WellTemperedSpec& spec) {
    const int n = readSymmetryCount(entry);
    for (int i = 0; i < n; ++i) readRange(required(Symmetry::fromIndex(i).label()), spec);
  }

  void checkExponents(const WellTemperedSpec& spec) const {
    try {
      makeWellTempered(spec);
    } catch (const Error& error) {
      fail(groupLine_, error.what());
    }
  }

  void readRange(const Value& value, WellTemperedSpec& spec) {
    std::istringstream words(value.text);
    std::string range, word, group, more;
    words >> range >> word >> group;
    const std::size_t colon = range.find(':');
    if (colon == std::string::npos || word != "group" || words >> more)
      fail(value.line, fmt::format("expected 'first:last group number', found '{}'", value.text));
    const int first = number<int>(std::string_view(range).substr(0, colon), value.line);
    const int last = number<int>(std::string_view(range).substr(colon + 1), value.line);
    const int g = number<int>(group, value.line);
    if (first < 1 || last < first)
      fail(value.line, fmt::format("the index range '{}' is empty or below 1", range));
    if (g < 1 || g > static_cast<int>(spec.groups.size()))
      fail(value.line, fmt::format("group {} is not in this file, which has {}", g, spec.groups.size()));
    spec.start.push_back(first);
    spec.functions.push_back(last - first + 1);
    spec.group.push_back(g);
  }

  std::string file_;
  int lines_ = 0, groupLine_ = 0;
  std::map<std::string, Value> values_;
};

}  // namespace

namespace {

/// Empty: the collection has sets of its own.
std::optional<OtherReading> otherReading(const fs::path& folder) {
  const std::string file = (folder / kReadOtherwise).string();
  std::error_code failure;
  if (!fs::exists(file, failure)) return std::nullopt;
  std::istringstream in(readFile(file));
  OtherReading reading = BasisFile(in, file).readOtherwise();
  if (!isCollection(folder / ".." / reading.of))
    throw Error(fmt::format("{}:1: error: there is no collection '{}' beside this one", file, reading.of));
  return reading;
}

/// Where the files of its elements are.
fs::path filesOf(const fs::path& folder, const std::optional<OtherReading>& reading) {
  return reading ? (folder / ".." / reading->of).lexically_normal() : folder;
}

/// Figures of the set as it was published are not those of the other reading.
void readAs(const OtherReading& reading, LibraryEntry& entry, const fs::path& file) {
  if (!entry.exponents.empty())
    throw Error(fmt::format("{}:1: error: collection '{}' reads ladders otherwise, and this set has none",
                            file.string(), reading.collection));
  entry.library = reading.collection;
  entry.nuclearModel = reading.nuclearModel;
  entry.spec.pool = reading.pool;
  entry.comment = fmt::format("{}; {}", entry.provenance.source, reading.remark);
  entry.provenance = {};
  entry.provenance.source = entry.comment;
}

}  // namespace

std::optional<LibraryEntry> readLibraryEntry(int z, const std::string& library, const fs::path& sets) {
  const fs::path folder = collectionFolder(library, sets);
  if (z < 1 || z > kLastElement) return std::nullopt;
  const std::optional<OtherReading> reading = otherReading(folder);
  const fs::path file = filesOf(folder, reading) / basisFileName(z);
  std::error_code failure;
  if (!fs::exists(file, failure)) return std::nullopt;
  if (!fs::is_regular_file(file, failure))
    throw Error(fmt::format("{}:1: error: this is not a file that can be read", file.string()));
  std::istringstream in(readFile(file.string()));
  LibraryEntry entry = readBasisFile(in, file.string());
  checkPlace(entry, z, file, isLibraryPath(library));
  if (reading) readAs(*reading, entry, file);
  return entry;
}

std::vector<int> libraryElements(const std::string& library, const fs::path& sets) {
  const fs::path folder = collectionFolder(library, sets), files = filesOf(folder, otherReading(folder));
  std::vector<int> elements;
  std::error_code failure;
  for (int z = 1; z <= kLastElement; ++z)
    if (fs::exists(files / basisFileName(z), failure)) elements.push_back(z);
  return elements;
}

LibraryEntry readBasisFile(std::istream& in, const std::string& file) { return BasisFile(in, file).read(); }

std::vector<FunctionGroup> withoutGroup(std::vector<FunctionGroup> groups, const std::string& name) {
  std::erase_if(groups, [&](const FunctionGroup& group) { return group.name == name; });
  return groups;
}

std::vector<FunctionGroup> valenceGroups(std::vector<FunctionGroup> groups) {
  for (const char* name : kGroupsOnRequest) groups = withoutGroup(std::move(groups), name);
  return groups;
}

std::vector<FunctionGroup> coreValenceGroups(std::vector<FunctionGroup> groups) {
  for (const char* name : kGroupsOnRequest)
    if (name != std::string_view(kCoreGroup)) groups = withoutGroup(std::move(groups), name);
  return groups;
}

std::string basisFileName(int z) { return fmt::format("{:03}-{}.basis", z, symbolOf(z)); }

std::string withoutStatement(std::string source, const std::string& statement) {
  const std::string mark = "; " + statement;
  for (std::size_t at = source.find(mark); at != std::string::npos; at = source.find(mark))
    source.erase(at, std::min(source.find("; ", at + mark.size()), source.size()) - at);
  return source;
}

LibraryEntry withoutGroup(LibraryEntry entry, const std::string& name) {
  entry.groups = withoutGroup(std::move(entry.groups), name);
  std::string& source = entry.provenance.source;
  const std::string less = withoutStatement(source, name == kCoreGroup      ? kCoreStatement
                                                    : name == kDiffuseGroup ? kDiffuseStatement
                                                                            : kCoreDensityStatement);
  if (entry.comment.starts_with(source)) entry.comment.replace(0, source.size(), less);
  source = less;
  return entry;
}

}  // namespace prophet
