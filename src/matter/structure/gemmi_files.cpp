// PDB and CIF by gemmi (M. Wojdyr, J. Open Source Softw. 7, 4200 (2022)).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <gemmi/cif.hpp>
#include <gemmi/pdb.hpp>
#include <gemmi/smcif.hpp>
#include <optional>
#include <sstream>

#include "core/common/files.hpp"
#include "core/common/number_rows.hpp"
#include "core/common/text.hpp"
#include "matter/structure/structure.hpp"

namespace prophet {
namespace {

constexpr double kShortestEdge = 0.5, kLongestEdge = 1e5;  // angstrom
constexpr double kFarthestFraction = 1000;
constexpr double kSamePlace = 0.1;  // angstrom

Eigen::Matrix3d latticeOf(const gemmi::UnitCell& cell) {
  Eigen::Matrix3d rows;
  for (int i = 0; i < 3; ++i) {
    const gemmi::Position p =
        cell.orthogonalize(gemmi::Fractional(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0));
    rows.row(i) << p.x, p.y, p.z;
  }
  return rows;
}

std::string nameOf(gemmi::Element element, int charge) {
  std::string name = element.name();
  if (charge != 0) name += std::to_string(std::abs(charge)) + (charge > 0 ? "+" : "-");
  return kindName(name);
}

/// The lattice of a line CRYST1; none where it stands for no box: lengths of 0 or 1 with angles of 90 degrees
/// or 0, as programs without a box write them. gemmi leaves out what it does not understand.
std::optional<Eigen::Matrix3d> latticeOfPdb(const std::string& line, const std::string& place) {
  std::array<double, 6> cell{};
  constexpr std::array<std::size_t, 7> kColumns{6, 15, 24, 33, 40, 47, 54};
  const auto fail = [&](const std::string& what) {
    throw StructureError(
        fmt::format("{}: error: CRYST1: {}; expected three lengths in columns 7-33 and three "
                    "angles in 34-54, such as '{:9.3f}' and '{:7.2f}', in angstrom and degrees",
                    place, what, 20.1, 90.0));
  };
  bool lengths = false, angles = false;
  for (std::size_t i = 0; i < 6; ++i) {
    const std::size_t from = std::min(kColumns[i], line.size());
    const std::string word = trimmed(line.substr(from, kColumns[i + 1] - kColumns[i]), " \t\r");
    const auto value = finiteNumber(word);
    if (!value) fail("'" + word + "' is not a number");
    cell[i] = *value;
    if (i < 3)
      lengths = lengths || (cell[i] != 0 && cell[i] != 1);
    else
      angles = angles || (cell[i] != 0 && cell[i] != 90);
  }
  if (!lengths && !angles) return std::nullopt;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(cell[i] >= kShortestEdge && cell[i] <= kLongestEdge))
      fail(fmt::format("a length of {:g}", cell[i]));
    if (!(cell[i + 3] > 0 && cell[i + 3] < 180)) fail(fmt::format("an angle of {:g}", cell[i + 3]));
  }
  const Eigen::Matrix3d lattice =
      latticeOf(gemmi::UnitCell(cell[0], cell[1], cell[2], cell[3], cell[4], cell[5]));
  try {
    requireLattice(lattice);
  } catch (const Error& e) {
    throw StructureError(place + ": error: CRYST1: " + e.what());
  }
  return lattice;
}

