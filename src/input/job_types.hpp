#pragma once

namespace prophet {

/// What the program is asked to do; the names in the input file are in keyword_table.cpp (jobNames).
enum class JobType { Energy, BasisOptimisation, Limit };
/// None: the job needs no basis set.
enum class BasisType { WellTempered, ReadIn, Library, None };
/// Which Fock builder; Automatic takes the fastest one that is exact to the thresholds.
enum class FockKind { Automatic, Grid, Stored, Stse, Mtse };

}  // namespace prophet
