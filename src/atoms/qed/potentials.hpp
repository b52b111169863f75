#pragma once
#include <memory>

#include "atoms/atom/nucleus.hpp"
#include "atoms/qed/convolution.hpp"

namespace prophet::qed {

/// Radiative potentials of a nucleus as potential energies of an electron, V(r) in hartree at r in bohr, r
/// from 1e-14 to 1e3. With a finite nucleus the point potentials are averaged over the charge density.
///
/// Self-energy: the radiative potential of V. V. Flambaum and J. S. M. Ginges, Phys. Rev. A 72, 052115
/// (2005), with the finite nuclear size and the d-wave factors of J. S. M. Ginges and J. C. Berengut, Phys.
/// Rev. A 93, 052509 (2016); fitted to hydrogen-like ions. Vacuum polarisation: Uehling, Kallen-Sabry, and
/// the fit of the Wichmann-Kroll potential that the first of these papers gives (point nucleus).
class Potentials {
 public:
  /// Tables for a finite nucleus are made here (docs/breit-qed.md has the times). `c`: speed of light.
  Potentials(const Nucleus& nucleus, double c);

  double uehling(double r) const;
  double kallenSabry(double r) const;
  double wichmannKroll(double r) const;
  /// High-frequency electric form factor, to be multiplied with the fitted factor.
  double electricHigh(double r) const;
  /// Low-frequency part, Z^4 alpha^3 exp(-Z r), to be multiplied with the fitted factor.
  double electricLow(double r) const;
  /// Factor f(r) of the magnetic form factor f(r) i gamma.n: <psi|f i gamma.n|psi> = 2 integral f P Q dr.
  double magnetic(double r) const;

 private:
  double charge_, c_, alpha_, logarithm_, cutoff_;
  std::unique_ptr<const ChargeDensity> density_;  ///< none for a point, as the next
  std::unique_ptr<const OuterRules> rules_;
  std::unique_ptr<const AveragedPotential> uehling_, kallenSabry_, high_, low_, magnetic_;
};

}  // namespace prophet::qed
