#pragma once
#include <string>
#include <vector>

#include "common/thread_pool.hpp"
#include "input/job.hpp"
#include "integrals/radial_grid.hpp"
#include "scf/scf.hpp"

namespace prophet {

struct Calculation;

enum class CorrectionKind { Breit, Qed };

/// One part of the energy beyond the Dirac-Coulomb Hamiltonian, hartree.
struct EnergyCorrection {
  CorrectionKind kind = CorrectionKind::Breit;
  std::string name;  ///< "Gaunt", "Breit gauge", "vacuum polarisation", "self-energy", ... (qed/qed.hpp)
  double value = 0;
  bool selfConsistent = false;  ///< contained in the energy of the SCF; else still to be added to it
};

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
