#pragma once
#include <string>
#include <vector>

namespace prophet {

/// A shell of a configuration string: nl, or one of its two spinors, nlj.
struct Shell {
  int n = 0, l = 0;
  int twoJ = 0;  ///< 2j of a single spinor; 0: both, averaged
  int electrons = 0;
  int column = 0;  ///< where it stands, from 1; 0: it came with the core

  int capacity() const { return twoJ > 0 ? twoJ + 1 : 4 * l + 2; }
  bool full() const { return electrons >= capacity(); }
  bool has(int otherTwoJ) const { return twoJ == 0 || twoJ == otherTwoJ; }
  /// "3d", "3d5/2".
  std::string name() const;
};

/// The shells of a configuration string that have electrons, the core's first; the language is that of
/// parseConfiguration. Throws ConfigurationError.
std::vector<Shell> parseShells(const std::string& text);

/// The shells as a configuration string in their order, with the largest noble-gas core that they hold; empty
/// shells are left out.
std::string configurationText(std::vector<Shell> shells);

/// A configuration of outer shells, "2p5 3s", with the closed ones below (of smaller n, or filled before
/// them) that make it have this number of electrons, or come nearest to it; of two numbers as near, that
/// without empty shells of smaller n than all named ones, or else the smaller. Itself where it has as many or
/// more, or names 1s ("1s0" too) or a core. Throws ConfigurationError.
std::string withInnerShells(const std::string& configuration, int electrons);

/// The configuration without one electron of `shell`: "1s", "2p", or "2p3/2" of a shell that is full, or
/// given by its j. Throws Error where the configuration has no such electron.
std::string withHole(const std::string& configuration, const std::string& shell);

/// As parseShells, with the shells that are named as empty: "1s0".
std::vector<Shell> namedShells(const std::string& text);

/// The shell of a name, "2p" or "2p3/2", with one electron. Throws Error.
Shell shellNamed(const std::string& name);

/// Whether a shell comes before another one in the order in which shells of atoms and ions are filled.
bool isFilledBefore(const Shell& a, const Shell& b);

/// The configuration with an electron of `from` moved into `into`: "2p" and "3d", or "3d5/2" of a shell that
/// is empty, or given by its j. Throws Error where that cannot be.
std::string withPromotion(const std::string& configuration, const std::string& from, const std::string& into);

}  // namespace prophet
