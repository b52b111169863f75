#pragma once
#include <optional>
#include <string>
#include <vector>

namespace prophet {

/// An atom or ion as chemists and crystallographers write it.
struct Species {
  std::string name;  ///< "Fe3+"; the symbol with its usual capitals, the charge as it was given
  int z = 0, charge = 0;
  std::string configuration;   ///< "[Ar] 3d6", whole, where it was given; empty: the program's choice
  bool chargeWritten = false;  ///< "Fe3+", not "Fe" or "Fe [Ar] 3d5"
  int massNumber = 0;          ///< of an isotope, where parseIsotope found one

  /// charge_from_configuration, as IonConfiguration has it.
  std::string remark() const;
};

/// Reads "Fe", "26", "Fe3+", "Fe+3", "Na+", "Cl-", "O2-", and configurations, alone or behind a charge, with
/// blanks, dots or commas between the shells: "Fe[Ar]3d6", "Fe2+ 3d5.4s1", "He 1s1.2s1"; they are completed
/// and held against the charge by ionConfiguration. A number, the nuclear charge, stands alone. Throws Error,
/// with what is wrong and what was expected. `bare`: an ion without electrons, "H+", is one too; in a list of
/// many it is an entry that nothing can be computed of.
Species parseSpecies(const std::string& text, bool bare = false);

/// The same, and isotopes, "133Cs" or "43Ca+", whose mass number stands before the symbol.
Species parseIsotope(const std::string& text);

/// "Fe3+", "Na+", "O2-", "Fe": as chemists write it.
std::string ionName(int z, int charge);

/// What an atom's name, a charge and configurations say together.
struct IonConfiguration {
  std::string text;   ///< the configurations, whole, separated by " | "
  double charge = 0;  ///< that they leave
  /// What to warn of (charge_from_configuration): no charge is written, and the configuration is not that of
  /// the neutral atom. Empty: nothing.
  std::string remark;
};

/// The electrons of an atom or ion, from configurations separated by '|': the one place where those that name
/// only outer shells are completed (withInnerShells) and held against the charge. `charge`: empty where none
/// is written; then the atom is neutral, unless its configuration says otherwise. A nuclear charge that is no
/// element's has whole configurations only, and no remark. Throws ConfigurationError, and Error where a
/// configuration has not the electrons of a charge that is written.
IonConfiguration ionConfiguration(double nuclearCharge, std::optional<int> charge,
                                  const std::string& configurations);

/// The remark of an atom without a written charge whose configuration leaves this one; empty for 0.
std::string chargeRemark(int z, int charge, const std::string& configuration);

/// What to warn of (empty_inner_shell) where all shells of one n are empty below more than two electrons: "in
/// '2s2 2p2' nothing is in 1s, ...". Empty: nothing. `configurations`: whole, separated by '|'.
std::string emptyInnerShells(const std::string& configurations);

/// Configurations separated by '|' after an electron has been taken out of each shell of `holes` ("2p",
/// "1s 2p3/2") and moved as `promotions` say ("2p->3d", "2p->3d, 3p->4s"). Throws Error, naming a
/// configuration where that cannot be.
std::string withHoles(const std::string& configurations, const std::string& holes);
std::string withPromotions(const std::string& configurations, const std::string& promotions);

}  // namespace prophet
