#pragma once
#include <string>
#include <vector>

#include "basis/basis_set.hpp"
#include "basis/library.hpp"

namespace prophet {

/// File formats of other programs. All but Prophet hold plain exponent lists: one list for each orbital
/// angular momentum l, the union of those of l-1/2 and l+1/2 (other programs know no separate ladders).
enum class BasisFormat { Prophet, Json, Nwchem, Dirac, Gaussian };

/// "prophet", "json", "nwchem", "dirac", "gaussian".
std::string nameOf(BasisFormat format);
/// Inverse of nameOf, in any case; throws Error with the list for another name.
BasisFormat basisFormatOf(const std::string& name);

/// Uncontracted primitives of one element, exponents in bohr^-2, descending, one list for each l.
struct ElementBasis {
  int z = 0;
  std::string name, reference;  ///< of the collection; where it comes from (may be empty)
  std::vector<std::vector<double>> shells;
};

/// The lists of a set: for each l the exponents of its symmetries, descending, each once.
ElementBasis elementBasis(const LibraryEntry& entry);
/// The same exponents for l-1/2 and l+1/2.
BasisSet basisSetOf(const ElementBasis& basis);

/// One text with the sets of some elements, every digit of the exponents. Json: the Basis Set Exchange's
/// schema "complete" of version 0.1. Throws Error for Prophet (several elements make a folder; see
/// libraryFileText) and for angular momenta that a format has no letter for.
std::string writeBasis(const std::vector<ElementBasis>& elements, BasisFormat format);

/// Reads what writeBasis writes, and what other programs' files in the same formats contain: comments, D
/// exponents, contraction columns of uncontracted sets, SP shells. Contracted functions are taken as their
/// primitives. `file` names the text in messages. Throws Error, "file:line: error: ...".
std::vector<ElementBasis> readBasis(const std::string& text, BasisFormat format, const std::string& file);

}  // namespace prophet
