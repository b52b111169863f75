#include "atoms/properties/reference_ladder.hpp"

#include <algorithm>
#include <cmath>

#include "atoms/calculation/compute.hpp"

namespace prophet {
namespace {

constexpr double kUnit = 0.004, kRatio = 1.7;  // bohr^-2; the ladder's exponents are kUnit kRatio^k
constexpr double kFurther = 3;                 // how far the ladder reaches beyond the set at the diffuse end
/// Steepest functions of s, p, d, ... in exponents 3/(2 rms^2) of a Gaussian nucleus.
constexpr double kSteepest[] = {50, 50, 2e-2, 1e-3};

int rungBelow(double exponent) {
  return static_cast<int>(std::floor(std::log(exponent / kUnit) / std::log(kRatio)));
}

}  // namespace

BasisSet referenceLadder(const Nucleus& nucleus, const BasisSet& own) {
  const double nuclear = 1.5 / (nucleus.rms * nucleus.rms);
  BasisSet ladder;
  ladder.description = "the reference ladder of densities at the nucleus";
  for (std::size_t a = 0; a < own.symmetries.size(); ++a) {
    const Symmetry symmetry = own.symmetries[a].symmetry;
    const int l = symmetry.l();
    double least = nuclear, most = kSteepest[std::min(l, 3)] * nuclear;
    for (const SymmetryBasis& s : own.symmetries) {
      if (s.symmetry.l() != l || s.exponents.empty()) continue;
      const auto [first, last] = std::minmax_element(s.exponents.begin(), s.exponents.end());
      least = std::min(least, *first);
      most = std::max(most, *last);
    }
    SymmetryBasis& functions = ladder.symmetries.emplace_back(SymmetryBasis{symmetry, {}});
    for (int k = rungBelow(least / kFurther); k <= rungBelow(most) + 1; ++k)
      functions.exponents.push_back(kUnit * std::pow(kRatio, k));
  }
  return ladder;
}

std::optional<Result> inReferenceLadder(const Calculation& calculation, const Result& result) {
  const Hamiltonian& h = calculation.problem.hamiltonian;
  const bool hasDensity = h.isFourComponent() || h.oneElectron == OneElectronOperator::Nonrelativistic;
  if (!hasDensity || calculation.problem.nucleus.model == NuclearModel::Point || !result.ok())
    return std::nullopt;
  Calculation reference = calculationIn(
      referenceLadder(calculation.problem.nucleus, calculation.inBasis().basis), calculation.problem);
  Hamiltonian& simple = reference.problem.hamiltonian;
  simple.repulsion = h.scfRepulsion();
  simple.breitFrequency = false;
  if (!h.qedInScf()) simple.qed = {};
  BasisMethod& method = reference.inBasis();
  method.start = result.coefficients;
  method.keepSpinors = true;
  const Result found = computeOrReason(reference, {1});
  if (!found.ok() || !found.wavefunction) return std::nullopt;
  return found;
}

}  // namespace prophet
