#pragma once
#include <string>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/basis/basis_set.hpp"

namespace prophet {

/// One list of exponents of a set: for l-1/2 and l+1/2 together where both have the same, else for each.
struct ExponentList {
  std::string label;  ///< "p" of a shared list; "p-", "p+"
  int l = 0;
  std::vector<int> symmetries;    ///< places in the basis set
  std::vector<double> exponents;  ///< bohr^-2, descending
  bool occupied = false;          ///< whether electrons are in one of its symmetries
};

std::vector<ExponentList> exponentLists(const BasisSet& basis, const Configuration& configuration);

/// "34s 31p 21d 14f": the sizes of occupied lists.
std::string occupiedSizes(const std::vector<ExponentList>& lists);

struct SmallestOverlap {
  double eigenvalue = 1.0;
  std::string list;
};

/// Smallest eigenvalue of the overlap matrices of all lists (normalised primitives), and whose it is.
SmallestOverlap smallestOverlapOf(const std::vector<ExponentList>& lists);

}  // namespace prophet
