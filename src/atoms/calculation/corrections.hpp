#pragma once
#include <vector>

#include "atoms/breit/breit.hpp"
#include "atoms/calculation/calculation.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "core/common/thread_pool.hpp"

namespace prophet {

/// What a calculation in a basis set has beside the Dirac-Coulomb Hamiltonian of a free atom: kernels of its
/// Breit interaction on a grid (without frequency), matrices of its QED potentials and of a charged shell.
class Corrections {
 public:
  Corrections(const AtomProblem& problem, const BasisSet& basis, const RadialGrid& grid);

  const RadialGrid& grid() const { return grid_; }
  /// Kernels for the Fock builder; null if the Breit interaction is not self-consistent.
  std::shared_ptr<const CrossKernels> scfKernels() const;
  /// Operators for the SCF: QED, if it is not of first order, and a charged shell.
  std::vector<OneElectronTerm> scfTerms() const;
  /// The same operators in another basis.
  std::vector<OneElectronTerm> scfTermsIn(const BasisSet& basis) const;
  /// Adds the parts that the SCF did not list: the Breit parts, and QED in first order.
  void addTo(EnergyBreakdown& energy, const ScfResult& scf, ThreadPool& pool) const;

 private:
  const AtomProblem& problem_;
  const BasisSet& basis_;
  RadialGrid grid_;
  BreitInteraction breit_;
  std::vector<OneElectronTerm> qed_;
};

}  // namespace prophet
