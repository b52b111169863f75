#pragma once
#include <complex>
#include <vector>

namespace prophet {

/// The bound coherent scattering length of a nucleus, or of an element's natural mixture of isotopes (mass
/// number 0), for neutrons of 1.798 angstrom; negative imaginary parts are those of absorption, and given
/// where they matter.
struct NeutronLength {
  int z, massNumber;
  std::complex<double> length;  ///< fm
  bool resonant;                ///< whether it differs much among the energies of thermal neutrons
};

/// V. F. Sears, Neutron News 3 (3), 29-37 (1992), whole.
const std::vector<NeutronLength>& neutronLengths();

/// nullptr where none is known.
const NeutronLength* neutronLength(int z, int massNumber = 0);

}  // namespace prophet
