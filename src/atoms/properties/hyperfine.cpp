#include "atoms/properties/hyperfine.hpp"

#include <cmath>

#include "core/common/constants.hpp"

namespace prophet {
namespace {

constexpr double kFullEnough = 1e-9;  // electrons

// The nuclear magneton is 1/(2 c m_p) in Gaussian atomic units; A = 2 mu_N (mu/I) kappa/(j (j + 1)) [P Q
// r^-2].
double megahertzOfDipole(Symmetry s) {
  const double j = s.twoJ() / 2.0;
  return constants::kMegahertzPerHartree /
         (constants::kInverseFineStructure * constants::kProtonElectronMassRatio) * s.kappa / (j * (j + 1));
}

double megahertzOfQuadrupole(Symmetry s) {
  const double barn = 100 * std::pow(constants::kFemtometresPerBohr, -2);  // 100 fm^2 in bohr^2
  const double j = s.twoJ() / 2.0;
  return constants::kMegahertzPerHartree * barn * (2 * j - 1) / (2 * j + 2);
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

}  // namespace prophet
