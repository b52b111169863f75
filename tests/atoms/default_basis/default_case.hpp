#pragma once
#include <string>

#include "atoms/default_basis/basis_error.hpp"
#include "atoms/default_basis/default_basis.hpp"
#include "core/common/constants.hpp"
#include "tests/atoms/scf/atoms.hpp"

namespace prophet::test {

/// A calculation in a basis, on one thread.
struct BasisCase {
  BasisSet basis;
  ScfResult scf;
  BasisErrorEstimate estimate;
};

enum class Estimate { Yes, No };

BasisCase computeIn(const BasisSet& basis, const AtomProblem& problem, const StartSpinors* start = nullptr,
                    Estimate estimate = Estimate::Yes);
BasisCase computeIn(const BasisSet& basis, const Nucleus& nucleus, const Configuration& configuration,
                    const StartSpinors* start = nullptr, double c = constants::kSpeedOfLight);

/// Computes in the default basis, and checks: converged, energy within max(5e-9 |E|, 1e-6) of `limit` (NAN:
/// it is computed; for two-component Hamiltonians in the reference of the error estimate), and the estimate
/// within a factor of 3 of the error where that matters.
void expectGoodDefault(const Nucleus& nucleus, const std::string& configuration, double limit,
                       OneElectronOperator kind = OneElectronOperator::Dirac);

}  // namespace prophet::test
