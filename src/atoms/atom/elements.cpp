#include "atoms/atom/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>

#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

const std::array<std::string, kLastElement> kSymbols = {
    "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",  "S",  "Cl",
    "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se",
    "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb",
    "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er",
    "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At",
    "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No",
    "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og",
};

/// To Mt those of Visscher & Dyall (1997), then the longest-lived known isotopes.
constexpr std::array<int, kLastElement> kMassNumbers = {
    1,   4,   7,   9,   11,  12,  14,  16,  19,  20,  23,  24,  27,  28,  31,  32,  35,  40,  39,  40,
    45,  48,  51,  52,  55,  56,  59,  58,  63,  64,  69,  74,  75,  80,  79,  84,  85,  88,  89,  90,
    93,  98,  98,  102, 103, 106, 107, 114, 115, 120, 121, 130, 127, 132, 133, 138, 139, 140, 141, 144,
    145, 152, 153, 158, 159, 162, 162, 168, 169, 174, 175, 180, 181, 184, 187, 192, 193, 195, 197, 202,
    205, 208, 209, 209, 210, 222, 223, 226, 227, 232, 231, 238, 237, 244, 243, 247, 247, 251, 252, 257,
    258, 259, 262, 261, 262, 263, 262, 265, 266, 281, 282, 285, 286, 289, 290, 293, 294, 294,
};

int checked(int z) {
  if (z < 1 || z > kLastElement) {
    throw Error(fmt::format("there is no element with nuclear charge {}; give 1 to {}", z, kLastElement));
  }
  return z;
}

bool equalIgnoringCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(a[i])) != std::tolower(static_cast<unsigned char>(b[i])))
      return false;
  }
  return true;
}

/// A charge or a symbol.
int elementFrom(const std::string& word) {
  int z = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), z);
  if (status != std::errc() || end != word.data() + word.size()) z = elementOf(word).value_or(0);
  if (z < 1 || z > kLastElement)
    throw Error(fmt::format("'{}' is not an element; expected a charge from 1 to {} or a symbol", word,
                            kLastElement));
  return z;
}

}  // namespace

const std::string& symbolOf(int z) { return kSymbols[checked(z) - 1]; }

std::optional<int> elementOf(std::string_view symbol) {
  for (int z = 1; z <= kLastElement; ++z) {
    if (equalIgnoringCase(kSymbols[z - 1], symbol)) return z;
  }
  return std::nullopt;
}

std::optional<int> elementOfCharge(double charge) {
  if (charge != std::floor(charge) || charge < 1 || charge > kLastElement) return std::nullopt;
  return static_cast<int>(charge);
}

int massNumberOf(int z) { return kMassNumbers[checked(z) - 1]; }

std::vector<int> parseElements(const std::string& text) {
  std::set<int> elements;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = trimmed(text.substr(at, end - at));
    const std::size_t dash = part.find('-');
    const int first = elementFrom(trimmed(part.substr(0, dash)));
    const int last = dash == std::string::npos ? first : elementFrom(trimmed(part.substr(dash + 1)));
    if (last < first) throw Error(fmt::format("the range '{}' is empty", part));
    for (int z = first; z <= last; ++z)
      if (!elements.insert(z).second) throw Error(fmt::format("names {} twice", symbolOf(z)));
    at = end + 1;
  }
  return {elements.begin(), elements.end()};
}

namespace {

struct PeriodicRow {
  int last, l;
};
constexpr std::array<PeriodicRow, 19> kRows = {{{2, 0},
                                                {4, 0},
                                                {10, 1},
                                                {12, 0},
                                                {18, 1},
                                                {20, 0},
                                                {30, 2},
                                                {36, 1},
                                                {38, 0},
                                                {48, 2},
                                                {54, 1},
                                                {56, 0},
                                                {70, 3},
                                                {80, 2},
                                                {86, 1},
                                                {88, 0},
                                                {102, 3},
                                                {112, 2},
                                                {118, 1}}};

}  // namespace

int rowOfBlock(int z) {
  const auto row = std::lower_bound(kRows.begin(), kRows.end(), z,
                                    [](const PeriodicRow& r, int element) { return r.last < element; });
  return static_cast<int>(row - kRows.begin());
}

int blockOf(int z) { return kRows[static_cast<std::size_t>(rowOfBlock(z))].l; }

}  // namespace prophet
