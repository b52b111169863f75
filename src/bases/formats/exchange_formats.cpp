#include "bases/formats/exchange_formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "atoms/atom/elements.hpp"
#include "bases/formats/format_parts.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr std::array<std::pair<BasisFormat, const char*>, 5> kNames{{{BasisFormat::Prophet, "prophet"},
                                                                     {BasisFormat::Json, "json"},
                                                                     {BasisFormat::Nwchem, "nwchem"},
                                                                     {BasisFormat::Dirac, "dirac"},
                                                                     {BasisFormat::Gaussian, "gaussian"}}};

}  // namespace

std::string nameOf(BasisFormat format) {
  for (const auto& [known, name] : kNames) {
    if (known == format) return name;
  }
  return "";
}

BasisFormat basisFormatOf(const std::string& name) {
  std::string list;
  for (const auto& [format, known] : kNames) {
    if (lowerCase(name) == known) return format;
    list += (list.empty() ? "" : ", ") + std::string(known);
  }
  throw Error("unknown basis set format '" + name + "'; there is: " + list);
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

std::string writeBasis(const std::vector<ElementBasis>& elements, BasisFormat format) {
  switch (format) {
    case BasisFormat::Json:
      return formats::writeJson(elements);
    case BasisFormat::Nwchem:
      return formats::writeNwchem(elements);
    case BasisFormat::Dirac:
      return formats::writeDirac(elements);
    case BasisFormat::Gaussian:
      return formats::writeGaussian(elements);
    case BasisFormat::Prophet:
      break;
  }
  throw Error("plain exponent lists have no form in our own library format");
}

std::vector<ElementBasis> readBasis(const std::string& text, BasisFormat format, const std::string& file) {
  std::vector<ElementBasis> elements;
  switch (format) {
    case BasisFormat::Json:
      elements = formats::readJson(text, file);
      break;
    case BasisFormat::Nwchem:
      elements = formats::readNwchem(text, file);
      break;
    case BasisFormat::Dirac:
      elements = formats::readDirac(text, file);
      break;
    case BasisFormat::Gaussian:
      elements = formats::readGaussian(text, file);
      break;
    case BasisFormat::Prophet:
      throw Error("our own library files are read by element; see readBasisFile");
  }
  for (ElementBasis& basis : elements) formats::sortShells(basis);
  return elements;
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
