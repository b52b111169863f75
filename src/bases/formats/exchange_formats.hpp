#pragma once
#include <string>
#include <vector>

#include "atoms/basis/basis_set.hpp"
#include "atoms/basis/library.hpp"

namespace prophet {

/// Formats of files go by their names. All but our own are those of other programs and hold one list of
/// functions for each orbital angular momentum l (other programs know no separate ladders for l-1/2 and
/// l+1/2): plain exponents or contractions.
inline constexpr const char* kOwnFormat = "prophet";

/// kOwnFormat, "json", "nwchem", ...
std::vector<std::string> basisFormatNames();
/// The same without our own.
std::vector<std::string> exchangeFormatNames();
/// "Basis Set Exchange JSON, NWChem, ..., .basis": what is read.
std::string basisFormatList();
/// The name of a format as it is in the list, from one in any case. Throws Error with the list for another
/// name.
std::string basisFormatOf(const std::string& name);

/// One shell as a file gives it.
struct ContractedShell {
  int l = 0;
  std::vector<double> exponents;  ///< bohr^-2, in the file's order
  /// For each function the coefficients of the normalised primitives, as many as exponents; empty: every
  /// primitive is a function.
  std::vector<std::vector<double>> functions;
  std::string role = "orbital";
};

/// The functions of one element: primitives, exponents in bohr^-2, descending, one list for each l.
struct ElementBasis {
  int z = 0;
  std::string name, reference;  ///< of the collection; where it comes from (may be empty)
  std::vector<std::vector<double>> shells;
  std::vector<ContractedShell> contracted{};  ///< what was read, with contractions; empty for our own sets
  bool writeContracted = false;               ///< whether writers write `contracted` instead of `shells`
  int coreElectrons = 0;  ///< replaced by an effective core potential; the sets of this program have none
  int line = 0;           ///< of the file where the element (or its core potential) begins, from 1
  /// How the file says that functions of l >= 2 are Cartesian, "'CARTESIAN'", and in which line; empty: they
  /// are spherical.
  std::string cartesian{};
  int cartesianLine = 0;
  std::string date{};                   ///< of the set, year-month-day; empty: unknown
  std::vector<std::string> notes{};     ///< for the comments of a written file: purpose, what it lacks
  std::vector<FunctionGroup> groups{};  ///< of the library's sets, not in `shells` (addGroups)
};

/// The lists of a set: for each l the exponents of its symmetries, descending, each once.
ElementBasis elementBasis(const LibraryEntry& entry);
ElementBasis elementBasis(int z, const std::string& name, const std::string& reference,
                          const BasisSet& basis);
/// Takes the groups of functions among the shells, but those whose names are in `without`, and notes them.
void addGroups(ElementBasis& basis, const std::vector<std::string>& without);
/// The same exponents for l-1/2 and l+1/2.
BasisSet basisSetOf(const ElementBasis& basis);

/// The functions as they were read, contracted ones as contracted, the same for l-1/2 and l+1/2: exponents
/// ascending, each once. Throws Error, "file:line: error: ...", for a function without any primitive; `file`
/// names the text in it.
BasisSet contractedSetOf(const ElementBasis& basis, const std::string& file);

/// One text with the sets of some elements, every digit of the exponents. json: the Basis Set Exchange's
/// schema "complete" of version 0.1. Throws Error for our own format (several elements make a folder; see
/// libraryFileText), unknown ones, and angular momenta that a format has no letter for.
std::string writeBasis(const std::vector<ElementBasis>& elements, const std::string& format);

/// The text of an element's library file (format 1, of exponents 2, of basis_sets/README.md), shortest digits
/// that read back to the same numbers; readBasisFile gives the same entry again. Throws Error for what the
/// format cannot hold (a parameter that is not a finite number).
std::string libraryFileText(const LibraryEntry& entry);

/// Reads what writeBasis writes, and what other programs' files in the same formats contain: comments, D
/// exponents, contractions, SP (L) shells, core potentials (coreElectrons), fitting sets (left out). `shells`
/// holds the primitives of contracted functions, each once. `file` names the text in messages. Throws Error,
/// "file:line: error: ...", also for an element that is there twice and for words and keys that are not
/// known.
std::vector<ElementBasis> readBasis(const std::string& text, const std::string& format,
                                    const std::string& file);

/// The format of a text, from its content; our own for .basis files. Throws Error, "file:line: error: ...",
/// where none fits, and as refuseForeignFormat().
std::string detectBasisFormat(const std::string& text, const std::string& file);

/// Throws Error that names the format of a text which is Turbomole's, Q-Chem's, GAMESS's or Molpro's.
void refuseForeignFormat(const std::string& text, const std::string& file);

/// How the lists of l-1/2 and l+1/2 become one.
enum class SharedLists {
  All,     ///< every exponent of either: nothing is lost, but neighbours may lie very close
  Average  ///< close neighbours are replaced by their geometric mean: no denser than either list
};

/// One list for each l, descending, of a set with a list for each symmetry.
std::vector<std::vector<double>> sharedShells(const BasisSet& basis, SharedLists how);

/// Smallest eigenvalue of the overlap matrix of normalised primitives of angular momentum l: below about
/// 1e-8 molecule programs lose digits or drop functions.
double smallestOverlap(int l, const std::vector<double>& exponents);

/// The set of an element. Throws Error naming the elements that are there, and for a set that needs a core
/// potential or has Cartesian functions of l >= 2, which hold r^l' exp(-zeta r^2) Y_l'm with l' = l-2, l-4
/// ... too: none of the radial functions r^l' exp(-zeta r^2) of this program.
const ElementBasis& setOf(const std::vector<ElementBasis>& elements, int z, const std::string& file);

}  // namespace prophet
