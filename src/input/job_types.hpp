#pragma once

namespace prophet {

/// What the program is asked to do; the names in the input file are in keyword_table.cpp (jobNames).
enum class JobType { Energy, BasisOptimisation, Chain, Limit };
/// None: the job needs no basis set.
enum class BasisType { WellTempered, ReadIn, Library, None };
/// Which Fock builder; Automatic takes the fastest one that is exact to the thresholds.
enum class FockKind { Automatic, Grid, Stored, Stse, Mtse };

/// How a chain looks for the smallest set: a ladder of its own for each symmetry in a frozen field, or the
/// thesis's steps with groups that symmetries share.
enum class ChainMethod { Ladders, Thesis };

}  // namespace prophet
