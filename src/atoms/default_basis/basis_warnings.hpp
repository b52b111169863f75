#pragma once
#include <optional>
#include <string>
#include <vector>

#include "atoms/basis/library.hpp"
#include "atoms/default_basis/basis_error.hpp"

namespace prophet {

/// Something about a basis that its user should know.
struct BasisWarning {
  std::string id;    ///< "basis_poor", ...
  std::string text;  ///< one sentence
};

/// Warnings about the basis of a calculation:
/// - basis_made_for_something_else: a named library set outside its purpose (`named`; nullptr: none named);
/// - basis_poor: estimated error above 5e-7 of the energy and 5e-5 hartree;
/// - missing_functions: where a poor basis lacks most: the symmetry, and the end of its exponents;
/// - outermost_spinor_not_represented: the energy of a symmetry's highest spinor is off by more than 1 % of
///   its binding energy, and the end of the exponents where functions are missing;
/// - prolapse: the energy lies below the limit by more than 5e-9 of it and 1e-6 hartree;
/// `estimate`: nullptr if there is none.
std::vector<BasisWarning> basisWarnings(const LibraryEntry* named, const Nucleus& nucleus,
                                        const Configuration& configuration, double c, const BasisSet& basis,
                                        const ScfResult& scf, const BasisErrorEstimate* estimate);

}  // namespace prophet
