#include "operations/jobs/basis_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "operations/input/parse_job.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInput = "inp";
/// The Exchange's largest sets of all elements have 20 MB.
constexpr std::uintmax_t kLargestBasisFile = 256u << 20;

std::string textOf(const fs::path& file) {
  std::error_code problem;
  const auto size = fs::file_size(file, problem);
  if (!problem && size > kLargestBasisFile)
    throw Error(
        fmt::format("{}: error: the file has {} bytes; this is not a basis set file", file.string(), size));
  return std::string(withoutByteOrderMark(readFile(file.string())));
}

/// Whether a group of an input file with one of these names begins in a text: "$nuc" or "&NUC".
bool hasGroup(const std::string& text, const std::set<std::string>& names) {
  const auto isOfWord = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  for (std::size_t at = text.find_first_of("$&"); at != std::string::npos;
       at = text.find_first_of("$&", at)) {
    const auto first = text.begin() + static_cast<std::ptrdiff_t>(++at);
    if (names.contains(lowerCase({first, std::find_if_not(first, text.end(), isOfWord)}))) return true;
  }
  return false;
}

bool isInput(const std::string& text) {
  return hasGroup(text, {"nuc", "nucleus", "bas", "basis", "wtbs", "ladder"});
}

/// The element of the input file that a .best file was made from: "ne.inp" beside "ne.inp.best".
int elementOfBest(const fs::path& file) {
  const fs::path input = file.parent_path() / file.stem();
  std::error_code problem;
  if (file.extension() == ".best" && fs::is_regular_file(input, problem))
    return elementOfCharge(parseJob(readFile(input.string()), input.string()).nucleus.charge).value_or(0);
  throw Error(fmt::format(
      "{}:1: error: the file does not say its element; name it (element), or put the input file of the "
      "optimisation ({}) beside it",
      file.string(), input.filename().string()));
}

BasisSet basisOf(const Job& job, const std::string& file) {
  if (job.basisType == BasisType::WellTempered) return makeWellTempered(job.wellTempered);
  if (job.basisType != BasisType::ReadIn)
    throw Error(
        fmt::format("{}:1: error: this input file holds no exponents (bastype='wtbs' or 'rdin')", file));
  BasisSet basis;
  for (std::size_t i = 0; i < job.readInExponents.size(); ++i) {
    std::vector<double> exponents = job.readInExponents[i];
    std::sort(exponents.begin(), exponents.end());
    basis.symmetries.push_back({Symmetry::fromIndex(static_cast<int>(i)), std::move(exponents)});
  }
  return basis;
}

void addSet(BasisFileSets& result, int z, BasisSet basis, const std::string& name) {
  result.lists[z] = elementBasis(z, name, "", basis);
  result.sets[z] = std::move(basis);
}

void readInput(BasisFileSets& result, std::string text, const fs::path& file, int element) {
  const bool ownNucleus = hasGroup(text, {"nuc", "nucleus"});
  if (!ownNucleus) {
    const int z = element > 0 ? element : elementOfBest(file);
    text += fmt::format("\n$nuc znuc={} $end\n", z);
  }
  const Job job = parseJob(text, result.file);
  const auto z = elementOfCharge(job.nucleus.charge);
  if (!z)
    throw Error(fmt::format("{}:1: error: znuc={:g} is not an element's nuclear charge", result.file,
                            job.nucleus.charge));
  addSet(result, *z, basisOf(job, result.file), file.filename().string());
  if (!ownNucleus) return;
  result.nuclei[*z] = job.nucleus.model;
  result.sizes[*z] = job.nucleus;
}

void addEntry(BasisFileSets& result, const LibraryEntry& entry) {
  addSet(result, entry.z, makeBasis(entry), entry.library);
  result.lists[entry.z].reference = entry.comment;
  result.lists[entry.z].groups = entry.groups;
  result.nuclei[entry.z] = entry.nuclearModel;
}

/// An element's file that is not there may be one of a collection that reads another one's sets otherwise.
std::optional<LibraryEntry> entryWithoutFile(const fs::path& file, int element) {
  std::error_code problem;
  const fs::path folder = file.parent_path() / "";
  if (element <= 0 || file.filename() != basisFileName(element) || fs::exists(file, problem) ||
      !fs::is_directory(folder, problem))
    return std::nullopt;
  if (auto entry = readLibraryEntry(element, folder.string())) return entry;
  throw Error(fmt::format("{}: error: the folder has no set for {}, which would be its file {}",
                          folder.string(), symbolOf(element), file.filename().string()));
}

