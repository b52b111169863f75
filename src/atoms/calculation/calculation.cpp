#include "atoms/calculation/calculation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atoms/basis/basis_set.hpp"
#include "atoms/functional/functional.hpp"
#include "core/common/error.hpp"

namespace prophet {

template <>
const Names<FockKind>& namesOf() {
  static const Names<FockKind> kNames = {{"automatic", FockKind::Automatic},
                                         {"grid", FockKind::Grid},
                                         {"stored", FockKind::Stored},
                                         {"stse", FockKind::Stse},
                                         {"mtse", FockKind::Mtse}};
  return kNames;
}

namespace {

/// Without spin-orbit coupling the spinors nl of both j are one orbital: occupied alike, in the same
/// functions.
void requireSpinFree(const Calculation& calculation) {
  const Configuration& configuration = calculation.problem.configuration;
  const std::string name = nameOf(calculation.problem.hamiltonian.oneElectron);
  if (!treatsBothJAlike(configuration))
    throw Error(
        fmt::format("hamiltonian='{}' does not distinguish j, but the configuration {} treats the two j of a "
                    "shell differently; name whole shells, such as 2p2",
                    name, configuration.description));
  if (calculation.isLimit()) return;
  const BasisSet& basis = calculation.inBasis().basis;
  for (std::size_t a = 1; a + 1 < basis.symmetries.size(); a += 2) {
    const SymmetryBasis &low = basis.symmetries[a], &high = basis.symmetries[a + 1];
    if (configuration.occupiedSpinors(static_cast<int>(a + 1)) == 0) continue;
    if (low.exponents == high.exponents && low.contraction == high.contraction) continue;
    throw Error(
        fmt::format("hamiltonian='{}' does not distinguish j, but the basis has different functions for {} "
                    "and {}; give both the same exponents",
                    name, low.symmetry.label(), high.symmetry.label()));
  }
}

/// What a functional excludes. Throws Error for functionals that there are not, too.
void requireKohnSham(const Calculation& calculation) {
  const Hamiltonian& h = calculation.problem.hamiltonian;
  const std::string functional = functionalOf(h)->name();
  if (h.scfRepulsion() != TwoElectronOperator::Coulomb)
    throw Error(fmt::format(
        "functional='{}' has the Breit interaction in first order only; give breitscf=.false.", functional));
  if (calculation.isLimit()) return;
  const FockKind fock = calculation.inBasis().fock;
  if (fock != FockKind::Grid && fock != FockKind::Automatic)
    throw Error(fmt::format("functional='{}' is computed on the grid; give fock='grid' instead of fock='{}'",
                            functional, nameOf(fock)));
  if (calculation.inBasis().exponentGradient)
    throw Error(
        fmt::format("there are no derivatives with respect to exponents with functional='{}'", functional));
}

}  // namespace

Calculation calculationIn(BasisSet basis, AtomProblem problem, ScfOptions scf) {
  BasisMethod method;
  method.basis = std::move(basis);
  method.scf = scf;
  return {std::move(problem), std::move(method)};
}

void requireSound(const Calculation& calculation) {
  const double c = calculation.problem.hamiltonian.speedOfLight;
  if (!(c > 0.0) || !std::isfinite(c)) throw Error("the speed of light must be positive");
  const Hamiltonian& h = calculation.problem.hamiltonian;
  if (!h.isFourComponent() && h.hasCorrections())
    throw Error(fmt::format(
        "the Breit interaction, QED corrections and charged shells need hamiltonian='dirac'; found '{}'",
        nameOf(h.oneElectron)));
  if (h.shell.any() &&
      !(h.shell.radius > 0 && std::isfinite(h.shell.radius) && std::isfinite(h.shell.charge)))
    throw Error("a charged shell needs a radius above 0");
  if (!kindOf(h.oneElectron).hasBasis && !calculation.isLimit())
    throw Error(
        fmt::format("hamiltonian='{}' has a numerical limit only, no Gaussian functions; choose the "
                    "limit, or another hamiltonian such as 'sfx2c1e'",
                    nameOf(h.oneElectron)));
  if (h.isKoellingHarmon()) requireScalarFunctional(h.functional, h.spin);
  if (h.isSpinFree()) requireSpinFree(calculation);
  if (h.isKohnSham()) requireKohnSham(calculation);
  if (calculation.isLimit()) {
    if (h.shell.any() && h.qed.any() && !h.qedInScf())
      throw Error(
          "in a charged shell the limit has QED corrections in the self-consistent field only; give "
          "qedscf=.true.");
    if (kindOf(h.oneElectron).hasLimit) return;
    throw Error(fmt::format(
        "numerical limits are available for hamiltonian='dirac', 'nonrel' and 'koelling-harmon'; found "
        "hamiltonian='{}'",
        nameOf(h.oneElectron)));
  }
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
