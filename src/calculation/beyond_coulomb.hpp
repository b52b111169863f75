#pragma once
#include <vector>

#include "common/thread_pool.hpp"
#include "input/job.hpp"
#include "integrals/radial_grid.hpp"
#include "scf/energy_correction.hpp"
#include "scf/scf.hpp"

namespace prophet {

struct Calculation;

/// Operator of the self-consistent field: Coulomb where the Breit interaction follows in first order.
TwoElectronOperator scfOperator(const BeyondCoulomb& beyond);

/// What a calculation has beside the Dirac-Coulomb Hamiltonian: kernels of its Breit interaction on a grid
/// (without frequency) and matrices of its QED potentials.
struct BeyondCoulombTerms {
  BeyondCoulombTerms(const Calculation& calculation, const RadialGrid& breitGrid);
  RadialGrid grid;
  BreitInteraction breit;
  std::vector<OneElectronTerm> qed;
};

/// Parts of the energy that the job asks for beyond Coulomb, from the spinors of its SCF, which had those
/// terms that are self-consistent.
std::vector<EnergyCorrection> energyCorrections(const Calculation& calculation,
                                                const BeyondCoulombTerms& terms, const ScfResult& scf,
                                                ThreadPool& pool);

/// Energy of the SCF and the corrections that it does not contain.
double totalWithCorrections(const ScfResult& scf, const std::vector<EnergyCorrection>& corrections);

}  // namespace prophet
