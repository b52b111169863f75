#include "operations/materials/species_words.hpp"

#include <set>

#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/shell_list.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"
#include "matter/scattering/form_factor.hpp"
#include "matter/structure/structure.hpp"

namespace prophet {
namespace {

/// An isotope has its element's electrons.
Species speciesNamed(const std::string& word) {
  try {
    return parseSpecies(word, true);
  } catch (const Error&) {
    AtomKind kind;
    try {
      kind = atomKind(word);
    } catch (const Error&) {
    }
    if (kind.massNumber == 0 && !word.empty() && isDigit(word[0])) return parseIsotope(word);
    if (kind.massNumber == 0) throw;
    const std::string name = nameOf(kind);
    kind.massNumber = 0;
    Species species = parseSpecies(nameOf(kind), true);
    species.name = name;
    return species;
  }
}

}  // namespace

std::vector<Species> speciesOf(const std::vector<std::string>& words) {
  std::vector<Species> list;
  for (const std::string& word : words) {
    if (lowerCase(word) == "all") {
      for (int z = 1; z <= kLastElement; ++z) list.push_back({symbolOf(z), z, 0, ""});
    } else if (lowerCase(word) == "ions") {
      for (const Species& s : usualIons()) list.push_back(s);
    } else {
      list.push_back(speciesNamed(word));
    }
  }
  std::set<std::string> names;
  for (const Species& s : list)
    if (!names.insert(s.name).second) throw Error("'" + s.name + "' is requested twice");
  return list;
}

Species withMoves(Species s, const std::string& holes, const std::string& promotions) {
  if ((holes + promotions).empty()) return s;
  if (s.configuration.empty()) s.configuration = defaultConfiguration(s.z, s.charge).text;
  s.configuration = withPromotions(withHoles(s.configuration, holes), promotions);
  s.charge = s.z;
  for (const Shell& shell : parseShells(s.configuration)) s.charge -= shell.electrons;
  if (!holes.empty()) s.name += " hole " + holes;
  if (!promotions.empty()) s.name += " promote " + promotions;
  return s;
}

}  // namespace prophet
