#include "atoms/atom/element_names.hpp"

#include <array>
#include <vector>

#include "atoms/atom/elements.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

const std::array<std::string, kLastElement> kNames = {
    "hydrogen",     "helium",        "lithium",     "beryllium",   "boron",        "carbon",
    "nitrogen",     "oxygen",        "fluorine",    "neon",        "sodium",       "magnesium",
    "aluminium",    "silicon",       "phosphorus",  "sulfur",      "chlorine",     "argon",
    "potassium",    "calcium",       "scandium",    "titanium",    "vanadium",     "chromium",
    "manganese",    "iron",          "cobalt",      "nickel",      "copper",       "zinc",
    "gallium",      "germanium",     "arsenic",     "selenium",    "bromine",      "krypton",
    "rubidium",     "strontium",     "yttrium",     "zirconium",   "niobium",      "molybdenum",
    "technetium",   "ruthenium",     "rhodium",     "palladium",   "silver",       "cadmium",
    "indium",       "tin",           "antimony",    "tellurium",   "iodine",       "xenon",
    "caesium",      "barium",        "lanthanum",   "cerium",      "praseodymium", "neodymium",
    "promethium",   "samarium",      "europium",    "gadolinium",  "terbium",      "dysprosium",
    "holmium",      "erbium",        "thulium",     "ytterbium",   "lutetium",     "hafnium",
    "tantalum",     "tungsten",      "rhenium",     "osmium",      "iridium",      "platinum",
    "gold",         "mercury",       "thallium",    "lead",        "bismuth",      "polonium",
    "astatine",     "radon",         "francium",    "radium",      "actinium",     "thorium",
    "protactinium", "uranium",       "neptunium",   "plutonium",   "americium",    "curium",
    "berkelium",    "californium",   "einsteinium", "fermium",     "mendelevium",  "nobelium",
    "lawrencium",   "rutherfordium", "dubnium",     "seaborgium",  "bohrium",      "hassium",
    "meitnerium",   "darmstadtium",  "roentgenium", "copernicium", "nihonium",     "flerovium",
    "moscovium",    "livermorium",   "tennessine",  "oganesson",
};

struct OtherName {
  std::string_view name;
  int z;
};
constexpr OtherName kOthers[] = {{"aluminum", 13}, {"sulphur", 16}, {"cesium", 55}, {"wolfram", 74},
                                 {"deuterium", 1}, {"tritium", 1},  {"d", 1},       {"t", 1}};

/// The roots of digits, of which systematic names are made; their first letters make the symbols.
constexpr std::string_view kRoots[] = {"nil", "un", "bi", "tri", "quad", "pent", "hex", "sept", "oct", "enn"};

/// Z of "uuo" or "ununoctium"; 0 of other words.
int systematic(std::string_view word) {
  int z = 0, digits = 0;
  const bool isSymbol = word.size() == 3;
  while (!word.empty() && digits < 3) {
    int found = -1;
    for (int d = 0; d < 10; ++d)
      if (word.starts_with(isSymbol ? kRoots[d].substr(0, 1) : kRoots[d])) found = d;
    if (found < 0) break;
    word.remove_prefix(isSymbol ? 1 : kRoots[found].size());
    z = 10 * z + found;
    ++digits;
  }
  const bool isWhole = isSymbol ? word.empty() : word == "ium" || word == "um";
  return digits == 3 && isWhole && z > 100 && z <= kLastElement ? z : 0;
}

}  // namespace

const std::string& nameOfElement(int z) {
  symbolOf(z);  // throws
  return kNames[static_cast<std::size_t>(z - 1)];
}

int elementMeantBy(std::string_view given) {
  const std::string word = lowerCase(given);
  for (const OtherName& other : kOthers)
    if (other.name == word) return other.z;
  if (const int z = systematic(word)) return z;
  if (word.size() < 4 && word != "tin") return 0;
  const std::string name = nearestName(word, {kNames.begin(), kNames.end()});
  for (int z = 1; z <= kLastElement; ++z)
    if (!name.empty() && nameOfElement(z) == name) return z;
  return 0;
}

}  // namespace prophet