/// gemmi reads a broken coordinate as the number that it begins with, and a broken charge as none; a user
/// needs to hear of it.
void requirePdbAtom(const std::string& line, const std::string& place) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string word = line.size() < 54 ? "" : trimmed(line.substr(30 + 8 * axis, 8));
    const auto value = parseDouble(word);
    if (!value || !std::isfinite(*value) || word.find_first_of("eE") != std::string::npos)
      throw StructureError(
          fmt::format("{}: error: '{}' is not a coordinate; columns 31-54 of an atom's line hold x, y, z in "
                      "angstrom",
                      place, word));
  }
  const std::string charge = line.size() > 78 ? trimmed(line.substr(78, 2), " \t\r") : "";
  const auto isDigit = [&](std::size_t i) {
    return std::isdigit(static_cast<unsigned char>(charge[i])) != 0;
  };
  const auto isSign = [&](std::size_t i) { return charge[i] == '+' || charge[i] == '-'; };
  if (!(charge.empty() || charge == "0" ||
        (charge.size() == 2 && ((isDigit(0) && isSign(1)) || (isSign(0) && isDigit(1))))))
    throw StructureError(
        fmt::format("{}: error: '{}' is not a charge; columns 79-80 of an atom's line hold one as 2+ or 1-, "
                    "or are blank",
                    place, charge));
}

/// Checks what gemmi takes for granted. The lattice of each model: CRYST1 holds from its line on.
std::vector<std::optional<Eigen::Matrix3d>> latticesOfPdb(const std::string& path, const std::string& text) {
  std::vector<std::optional<Eigen::Matrix3d>> list;
  std::optional<Eigen::Matrix3d> lattice;
  bool within = false, ended = false;
  std::istringstream in(text);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::string place = fmt::format("{}:{}", path, number);
    const std::string record = lowerCase(trimmed(line.substr(0, 4), " \t\r"));  // as gemmi compares
    if (record == "crys") lattice = latticeOfPdb(line, place);
    if (record == "end") ended = true;
    if (record == "endm") within = false;
    if (record != "atom" && record != "heta") continue;
    if (ended)
      throw StructureError(place +
                           ": error: an atom behind END, which ends the file; the frames of a "
                           "trajectory stand between MODEL and ENDMDL");
    requirePdbAtom(line, place);
    if (!within) list.push_back(lattice);
    within = true;
  }
  return list;
}

Structure frameOf(const gemmi::Structure& file, const gemmi::Model& model,
                  const std::optional<Eigen::Matrix3d>& lattice, const std::string& path) {
  Structure s;
  s.title = utf8(file.name);
  s.lattice = lattice;
  for (const auto& chain : model.chains) {
    for (const auto& residue : chain.residues) {
      for (const auto& atom : residue.atoms) {
        // One of alternative places only: the first.
        if (atom.altloc != '\0' && atom.altloc != 'A' && atom.altloc != '1') continue;
        if (atom.element == gemmi::El::X)
          throw StructureError(fmt::format("{}: error: atom {} ({}) has no element in columns 77-78", path,
                                           atom.serial, atom.name));
        if (const auto warning = isotopeWarning(atom.element.name()); !warning.empty())
          addWarnings(s.warnings, {warning});
        s.add(s.kindNumber(nameOf(atom.element, atom.charge)), {atom.pos.x, atom.pos.y, atom.pos.z});
      }
    }
  }
  return s;
}

void requireSite(const gemmi::SmallStructure::Site& site, const std::string& path) {
  if (site.element == gemmi::El::X)
    throw StructureError(
        fmt::format("{}: error: site {} has no element ('{}')", path, site.label, site.type_symbol));
  if (std::abs(site.occ - 1) > 1e-3)
    throw StructureError(
        fmt::format("{}: error: site {} has an occupancy of {:g}; a sum over atoms needs whole atoms: write "
                    "a larger cell with whole atoms",
                    path, site.label, site.occ));
  for (const double x : {site.fract.x, site.fract.y, site.fract.z}) {
    if (!(std::abs(x) <= kFarthestFraction))
      throw StructureError(
          fmt::format("{}: error: site {} has coordinates that are not numbers from {:g} to {:g} in units of "
                      "the cell",
                      path, site.label, -kFarthestFraction, kFarthestFraction));
  }
}

/// Where the file has a tag, for messages: "PATH:LINE".
std::string placeOf(const gemmi::cif::Block& block, const std::string& tag, const std::string& path) {
  const gemmi::cif::Item* item = block.find_pair_item(tag);
  return item ? fmt::format("{}:{}", path, item->line_number) : path;
}

