#pragma once
#include <fmt/format.h>

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

}  // namespace prophet
