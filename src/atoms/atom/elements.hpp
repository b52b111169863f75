#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace prophet {

inline constexpr int kLastElement = 118;

/// Symbol of element Z = 1 .. 118 ("H" ... "Og"); throws Error outside.
const std::string& symbolOf(int z);
/// Z of a symbol in any case; empty if there is no such element.
std::optional<int> elementOf(std::string_view symbol);
/// Z of a nuclear charge; empty for one that is not whole or lies outside 1 .. 118.
std::optional<int> elementOfCharge(double charge);
/// Mass number of the most abundant or longest-lived isotope, Z = 1 .. 118; throws Error outside.
int massNumberOf(int z);

/// "1-10,18,Rn" as charges, ascending, each once. Throws Error for anything else.
std::vector<int> parseElements(const std::string& text);

/// Number of the row of a block of the periodic table that an element stands in (1s, 2s, 2p, ..., with La and
/// Ac at the beginning of the f rows, Lu and Lr of the d rows): properties of elements of one row vary
/// smoothly with Z.
int rowOfBlock(int z);

/// l of that block: 0 to 3.
int blockOf(int z);

}  // namespace prophet
