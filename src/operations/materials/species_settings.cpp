#include "operations/materials/species_settings.hpp"

#include "core/common/text.hpp"
#include "operations/catalogue/setting_values.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/materials/species_words.hpp"

namespace prophet {
namespace species_settings {

const char* const kSpecies =
    "Fe, 26, Fe3+, O2-, 'Fe2+ [Ar] 3d6', all (the neutral atoms 1-118), ions (those of the International "
    "Tables)";

void readSpecies(SpeciesSettings& s, const Json& value) { s.species = speciesOf(value); }
void readHoles(SpeciesSettings& s, const Json& value) { s.holes = trimmed(value.get<std::string>()); }
void readPromotions(SpeciesSettings& s, const Json& value) {
  s.promotions = trimmed(value.get<std::string>());
}

}  // namespace species_settings

void checkMoves(const SpeciesSettings& s) {
  std::string first;
  for (const Species& one : s.species) {
    try {
      withMoves(one, s.holes, s.promotions);
      return;
    } catch (const Error& e) {
      if (first.empty()) first = one.name + ": " + e.what();
    }
  }
  if (!first.empty()) throw SettingError(s.holes.empty() ? "promote" : "hole", first);
}

Job jobOf(const SpeciesSettings& s, const Species& species, bool limit,
          const std::filesystem::path& basisSets) {
  Json values = {{"atom", species.z}};
  if (s.nucleus) values["nucleus"] = lowerCase(nameOf(*s.nucleus));
  if (species.configuration.empty()) values["charge"] = species.charge;
  if (!species.configuration.empty()) values["config"] = species.configuration;
  if (!s.library.empty()) values["library"] = s.library;
  try {
    Job job = jobOfValues(limit ? JobType::Limit : JobType::Energy, values, species.name);
    job.basisSets = basisSets;
    return job;
  } catch (const RequestErrors& e) {  // their settings are keywords, which the request has not
    throw Error(e.problems().front().message);
  }
}

}  // namespace prophet
