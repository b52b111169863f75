#pragma once
#include "atoms/angular/breit_terms.hpp"
#include "atoms/limit/mean_field.hpp"

namespace prophet::limit {

/// Expectation value of a part of the Breit interaction in an average of configurations, hartree.
double breitEnergy(const RadialBasis& basis, const Configuration& configuration, const SpinorSet& spinors,
                   BreitPart part, int threads);

}  // namespace prophet::limit
