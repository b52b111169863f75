#pragma once
#include <functional>
#include <string>
#include <vector>

#include "atoms/atom/shell_list.hpp"
#include "atoms/correlation/orbital_space.hpp"
#include "core/common/stopwatch.hpp"

namespace prophet {

class CorrelationEngine;
struct SecondOrderCache;

/// Which electrons are correlated, and how.
struct CorrelationOptions {
  std::vector<Shell> frozen{};  ///< closed shells whose electrons are not; n and l, and j where one is named
  ThreadPool* pool = nullptr;   ///< never null
  Checkpoint checkpoint{};      ///< called between parts of the work
  /// Closed shells whose electrons are correlated with those of others, but not among themselves.
  std::vector<Shell> inner{};
  /// Whether no electron goes to an open shell: such excitations may take little energy or none. Electrons
  /// that leave have the energies of their own shell's field then (SymmetryOrbitals::ownEnergies).
  bool virtualOnly = false;
  /// Where any is true: only excitations with an electron that goes to one of these symmetries, by index.
  std::vector<bool> targets{};
  /// What further energies of the same atom take over: coefficients, and potentials of symmetries that are
  /// not among `targets`, whose spinors must be the same ones. May be null.
  SecondOrderCache* cache = nullptr;
  CorrelationEngine* engine = nullptr;  ///< that forms the sums; nullptr: the processor
  /// Brueckner orbitals consist of spinors below this energy, hartree: others hardly mix with those of
  /// valence electrons.
  double bruecknerRange = 100;
};

/// Two spinors whose electrons are excited together, and what that gives, hartree.
struct PairEnergy {
  std::string first, second;  ///< "2s1/2"; in the order of OrbitalSpace, `second` not before `first`
  double energy = 0;
  std::vector<double> waves;  ///< of excitations to l at most L, less those to at most L - 1, for each L
};

struct SecondOrder {
  std::vector<PairEnergy> pairs;
  /// The energy of single excitations, which closed shells do not have: their field vanishes for the average
  /// alone.
  double singles = 0;
  std::vector<double> singleWaves;
  double energy = 0;          ///< all pairs and singles
  std::vector<double> waves;  ///< their sum for each L
  double smallestGap = 0;     ///< smallest energy of an excitation, hartree
  double integrals = 0;       ///< radial integrals that were computed
};

/// Energy of second order of the mean over all determinants of a configuration, in which the perturbation is
/// H - sum_i <i|F|i> n_i with F of OrbitalSpace: of closed shells that of Moller and Plesset (Phys. Rev. 46,
/// 618 (1934)). Without virtual pairs where spinors have small components. Formulas and sources:
/// docs/theory/correlation.md.
///
/// Throws Error for open shells that are no averages over whole shells nl or nlj of one configuration, and
/// for frozen shells that are open or that there are none of.
SecondOrder secondOrder(const OrbitalSpace& space, const Configuration& configuration,
                        const CorrelationOptions& options);

/// Multiplications and additions of the products that make its integrals.
double secondOrderOperations(const OrbitalSpace& space, const Configuration& configuration,
                             const CorrelationOptions& options);

}  // namespace prophet
