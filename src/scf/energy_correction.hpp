#pragma once
#include <string>
#include <vector>

namespace prophet {

enum class CorrectionKind { Breit, Qed };

/// One part of the energy beyond the Dirac-Coulomb Hamiltonian, hartree.
struct EnergyCorrection {
  CorrectionKind kind = CorrectionKind::Breit;
  std::string name;  ///< "Gaunt", "Breit gauge", "vacuum polarisation", "self-energy", ... (qed/qed.hpp)
  double value = 0;
  bool selfConsistent = false;  ///< contained in the energy of the SCF; else still to be added to it
  /// The name as a key of JSON: "breit_gauge".
  std::string key() const;
};

/// What is of first order, to be added to the energy of the SCF; hartree.
double firstOrderSum(const std::vector<EnergyCorrection>& corrections);

}  // namespace prophet
