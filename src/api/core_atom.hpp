#pragma once
#include "cudaprophet/cudaprophet.hpp"
#include "service/energy_service.hpp"

namespace cudaprophet {

/// What the core computes, from what the caller said; defaults filled in. Throws cudaprophet::Error.
prophet::EnergyRequest coreRequest(const Atom& atom, const Basis& basis);

}  // namespace cudaprophet
