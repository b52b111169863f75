#pragma once
#include <optional>
#include <string>
#include <vector>

#include "basis/library.hpp"
#include "default_basis/basis_error.hpp"

namespace prophet {

/// Something about a basis that its user should know.
struct BasisWarning {
  std::string id;    ///< "basis_poor", ...
  std::string text;  ///< one sentence
};

/// Warnings about the basis of a calculation:
/// - basis_made_for_something_else: a named library set outside its purpose (`named`; nullptr: none named);
/// - basis_poor: estimated error above 5e-7 of the energy and 5e-5 hartree;
/// - outermost_spinor_not_represented: the error of a symmetry is above 1 % of the binding energy of its
///   outermost electrons;
/// - prolapse: the energy lies below the limit by more than 5e-9 of it and 1e-6 hartree;
/// `estimate`: nullptr if there is none.
std::vector<BasisWarning> basisWarnings(const LibraryEntry* named, const Nucleus& nucleus,
                                        const Configuration& configuration, double c, const ScfResult& scf,
                                        const BasisErrorEstimate* estimate);

}  // namespace prophet
