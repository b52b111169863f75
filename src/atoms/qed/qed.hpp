#pragma once
#include <vector>

#include "atoms/atom/energy_breakdown.hpp"
#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/radial_operator.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/qed/potentials.hpp"
#include "atoms/qed/self_energy_factors.hpp"
#include "atoms/scf/scf.hpp"

namespace prophet {

/// The chosen corrections as functions of r, in the order of EnergyPartId. Throws Error for a self-energy
/// beyond qed::kLastSelfEnergyCharge.
std::vector<RadialOperator> qedOperators(const Nucleus& nucleus, double c, const QedOptions& options);

/// Their matrices over the primitives of `basis`: hand them to runScf for a self-consistent treatment or to
/// firstOrderEnergies after it. Integrals by the trapezoidal rule in ln r.
std::vector<OneElectronTerm> qedTerms(const BasisSet& basis, const Nucleus& nucleus, double c,
                                      const QedOptions& options);

/// Expectation value of each term over all electrons of a calculation in the same basis, hartree.
std::vector<double> firstOrderEnergies(const std::vector<OneElectronTerm>& terms, const ScfResult& scf);

/// The terms' parts of an energy in first order, over the electrons of a calculation that did not have them.
std::vector<EnergyPart> firstOrderParts(const std::vector<OneElectronTerm>& terms, const ScfResult& scf);

/// Expectation value of one block in spinor `column` (one electron), hartree.
double spinorExpectation(const BlockMatrix& block, const SymmetrySpinors& spinors, int column);

}  // namespace prophet
