#include "app/commands.hpp"

#include <algorithm>
#include <filesystem>

#include "app/basis_command.hpp"
#include "app/batch_command.hpp"
#include "app/chain_command.hpp"
#include "app/compare_command.hpp"
#include "app/formfactor_command.hpp"
#include "app/madelung_command.hpp"
#include "app/pairs_command.hpp"
#include "app/powder_command.hpp"
#include "app/shape_command.hpp"
#include "app/structure_command.hpp"
#include "app/tier_command.hpp"
#include "app/validate_command.hpp"
#include "common/text.hpp"

namespace prophet {

const std::vector<Command>& commands() {
  static const std::vector<Command> list = {
      {"basis", "show, export, compare and check basis sets of the library", basisCommand},
      {"batch", "energies of many input files or elements at once", batchCommand},
      {"chain", "smallest basis sets of elements within a threshold", chainCommand},
      {"compare", "energy differences of results: ionisation, affinity, excitation", compareCommand},
      {"formfactor", "X-ray and electron scattering factors of atoms and ions, and fits of them",
       formfactorCommand},
      {"madelung", "energy, potentials and forces of the charges of a crystal", madelungCommand},
      {"pairs", "pair distributions and structure factors of many atoms", pairsCommand},
      {"powder", "X-ray and neutron powder patterns of nanoparticles", powderCommand},
      {"shape", "form factors of nanostructures from their surfaces", shapeCommand},
      {"structure", "particles cut from crystals, with vacancies, strain and disorder", structureCommand},
      {"tier", "basis sets of given sizes for molecules, one list of exponents for both j", tierCommand},
      {"validate", "basis-set energies, the numerical limit and shipped figures side by side",
       validateCommand},
  };
  return list;
}

const Command* findCommand(const std::string& name) {
  for (const Command& command : commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

bool looksLikeCommand(const std::string& word) {
  const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-'; };
  std::error_code none;
  return !word.empty() && word[0] != '-' && std::all_of(word.begin(), word.end(), isLetter) &&
         !std::filesystem::exists(word, none);
}

std::string unknownCommand(const std::string& word) {
  std::vector<std::string> names{"help"};
  for (const Command& command : commands()) names.push_back(command.name);
  const std::string nearest = nearestName(word, names);
  return "unknown command '" + word + "'" + (nearest.empty() ? "" : "; did you mean '" + nearest + "'?") +
         " ('cudaprophet help' lists the commands; the name of an input file ends in .inp)";
}

}  // namespace prophet