/// gemmi takes for a cell what has three lengths, and reads words as not a number.
void requireCell(const gemmi::cif::Block& block, const std::string& path) {
  for (const char* tag : {"_cell_length_a", "_cell_length_b", "_cell_length_c", "_cell_angle_alpha",
                          "_cell_angle_beta", "_cell_angle_gamma"}) {
    const std::string* value = block.find_value(tag);
    if (!value) throw StructureError(fmt::format("{}: error: the first data block has no {}", path, tag));
    const double number = gemmi::cif::as_number(*value);
    const bool angle = tag[6] == 'a';
    if (angle ? !(number > 0 && number < 180) : !(number >= kShortestEdge && number <= kLongestEdge))
      throw StructureError(fmt::format(
          "{}: error: {} is '{}'; expected {}", placeOf(block, tag, path), tag, *value,
          angle ? "an angle above 0 and below 180 degrees"
                : fmt::format("a length from {:g} to {:g} angstrom", kShortestEdge, kLongestEdge)));
  }
}

/// The first value that is neither . nor ? of tags.
std::string valueOf(const gemmi::cif::Block& block, std::initializer_list<const char*> tags) {
  for (const char* tag : tags) {
    const std::string* value = block.find_value(tag);
    if (value && !gemmi::cif::is_null(*value)) return trimmed(gemmi::cif::as_string(*value));
  }
  return {};
}

/// The symmetry of a crystal: operations as the file writes them, else those of the Hall symbol, the name or
/// the number of its space group.
struct Symmetry {
  std::vector<gemmi::Op> operations;
  std::string warning;
  const gemmi::SpaceGroup* other = nullptr;  ///< with another origin, which the file might mean
};

std::vector<gemmi::Op> writtenOperations(const gemmi::cif::Block& block, const std::string& path) {
  std::vector<gemmi::Op> list;
  for (const char* tag : {"_space_group_symop_operation_xyz", "_symmetry_equiv_pos_as_xyz"}) {
    for (const auto& value : const_cast<gemmi::cif::Block&>(block).find_values(tag)) {
      const std::string triplet = gemmi::cif::as_string(value);
      try {
        list.push_back(gemmi::parse_triplet(triplet));
      } catch (const std::exception&) {
        throw StructureError(
            fmt::format("{}: error: '{}' is not a symmetry operation such as x,-y,z+1/2", path, triplet));
      }
    }
    if (!list.empty()) break;
  }
  return list;
}

/// The group of a name or number in the setting that the angles of the cell tell (hexagonal or rhombohedral).
const gemmi::SpaceGroup* namedGroup(const std::string& name, const std::string& number,
                                    const gemmi::UnitCell& cell, const std::string& path) {
  const auto find = [&](const std::string& hm) {
    return gemmi::find_spacegroup_by_name(hm, cell.alpha, cell.gamma);
  };
  const gemmi::SpaceGroup* group = name.empty() ? nullptr : find(name);
  if (number.empty()) {
    if (!group) throw StructureError(fmt::format("{}: error: unknown space group '{}'", path, name));
    return group;
  }
  const auto value = parseDouble(number);
  if (!value || !(*value >= 1 && *value <= 230) || *value != std::floor(*value))
    throw StructureError(
        fmt::format("{}: error: '{}' is not the number of a space group, 1 to 230", path, number));
  if (!group) return find(gemmi::find_spacegroup_by_number(static_cast<int>(*value))->hm);
  if (group->number != static_cast<int>(*value))
    throw StructureError(
        fmt::format("{}: error: the file names the space group '{}', which has the number {}, and the number "
                    "{}; correct one of them",
                    path, name, group->number, number));
  return group;
}

