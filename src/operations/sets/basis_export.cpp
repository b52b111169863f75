#include "operations/sets/basis_export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "bases/formats/basis_commands.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

/// Overlap eigenvalues below this trouble programs that work with molecules.
constexpr double kDependentOnExport = 1e-8;

bool isSplit(const BasisSet& basis) {
  for (std::size_t i = 2; i < basis.symmetries.size(); i += 2)
    if (basis.symmetries[i].exponents != basis.symmetries[i - 1].exponents) return true;
  return false;
}

/// Notes on what the set is for, and remarks on joined lists that are nearly dependent.
void describe(ElementBasis& lists, bool split, const BasisExport& how, std::vector<std::string>& remarks) {
  if (split)
    lists.notes.push_back(how.shared == SharedLists::All
                              ? "the lists of j = l-1/2 and l+1/2, which were optimised separately, are "
                                "joined: every exponent of both"
                              : "one list for j = l-1/2 and l+1/2, which were optimised separately: close "
                                "neighbours are averaged; this is no longer the energy-optimised set");
  for (std::size_t l = 0; l < lists.shells.size(); ++l) {
    const double least = smallestOverlap(static_cast<int>(l), lists.shells[l]);
    if (least >= kDependentOnExport) continue;
    const std::string text = fmt::format("the smallest overlap eigenvalue of the {} functions is {:.0e}",
                                         letterOfL(static_cast<int>(l)), std::max(least, 1e-16));
    lists.notes.push_back(text + "; programs for molecules may drop functions or lose digits");
    remarks.push_back(fmt::format("{}: {}{}", symbolOf(lists.z), text,
                                  split && how.shared == SharedLists::All
                                      ? "; shared average gives a list without close neighbours"
                                      : ""));
  }
  if (lists.date.empty()) lists.date = how.date;
}

ElementBasis listsOf(int z, const BasisSet& basis, ElementBasis lists, const BasisExport& how) {
  lists.z = z;
  lists.shells = sharedShells(basis, how.shared);
  addGroups(lists, how.without);
  return lists;
}

/// What molecules may need and this export does not have; with a frozen core they do not need its functions,
/// nor those for the nucleus.
std::string missingFunctions(const LibraryEntry& entry, const BasisExport& how) {
  std::vector<std::string> missing;
  for (const std::string name : kFunctionGroups) {
    if (name == kCoreGroup || name == kCoreDensityGroup) continue;
    const bool there = std::any_of(entry.groups.begin(), entry.groups.end(),
                                   [&](const FunctionGroup& group) { return group.name == name; });
    if (!there || std::find(how.without.begin(), how.without.end(), name) != how.without.end())
      missing.push_back(name);
  }
  return missing.empty() ? "" : fmt::format("; no {} functions", fmt::join(missing, ", "));
}

void requireAll(const BasisFileSets& sets, const std::vector<int>& elements) {
  for (const int z : elements)
    if (sets.sets.count(z) == 0)
      throw Error(fmt::format("{}:1: error: the file has no set for {}", sets.file, symbolOf(z)));
}

LibraryEntry entryOf(int z, const BasisSet& basis, const BasisFileSets& sets, const std::string& collection,
                     const std::string& date) {
  LibraryEntry entry;
  entry.z = z;
  entry.library = collection;
  entry.configuration = groundConfiguration(z);
  for (const SymmetryBasis& s : basis.symmetries) {
    entry.exponents.push_back(s.exponents);
    std::sort(entry.exponents.back().begin(), entry.exponents.back().end());
  }
  entry.provenance.source =
      fmt::format("{}, uncontracted", std::filesystem::path(sets.file).filename().string());
  entry.provenance.date = date;
  return entry;
}

}  // namespace

SharedSets librarySets(const std::vector<int>& elements, const std::string& collection,
                       const BasisExport& how, const std::filesystem::path& basisSets) {
  SharedSets result;
  for (const int z : elements) {
    LibraryEntry entry = requiredEntry(z, collection, basisSets);
    for (const char* name : kGroupsOnRequest)
      if (std::ranges::find(how.without, name) != how.without.end())
        entry = withoutGroup(std::move(entry), name);
    const BasisSet basis = makeBasis(entry);
    ElementBasis& lists = result.sets.emplace_back(listsOf(z, basis, elementBasis(entry), how));
    lists.notes.push_back(
        fmt::format("for the neutral atom, {}, {} nucleus, four-component or exact two-component{}",
                    entry.configuration, nameOf(entry.nuclearModel), missingFunctions(entry, how)));
    describe(lists, isSplit(basis), how, result.remarks);
  }
  return result;
}

SharedSets fileSets(const BasisFileSets& sets, const std::vector<int>& elements, const BasisExport& how) {
  requireAll(sets, elements);
  SharedSets result;
  for (const auto& [z, basis] : sets.sets) {
    if (!elements.empty() && std::find(elements.begin(), elements.end(), z) == elements.end()) continue;
    ElementBasis& lists = result.sets.emplace_back(listsOf(z, basis, sets.lists.at(z), how));
    const bool contracted =
        std::any_of(lists.contracted.begin(), lists.contracted.end(), [](const ContractedShell& s) {
          return !s.functions.empty() && s.functions.size() < s.exponents.size();
        });
    lists.notes.push_back(fmt::format("from {}{}", std::filesystem::path(sets.file).filename().string(),
                                      contracted ? ", the primitives of its contracted functions" : ""));
    describe(lists, isSplit(basis), how, result.remarks);
  }
  return result;
}

ExportedBasis exportLibrary(const std::vector<int>& elements, const std::string& collection,
                            const BasisExport& how, const std::filesystem::path& basisSets) {
  ExportedBasis result;
  if (how.format == kOwnFormat) {
    result.text = basisExport(elements, collection, how.format, basisSets);
    return result;
  }
  SharedSets shared =
      librarySets(elements, collection.empty() ? exportCollection(basisSets) : collection, how, basisSets);
  result.text = writeBasis(shared.sets, how.format);
  result.remarks = std::move(shared.remarks);
  return result;
}

ExportedBasis exportFile(const BasisFileSets& sets, const std::vector<int>& elements, const BasisExport& how,
                         const std::string& collection) {
  ExportedBasis result;
  if (how.format != kOwnFormat) {
    SharedSets shared = fileSets(sets, elements, how);
    result.text = writeBasis(shared.sets, how.format);
    result.remarks = std::move(shared.remarks);
    return result;
  }
  requireAll(sets, elements);
  for (const auto& [z, basis] : sets.sets) {
    if (!elements.empty() && std::find(elements.begin(), elements.end(), z) == elements.end()) continue;
    result.files.emplace_back(basisFileName(z),
                              libraryFileText(entryOf(z, basis, sets, collection, how.date)));
  }
  result.text = result.files.front().second;
  return result;
}

}  // namespace prophet
