#pragma once
#include <cstdint>
#include <string>

#include "matter/structure/structure.hpp"

namespace prophet {

/// Takes away each atom (of the kind of this name; empty: of any) with this probability. The same seed takes
/// the same atoms on every machine. Throws Error for a fraction outside [0, 1), an unknown kind, or where
/// nothing is left.
void removeAtoms(Structure& structure, double fraction, const std::string& kind, std::uint64_t seed);

/// Multiplies positions and lattice by 1 + strain along x, y and z. Throws Error for a strain of -1 or below,
/// or above 9.
void strain(Structure& structure, const Eigen::Vector3d& strains);

/// Moves every atom by a Gaussian random vector whose components have this standard deviation, angstrom; that
/// of the Debye-Waller factor exp(-B s^2) with B = 8 pi^2 sigma^2. Throws Error for a negative one, or above
/// 1e4 angstrom.
void displace(Structure& structure, double sigma, std::uint64_t seed);

/// N atoms of one kind at random places of a cubic box of this edge, angstrom: an ideal gas.
Structure idealGas(const std::string& kind, std::size_t count, double edge, std::uint64_t seed);

}  // namespace prophet
