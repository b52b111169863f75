#include "matter/structure/whole_atoms.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr double kSameOccupancy = 1e-3;
/// Rounding of the sum over alternative places, which files write with two digits: 0.33, 0.33 and 0.33.
constexpr double kRounding = 0.021;

/// The places of one atom.
struct Alternatives {
  const AtomLine* first = nullptr;
  double sum = 0;
};

}  // namespace

void addWholeAtoms(Structure& structure, const std::vector<AtomLine>& lines, const std::string& path) {
  std::map<std::string, Alternatives> several;
  for (const AtomLine& line : lines) {
    if (line.alternative.empty()) {
      if (std::abs(line.occupancy - 1) > kSameOccupancy)
        throw StructureError(fmt::format(
            "{}: error: atom {} has an occupancy of {:g}; a sum over atoms needs whole atoms: set "
            "it to 1, or take out the atoms that are not there",
            path, line.name, line.occupancy));
      continue;
    }
    Alternatives& places = several[line.identity];
    if (!places.first) places.first = &line;
    places.sum += line.occupancy;
  }
  for (const auto& [identity, places] : several)
    if (std::abs(places.sum - 1) > kRounding)
      throw StructureError(
          fmt::format("{}: error: the occupancies of the alternative places of atom {} add up to {:g}; a sum "
                      "over atoms needs whole atoms: keep one place of it with 1, or take it out",
                      path, places.first->name, places.sum));
  std::size_t others = 0;
  for (const AtomLine& line : lines) {
    const bool kept =
        line.alternative.empty() || several[line.identity].first->alternative == line.alternative;
    if (kept)
      structure.add(structure.kindNumber(line.kind), line.position);
    else
      ++others;
  }
  if (others > 0)
    structure.warnings.push_back(
        fmt::format("of atoms with alternative places in {} the first place is taken: {} line{} left out",
                    path, others, others == 1 ? " is" : "s are"));
}

void warnOfSymmetry(Structure& structure, const std::string& group, const std::string& path) {
  if (!structure.lattice || group.empty() || group == "P 1" || group == "P1") return;
  structure.warnings.push_back(fmt::format(
      "{} has the space group '{}', whose operations are not applied: its atoms are taken for the "
      "whole cell; write all of them (P 1), or take the CIF of the core dictionary",
      path, group));
}

}  // namespace prophet
