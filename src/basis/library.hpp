#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "atom/nucleus.hpp"
#include "basis/basis_set.hpp"
#include "basis/well_tempered.hpp"

namespace prophet {

/// One element's entry of a basis-set library file.
struct LibraryEntry {
  int z = 0;
  std::string library;        ///< name of the set collection, e.g. "wtbs-2.1"
  std::string configuration;  ///< configuration that the set was optimised for
  NuclearModel nuclearModel = NuclearModel::Gaussian;
  WellTemperedSpec spec;
  std::string comment;        ///< provenance
};

/// The folder with the shipped sets: $CUDAPROPHET_BASIS_SETS, else beside the binary (install or bundle), else the
/// source tree that the binary was built from. Throws Error naming every place that was tried.
std::filesystem::path basisSetFolder();

/// Reads one element from the collection `library` (empty: the default one); only what that element needs is read.
/// Throws Error where the file is damaged (with file and line); empty where the collection lacks the element.
std::optional<LibraryEntry> readLibraryEntry(int z, const std::string& library = "");
/// Z of all elements in a collection, ascending.
std::vector<int> libraryElements(const std::string& library = "");

BasisSet makeBasis(const LibraryEntry& entry);

}  // namespace prophet
