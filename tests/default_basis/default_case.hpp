#pragma once
#include <string>

#include "common/constants.hpp"
#include "default_basis/basis_error.hpp"
#include "default_basis/default_basis.hpp"

namespace prophet::test {

Nucleus nucleusOf(double charge, NuclearModel model);

/// A calculation in a basis, on one thread.
struct BasisCase {
  BasisSet basis;
  ScfResult scf;
  BasisErrorEstimate estimate;
};

BasisCase computeIn(const BasisSet& basis, const AtomProblem& problem, const StartSpinors* start = nullptr);
BasisCase computeIn(const BasisSet& basis, const Nucleus& nucleus, const Configuration& configuration,
                    const StartSpinors* start = nullptr, double c = constants::kSpeedOfLight);

/// Computes in the default basis, and checks: converged, energy within max(5e-9 |E|, 1e-6) of `limit` (NAN:
/// it is computed), and the estimate within a factor of 3 of the error where that matters.
void expectGoodDefault(const Nucleus& nucleus, const std::string& configuration, double limit,
                       OneElectronOperator kind = OneElectronOperator::Dirac);

}  // namespace prophet::test
