#include "bases/formats/basis_commands.hpp"

#include <fmt/format.h>

#include <set>

#include "atoms/atom/elements.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

namespace fs = std::filesystem;

/// "33s+ 30p- 27p+".
std::string sizesOf(const LibraryEntry& entry) {
  std::string text;
  for (std::size_t i = 0; i < entry.spec.functions.size(); ++i)
    text += fmt::format("{}{}{}", i ? " " : "", entry.spec.functions[i],
                        Symmetry::fromIndex(static_cast<int>(i)).label());
  return text;
}

int functionsOf(const LibraryEntry& entry) {
  int sum = 0;
  for (const int n : entry.spec.functions) sum += n;
  return sum;
}

std::string columns(const std::optional<LibraryEntry>& entry) {
  if (!entry) return " | | |";
  const auto& error = entry->provenance.error;
  return fmt::format(" {} | {} | {} |", sizesOf(*entry), functionsOf(*entry),
                     error ? fmt::format("{:.1e}", *error) : "");
}

}  // namespace

LibraryEntry requiredEntry(int z, const std::string& collection, const fs::path& basisSets) {
  const auto entry = readLibraryEntry(z, collection, basisSets);
  if (!entry)
    throw Error(fmt::format("the collection {} has no set for {}",
                            collection.empty() ? "(default)" : "'" + collection + "'", symbolOf(z)));
  return *entry;
}

std::string basisShow(int z, const std::string& collection, const fs::path& basisSets) {
  const LibraryEntry entry = requiredEntry(z, collection, basisSets);
  std::string text = libraryFileText(entry) + "\n";
  for (const SymmetryBasis& s : makeBasis(entry).symmetries) {
    text += fmt::format("{}: {} exponents (bohr^-2)\n", s.symmetry.label(), s.size());
    for (const double zeta : s.exponents) text += fmt::format("  {:.12e}\n", zeta);
  }
  return text;
}

std::string basisExport(const std::vector<int>& elements, const std::string& collection,
                        const std::string& format, const fs::path& basisSets) {
  if (format == kOwnFormat) {
    if (elements.size() != 1)
      throw Error("a .basis file contains one element; name one, or copy the folder of the collection");
    return libraryFileText(requiredEntry(elements.front(), collection, basisSets));
  }
  std::vector<ElementBasis> list;
  for (const int z : elements) list.push_back(elementBasis(requiredEntry(z, collection, basisSets)));
  return writeBasis(list, format);
}

std::string basisCompare(const std::string& first, const std::string& second, const fs::path& basisSets) {
  std::set<int> elements;
  for (const std::string& name : {first, second}) {
    for (const int z : libraryElements(name, basisSets)) elements.insert(z);
  }
  std::string text = fmt::format(
      "| Z | | {0} | functions | error | {1} | functions | error |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
      first, second);
  for (const int z : elements)
    text += fmt::format("| {} | {} |{}{}\n", z, symbolOf(z), columns(readLibraryEntry(z, first, basisSets)),
                        columns(readLibraryEntry(z, second, basisSets)));
  return text;
}

}  // namespace prophet
