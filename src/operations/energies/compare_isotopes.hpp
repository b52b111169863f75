#pragma once
#include <optional>
#include <string>
#include <vector>

#include "operations/execution/execution.hpp"
#include "operations/record/record.hpp"
#include "operations/request/setting.hpp"

namespace prophet {

/// An isotope of an atom or ion, "40Ca+".
struct IsotopeName {
  std::string name, atom;  ///< as it was given; "Ca+"
  int z = 0, charge = 0, massNumber = 0;
};
/// Empty for a text that is none.
std::optional<IsotopeName> isotopeNamed(const std::string& text);

/// The settings of lines that a comparison of isotopes takes.
std::vector<Setting> isotopeSettings();

/// What a comparison computes of each isotope: requests of the operation `lines`, with measured radii where
/// the table has all of them. Throws SettingError for settings that isotopes say.
std::vector<Json> linesOfIsotopes(const std::vector<IsotopeName>& isotopes, const Json& settings);

/// The columns of isotopeShifts, without rows.
Table isotopeShiftTable();

/// The isotope shifts of all lines of each isotope against the first one, by the operation `lines`. Throws
/// SettingError where the isotopes are not those of one ion, or one has no measured mass.
Record isotopeShifts(const std::vector<IsotopeName>& isotopes, const Json& settings,
                     const Execution& execution);

}  // namespace prophet
