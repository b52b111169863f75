#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {

/// Refuses a name that a reader does not know, which would be read as if it were not there. `what` says what
/// it names, `place` where it stands. Throws Error, "o.csv:1: unknown column 'wieght'; did you mean
/// 'weight'?", or the names that are known where none is near.
inline void requireKnownName(std::string_view name, const std::vector<std::string>& known,
                             std::string_view what, std::string_view place) {
  if (std::ranges::find(known, name) != known.end()) return;
  const std::string near = nearestName(name, known);
  throw Error(fmt::format("{}: unknown {} '{}'; {}", place, what, name,
                          near.empty() ? fmt::format("known are {}", fmt::join(known, ", "))
                                       : fmt::format("did you mean '{}'?", near)));
}

}  // namespace prophet
