#pragma once
#include <vector>

#include "bases/optimise/collection.hpp"

namespace prophet {

/// Makes a collection and prints what happens, a line for each element, with a line on a terminal that counts
/// the elements. `quiet`: finished elements only.
std::vector<CollectionRow> runAndPrint(const CollectionTask& task, const CollectionOptions& options,
                                       const SetMaker& maker, bool quiet);

/// Elements without a set that is what was asked for.
std::size_t missedIn(const std::vector<CollectionRow>& rows);

}  // namespace prophet
