#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "atoms/basis/library.hpp"
#include "atoms/basis/well_tempered.hpp"
#include "atoms/calculation/compute.hpp"

namespace prophet::test {

/// The collection of 80 published sets.
inline const std::string kCollection = "wtbs-2.1-by-symmetry";

/// Neutral atom in its ground configuration with its set of that collection, every exponent multiplied by
/// `stretch`. The Breit interaction, where a test adds it, is self-consistent.
inline Calculation libraryCalculation(int z, double stretch = 1.0) {
  NucleusRequest nucleus;
  nucleus.model = NuclearModel::Gaussian;
  nucleus.charge = z;
  BasisSet basis = makeBasis(readLibraryEntry(z, kCollection).value());
  for (SymmetryBasis& block : basis.symmetries) {
    for (double& zeta : block.exponents) zeta *= stretch;
  }
  AtomProblem problem{makeNucleus(nucleus), parseConfiguration(groundConfiguration(z)), {}};
  problem.hamiltonian.breitTreatment = Treatment::SelfConsistent;
  return calculationIn(std::move(basis), std::move(problem));
}

}  // namespace prophet::test
