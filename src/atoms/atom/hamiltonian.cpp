#include "atoms/atom/hamiltonian.hpp"

#include <utility>

namespace prophet {
namespace {

constexpr std::pair<OneElectronOperator, const char*> kOneElectron[] = {
    {OneElectronOperator::Dirac, "dirac"},
    {OneElectronOperator::X2c, "x2c1e"},
    {OneElectronOperator::SpinFreeX2c, "sfx2c1e"},
    {OneElectronOperator::Nonrelativistic, "nonrel"}};

}  // namespace

std::string nameOf(OneElectronOperator kind) {
  for (const auto& [known, name] : kOneElectron) {
    if (known == kind) return name;
  }
  return "unknown";
}

std::optional<OneElectronOperator> oneElectronOperatorNamed(const std::string& name) {
  for (const auto& [kind, known] : kOneElectron) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

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
