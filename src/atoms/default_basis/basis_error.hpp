#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/scf/scf.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// By how much functions that a set lacks would lower an energy, hartree: those below the geometric mean of
/// its smallest and its largest exponent, or those above it; and of them those beyond the set's own.
struct MissingFunctions {
  double diffuse = 0, tight = 0, moreDiffuse = 0, tighter = 0;
};

/// What a symmetry lacks; of its highest spinor alone, with all its electrons, and of all its spinors.
struct SymmetryLack {
  double outermostError = 0;  ///< E(basis) - E(complete basis) of the highest spinor's electrons, hartree
  /// 0 where the symmetry's error is too small to ask.
  MissingFunctions outermost, all;
};

/// Estimate of E(basis) - E(complete basis), hartree.
struct BasisErrorEstimate {
  double lack = 0;      ///< by how much missing functions would lower the energy, 0 or more
  double prolapse = 0;  ///< how far the energy falls because small components cannot follow, 0 or more
  std::vector<double> symmetryErrors;     ///< lack - prolapse of each symmetry
  std::vector<double> symmetryProlapses;  ///< what of them is prolapse, 0 or more
  std::vector<SymmetryLack> symmetryLacks;
  double resolution = 0;  ///< errors smaller than this cannot be told from rounding
  double total() const { return lack - prolapse; }
};

/// One-electron operators of the self-consistent field beside the Hamiltonian of a free atom, in a given
/// basis; may be empty.
using ExtraTerms = std::function<std::vector<OneElectronTerm>(const BasisSet&)>;

/// The basis in which errors of `basis` are measured: nearly even-tempered (ratio 1.6), further out at both
/// ends than `basis` and than the spinors ask for. One entry for each occupied symmetry.
BasisSet errorReference(const BasisSet& basis, const AtomProblem& problem, const ScfResult& scf);

/// The basis-set error of a converged calculation: its field is kept, and the spinors of each symmetry are
/// solved for once more in errorReference; the sum of the orbital energies' falls is the error to second
/// order, but for the response of the field (docs/theory/default-basis.md has the ratio of estimate to
/// error). A spinor's rise splits into what the large component lacks and what the small component is short
/// of, by the minimax principle: energies are minima over the large and maxima over the small components.
/// Hamiltonians without small components are set up anew in the reference (decoupled there, for X2C); what
/// small functions their basis lacks is part of the rise then, and the prolapse is 0. Costs about one
/// iteration in a basis of twice the size. Throws Error if the basis is beyond what the reference can carry.
BasisErrorEstimate estimateBasisError(const BasisSet& basis, const AtomProblem& problem, const ScfResult& scf,
                                      ThreadPool& pool, const ExtraTerms& extra = {});

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
