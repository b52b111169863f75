#pragma once
#include "calculation/calculation.hpp"
#include "cudaprophet/cudaprophet.hpp"

namespace cudaprophet {

/// What the core computes, from what the caller said; defaults filled in. Throws cudaprophet::Error.
prophet::Calculation coreCalculation(const Atom& atom, const Basis& basis);

}  // namespace cudaprophet
