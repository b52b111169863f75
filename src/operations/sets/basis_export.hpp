#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "bases/formats/exchange_formats.hpp"
#include "operations/jobs/basis_source.hpp"

namespace prophet {

/// What to write, and how.
struct BasisExport {
  std::string format = kOwnFormat;
  SharedLists shared = SharedLists::All;  ///< where l-1/2 and l+1/2 have different exponents
  std::string date;                       ///< of sets that state none, year-month-day
  /// Names of function groups that are left out; published sets for the valence have none of those on
  /// request.
  std::vector<std::string> without{std::begin(kGroupsOnRequest), std::end(kGroupsOnRequest)};
};

struct ExportedBasis {
  std::string text;  ///< one file; of our own format the first element's
  /// In our own format: a file for each element, name and text, with the collection's name in each.
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> remarks;  ///< what the user should know, a sentence each
};

/// Sets with one list of primitives for each l, and what the user should know of them.
struct SharedSets {
  std::vector<ElementBasis> sets;
  std::vector<std::string> remarks;
};

/// What the exports in formats of other programs write: sets of a collection, or of a file (all, or those of
/// `elements`). Throw Error if an element is missing.
SharedSets librarySets(const std::vector<int>& elements, const std::string& collection,
                       const BasisExport& how, const std::filesystem::path& basisSets = {});
SharedSets fileSets(const BasisFileSets& sets, const std::vector<int>& elements, const BasisExport& how);

/// Sets of a collection (empty: the default one in our own format, exportCollection in others). Throws Error
/// if an element is missing, or for several elements in our own format.
ExportedBasis exportLibrary(const std::vector<int>& elements, const std::string& collection,
                            const BasisExport& how, const std::filesystem::path& basisSets = {});

/// The sets of a file, all or those of `elements`. In our own format they are lists of exponents (format 2)
/// of the collection `collection`, for the neutral ground configuration and a Gaussian nucleus. Throws Error
/// if an element is missing.
ExportedBasis exportFile(const BasisFileSets& sets, const std::vector<int>& elements, const BasisExport& how,
                         const std::string& collection = "imported");

}  // namespace prophet
