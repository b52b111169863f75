#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/common/error.hpp"

namespace prophet {

/// What is wrong with an excitation, and the setting that says it: "virtuals" or "excited".
class ExcitationError : public Error {
 public:
  ExcitationError(std::string name, const std::string& what) : Error(what), setting(std::move(name)) {}
  std::string setting;
};

/// Which electrons of reference configurations are excited, and into which shells.
struct ExcitationRequest {
  std::string virtuals;  ///< "3s 3p 3d": shells without electrons in the reference configurations
  /// "2s 2p"; empty: open shells, and closed ones with the largest n that has electrons.
  std::string excited;
  int electrons = 2;  ///< at most, of each reference configuration
};

/// A shell nl: n and l.
using ShellName = std::pair<int, int>;

/// Reference configurations and those that excitations make of them.
struct ExcitedConfigurations {
  std::string text;  ///< as levelSpace takes it, the reference configurations first
  int references = 0;
  std::vector<ShellName> virtuals;  ///< those that some excitation leads to
  std::vector<ShellName> excited;

  bool isVirtual(ShellName shell) const;
};

/// The configurations (separated by '|') with all excitations of up to `electrons` electrons out of the
/// excited shells, into the virtual shells and those excited ones that have room; of each configuration those
/// that keep its parity, every configuration once. Throws ConfigurationError and ExcitationError.
ExcitedConfigurations excitedConfigurations(const std::string& references, const ExcitationRequest& request);

/// Configurations (separated by '|') and those that rules make of them: '6s->5d,6p; 4f->5d,6s' takes one
/// electron out of 6s into each of 5d and 6p, then one out of 4f of everything so far into each of 5d and 6s.
/// Shells without electrons, and full ones, are passed over; every configuration is there once, those given
/// first. Throws ConfigurationError, and ExcitationError ("excite") for rules that cannot be read or change
/// nothing.
std::string configurationsByRules(const std::string& references, const std::string& rules);

/// Whether valenceConfigurations has a rule for an atom or ion: Ca to Lr, charges 0 to 3.
bool hasValenceRule(int z, int charge);

/// The ground configuration of an atom or ion and those near it, separated by '|': one electron from one
/// valence shell into another one and, where these are d and s shells alone, two from s to d; of elements
/// with d or f shells then one of each of these configurations from its s shell, else its d or f shell, into
/// the p shell. The shells: 3d 4s 4p (Ca to Zn), 4s 4p 4d (Ga to Kr), 4d 5s 5p (Rb to Cd), 5s 5p 5d (In to
/// Xe), 4f 5d 6s 6p (Cs to Lu), 5d 6s 6p (Hf to Hg), 6s 6p 6d (Tl to Rn), 5f 6d 7s 7p (Fr to Lr). An ion
/// without electrons in them gives one of its outermost shell to each of them with another l. Where these
/// have more than 75,000 levels no electron leaves an f shell while there are some in d, and then only the
/// ground configuration gives one into the p shell. Throws ConfigurationError.
std::string valenceConfigurations(int z, const std::string& ground);

}  // namespace prophet
