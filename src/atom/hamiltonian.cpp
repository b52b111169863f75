#include "atom/hamiltonian.hpp"

namespace prophet {

std::string nameOf(TwoElectronOperator repulsion) {
  switch (repulsion) {
    case TwoElectronOperator::Coulomb:
      return "Coulomb";
    case TwoElectronOperator::CoulombGaunt:
      return "Coulomb-Gaunt";
    case TwoElectronOperator::CoulombBreit:
      return "Coulomb-Breit";
  }
  return "unknown";
}

}  // namespace prophet
