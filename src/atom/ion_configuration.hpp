#pragma once
#include <string>

namespace prophet {

/// Configuration of an ion of this element of which only the charge is given, Z = 1 .. 118:
/// cations lose the electrons of the largest n first, of these the largest l (Fe 2+ is [Ar] 3d6); negative
/// ions take the ground configuration of the neutral atom with as many electrons. `charge` 0: the ground
/// configuration. Throws Error if no electron would be left, or more than 118.
std::string ionConfiguration(int z, int charge);

}  // namespace prophet
