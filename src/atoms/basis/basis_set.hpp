#pragma once
#include <fmt/format.h>
#include <Eigen/Core>
#include <string>
#include <vector>

#include "atoms/atom/symmetry.hpp"

namespace prophet {

/// Primitive Gaussians of one symmetry: large component r^(l+1) exp(-zeta r^2), small component by restricted
/// kinetic balance; exponents in bohr^-2, in the order given (ascending for ladders).
struct SymmetryBasis {
  Symmetry symmetry;
  std::vector<double> exponents;
  /// Contracted functions: a column for each over the normalised primitives, of any norm; their small
  /// components by restricted kinetic balance too. Empty: every primitive is a function.
  Eigen::MatrixXd contraction{};

  int size() const { return static_cast<int>(exponents.size()); }  ///< primitives
  bool contracted() const { return contraction.size() > 0; }
  int functions() const { return contracted() ? static_cast<int>(contraction.cols()) : size(); }
};

/// A basis set: symmetry i of the list is Symmetry::fromIndex(i).
struct BasisSet {
  std::vector<SymmetryBasis> symmetries;
  std::string description;  ///< where it comes from, one line
  int functions() const;    ///< total number of large-component functions
  int largestL() const;     ///< largest orbital angular momentum; -1 for an empty set
  bool contracted() const;  ///< whether any symmetry has contracted functions
};

/// The symmetries of a basis, in its order.
std::vector<Symmetry> symmetriesOf(const BasisSet& basis);

/// Exponents (bohr^-2) outside of these belong to no atom: the functions reach beyond 1e6 bohr or lie within
/// 1e-12 bohr, and powers of the exponents leave the range in which integrals are exact.
inline constexpr double kSmallestExponent = 1e-12, kLargestExponent = 1e25;

/// False for what is not a number, too.
inline bool isUsableExponent(double zeta) { return zeta >= kSmallestExponent && zeta <= kLargestExponent; }

/// "a number from 1e-12 to 1e+25".
inline std::string expectedExponent() {
  return fmt::format("a number from {:.0e} to {:.0e}", kSmallestExponent, kLargestExponent);
}

}  // namespace prophet
