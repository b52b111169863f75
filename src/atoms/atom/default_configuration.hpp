#pragma once
#include <string>

#include "core/common/names.hpp"

namespace prophet {

/// How a configuration came about.
enum class ConfigurationSource {
  Given,  ///< by the user
  Nist,   ///< a default: that of NIST's tables (docs/reference/configurations.md)
  Rule    ///< a default: no table has the ion
};

/// "given", "nist", "rule".
template <>
const Names<ConfigurationSource>& namesOf();

/// The configuration of an atom or ion of which only the charge is given.
struct DefaultConfiguration {
  std::string text;  ///< "[Xe] 4f14 6s2"
  ConfigurationSource source = ConfigurationSource::Rule;
  std::string reason;  ///< "the ground configuration of NIST's Atomic Spectra Database", and the like
};

/// The ground configuration of experiment where a table has it, Z = 1 .. 118: NIST's Atomic Spectra Database
/// for positive ions, theoretical assignments included, published spectra for negative ones. Elsewhere by
/// rule: cations lose the electrons of the largest n first, of these the largest l; negative ions have the
/// configuration of the neutral atom with as many electrons. Throws Error if no electron would be left, or
/// more than 118.
DefaultConfiguration defaultConfiguration(int z, int charge);

}  // namespace prophet
