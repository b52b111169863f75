#pragma once

namespace prophet {

/// Which Fock builder; Automatic takes the fastest one that is exact to the thresholds (the grid). Stse and
/// Mtse are two ways in which a GPU shares the contraction of stored integrals among its threads.
enum class FockKind { Automatic, Grid, Stored, Stse, Mtse };

/// "grid", "stored", "stse", "mtse", "automatic": the values of the input language's `fock`.
const char* nameOf(FockKind kind);

}  // namespace prophet
