#pragma once

namespace prophet {

/// Rate of the decay by two photons (2 E1) of 2s of one electron, or of 1s2s 1S0 of two, to the ground level,
/// 1/s; 0 for other numbers of electrons. `charge`: of the nucleus, `speedOfLight` in atomic units.
/// Source: closed forms of G. W. F. Drake, Phys. Rev. A 34 (1986) 2871, with the relativistic factor of S. P.
/// Goldman and G. W. F. Drake, Phys. Rev. A 24 (1981) 183. That of two electrons is within 0.7 % of W. R.
/// Johnson's rates from Z = 2 to 6.
double twoPhotonRate(int electrons, double charge, double speedOfLight);

}  // namespace prophet
