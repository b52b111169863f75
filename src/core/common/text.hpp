#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace prophet {

/// Copy with ASCII letters in lower case; other bytes are kept.
std::string lowerCase(std::string_view text);

/// Copy without blanks at both ends.
std::string trimmed(std::string_view text, std::string_view blanks = " \t");

/// The parts between separators, one more than there are separators: "a,,b," is a, nothing, b and nothing.
std::vector<std::string> split(std::string_view text, char separator);

/// Smallest number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`
/// (optimal string alignment distance, byte by byte).
int editDistance(std::string_view a, std::string_view b);

/// The candidate nearest to `name` (upper and lower case are the same), or an empty string where none is near
/// enough to be a likely typing error: at most one edit for every three characters, and at least one.
std::string nearestName(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace prophet
