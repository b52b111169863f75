#pragma once

namespace prophet {

/// What the program is asked to do; the names are in keyword_table.cpp (jobNames).
enum class JobType { Energy, BasisOptimisation, Chain, Limit };
/// None: the job needs no basis set.
enum class BasisType { WellTempered, ReadIn, Library, File, None };

/// How a chain looks for the smallest set: a ladder of its own for each symmetry in a frozen field, or the
/// steps of Hennessey (2018), with groups that symmetries share.
enum class ChainMethod { Ladders, Thesis };

}  // namespace prophet
