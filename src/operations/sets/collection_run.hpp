#pragma once
#include <string>
#include <vector>

#include "bases/collections/collection.hpp"
#include "operations/execution/execution.hpp"
#include "operations/record/record.hpp"

namespace prophet {

/// Makes a collection and tells what happens, a line for each element and, unless the execution is brief,
/// what its search says. The lines of the elements are added to `report`.
std::vector<CollectionRow> runAndTell(const CollectionTask& task, const CollectionOptions& options,
                                      const SetMaker& maker, const Execution& execution, std::string& report);

/// The table "elements".
Table collectionTable(const std::vector<CollectionRow>& rows);

/// Elements without a set that is what was asked for.
std::size_t missedIn(const std::vector<CollectionRow>& rows);

}  // namespace prophet
