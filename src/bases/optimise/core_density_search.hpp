#pragma once
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/calculation/result.hpp"

namespace prophet {

/// What the electrons of each l, from s up, have at the nucleus, sums over all of them, atomic units: of s
/// electrons the density's mean over the nuclear charge and the integral of P Q r^-2 dr of hyperfine
/// structure; of others <r^-3> of j = l + 1/2, and the integrals of P Q r^-2 of both j. Throws Error where
/// the nucleus has no size or the result no wavefunction.
std::vector<std::vector<double>> integralsAtNucleus(const AtomProblem& problem, const Result& result);

/// Largest relative error of an l.
struct ErrorAtNucleus {
  int l = 0;
  double without = 0, with = 0;  ///< the further functions
};

struct CoreDensityOptions {
  double error = 1e-3;  ///< relative, that integrals are to have at most
  int most = 8;         ///< functions of an l
};

struct CoreDensityResult {
  std::vector<FunctionGroup> groups;   ///< of the name "core-density"
  std::vector<ErrorAtNucleus> errors;  ///< of each l that has electrons
  int evaluations = 0;                 ///< fields
};

/// Steep functions beside those of `basis`: they continue the list of each l with one ratio, as few as have
/// integralsAtNucleus, the numerical limit's being right, within the error wanted, and one more function too,
/// so that no error is small because it passes through zero; of several ratios the one with the smallest
/// error. Where no number suffices, as the set's valence has too small an amplitude, as few as come within a
/// tenth of the best. Deterministic. Throws Error where a field does not converge.
CoreDensityResult searchCoreDensity(const AtomProblem& atom, const BasisSet& basis,
                                    const CoreDensityOptions& options = {});

}  // namespace prophet
