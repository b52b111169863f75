#include "atoms/properties/properties.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

#include "atoms/properties/hyperfine_units.hpp"

namespace prophet {

std::optional<double> PowerMoments::of(int k) const {
  const auto place = values_.find(k);
  return place == values_.end() ? std::nullopt : std::optional<double>(place->second);
}

std::vector<PowerMoments> momentsOf(const SpinorIntegrals& integrals) {
  std::vector<PowerMoments::Values> values(integrals.count());
  for (int k = kLowestPower; k <= kHighestPower; ++k) {
    const SpinorIntegrals::Weight weight = integrals.powerWeight(k);
    for (int i = 0; i < integrals.count(); ++i) {
      if (integrals.exists(i, k)) values[i][k] = integrals.density(i, weight);
    }
  }
  return {std::make_move_iterator(values.begin()), std::make_move_iterator(values.end())};
}

PowerMoments totalMoments(const std::vector<Spinor>& spinors, const std::vector<PowerMoments>& moments) {
  PowerMoments::Values values;
  for (int k = kLowestPower; k <= kHighestPower; ++k) {
    std::optional<double> sum = 0;
    for (std::size_t i = 0; i < spinors.size() && sum; ++i) {
      if (spinors[i].occupation == 0) continue;
      const std::optional<double> value = moments[i].of(k);
      sum = value ? std::optional<double>(*sum + spinors[i].occupation * *value) : std::nullopt;
    }
    if (sum) values[k] = *sum;
  }
  return PowerMoments(std::move(values));
}

namespace {

constexpr double kFullEnough = 1e-9;  // electrons

// A = 2 mu_N (mu/I) kappa/(j (j + 1)) [P Q r^-2].
double megahertzOfDipole(Symmetry s) {
  const double j = s.twoJ() / 2.0;
  return 2 * kMegahertzOfDipole * s.kappa / (j * (j + 1));
}

double megahertzOfQuadrupole(Symmetry s) {
  const double j = s.twoJ() / 2.0;
  return 0.5 * kMegahertzOfQuadrupole * (2 * j - 1) / (2 * j + 2);
}

HyperfineIntegrals integralsOf(const SpinorIntegrals& integrals, int i) {
  const Spinor& spinor = integrals.spinor(i);
  HyperfineIntegrals h;
  h.spinor = i;
  h.label = spinor.label();
  if (integrals.productExists(i, -2)) {
    h.magneticDipole = integrals.product(i, -2);
    h.magneticConstant = megahertzOfDipole(spinor.symmetry) * *h.magneticDipole;
  }
  if (spinor.symmetry.twoJ() > 1 && integrals.exists(i, -3)) {
    h.electricQuadrupole = integrals.density(i, integrals.powerWeight(-3));
    h.quadrupoleConstant = megahertzOfQuadrupole(spinor.symmetry) * *h.electricQuadrupole;
  }
  return h;
}

}  // namespace

std::vector<HyperfineIntegrals> hyperfineIntegrals(const SpinorIntegrals& integrals) {
  std::vector<HyperfineIntegrals> list;
  for (int i = 0; i < integrals.count(); ++i) {
    const Spinor& s = integrals.spinor(i);
    if (s.occupation > kFullEnough && s.occupation < s.symmetry.degeneracy() - kFullEnough)
      list.push_back(integralsOf(integrals, i));
  }
  return list;
}

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
  const bool picture = kindOf(problem.hamiltonian.oneElectron).samePicture;
  // What happens at the nucleus needs operators in the picture of the spinors, hyperfine integrals small
  // ones.
  if (picture) properties.nucleus = nuclearRegion(integrals, calculation, result, properties.warnings);
  if (!problem.hamiltonian.isSpinFree()) properties.splittings = spinOrbitSplittings(result.spinors);
  if (problem.hamiltonian.isFourComponent()) properties.hyperfine = hyperfineIntegrals(integrals);
  properties.tables = propertyTables({calculation, result, integrals, properties});
  return properties;
}

std::vector<Warning> allWarnings(const Result& result, const Properties& properties) {
  std::vector<Warning> list = result.warnings;
  list.insert(list.end(), properties.warnings.begin(), properties.warnings.end());
  return list;
}

}  // namespace prophet
