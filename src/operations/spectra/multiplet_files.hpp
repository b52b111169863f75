#pragma once
#include <string>
#include <vector>

#include "atoms/levels/slater_parameters.hpp"

namespace prophet {

/// Files of multiplet programs with the parameters of one configuration, in eV as they are given; of several
/// configurations each file has all, so that `before` is what the file holds already, or empty. Their names
/// name `shells`, by n and l, with their electrons: "2p5,3d6", "3d0". Their zeta is zeta_radial. Beside the
/// parameters stands whose they are, `atom` and the configuration with its closed shells: one of that name
/// takes the place of its own alone. Throw Error where the file has another one under the name or is not such
/// a file, and where the space is not of one configuration of whole shells.

/// HDF5 as Crispy reads it for Quanty (crispy/quanty/parameters, version 2026.3): the datasets
/// CONFIGURATION/Atomic/F2(3d,3d), G1(2p,3d), zeta(3d); without F0.
std::string quantyFile(const std::string& atom, const LevelSpace& space, const std::vector<Shell>& shells,
                       const std::vector<SlaterParameter>& parameters, const std::string& before);

/// JSON as EDRIXS reads it (edrixs/atom_data, version 0.2): "3d6_2p5" with the integrals of the valence
/// shell, the last one, then those with the core hole, and zeta of both; F0 is 0, as in its own files.
std::string edrixsFile(const std::string& atom, const LevelSpace& space, const std::vector<Shell>& shells,
                       const std::vector<SlaterParameter>& parameters, const std::string& before);

}  // namespace prophet
