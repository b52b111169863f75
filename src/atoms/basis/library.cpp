#include "atoms/basis/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/basis_file.hpp"
#include "core/common/error.hpp"
#include "core/common/read_file.hpp"

namespace prophet {
namespace fs = std::filesystem;
namespace {

constexpr const char* kReferenceFolder = "reference";
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

std::string collectionList(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (const auto& item : fs::directory_iterator(folder, failure))
    if (isCollection(item.path())) names.push_back(item.path().filename().string());
  std::sort(names.begin(), names.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Folder of a collection; its name must not lead out of the folder with the sets.
fs::path collectionFolder(const std::string& library, const fs::path& sets) {
  const fs::path folder = basisSetFolder(sets);
  const std::string name = library.empty() ? defaultLibrary(folder) : library;
  const bool plain = name.find('/') == std::string::npos && name.front() != '.';
  if (!plain || !isCollection(folder / name)) {
    throw Error(fmt::format("no collection of basis sets is called '{}' in {}; there is: {}", name,
                            folder.string(), collectionList(folder)));
  }
  return folder / name;
}

void checkPlace(const LibraryEntry& entry, int z, const fs::path& file) {
  if (entry.z != z)
    throw Error(fmt::format("{}:1: error: the file holds a set of {}, but its name says {}", file.string(),
                            symbolOf(entry.z), symbolOf(z)));
  const std::string folder = file.parent_path().filename().string();
  if (entry.library != folder)
    throw Error(fmt::format("{}:1: error: the file says collection '{}', but it lies in '{}'", file.string(),
                            entry.library, folder));
}

}  // namespace

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
      fmt::format("the folder with the basis sets (it holds a file 'default') was not found; tried {}; say "
                  "where it is (the "
                  "program takes it from the environment variable CUDAPROPHET_BASIS_SETS)",
                  tried));
}

std::optional<LibraryEntry> readLibraryEntry(int z, const std::string& library, const fs::path& sets) {
  const fs::path folder = collectionFolder(library, sets);
  if (z < 1 || z > kLastElement) return std::nullopt;
  const fs::path file = folder / basisFileName(z);
  std::error_code failure;
  if (!fs::exists(file, failure)) return std::nullopt;
  if (!fs::is_regular_file(file, failure))
    throw Error(fmt::format("{}:1: error: this is no file that can be read", file.string()));
  std::istringstream in(readFile(file.string()));
  LibraryEntry entry = readBasisFile(in, file.string());
  checkPlace(entry, z, file);
  return entry;
}

std::vector<int> libraryElements(const std::string& library, const fs::path& sets) {
  const fs::path folder = collectionFolder(library, sets);
  std::vector<int> elements;
  std::error_code failure;
  for (int z = 1; z <= kLastElement; ++z)
    if (fs::exists(folder / basisFileName(z), failure)) elements.push_back(z);
  return elements;
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

}  // namespace prophet