Symmetry symmetryOf(const gemmi::cif::Block& block, gemmi::UnitCell& cell, const std::string& path) {
  Symmetry s;
  s.operations = writtenOperations(block, path);
  if (!s.operations.empty()) return s;
  const std::string name = valueOf(block, {"_space_group_name_H-M_alt", "_symmetry_space_group_name_H-M",
                                           "_space_group_name_H-M_ref", "_space_group_name_H-M_full"}),
                    hall = valueOf(block, {"_space_group_name_Hall", "_symmetry_space_group_name_Hall"}),
                    number = valueOf(block, {"_space_group_IT_number", "_symmetry_Int_Tables_number"});
  gemmi::GroupOps group;
  if (!hall.empty()) {
    try {
      group = gemmi::symops_from_hall(hall.c_str());
    } catch (const std::exception&) {
      throw StructureError(fmt::format("{}: error: '{}' is not a Hall symbol of a space group", path, hall));
    }
  } else if (!name.empty() || !number.empty()) {
    const gemmi::SpaceGroup* found = namedGroup(name, number, cell, path);
    group = found->operations();
    if (found->ext == '1' && name.find(':') == std::string::npos) {
      s.other = found + 1;  // of two origins the second one follows in the table
      s.warning = fmt::format(
          "{}: the space group {} has two choices of the origin, and the file does not state which", path,
          found->hm);
    }
  } else {
    s.warning =
        path +
        ": the file states no symmetry (operations, Hall symbol, name or number of a space group): the sites "
        "that it lists are taken for the whole cell (P 1)";
  }
  if (!group.sym_ops.empty() &&
      !cell.is_compatible_with_groupops(
          group, 1e-3 * std::max({cell.a, cell.b, cell.c}) * std::max({cell.a, cell.b, cell.c})))
    throw StructureError(
        fmt::format("{}: error: the cell does not have the symmetry of its space group {}; which lengths and "
                    "angles must be equal? (Or write the symmetry operations.)",
                    path,
                    !hall.empty()   ? hall
                    : !name.empty() ? name
                                    : number));
  for (const gemmi::Op& op : group) s.operations.push_back(op);
  return s;
}

/// All sites of the cell, those on special positions once.
std::vector<gemmi::SmallStructure::Site> sitesOf(gemmi::SmallStructure& crystal,
                                                 const std::vector<gemmi::Op>& operations) {
  crystal.cell.images.clear();
  for (const gemmi::Op& op : operations) {
    if (op == gemmi::Op::identity()) continue;
    const auto matrix = op.float_seitz();
    gemmi::Transform image;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) image.mat[i][j] = matrix[i][j];
    }
    image.vec = gemmi::Vec3(matrix[0][3], matrix[1][3], matrix[2][3]);
    crystal.cell.images.emplace_back(std::move(image));
  }
  return crystal.get_all_unit_cell_sites();
}

/// Two sites of different lines at one place would scatter twice.
void requireDifferentPlaces(const std::vector<gemmi::SmallStructure::Site>& sites,
                            const gemmi::UnitCell& cell, const std::string& path) {
  std::vector<std::pair<double, std::size_t>> sorted;  // by fractional x, those near 0 again near 1
  const double reach = kSamePlace * cell.ar;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const double x = sites[i].fract.x - std::floor(sites[i].fract.x);
    sorted.emplace_back(x, i);
    if (x < reach) sorted.emplace_back(x + 1, i);
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t a = 0; a < sorted.size(); ++a) {
    for (std::size_t b = a + 1; b < sorted.size() && sorted[b].first - sorted[a].first < reach; ++b) {
      const auto &one = sites[sorted[a].second], &two = sites[sorted[b].second];
      const double y = one.fract.y - two.fract.y;
      if (sorted[a].second == sorted[b].second || std::abs(y - std::round(y)) > kSamePlace * cell.br)
        continue;
      const double distance = std::sqrt(cell.distance_sq(one.fract, two.fract));
      if (distance < kSamePlace)
        throw StructureError(
            fmt::format("{}: error: the sites {} and {} are {:.2g} angstrom apart; is one given twice?", path,
                        one.label, two.label, distance));
    }
  }
}

