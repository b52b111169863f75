#pragma once
#include <optional>
#include <string>

namespace prophet {

/// An ionisation energy of the NIST Atomic Spectra Database (src/data/nist-ionisation-energies.csv).
struct NistIonisationEnergy {
  std::string configuration;  ///< of the ground level, "[Ar] 3d6 4s2"
  double electronvolts = 0;
  std::optional<double> uncertainty;  ///< eV
  std::string kind;                   ///< "measured", "semi-empirical" or "theoretical"
};

/// What the database has of an atom or positive ion that loses an electron; empty where it has no energy.
std::optional<NistIonisationEnergy> nistIonisationEnergy(int z, int charge);

}  // namespace prophet
