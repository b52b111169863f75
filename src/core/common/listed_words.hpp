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

/// The words of a list that somebody wrote, between commas or blanks: "2p,3d", "2p 3d", "2p, 3d". Throws
/// Error where a comma has no word before or behind it, as the word that is missing is not known.
inline std::vector<std::string> listedWords(std::string_view text) {
  const std::vector<std::string> items = split(text, ',');
  std::vector<std::string> words;
  for (const std::string& item : items) {
    const std::vector<std::string> its = splitWords(item, " \t\r\n");
    if (its.empty() && items.size() > 1)
      throw Error(fmt::format("found '{}', where an item is empty; write it, or omit its comma", text));
    words.insert(words.end(), its.begin(), its.end());
  }
  return words;
}

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
