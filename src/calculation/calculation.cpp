#include "calculation/calculation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "basis/exponent_range.hpp"
#include "common/error.hpp"

namespace prophet {

const char* nameOf(FockKind kind) {
  switch (kind) {
    case FockKind::Grid:
      return "grid";
    case FockKind::Stored:
      return "stored";
    case FockKind::Stse:
      return "stse";
    case FockKind::Mtse:
      return "mtse";
    case FockKind::Automatic:
      break;
  }
  return "automatic";
}

Calculation calculationIn(BasisSet basis, AtomProblem problem, ScfOptions scf) {
  BasisMethod method;
  method.basis = std::move(basis);
  method.scf = scf;
  return {std::move(problem), std::move(method)};
}

void requireSound(const Calculation& calculation) {
  const double c = calculation.problem.hamiltonian.speedOfLight;
  if (!(c > 0.0) || !std::isfinite(c)) throw Error("the speed of light must be positive");
  if (calculation.isLimit()) return;
  const BasisSet& basis = calculation.inBasis().basis;
  if (basis.functions() == 0) throw Error("the basis has no functions");
  for (const SymmetryBasis& block : basis.symmetries) {
    for (const double zeta : block.exponents) {
      if (isUsableExponent(zeta)) continue;
      throw Error(fmt::format("exponent {} of {} is not {}; correct the basis", zeta, block.symmetry.label(),
                              expectedExponent()));
    }
  }
}

}  // namespace prophet
