#include "atoms/atom/hamiltonian.hpp"

namespace prophet {

namespace {

constexpr OneElectronKind kKinds[] = {
    {.id = OneElectronOperator::Dirac,
     .name = "dirac",
     .title = "Dirac",
     .fourComponent = true,
     .spinFree = false,
     .samePicture = true,
     .hasLimit = true,
     .hasBasis = true,
     .relativistic = true},
    {.id = OneElectronOperator::X2c,
     .name = "x2c1e",
     .title = "X2C-1e-Coulomb",
     .fourComponent = false,
     .spinFree = false,
     .samePicture = false,
     .hasLimit = false,
     .hasBasis = true,
     .relativistic = true},
    {.id = OneElectronOperator::SpinFreeX2c,
     .name = "sfx2c1e",
     .title = "spin-free X2C-1e-Coulomb",
     .fourComponent = false,
     .spinFree = true,
     .samePicture = false,
     .hasLimit = false,
     .hasBasis = true,
     .relativistic = true},
    {.id = OneElectronOperator::Nonrelativistic,
     .name = "nonrel",
     .title = "non-relativistic",
     .fourComponent = false,
     .spinFree = true,
     .samePicture = true,
     .hasLimit = true,
     .hasBasis = true,
     .relativistic = false},
    {.id = OneElectronOperator::KoellingHarmon,
     .name = "koelling-harmon",
     .title = "scalar-relativistic (Koelling-Harmon)",
     .fourComponent = false,
     .spinFree = true,
     .samePicture = true,
     .hasLimit = true,
     .hasBasis = false,
     .relativistic = true},
};

}  // namespace

const OneElectronKind& kindOf(OneElectronOperator id) {
  for (const OneElectronKind& kind : kKinds) {
    if (kind.id == id) return kind;
  }
  throw Error("there is no one-electron Hamiltonian " + std::to_string(static_cast<int>(id)));
}

template <>
const Names<OneElectronOperator>& namesOf() {
  static const Names<OneElectronOperator> kNames = [] {
    Names<OneElectronOperator> names;
    for (const OneElectronKind& kind : kKinds) names.emplace_back(kind.name, kind.id);
    return names;
  }();
  return kNames;
}

template <>
const Names<TwoElectronOperator>& namesOf() {
  static const Names<TwoElectronOperator> kNames = {{"Coulomb", TwoElectronOperator::Coulomb},
                                                    {"Coulomb-Gaunt", TwoElectronOperator::CoulombGaunt},
                                                    {"Coulomb-Breit", TwoElectronOperator::CoulombBreit}};
  return kNames;
}

template <>
const Names<SpinPolarisation>& namesOf() {
  static const Names<SpinPolarisation> kNames = {{"none", SpinPolarisation::None},
                                                 {"polarised", SpinPolarisation::Polarised}};
  return kNames;
}

}  // namespace prophet
