#pragma once
#include "core/common/names.hpp"

namespace prophet {

/// Which Fock builder; Automatic takes the fastest one that is exact to the thresholds (the grid). Stse and
/// Mtse are two ways in which a GPU shares the contraction of stored integrals among its threads.
enum class FockKind { Automatic, Grid, Stored, Stse, Mtse };

/// "grid", "stored", "stse", "mtse", "automatic": the values of the input language's `fock`.
template <>
const Names<FockKind>& namesOf();

/// How a GPU gets from the number of a stored integral to its functions (L,P,Q,M,R,S): a search for every
/// element, or index arrays filled once; the input's mapping='search', 'arrays'.
enum class MappingKind { OnTheFly, StoredArrays };

}  // namespace prophet
