#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "basis/library.hpp"
#include "basis/well_tempered.hpp"
#include "common/constants.hpp"
#include "service/energy_service.hpp"

namespace prophet::test {

/// The collection of 80 published sets.
inline const std::string kCollection = "wtbs-2.1";

/// Neutral atom in its ground configuration with its set of that collection, every exponent multiplied by
/// `stretch`.
inline EnergyRequest libraryRequest(int z, double stretch = 1.0) {
  EnergyRequest request;
  request.id = std::to_string(z) + "x" + std::to_string(stretch);
  NucleusRequest nucleus;
  nucleus.model = NuclearModel::Gaussian;
  nucleus.charge = z;
  request.nucleus = makeNucleus(nucleus);
  request.basis = makeBasis(readLibraryEntry(z, kCollection).value());
  for (SymmetryBasis& block : request.basis.symmetries) {
    for (double& zeta : block.exponents) zeta *= stretch;
  }
  request.configuration = parseConfiguration(groundConfiguration(z));
  request.c = constants::kSpeedOfLight;
  return request;
}

}  // namespace prophet::test
