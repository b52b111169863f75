#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/atom/symmetry.hpp"

namespace prophet {

/// Places of electrons in the open spinors of a space at most: bits of a determinant.
inline constexpr int kMostPlaces = 64;

/// One spinor nlj of the configurations, with all its m.
struct LevelSpinor {
  int n = 0;
  Symmetry symmetry;
  int index = 0;  ///< among the spinors of the average, in their order (Result::spinors)

  /// "3d5/2".
  std::string label() const { return spinorLabel(symmetry, n - symmetry.l()); }
  /// "3d".
  std::string shell() const { return Shell{n, symmetry.l()}.name(); }
};

/// Electrons in each open spinor: one distribution of a configuration over j.
struct RelativisticConfiguration {
  int configuration = 0;       ///< of which it is a part
  std::vector<int> electrons;  ///< of LevelSpace::open
};

/// All states of one or several configurations of one atom: which spinors are closed in all of them, how the
/// electrons of the others may be distributed, and the average in whose spinors the states are expanded.
struct LevelSpace {
  struct Part {
    std::vector<Shell> shells;
    std::string text;   ///< "[He] 2s2 2p2"
    bool odd = false;   ///< parity
    double states = 0;  ///< prod binomial(capacity, electrons)
  };
  std::vector<Part> configurations;
  std::vector<LevelSpinor> closed, open;  ///< the open ones as Configuration::openSpinors has them
  std::vector<RelativisticConfiguration> distributions;
  /// Over all states of all configurations, each state with the same weight.
  Configuration average;

  double states() const;
  int openElectrons() const;
};

/// The space of configurations separated by '|', "[He] 2s2 2p2 | [He] 2p4". Throws ConfigurationError for
/// what parseShells does not read; Error where the numbers of electrons differ, a configuration is there
/// twice, or the open spinors have more than 64 places.
LevelSpace levelSpace(const std::string& configurations);

/// A shell of the configurations that is named by its j (2p3/2) although electrons of it are open: terms and
/// the parameters of multiplet theory belong to whole shells. nullptr: there is none.
const Shell* openShellOfOneJ(const LevelSpace& space);

/// The average over all states of configurations separated by '|', each state with the same weight; of a
/// single one as parseConfiguration, which `symmetries` is of. Throws as both.
Configuration averageOfConfigurations(const std::string& text, int symmetries = 0);

}  // namespace prophet
