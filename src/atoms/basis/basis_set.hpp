#pragma once
#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/configuration.hpp"
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
std::string expectedExponent();

/// Functions that the configuration needs in each symmetry at least: its highest spinor and all below it. Up
/// to the last symmetry with electrons.
std::vector<int> functionsNeeded(const Configuration& configuration);
/// Functions that a basis has in each symmetry.
std::vector<int> functionsOf(const BasisSet& basis);

/// A sentence about `what` ("the configuration") where a basis of so many symmetries lacks one that it
/// occupies.
std::optional<std::string> missingSymmetry(const std::string& what, const std::vector<int>& needed,
                                           int symmetries);
/// Sentences, one for each symmetry whose functions are too few for its spinors.
std::vector<std::string> missingFunctions(const std::string& what, const std::vector<int>& needed,
                                          const std::vector<int>& functions);

/// Throws Error where the basis cannot hold the configuration.
void requireCovered(const BasisSet& basis, const Configuration& configuration);

}  // namespace prophet
