#pragma once
#include <optional>
#include <string>

#include "cudaprophet/version.hpp"

namespace cudaprophet {

/// Charge distribution of the nucleus.
enum class NuclearModel { Point = 1, Sphere = 2, Gaussian = 3, Fermi = 4 };

/// A nucleus. Parameters that are absent follow from the mass number of the most abundant or longest-lived
/// isotope (Visscher and Dyall, At. Data Nucl. Data Tables 67, 207 (1997)).
struct Nucleus {
  double charge = 0;                       ///< Z
  std::optional<NuclearModel> model;       ///< absent: that of the basis set
  std::optional<double> massNumber;        ///< A
  std::optional<double> rmsFemtometres;    ///< rms charge radius
  std::optional<double> skinFemtometres;   ///< Fermi: thickness of the skin, 2.30
  std::optional<double> sphereRadius;      ///< Sphere: bohr
  std::optional<double> gaussianExponent;  ///< Gaussian: bohr^-2
};

/// The one-electron Hamiltonian: Dirac, exact two-component (X2C), the same without spin-orbit coupling,
/// non-relativistic, or the scalar-relativistic one of Koelling and Harmon. All but Dirac have no Breit
/// interaction or QED corrections; there are numerical limits of Dirac, the non-relativistic one and, with a
/// density functional, of Koelling and Harmon, and no Gaussian basis for the last.
enum class OneElectron { Dirac, X2c, SpinFreeX2c, Nonrelativistic, KoellingHarmon };

enum class Breit { None, Gaunt, Full };
enum class VacuumPolarisation { None, Uehling, Full };
enum class SelfEnergy { None, InnerShells, Valence };

/// The Dirac-Coulomb Hamiltonian and what is added to it, in first order or self-consistently.
struct Hamiltonian {
  std::optional<double> speedOfLight;  ///< absent: 137.03599976
  Breit breit = Breit::None;
  bool breitSelfConsistent = false;
  VacuumPolarisation vacuumPolarisation = VacuumPolarisation::None;
  SelfEnergy selfEnergy = SelfEnergy::None;
  bool qedSelfConsistent = false;
  OneElectron oneElectron = OneElectron::Dirac;
  std::string functional{};  ///< of the density, in place of exact exchange: "lda", "pbe", ...; empty: none
};

/// An atom or ion and its Hamiltonian: the input of a calculation.
struct Atom {
  Nucleus nucleus;
  /// Electrons, "[Xe] 4f7 5d1 6s2": every partly filled shell is averaged over both j; "6p1/2:2 6p3/2:1"
  /// gives the spinors of a shell their electrons. Closed inner shells may be left out, "5d1 6s2". Empty: the
  /// default configuration of the atom or ion.
  std::string configuration;
  Hamiltonian hamiltonian;
  /// The configuration must have the electrons of this ion. Absent: neutral; a configuration of another
  /// charge is taken, with the warning charge_from_configuration.
  std::optional<int> charge;
};

/// The neutral atom of an element in its default configuration, by symbol ("Rn") or nuclear charge, or an
/// ion, "Fe3+", "Fe2+ [Ar] 3d5.4s1". Throws Error if there is no such element or ion.
CUDAPROPHET_API Atom atom(const std::string& symbol);
CUDAPROPHET_API Atom atom(int charge);

/// Nuclear charge of "Rn" (any case), and symbol of 86; Z = 1 to 118. Throw Error.
CUDAPROPHET_API int atomicNumber(const std::string& symbol);
CUDAPROPHET_API std::string symbol(int charge);
/// Ground configuration of the neutral atom, Z = 1 to 118. Throws Error.
CUDAPROPHET_API std::string groundConfiguration(int charge);

/// The configuration of an ion of which only the charge is given: that of experiment where NIST's tables have
/// it, otherwise one by rule (docs/reference/configurations.md). Throws Error.
CUDAPROPHET_API std::string defaultConfiguration(int z, int charge);
/// The configuration without an electron of a shell, "1s", or of one of its spinors, "2p3/2". Throws Error.
CUDAPROPHET_API std::string withHole(const std::string& configuration, const std::string& shell);
/// The configuration with an electron moved from one shell to another, "2p" to "3d". Throws Error.
CUDAPROPHET_API std::string withPromotion(const std::string& configuration, const std::string& from,
                                          const std::string& into);

}  // namespace cudaprophet
