#pragma once
#include <string>
#include <vector>

#include "core/ranks/ranks.hpp"

namespace prophet {

/// The texts of all ranks in their order, on the first; nothing on the others, which do not wait. Every rank
/// calls it, and between two calls all ranks meet (agree).
std::vector<std::string> gatherAtFirst(Ranks& ranks, const std::string& text);

/// "4 ranks, 4 x NVIDIA H200" of what each of them works with; on a rank by itself just that.
std::string describeRanks(const std::vector<std::string>& names, int machines = 1);

}  // namespace prophet
