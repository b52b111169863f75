#include "bases/formats/exchange_formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "atoms/atom/elements.hpp"
#include "bases/formats/format_parts.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

/// A format: how it is called, read, written and recognised. A new one is a file beside this one and a row
/// here.
struct Format {
  BasisFormat format;
  const char *name, *description;
  std::string (*write)(const std::vector<ElementBasis>&);
  std::vector<ElementBasis> (*read)(const std::string& text, const std::string& file);
  /// Whether no other format has a line that begins with these words, in lower case.
  bool (*begins)(const std::vector<std::string>& words);
};

bool beginsLibraryFile(const std::vector<std::string>& words) {
  return words[0] == "format" && words.size() > 1 && words[1][0] == '=';
}

std::string writeLibraryFile(const std::vector<ElementBasis>&) {
  throw Error("plain exponent lists have no form in our own library format");
}

std::vector<ElementBasis> readLibraryFile(const std::string&, const std::string&) {
  throw Error("our own library files are read by element; see readBasisFile");
}

constexpr Format kFormats[] = {
    {BasisFormat::Prophet, "prophet", ".basis", writeLibraryFile, readLibraryFile, beginsLibraryFile},
    {BasisFormat::Json, "json", "Basis Set Exchange JSON", formats::writeJson, formats::readJson,
     formats::beginsJson},
    {BasisFormat::Nwchem, "nwchem", "NWChem", formats::writeNwchem, formats::readNwchem,
     formats::beginsNwchem},
    {BasisFormat::Dirac, "dirac", "DIRAC", formats::writeDirac, formats::readDirac, formats::beginsDirac},
    {BasisFormat::Gaussian, "gaussian", "Gaussian", formats::writeGaussian, formats::readGaussian,
     formats::beginsGaussian}};

const Format& rowOf(BasisFormat format) {
  return *std::find_if(std::begin(kFormats), std::end(kFormats),
                       [format](const Format& row) { return row.format == format; });
}

}  // namespace

template <>
const Names<BasisFormat>& namesOf() {
  static const Names<BasisFormat> kNames = [] {
    Names<BasisFormat> names;
    for (const Format& row : kFormats) names.emplace_back(row.name, row.format);
    return names;
  }();
  return kNames;
}

std::string writeBasis(const std::vector<ElementBasis>& elements, BasisFormat format) {
  return rowOf(format).write(elements);
}

std::vector<ElementBasis> readBasis(const std::string& text, BasisFormat format, const std::string& file) {
  std::vector<ElementBasis> elements = rowOf(format).read(text, file);
  for (ElementBasis& basis : elements) formats::sortShells(basis);
  return elements;
}

// "86 Rn" or a comment may begin any file; the first line that only one format can have decides.
BasisFormat detectBasisFormat(const std::string& text, const std::string& file) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    formats::fail(file, 1, "the file is empty; expected a basis set");
  for (const formats::Line& line : formats::linesOf(text, '\0')) {
    std::vector<std::string> words;
    for (const std::string& word : line.words) words.push_back(lowerCase(word));
    const char mark = words[0][0];
    if (mark == '!' || mark == '$' || (mark == '#' && words[0] != "#basis")) continue;
    for (const Format& row : kFormats) {
      if (row.begins(words)) return row.format;
    }
  }
  std::string list;
  for (const Format& row : kFormats) list += std::string(row.description) + ", ";
  formats::fail(file, 1, "this is none of the formats that are read: " + list + ".best, .inp");
}

ElementBasis elementBasis(const LibraryEntry& entry) {
  ElementBasis element = elementBasis(entry.z, entry.library, entry.comment, makeBasis(entry));
  element.date = entry.provenance.date;
  element.groups = entry.groups;
  return element;
}

void addGroups(ElementBasis& basis, const std::vector<std::string>& without) {
  for (const FunctionGroup& group : basis.groups) {
    if (std::find(without.begin(), without.end(), group.name) != without.end()) continue;
    formats::addExponents(basis, group.l, group.exponents);
    basis.notes.push_back(fmt::format("{} functions: {} {:.6g}", group.name, letterOfL(group.l),
                                      fmt::join(group.exponents, ", ")));
  }
  basis.groups.clear();
  formats::sortShells(basis);
}

ElementBasis elementBasis(int z, const std::string& name, const std::string& reference,
                          const BasisSet& basis) {
  ElementBasis element{z, name, reference, {}};
  for (const SymmetryBasis& s : basis.symmetries) formats::addExponents(element, s.symmetry.l(), s.exponents);
  formats::sortShells(element);
  return element;
}

BasisSet basisSetOf(const ElementBasis& basis) {
  BasisSet set;
  set.description = basis.name;
  for (int l = 0; l < static_cast<int>(basis.shells.size()); ++l) {
    const std::vector<double> ascending(basis.shells[l].rbegin(), basis.shells[l].rend());
    if (l > 0) set.symmetries.push_back({Symmetry{l}, ascending});
    set.symmetries.push_back({Symmetry{-l - 1}, ascending});
  }
  return set;
}

const ElementBasis& setOf(const std::vector<ElementBasis>& elements, int z, const std::string& file) {
  std::string there;
  for (const ElementBasis& basis : elements) {
    if (basis.z != z) {
      there += (there.empty() ? "" : ", ") + std::string(symbolOf(basis.z));
      continue;
    }
    if (basis.coreElectrons > 0)
      formats::fail(file, std::max(1, basis.line),
                    fmt::format("the set of {} has an effective core potential; this program computes all "
                                "electrons and needs an all-electron set",
                                symbolOf(z)));
    if (basis.shells.empty())
      formats::fail(file, std::max(1, basis.line), fmt::format("{} has no functions", symbolOf(z)));
    return basis;
  }
  formats::fail(file, 1,
                fmt::format("the file has no set for {}; it has {}", symbolOf(z),
                            there.empty() ? "none at all" : there));
}

}  // namespace prophet
