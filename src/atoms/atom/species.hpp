#pragma once
#include <string>
#include <vector>

namespace prophet {

/// An atom or ion as chemists and crystallographers write it.
struct Species {
  std::string name;  ///< "Fe3+"; the symbol with its usual capitals, the charge as it was given
  int z = 0, charge = 0;
  std::string configuration;   ///< "[Ar] 3d6", whole, where it was given; empty: the program's choice
  bool chargeWritten = false;  ///< "Fe3+", not "Fe" or "Fe [Ar] 3d5"

  /// charge_from_configuration, as IonConfiguration has it.
  std::string remark() const;
};

/// Reads "Fe", "26", "Fe3+", "Fe+3", "Na+", "Cl-", "O2-", and configurations, alone or behind a charge, with
/// blanks, dots or commas between the shells: "Fe[Ar]3d6", "Fe2+ 3d5.4s1", "He 1s1.2s1"; they are completed
/// and held against the charge by ionConfiguration. A number, the nuclear charge, stands alone. Throws Error,
/// with what is wrong and what was expected.
Species parseSpecies(const std::string& text);

/// "Fe3+", "Na+", "O2-", "Fe": as chemists write it.
std::string ionName(int z, int charge);

}  // namespace prophet
