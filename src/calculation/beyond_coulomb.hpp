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

/// Parts of the energy that the job asks for beyond Coulomb, from the spinors of its SCF. `grid`: for the
/// Breit interaction; `qed`: the matrices of the job's QED potentials, which the SCF had if they are
/// self-consistent.
std::vector<EnergyCorrection> energyCorrections(const Calculation& calculation, const RadialGrid& grid,
                                                const ScfResult& scf, const std::vector<OneElectronTerm>& qed,
                                                ThreadPool& pool);

/// Energy of the SCF and the corrections that it does not contain.
double totalWithCorrections(const ScfResult& scf, const std::vector<EnergyCorrection>& corrections);

}  // namespace prophet
