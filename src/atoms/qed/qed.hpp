#pragma once
#include <memory>
#include <vector>

#include "atoms/atom/energy_breakdown.hpp"
#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/symmetry.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/qed/convolution.hpp"
#include "atoms/scf/scf.hpp"

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
  /// Tables for a finite nucleus are made here (times: docs/engineering/validation-log.md). `c`: speed of
  /// light.
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

// The fits of SelfEnergyFit (atom/hamiltonian.hpp):
// Valence: factors of V. V. Flambaum and J. S. M. Ginges, Phys. Rev. A 72, 052115 (2005), and J. S. M. Ginges
// and J. C. Berengut, Phys. Rev. A 93, 052509 (2016), made for high ns and np states: valence shifts within a
// few percent, 1s some 7 to 16 % too large.
// InnerShell: factors fitted for this program, with which F(Z alpha) of 1s and 2s, of 2p1/2 and 3p1/2, and of
// 2p3/2 come out, for the point nucleus or for a Fermi nucleus with the radii of the table (any finite
// nucleus uses these), as tabulated by V. M. Shabaev, I. I. Tupitsyn and V. A. Yerokhin, Phys. Rev. A 88,
// 012513 (2013) (Z = 1: U. D. Jentschura, P. J. Mohr and G. Soff, Phys. Rev. A 63, 042512 (2001)); d waves as
// above. For total energies, of which the inner shells make almost all.

/// Factors of the high- and the low-frequency potential for one symmetry.
struct SelfEnergyFactors {
  double high = 0, low = 0;
};
SelfEnergyFactors selfEnergyFactors(SelfEnergyFit fit, const Nucleus& nucleus, double c, Symmetry symmetry);

}  // namespace prophet::qed

namespace prophet {

/// The chosen corrections as functions of r, in the order of EnergyPartId. Throws Error for a self-energy
/// beyond qed::kLastSelfEnergyCharge.
std::vector<RadialOperator> qedOperators(const Nucleus& nucleus, double c, const QedOptions& options);

/// Their matrices over the primitives of `basis`: hand them to runScf for a self-consistent treatment or to
/// firstOrderEnergies after it. Integrals by the trapezoidal rule in ln r.
std::vector<OneElectronTerm> qedTerms(const BasisSet& basis, const Nucleus& nucleus, double c,
                                      const QedOptions& options);

/// Expectation value of each term over all electrons of a calculation in the same basis, hartree.
std::vector<double> firstOrderEnergies(const std::vector<OneElectronTerm>& terms, const ScfResult& scf);

/// The terms' parts of an energy in first order, over the electrons of a calculation that did not have them.
std::vector<EnergyPart> firstOrderParts(const std::vector<OneElectronTerm>& terms, const ScfResult& scf);

/// Expectation value of one block in spinor `column` (one electron), hartree.
double spinorExpectation(const BlockMatrix& block, const SymmetrySpinors& spinors, int column);

}  // namespace prophet