Structure contentOf(gemmi::SmallStructure crystal, const gemmi::cif::Block& block, const std::string& path) {
  requireCell(block, path);
  if (crystal.sites.empty())
    throw StructureError(
        path + ": error: the first data block has no _atom_site_label with its _atom_site_fract_x, y, z");
  for (const auto& site : crystal.sites) requireSite(site, path);
  const Symmetry symmetry = symmetryOf(block, crystal.cell, path);
  Structure s;
  s.title = utf8(crystal.name);
  s.lattice = latticeOf(crystal.cell);
  try {
    requireLattice(*s.lattice);
  } catch (const Error& e) {
    throw StructureError(path + ": error: " + e.what());
  }
  const auto sites = sitesOf(crystal, symmetry.operations);
  requireDifferentPlaces(sites, crystal.cell, path);
  for (const auto& site : sites) {
    const gemmi::Position p = crystal.cell.orthogonalize(site.fract.wrap_to_unit());
    s.add(s.kindNumber(nameOf(site.element, site.charge)), {p.x, p.y, p.z});
    if (const auto warning = isotopeWarning(site.element.name()); !warning.empty())
      addWarnings(s.warnings, {warning});
  }
  if (symmetry.warning.empty()) return s;
  if (!symmetry.other) {
    s.warnings.push_back(symmetry.warning);
    return s;
  }
  std::vector<gemmi::Op> others;
  for (const gemmi::Op& op : symmetry.other->operations()) others.push_back(op);
  const std::size_t otherwise = sitesOf(crystal, others).size();
  s.warnings.push_back(
      fmt::format("{}: the first is taken, with {} atoms in the cell; with the second, '{}', there are {}",
                  symmetry.warning, s.size(), symmetry.other->xhm(), otherwise));
  return s;
}

/// Without the records of bonds, which nobody needs here: gemmi 0.5 reads beyond the end of those that are
/// cut short.
std::string withoutBonds(const std::string& text) {
  std::istringstream in(text);
  std::string kept;
  for (std::string line; std::getline(in, line);) {
    for (char& c : line)
      if (static_cast<unsigned char>(c) > 127) c = '?';  // the format is ASCII; others look like any record
    std::string record = line.substr(0, 4);
    for (char& c : record) c = static_cast<char>(c & ~0x20);  // as gemmi compares: capitals or not
    const bool isBond = record == "SSBO" || record == "LINK" || record == "CISP" || record == "CONE";
    kept += (isBond ? "REMARK" : line) + "\n";
  }
  return kept;
}

}  // namespace

bool hasGemmi() { return true; }

std::vector<Structure> readPdb(const std::string& path) {
  const std::string text(withoutByteOrderMark(readFile(path)));
  const auto lattices = latticesOfPdb(path, text);
  try {
    const gemmi::Structure file = gemmi::read_pdb_string(withoutBonds(text), path);
    std::vector<Structure> frames;
    for (const auto& model : file.models) {
      if (model.chains.empty()) continue;
      if (frames.size() == lattices.size()) break;
      frames.push_back(frameOf(file, model, lattices[frames.size()], path));
    }
    if (frames.empty() || frames[0].size() == 0)
      throw StructureError(path + ":1: error: the file has no atoms");
    if (frames.size() != lattices.size())
      throw StructureError(
          fmt::format("{}: error: {} of {} models were read; each stands between MODEL and "
                      "ENDMDL",
                      path, frames.size(), lattices.size()));
    return frames;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    throw StructureError(path + ": error: " + e.what());
  }
}

Structure readCif(const std::string& path) {
  const std::string text(withoutByteOrderMark(readFile(path)));
  try {
    const gemmi::cif::Document document = gemmi::cif::read_memory(text.data(), text.size(), path.c_str());
    if (document.blocks.empty()) throw StructureError(path + ":1: error: the file has no data block");
    const gemmi::cif::Block& block = document.blocks.front();
    return contentOf(gemmi::make_small_structure_from_block(block), block, path);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {  // "FILE:LINE:COLUMN: ..." of the parser
    const std::string what = e.what();
    throw StructureError((what.rfind(path, 0) == 0 ? "error: " : path + ": error: ") + what);
  }
}

}  // namespace prophet
