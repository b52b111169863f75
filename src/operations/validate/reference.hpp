#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "atoms/atom/nucleus.hpp"

namespace prophet {

/// An energy of another program. Energies in hartree.
struct ReferenceEnergy {
  int z = 0;
  std::string configuration;
  Nucleus nucleus;
  double speedOfLight = 0, energy = 0, estimatedError = 0;
  std::string source;  ///< program and method
};

/// The energies shipped with the program, reference/numerical_energies.csv in basisSetFolder(basisSets), in
/// its order. Throws Error with file and line if the file is missing or damaged.
std::vector<ReferenceEnergy> shippedReferenceEnergies(const std::filesystem::path& basisSets = {});

/// The same from a file.
std::vector<ReferenceEnergy> readReferenceEnergies(const std::string& path);

}  // namespace prophet
