#pragma once
#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/symmetry.hpp"

namespace prophet::qed {

// The fits of SelfEnergyFit (atom/hamiltonian.hpp):
// Valence: factors of V. V. Flambaum and J. S. M. Ginges, Phys. Rev. A 72, 052115 (2005), and J. S. M. Ginges
// and J. C. Berengut, Phys. Rev. A 93, 052509 (2016), made for high ns and np states: valence shifts within a
// few percent, 1s some 7 to 16 % too large.
// InnerShell: factors fitted for this program, with which F(Z alpha) of 1s and 2s, of 2p1/2 and 3p1/2, and of
// 2p3/2 come out, for the point nucleus or for a Fermi nucleus with the radii of the table (any finite
// nucleus uses these), as tabulated by V. M. Shabaev, I. I. Tupitsyn and V. A. Yerokhin, Phys. Rev. A 88,
// 012513 (2013) (Z = 1: U. D. Jentschura, P. J. Mohr and G. Soff, Phys. Rev. A 63, 042512 (2001)); d waves as
// above. For total energies, of which the inner shells make almost all.

/// Factors of the high- and the low-frequency potential for one symmetry.
struct SelfEnergyFactors {
  double high = 0, low = 0;
};
SelfEnergyFactors selfEnergyFactors(SelfEnergyFit fit, const Nucleus& nucleus, double c, Symmetry symmetry);

}  // namespace prophet::qed
