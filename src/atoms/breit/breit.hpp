#pragma once
#include <memory>
#include <string>
#include <vector>

#include "atoms/angular/angular.hpp"
#include "atoms/atom/configuration.hpp"
#include "atoms/atom/energy_breakdown.hpp"
#include "atoms/atom/symmetry.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/fock/slater_kernel.hpp"
#include "atoms/scf/scf.hpp"

namespace prophet {

/// Merged kernels of all pairs of symmetries: one sum over J, L1, L2 for each block.
std::shared_ptr<const CrossKernels> breitKernels(const std::vector<Symmetry>& symmetries, double h,
                                                 int points, BreitPart part);

/// Kernels of both parts and of their sum, from one calculation of the angular factors.
struct BreitKernelSet {
  std::shared_ptr<const CrossKernels> gaunt, gauge, breit;
};
BreitKernelSet breitKernelSet(const std::vector<Symmetry>& symmetries, double h, int points);

/// The Gaunt or Breit interaction on a grid: its kernels, made once for the self-consistent field and for the
/// parts of the energy.
class BreitInteraction {
 public:
  /// Makes nothing for Coulomb.
  BreitInteraction(const BasisSet& basis, const RadialGrid& grid, TwoElectronOperator repulsion);
  /// Kernels of the whole interaction; null for Coulomb.
  const std::shared_ptr<const CrossKernels>& whole() const { return whole_; }
  /// Kernels of the magnetic part (null for Coulomb) and of the gauge part (null but for CoulombBreit).
  const std::shared_ptr<const CrossKernels>& gaunt() const { return gaunt_; }
  const std::shared_ptr<const CrossKernels>& gauge() const { return gauge_; }

 private:
  std::shared_ptr<const CrossKernels> whole_, gaunt_, gauge_;
};

/// Grid builder of the whole operator: what a self-consistent Breit calculation hands to runScf.
std::unique_ptr<GridFockBuilder> makeGridBuilder(const BasisSet& basis, const RadialGrid& grid,
                                                 TwoElectronOperator repulsion, ThreadPool& pool);

/// Expectation values in hartree.
struct BreitEnergy {
  double gaunt = 0;  ///< of -alpha1.alpha2/r12
  double gauge = 0;  ///< of the rest of the Breit interaction
  double total() const { return gaunt + gauge; }
};

/// The parts that `repulsion` has: Gaunt, and the gauge part with CoulombBreit; none for Coulomb.
std::vector<EnergyPart> breitParts(TwoElectronOperator repulsion, const BreitEnergy& energy,
                                   Treatment treatment);

/// Breit energy of the spinors of `scf` in the average of configuration: the first-order correction where
/// they are Coulomb orbitals, the parts of the two-electron energy where they are Breit orbitals. `grid`: as
/// for the builder (fockGrid(basis)). `repulsion` CoulombGaunt leaves the gauge part 0, Coulomb both.
BreitEnergy breitEnergy(const BasisSet& basis, const RadialGrid& grid, const Configuration& configuration,
                        const ScfResult& scf, TwoElectronOperator repulsion, ThreadPool& pool);

/// The same with kernels that are there already, those of an interaction on the same grid.
BreitEnergy breitEnergy(const BasisSet& basis, const RadialGrid& grid, const Configuration& configuration,
                        const ScfResult& scf, const BreitInteraction& interaction, ThreadPool& pool);

/// Each occupied spinor's expectation value, by symmetry, of its Breit interaction with all others, as
/// the average over configurations has it, hartree: in first order what the interaction adds to its energy,
/// and the derivative of breitEnergy by its occupation.
std::vector<double> breitShifts(const BasisSet& basis, const RadialGrid& grid,
                                const Configuration& configuration,
                                const std::vector<OccupiedSpinors>& spinors,
                                const BreitInteraction& interaction, ThreadPool& pool);

}  // namespace prophet
