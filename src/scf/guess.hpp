#pragma once
#include "atom/nucleus.hpp"

namespace prophet {

/// Screened nuclear potential of the default guess: the nucleus plus the charge of `electrons` - 1 electrons
/// spread as Thomas and Fermi's. V(r) in hartree, r in bohr. One electron sees the bare nucleus. Screening
/// function: Latter's fit, Phys. Rev. 99, 510 (1955).
double screenedPotential(const Nucleus& nucleus, double electrons, double r);

}  // namespace prophet
