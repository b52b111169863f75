#include "atoms/atom/hamiltonian.hpp"

namespace prophet {

template <>
const Names<OneElectronOperator>& namesOf() {
  static const Names<OneElectronOperator> kNames = {{"dirac", OneElectronOperator::Dirac},
                                                    {"x2c1e", OneElectronOperator::X2c},
                                                    {"sfx2c1e", OneElectronOperator::SpinFreeX2c},
                                                    {"nonrel", OneElectronOperator::Nonrelativistic}};
  return kNames;
}

template <>
const Names<TwoElectronOperator>& namesOf() {
  static const Names<TwoElectronOperator> kNames = {{"Coulomb", TwoElectronOperator::Coulomb},
                                                    {"Coulomb-Gaunt", TwoElectronOperator::CoulombGaunt},
                                                    {"Coulomb-Breit", TwoElectronOperator::CoulombBreit}};
  return kNames;
}

}  // namespace prophet
