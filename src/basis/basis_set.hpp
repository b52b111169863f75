#pragma once
#include <string>
#include <vector>

#include "atom/symmetry.hpp"

namespace prophet {

/// Primitive Gaussians of one symmetry: large component r^(l+1) exp(-zeta r^2), small component by restricted
/// kinetic balance; exponents in bohr^-2, in the order given (ascending for ladders).
struct SymmetryBasis {
  Symmetry symmetry;
  std::vector<double> exponents;
  int size() const { return static_cast<int>(exponents.size()); }
};

/// A basis set: symmetry i of the list is Symmetry::fromIndex(i).
struct BasisSet {
  std::vector<SymmetryBasis> symmetries;
  std::string description;  ///< where it comes from, one line
  int functions() const;    ///< total number of large-component functions
  int largestL() const;     ///< largest orbital angular momentum; -1 for an empty set
};

}  // namespace prophet
