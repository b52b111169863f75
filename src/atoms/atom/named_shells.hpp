#pragma once
#include <string>
#include <vector>

#include "atoms/atom/shell_list.hpp"

namespace prophet {

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
