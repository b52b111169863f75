#pragma once
#include <memory>

#include "atoms/correlation/correlation_engine.hpp"

namespace prophet::cuda {

/// Sums on GPU number `device`, which is the current one.
std::unique_ptr<PairSums> cudaPairSums(int device, const PairExcitations& excitations);
std::unique_ptr<SigmaSums> cudaSigmaSums(int device, const SelfEnergyTerms& terms);

}  // namespace prophet::cuda
