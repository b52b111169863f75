#pragma once
#include <optional>
#include <string>
#include <vector>

#include "basis/library.hpp"
#include "default_basis/basis_error.hpp"

namespace prophet {

/// Something about a basis that its user should know.
struct BasisWarning {
  std::string id;    ///< "basis-poor", ...
  std::string text;  ///< one sentence
};

/// What a calculation's basis deserves to be warned of:
///   basis-made-for-something-else     a named library set outside its purpose (`named`; nullptr: none named)
///   basis-poor                        estimated error above 5e-7 of the energy and 5e-5 hartree
///   outermost-spinor-not-represented  the error of a symmetry is above 1 % of its outermost electrons'
///   binding prolapse                          the energy lies below the limit by more than 5e-9 of it and
///   1e-6 hartree near-dependent                    functions that were dropped for it
/// `estimate`: nullptr where there is none.
std::vector<BasisWarning> basisWarnings(const LibraryEntry* named, const Nucleus& nucleus,
                                        const Configuration& configuration, double c, const ScfResult& scf,
                                        const BasisErrorEstimate* estimate);

}  // namespace prophet
