#pragma once
#include "calculation/calculation.hpp"
#include "limit/limit.hpp"

namespace prophet {

/// The numerical (complete-basis) limit of a resolved calculation; its basis and Fock builder, if any, are
/// not used. Throws Error where the limit cannot be computed; one that does not converge says so in
/// `converged`.
LimitResult runLimit(const Calculation& calculation, int threads);

/// Parts of a limit's energy that the job asks for beyond Coulomb.
std::vector<EnergyCorrection> limitCorrections(const Calculation& calculation, const LimitResult& result);

}  // namespace prophet
