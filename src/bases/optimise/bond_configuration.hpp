#pragma once
#include <string>

#include "atoms/atom/configuration.hpp"

namespace prophet {

/// The neutral atom's ground configuration, and of Pd, which has no 5s electron there, the one with 4d9 5s1:
/// its shells are those that take part in bonds.
std::string valenceConfiguration(int z);

/// An atom as bonds have it: a tenth of the neutral atom, for shells that its positive ion
/// (defaultConfiguration) lacks, and nine tenths of the ion, as bonds contract the valence. In d blocks,
/// whose bonds mix them, the neutral atom is the average over all configurations d^k s^2 and d^(k+1) s^1 and
/// that of its ground. Throws Error for hydrogen, whose ion has no electron.
Configuration bondConfiguration(int z);

}  // namespace prophet
