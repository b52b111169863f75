#pragma once
#include <string>

#include "core/common/constants.hpp"
#include "core/common/names.hpp"

namespace prophet {

/// Hamiltonian of one electron; the values of the input language's `hamiltonian`.
enum class OneElectronOperator {
  Dirac,            ///< "dirac": four components
  X2c,              ///< "x2c1e": exact two-component, decoupled for one electron
  SpinFreeX2c,      ///< "sfx2c1e": the same without spin-orbit coupling
  Nonrelativistic,  ///< "nonrel": p^2/2 + V
  KoellingHarmon    ///< "koelling-harmon": scalar-relativistic, with the density of the large component
};

/// "dirac", "x2c1e", "sfx2c1e", "nonrel", "koelling-harmon".
template <>
const Names<OneElectronOperator>& namesOf();

/// All that the program knows of a Hamiltonian of one electron beside its matrices (scf/fock_operator.cpp).
struct OneElectronKind {
  OneElectronOperator id;
  const char* name;    ///< of the input language
  const char* title;   ///< as results have it; Dirac's goes on with the repulsion of the electrons
  bool fourComponent;  ///< else there is neither Breit interaction nor QED
  bool spinFree;       ///< the spinors of l - 1/2 and l + 1/2 are the same
  bool samePicture;    ///< operators need no transformation: densities at the nucleus mean something
  bool hasLimit;       ///< there is a numerical limit
  bool hasBasis;       ///< there are Gaussian functions for it; else it needs a functional of the density
  bool relativistic;   ///< there is a speed of light in it
};
/// Throws Error where there is none.
const OneElectronKind& kindOf(OneElectronOperator id);

/// Repulsion of the electrons; the values of the input language's `breit` (none, gaunt, breit).
enum class TwoElectronOperator { Coulomb, CoulombGaunt, CoulombBreit };

/// "Coulomb", "Coulomb-Gaunt", "Coulomb-Breit".
template <>
const Names<TwoElectronOperator>& namesOf();

/// Which fit the electric parts of the self-energy potential are multiplied with (qed/self_energy_factors.hpp
/// has the sources): for valence shifts, or for the inner shells, which make almost all of total energies.
enum class SelfEnergyFit { Valence, InnerShell };

/// The tables of the self-energy end at this nuclear charge.
constexpr double kLastSelfEnergyCharge = 120;

/// Which QED corrections to include.
struct QedOptions {
  bool vacuumPolarisation = false;  ///< Uehling potential
  bool kallenSabry = false;         ///< two-loop vacuum polarisation
  bool wichmannKroll = false;       ///< higher orders of it (an approximate fit, point nucleus)
  bool selfEnergy = false;          ///< Flambaum-Ginges radiative potential
  SelfEnergyFit fit = SelfEnergyFit::InnerShell;
  bool any() const { return vacuumPolarisation || kallenSabry || wichmannKroll || selfEnergy; }
};

/// Charges around an ion, as those of its crystal, spread over a sphere ("Watson sphere", R. E. Watson, Phys.
/// Rev. 111, 1108 (1958)): an electron has the potential energy -charge/radius inside and -charge/r outside.
struct ChargedShell {
  double charge = 0;  ///< e; 0: there is none
  double radius = 0;  ///< bohr
  bool any() const { return charge != 0; }
};

/// How a part of the Hamiltonian enters: as an expectation value over spinors computed without it, or in the
/// self-consistent field.
enum class Treatment { FirstOrder, SelfConsistent };

/// Whether a density functional is one of the density of all electrons or of those of both spins; the values
/// of the input language's `spin` ("none", "polarised").
enum class SpinPolarisation { None, Polarised };
template <>
const Names<SpinPolarisation>& namesOf();

/// The Dirac-Coulomb Hamiltonian and what is added to it, or what stands in its place.
struct Hamiltonian {
  double speedOfLight = constants::kSpeedOfLight;
  TwoElectronOperator repulsion = TwoElectronOperator::Coulomb;
  Treatment breitTreatment = Treatment::FirstOrder;
  bool breitFrequency = false;  ///< the Breit interaction with the photon's frequency, in first order
  QedOptions qed;
  Treatment qedTreatment = Treatment::FirstOrder;
  OneElectronOperator oneElectron = OneElectronOperator::Dirac;  ///< others have Coulomb repulsion alone
  /// The density functional that stands in place of exchange (functional/functional.hpp has the names);
  /// empty: exact exchange, Hartree-Fock.
  std::string functional = {};
  SpinPolarisation spin = SpinPolarisation::None;  ///< of the functional; of open shells by Hund's first rule

  ChargedShell shell;  ///< around the atom, in the self-consistent field

  bool isFourComponent() const { return kindOf(oneElectron).fourComponent; }
  /// Whether the spinors of l - 1/2 and l + 1/2 are the same.
  bool isSpinFree() const { return kindOf(oneElectron).spinFree; }
  bool isKoellingHarmon() const { return oneElectron == OneElectronOperator::KoellingHarmon; }

  bool isKohnSham() const { return !functional.empty(); }
  bool hasBreit() const { return repulsion != TwoElectronOperator::Coulomb; }
  /// Whether anything is added to the Dirac-Coulomb Hamiltonian of a free atom.
  bool hasCorrections() const { return hasBreit() || qed.any() || shell.any(); }
  /// Repulsion in the self-consistent field: Coulomb where the Breit interaction follows in first order.
  TwoElectronOperator scfRepulsion() const {
    return breitTreatment == Treatment::SelfConsistent ? repulsion : TwoElectronOperator::Coulomb;
  }
  bool qedInScf() const { return qed.any() && qedTreatment == Treatment::SelfConsistent; }
};

}  // namespace prophet