void readExchange(BasisFileSets& result, const std::string& text, const std::string& format, int element) {
  const std::vector<ElementBasis> elements = readBasis(text, format, result.file);
  if (element > 0) setOf(elements, element, result.file);
  for (const ElementBasis& basis : elements) {
    if (element > 0 && basis.z != element) continue;
    setOf(elements, basis.z, result.file);
    ElementBasis lists = basis;
    for (std::size_t l = 0; l < lists.shells.size(); ++l)
      if (lists.shells[l].empty())
        throw Error(fmt::format("{}:{}: error: {} has no {} functions, but some of larger angular momentum",
                                result.file, std::max(1, basis.line), symbolOf(basis.z),
                                letterOfL(static_cast<int>(l))));
    if (lists.name.empty()) lists.name = fs::path(result.file).stem().string();
    result.sets[basis.z] = basisSetOf(lists);
    result.lists[basis.z] = std::move(lists);
  }
}

/// What was asked for must be there.
void requireElement(const BasisFileSets& result, int element) {
  if (element <= 0 ? !result.sets.empty() : result.sets.count(element) > 0) return;
  if (element <= 0) throw Error(fmt::format("{}:1: error: the file has no set for any element", result.file));
  std::string there;
  for (const auto& [z, basis] : result.sets) there += (there.empty() ? "" : ", ") + symbolOf(z);
  throw Error(fmt::format("{}:1: error: the file has no set for {}{}", result.file, symbolOf(element),
                          there.empty() ? "" : "; it is for " + there));
}

}  // namespace

fs::path basisFileOf(const Job& job, int z) {
  const std::string& named = job.basisType == BasisType::File ? job.basisFile : job.libraryName;
  fs::path file = job.folder / named;
  std::error_code problem;
  if (fs::is_directory(file, problem)) file /= basisFileName(z);
  return file;
}

namespace {

void readFileInto(BasisFileSets& result, const fs::path& file, int element, const FormatName& format) {
  const std::string text = textOf(file);
  // Turbomole's "$basis" is a group of input files too.
  if (format.empty()) refuseForeignFormat(text, result.file);
  if (format.empty() ? isInput(text) : lowerCase(format) == kInput) {
    result.format = kInput;
    readInput(result, text, file, element);
  } else {
    result.format = format.empty() ? detectBasisFormat(text, result.file) : basisFormatOf(format);
    if (result.format == kOwnFormat) {
      std::istringstream in(text);
      addEntry(result, readBasisFile(in, result.file));
    } else {
      readExchange(result, text, result.format, element);
    }
  }
}

}  // namespace

BasisFileSets readBasisSets(const fs::path& file, int element, const FormatName& format) {
  BasisFileSets result;
  result.file = file.string();
  if (const auto entry = entryWithoutFile(file, element)) {
    result.format = kOwnFormat;
    addEntry(result, *entry);
  } else {
    readFileInto(result, file, element, format);
  }
  requireElement(result, element);
  for (auto& [z, basis] : result.sets) {
    std::string sizes;
    for (const SymmetryBasis& s : basis.symmetries)
      sizes += fmt::format(" {}{}", s.size(), s.symmetry.label());
    basis.description = fmt::format("{}, {}, uncontracted:{}", result.file, symbolOf(z), sizes);
  }
  return result;
}

BasisSet basisFromFile(const fs::path& file, int element, const FormatName& format, FileFunctions functions) {
  const BasisFileSets sets = readBasisSets(file, element, format);
  if (functions == FileFunctions::Primitives) return sets.sets.at(element);
  const ElementBasis& lists = sets.lists.at(element);
  BasisSet basis = lists.contracted.empty() ? sets.sets.at(element) : contractedSetOf(lists, sets.file);
  if (!basis.contracted()) {
    basis.description = sets.sets.at(element).description;
    return basis;
  }
  basis.description = fmt::format("{}, {}, contracted:", sets.file, symbolOf(element));
  for (const SymmetryBasis& s : basis.symmetries)
    basis.description += fmt::format(" {} of {}{}", s.functions(), s.size(), s.symmetry.label());
  return basis;
}

}  // namespace prophet
