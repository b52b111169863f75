#pragma once
#include <string>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"
#include "operations/request/request_table.hpp"

namespace prophet {

/// A text, a number or a list of them as one text with commas.
std::string listText(const Json& value);

/// Charges of "1-10,18,Rn", 10, "Rn" or ["Ne", 18]. Throws Error.
std::vector<int> elementsFrom(const Json& value);

}  // namespace prophet
