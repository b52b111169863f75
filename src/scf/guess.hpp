#pragma once

namespace prophet {

/// Repulsion of the default guess: the charge of `electrons` - 1 electrons spread as Thomas and Fermi's
/// around a nucleus of this charge, so that guess and nucleus together have the right charge near and far.
/// Hartree, r in bohr; 0 for one electron. Screening function: Latter's fit, Phys. Rev. 99, 510 (1955).
double thomasFermiScreening(double nuclearCharge, double electrons, double r);

}  // namespace prophet
