#pragma once
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/correlation/added_functions.hpp"
#include "bases/optimise/tier_tables.hpp"

namespace prophet {

/// The shells of a neutral atom's ground configuration that count as valence: ns and np, (n-1)d in d blocks,
/// (n-2)f and (n-1)d in f blocks.
std::vector<Shell> valenceShells(int z);
/// What functions for the valence correlate in a neutral atom's ground configuration: ns and np in p blocks,
/// (n-1)d and ns in d blocks, (n-2)f, (n-1)d and ns in f blocks, and ns in s blocks, there with (n-1)s and
/// (n-1)p as inner shells; all others are frozen. In d and f blocks no electron goes to an open shell:
/// there such excitations may take no energy. Throws Error for an element of the first group, whose valence
/// has one electron.
CorrelatedShells valenceOf(int z);
/// The same, and for elements of the first group what an s block has: correlation of ns with (n-1)s and
/// (n-1)p. Of hydrogen nothing.
CorrelatedShells correlatedShells(int z);
/// Whether it has two electrons at least.
bool hasValencePairs(int z);

/// The same with the outer core as inner shells, whose electrons are correlated with those of the valence: of
/// (n-1), and in s and d blocks of (n-2). Throws Error for H and He, which have no core.
CorrelatedShells coreValenceOf(int z);
bool hasOuterCore(int z);

struct CorrelatingSearchOptions {
  double ionWeight = 1;  ///< of the positive ion's energy beside the atom's
  /// Whether functions that polarise d and f blocks are those of largest response (mostResponding): p
  /// functions for the outermost s shell, and of several f functions of d blocks the outermost for the d
  /// shell.
  bool byResponse = true;
  double step = 0.3;         ///< first step in ln zeta
  double tolerance = 1e-8;   ///< hartree by which the last steps lower the energy
  int maxEvaluations = 200;  ///< of each search
  int mostMoves = 6;         ///< of functions across an exponent of the set
};

struct CorrelatingSearchResult {
  std::vector<FunctionGroup> groups;
  double energy = 0;       ///< of second order in the set with its groups, hartree
  double startEnergy = 0;  ///< of the functions that the search began with
  double smallestGap = 0;  ///< hartree
  double ionWeight = 0;    ///< 0: no ion counted beside the atom
  bool byResponse = false;
  int evaluations = 0;
};

/// The exponents of functions for correlation that minimise the energy of second order of the electrons
/// of valenceOf in the field of the neutral atom's set `basis` (secondOrder), and that of the positive ion
/// (defaultConfiguration) times its weight where two valence electrons remain and it means something: first
/// even-tempered lists, a centre and a ratio for each l, then all exponents, by their derivatives (BFGS);
/// functions that end next to an exponent of the set are tried on the other side of it. Functions of one l
/// stay a ratio of 1.35 apart and 1.2 from those of the set; a single d function of p blocks with d electrons
/// in the core stays above 1.2 times its centre. Those found by response are there from the beginning;
/// without them p functions of d and f blocks stay below three times the centre of the outermost s shell. The
/// groups' names are those of correlatingFunctions. Deterministic. Throws Error where second order has no
/// energy.
CorrelatingSearchResult searchCorrelating(int z, const AtomProblem& problem, const BasisSet& basis,
                                          const std::vector<FunctionCount>& counts,
                                          const CorrelatingSearchOptions& options = {});

/// The same for functions of the group "core" and the electrons of coreValenceOf. `basis`: with the set's
/// other groups. Where second order means nothing (smallestGap <= 0) they lie between the valence and the
/// outer core.
CorrelatingSearchResult searchCore(int z, const AtomProblem& problem, const BasisSet& basis,
                                   const std::vector<FunctionCount>& counts,
                                   const CorrelatingSearchOptions& options = {});

}  // namespace prophet
