#pragma once
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/species.hpp"
#include "operations/execution/execution.hpp"
#include "operations/input/job.hpp"
#include "operations/request/request_table.hpp"

namespace prophet {

/// What requests about free atoms and ions have in common: which, and how each of them is computed.
struct SpeciesSettings {
  std::vector<Species> species;
  std::string holes, promotions;        ///< of every species, as withHoles and withPromotions have them
  std::optional<NuclearModel> nucleus;  ///< empty: that of the basis set
  std::string library;                  ///< empty: chosen for each species
  bool limit = false;
};

/// The rows of a RequestTable for them, whose readers are these.
namespace species_settings {
extern const char* const kSpecies;  ///< what the words may be
void readSpecies(SpeciesSettings& s, const Json& value);
void readHoles(SpeciesSettings& s, const Json& value);
void readPromotions(SpeciesSettings& s, const Json& value);
}  // namespace species_settings

/// The words; the caller says whether they may lack.
template <class Request>
typename RequestTable<Request>::Row& addSpeciesRow(RequestTable<Request>& t) {
  return t.add("species", ValueType::Texts, species_settings::kSpecies, species_settings::readSpecies)
      .called("SPECIES");
}

/// hole, promote, limit, nucleus and basis. `limitHelp`: what the limit is good for.
template <class Request>
void addSpeciesMethod(RequestTable<Request>& t, const std::string& limitHelp) {
  t.add("hole", ValueType::Text,
        "take an electron out of this shell, or of several, '2p', '1s 2p3/2': one charge more for each",
        species_settings::readHoles)
      .called("SHELLS")
      .often();
  t.add("promote", ValueType::Text, "move an electron from shell to shell, '2p->3d'",
        species_settings::readPromotions)
      .called("FROM->INTO");
  t.add("limit", &Request::limit, limitHelp);
  t.add("nucleus", &Request::nucleus, wordsOf<NuclearModel>(), "nuclear model")
      .byDefault("that of the basis set, mostly gaussian");
  t.add("basis", &Request::library, "collection of basis sets")
      .alias("library")
      .called("NAME")
      .byDefault("chosen automatically for each species")
      .notWith({"limit"});
}

/// What is wrong with the change of every species is wrong with the request: throws SettingError.
void checkMoves(const SpeciesSettings& s);

/// What a species is computed as; the caller adds its Hamiltonian.
Job jobOf(const SpeciesSettings& s, const Species& species, bool limit,
          const std::filesystem::path& basisSets);

}  // namespace prophet
