#include "atoms/properties/properties.hpp"

#include <algorithm>
#include <tuple>

namespace prophet {
namespace {

bool isTwoElectron(EnergyPartId id) { return id == EnergyPartId::ElectronRepulsion || isBreit(id); }

void addEnergies(const EnergyBreakdown& energy, Properties& properties) {
  for (const EnergyPart& part : energy.parts) {
    if (part.treatment == Treatment::FirstOrder) continue;
    (isTwoElectron(part.id) ? properties.twoElectron : properties.oneElectron) += part.value;
  }
}

}  // namespace

std::vector<SpinOrbitSplitting> spinOrbitSplittings(const std::vector<Spinor>& spinors) {
  std::vector<std::tuple<int, int, double>> found;  // n, l, value
  for (const Spinor& low : spinors) {
    if (low.symmetry.kappa < 0) continue;  // j = l - 1/2: kappa = l
    for (const Spinor& high : spinors) {
      if (high.n == low.n && high.symmetry.kappa == -low.symmetry.kappa - 1)
        found.emplace_back(low.n, low.symmetry.l(), high.energy - low.energy);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<SpinOrbitSplitting> list;
  for (const auto& [n, l, value] : found) list.push_back({std::to_string(n) + letterOfL(l), value});
  return list;
}

Properties propertiesOf(const Calculation& calculation, const Result& result) {
  const AtomProblem& problem = calculation.problem;
  const SpinorIntegrals integrals(problem, result);
  Properties properties;
  addEnergies(result.energy, properties);
  properties.moments = momentsOf(integrals);
  properties.total = totalMoments(result.spinors, properties.moments);
  const OneElectronOperator kind = problem.hamiltonian.oneElectron;
  const bool picture = kind == OneElectronOperator::Dirac || kind == OneElectronOperator::Nonrelativistic;
  // What happens at the nucleus needs operators in the picture of the spinors, hyperfine integrals small
  // ones.
  if (picture) properties.nucleus = nuclearRegion(integrals, calculation, result, properties.warnings);
  if (!problem.hamiltonian.isSpinFree()) properties.splittings = spinOrbitSplittings(result.spinors);
  if (problem.hamiltonian.isFourComponent()) properties.hyperfine = hyperfineIntegrals(integrals);
  return properties;
}

std::vector<Warning> allWarnings(const Result& result, const Properties& properties) {
  std::vector<Warning> list = result.warnings;
  list.insert(list.end(), properties.warnings.begin(), properties.warnings.end());
  return list;
}

}  // namespace prophet
