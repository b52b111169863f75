#pragma once
#include <vector>

#include "basis/basis_set.hpp"
#include "integrals/block_matrix.hpp"

namespace prophet {

/// Repulsion of the default guess: the charge of `electrons` - 1 electrons spread as Thomas and Fermi's
/// around a nucleus of this charge, so that guess and nucleus together have the right charge near and far.
/// Hartree, r in bohr; 0 for one electron. Screening function: Latter's fit, Phys. Rev. 99, 510 (1955).
double thomasFermiScreening(double nuclearCharge, double electrons, double r);

/// The screening as matrices over the primitives (LS stays empty): what the guess adds to the one-electron
/// Hamiltonian.
std::vector<BlockMatrix> guessScreening(const BasisSet& basis, double nuclearCharge, double electrons);

}  // namespace prophet
