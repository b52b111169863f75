#pragma once
#include <filesystem>
#include <optional>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"
#include "operations/sets/basis_export.hpp"
#include "operations/sets/natural_functions.hpp"

namespace prophet {

/// Which spinors of a shell nl the contraction coefficients are of.
enum class ContractionPer {
  L,  ///< the mean of both j, weighted by 2j + 1: one function for each shell
  J   ///< each: two functions for a shell with l > 0
};

/// How a set is contracted: generally, with the large components of the neutral atom's occupied spinors in
/// the ground configuration, over all primitives of their l; and with natural functions (`natural`), the
/// eigenfunctions of the density outside of these, of the states' fields and their second order, both j
/// together: atomic natural orbitals.
struct BasisContraction {
  OneElectronOperator hamiltonian = OneElectronOperator::Dirac;
  NuclearModel nucleus = NuclearModel::Gaussian;
  ContractionPer per = ContractionPer::L;
  /// The outermost (most diffuse) primitives of each l that stay functions of their own beside the contracted
  /// ones. Where these and the contracted functions would be as many as the primitives, all stay
  /// uncontracted.
  int uncontracted = 0;
  std::optional<NaturalChoice> natural{};
  BasisExport how;  ///< format (any but Prophet) and, for sets with two lists for an l, how they are joined
  int threads = 1;
};

/// Contracts sets of a collection, or those of a file (all, or `elements`). Angular momenta without electrons
/// stay uncontracted, and those that `natural` gives no function are left out. Throws Error if an element is
/// missing, if its field does not converge, for our own format, for functions per j of a Hamiltonian that
/// knows no j, and for numbers of natural functions that occupied ones exceed or that the states do not fill.
ExportedBasis contractLibrary(const std::vector<int>& elements, const std::string& collection,
                              const BasisContraction& contraction,
                              const std::filesystem::path& basisSets = {});
ExportedBasis contractFile(const BasisFileSets& sets, const std::vector<int>& elements,
                           const BasisContraction& contraction);

/// The contracted functions of one element whose primitives are `lists.shells`. Throws Error as above.
ElementBasis contractedBasis(ElementBasis lists, const BasisContraction& contraction);

}  // namespace prophet
