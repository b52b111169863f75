#pragma once
#include <vector>

#include "atoms/angular/angular.hpp"
#include "atoms/limit/exchange.hpp"
#include "atoms/limit/mean_field.hpp"

namespace prophet::limit {

/// Channels of a part of the Breit interaction, three for each pair of symmetries: large-large from the
/// small-small density, small-small from large-large, large-small from small-large. The gauge term acts with
/// theta(r1 < r2) and theta(r1 > r2), so its kernels weigh the two orders of the electrons differently
/// (docs/breit-qed.md). Average of configuration, where the direct part vanishes.
std::vector<ExchangeChannel> breitChannels(int symmetries, BreitPart part);

/// Expectation value of a part of the Breit interaction in an average of configurations, hartree.
double breitEnergy(const RadialBasis& basis, const Configuration& configuration, const SpinorSet& spinors,
                   BreitPart part, int threads);

}  // namespace prophet::limit
