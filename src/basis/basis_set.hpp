#pragma once
#include <string>
#include <vector>

#include "atom/symmetry.hpp"

namespace prophet {

/// Exponents (bohr^-2) outside of these belong to no atom: the functions reach beyond 1e10 bohr or lie within
/// 1e-12 bohr, and powers of the exponents leave the range of double precision.
constexpr double kSmallestExponent = 1e-20, kLargestExponent = 1e25;
bool isUsableExponent(double zeta);
/// "a number from 1e-20 to 1e+25".
std::string expectedExponent();

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
