#pragma once
#include <vector>

#include "atoms/levels/slater_parameters.hpp"
#include "atoms/valence/pair_space.hpp"

namespace prophet {

/// Electrons of the shells above a core.
using ValenceShells = std::vector<Shell>;

/// Slater integrals and spin-orbit parameters of a Hamiltonian of valence electrons, of all shells of these
/// configurations; what slaterParameters gives, but zeta_radial, of an interaction that need not be
/// Coulomb's.
///
/// F^k, G^k, R^k: the antisymmetric elements of two electrons are averaged over J in each LS term, with
/// weights 2J + 1, which leaves what does not act on spins; of this the tensors of rank k whose parity is
/// that of Coulomb's are F, G and R. Those of the other parity, which Sigma_2 has (Trees' alpha of a p shell
/// is one), are left out. zeta: as slaterParameters, in the field of the core and of the other electrons of
/// the first configuration that has the shell. Throws Error where the space does not have a shell.
std::vector<SlaterParameter> valenceParameters(const ValenceHamiltonian& h,
                                               const std::vector<ValenceShells>& configurations,
                                               ThreadPool& pool);

}  // namespace prophet
