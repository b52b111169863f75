#pragma once
#include <vector>

#include "atom/nucleus.hpp"
#include "atom/radial_operator.hpp"
#include "basis/basis_set.hpp"
#include "qed/potentials.hpp"
#include "qed/self_energy_factors.hpp"
#include "scf/energy_correction.hpp"
#include "scf/scf.hpp"

namespace prophet {

/// Which QED corrections to make.
struct QedOptions {
  bool vacuumPolarisation = false;  ///< Uehling potential
  bool kallenSabry = false;         ///< two-loop vacuum polarisation
  bool wichmannKroll = false;       ///< higher orders of it (an approximate fit, point nucleus)
  bool selfEnergy = false;          ///< Flambaum-Ginges radiative potential
  qed::SelfEnergyFit fit = qed::SelfEnergyFit::InnerShell;
  bool any() const { return vacuumPolarisation || kallenSabry || wichmannKroll || selfEnergy; }
};

/// The chosen corrections as functions of r, in the order "vacuum polarisation", "Kallen-Sabry",
/// "Wichmann-Kroll", "self-energy". Throws Error for a self-energy beyond qed::kLastSelfEnergyCharge.
std::vector<RadialOperator> qedOperators(const Nucleus& nucleus, double c, const QedOptions& options);

/// Their matrices over the primitives of `basis`: hand them to runScf for a self-consistent treatment or to
/// firstOrderEnergies after it. Integrals by the trapezoidal rule in ln r.
std::vector<OneElectronTerm> qedTerms(const BasisSet& basis, const Nucleus& nucleus, double c,
                                      const QedOptions& options);

/// Expectation value of each term over all electrons of a calculation in the same basis, hartree.
std::vector<double> firstOrderEnergies(const std::vector<OneElectronTerm>& terms, const ScfResult& scf);

/// The terms' parts of a calculation's energy: those of its SCF, which got them as its extra terms, or in
/// first order.
std::vector<EnergyCorrection> qedCorrections(const std::vector<OneElectronTerm>& terms, const ScfResult& scf,
                                             bool selfConsistent);

/// Expectation value of one block in spinor `column` (one electron), hartree.
double spinorExpectation(const BlockMatrix& block, const SymmetrySpinors& spinors, int column);

}  // namespace prophet
