#pragma once
#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/nucleus.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/basis/well_tempered.hpp"

namespace prophet {

/// How a set of the library came about; what its file does not state is empty. Energies in hartree.
struct BasisProvenance {
  std::string source;                  ///< publication, or the input that made it
  std::string program, date;           ///< program with version; date as year-month-day
  std::optional<double> energy;        ///< energy in this set
  std::optional<double> limit;         ///< numerical (complete-basis) energy
  std::optional<double> error;         ///< (energy - limit)/|limit|
  std::optional<double> speedOfLight;  ///< c of these energies (atomic units)
  std::optional<double> prolapse{};    ///< how far the energy falls because small components cannot follow
  /// What the request had other than by default: "correlating=1 gradient=1e-05"; empty: nothing.
  std::string settings{};
};

/// Functions of one l beside those that the neutral atom's energy needs.
struct FunctionGroup {
  std::string name;  ///< one of kFunctionGroups
  int l = 0;
  std::vector<double> exponents;  ///< bohr^-2, ascending
};
/// "polarisation": of the first l that the valence lacks; "correlation": of higher l; "core": for the
/// correlation of the outer core with the valence; "diffuse": for negative ions and polarisabilities;
/// "core-density": steep ones, for what electrons do at the nucleus.
inline constexpr const char* kCoreGroup = "core";
inline constexpr const char* kDiffuseGroup = "diffuse";
inline constexpr const char* kCoreDensityGroup = "core-density";
inline constexpr const char* kFunctionGroups[] = {"polarisation", "correlation", kCoreGroup, kDiffuseGroup,
                                                  kCoreDensityGroup};
/// Those that the valence of neutral atoms in molecules does without: exports have them where they are named.
inline constexpr const char* kGroupsOnRequest[] = {kCoreGroup, kDiffuseGroup, kCoreDensityGroup};

std::vector<FunctionGroup> withoutGroup(std::vector<FunctionGroup> groups, const std::string& name);
/// Without those on request.
std::vector<FunctionGroup> valenceGroups(std::vector<FunctionGroup> groups);
/// These and the group "core".
std::vector<FunctionGroup> coreValenceGroups(std::vector<FunctionGroup> groups);

/// One element's entry of a basis-set library file.
struct LibraryEntry {
  int z = 0;
  std::string library;        ///< name of the set collection, e.g. "wtbs-2.1"
  std::string configuration;  ///< configuration that the set was optimised for
  NuclearModel nuclearModel = NuclearModel::Gaussian;
  WellTemperedSpec spec;  ///< of a list of exponents: `functions` only
  /// Exponents of each symmetry, ascending, where the set is no ladder (format 2 of the files); else empty.
  std::vector<std::vector<double>> exponents{};
  std::string comment;  ///< provenance in one line
  BasisProvenance provenance;
  std::vector<FunctionGroup> groups{};  ///< for molecules (format 2 only); energies of atoms do without
};

/// The folder with the shipped sets: `chosen`, or where it is empty, as in all functions below, beside the
/// program or shared library that this code is part of: installed, a build tree or a bundle. Throws Error
/// naming every place that was tried.
std::filesystem::path basisSetFolder(const std::filesystem::path& chosen = {});

/// The collection that exports to other programs take by default: one list of exponents for each l. Throws
/// Error if its name cannot be read.
std::string exportCollection(const std::filesystem::path& sets = {});

/// Reads one element from the collection `library` (empty: the default one; with a '/': a folder anywhere);
/// only what that element needs is read. Throws Error if the file is damaged (with file and line); empty if
/// the collection lacks the element.
std::optional<LibraryEntry> readLibraryEntry(int z, const std::string& library = "",
                                             const std::filesystem::path& sets = {});
/// Z of all elements in a collection, ascending.
std::vector<int> libraryElements(const std::string& library = "", const std::filesystem::path& sets = {});

BasisSet makeBasis(const LibraryEntry& entry);

/// Reads one element's basis file (format: basis_sets/README.md). `file` names it in messages. Throws Error,
/// "file:line: error: ...", for anything that the format does not allow.
LibraryEntry readBasisFile(std::istream& in, const std::string& file);

/// Name of an element's file in its collection, such as "086-Rn.basis".
std::string basisFileName(int z);

/// So begins what the source of a set says of a group on request; it ends before the next "; ".
inline constexpr const char* kCoreStatement = "core functions";
inline constexpr const char* kDiffuseStatement = "diffuse functions";
inline constexpr const char* kCoreDensityStatement = "steep functions";

/// A source without the statements that begin so.
std::string withoutStatement(std::string source, const std::string& statement);

/// The set without this group, one of kGroupsOnRequest, and without what its provenance says of it.
LibraryEntry withoutGroup(LibraryEntry entry, const std::string& name);

}  // namespace prophet
