#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace prophet {

inline constexpr int kLastElement = 118;

/// Symbol of element Z = 1 .. 118 ("H" ... "Og"); throws Error outside.
const std::string& symbolOf(int z);
/// Z of a symbol in any case; empty if there is no such element.
std::optional<int> elementOf(std::string_view symbol);
/// Mass number of the most abundant or longest-lived isotope, Z = 1 .. 118; throws Error outside.
int massNumberOf(int z);

}  // namespace prophet
