// PDB and CIF by gemmi (M. Wojdyr, J. Open Source Softw. 7, 4200 (2022)).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <gemmi/cif.hpp>
#include <gemmi/pdb.hpp>
#include <gemmi/smcif.hpp>
#include <sstream>

#include "common/number.hpp"
#include "common/read_file.hpp"
#include "common/text.hpp"
#include "structure/frames.hpp"

namespace prophet {
namespace {

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

/// gemmi reads a broken coordinate as the number that it begins with; a user needs to hear of it.
void requirePdbCoordinates(const std::string& path, const std::string& text) {
  std::istringstream in(text);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.rfind("ATOM  ", 0) != 0 && line.rfind("HETATM", 0) != 0) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string word = line.size() < 54 ? "" : trimmed(line.substr(30 + 8 * axis, 8));
      const auto value = parseDouble(word);
      if (!value || !std::isfinite(*value))
        throw StructureError(fmt::format(
            "{}:{}: error: '{}' is no coordinate; columns 31-54 of an atom's line hold x, y, z in angstrom",
            path, number, word));
    }
  }
}

Structure frameOf(const gemmi::Structure& file, const gemmi::Model& model, const std::string& path) {
  Structure s;
  s.title = file.name;
  if (file.cell.is_crystal()) s.lattice = latticeOf(file.cell);
  for (const auto& chain : model.chains) {
    for (const auto& residue : chain.residues) {
      for (const auto& atom : residue.atoms) {
        // One of alternative places only: the first.
        if (atom.altloc != '\0' && atom.altloc != 'A' && atom.altloc != '1') continue;
        if (atom.element == gemmi::El::X)
          throw StructureError(fmt::format("{}: error: atom {} ({}) has no element in columns 77-78", path,
                                           atom.serial, atom.name));
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
        fmt::format("{}: error: site {} is occupied to {:g}; a sum over atoms needs to know "
                    "which are there: write a larger cell with whole atoms",
                    path, site.label, site.occ));
  if (!std::isfinite(site.fract.x) || !std::isfinite(site.fract.y) || !std::isfinite(site.fract.z))
    throw StructureError(fmt::format("{}: error: site {} has no coordinates", path, site.label));
}

Structure contentOf(gemmi::SmallStructure crystal, const gemmi::cif::Block& block, const std::string& path) {
  if (!crystal.cell.is_crystal() || crystal.sites.empty())
    throw StructureError(path + ": error: the first data block has no cell or no _atom_site_fract_x");
  // Operations as the file writes them, else those of the space group that it names.
  const gemmi::SpaceGroup* group = crystal.find_spacegroup();
  std::vector<std::string> operations;
  for (const char* tag : {"_space_group_symop_operation_xyz", "_symmetry_equiv_pos_as_xyz"}) {
    for (const auto& value : const_cast<gemmi::cif::Block&>(block).find_values(tag))
      operations.push_back(gemmi::cif::as_string(value));
    if (!operations.empty()) break;
  }
  if (operations.empty() && !group && !crystal.spacegroup_hm.empty())
    throw StructureError(path + ": error: unknown space group '" + crystal.spacegroup_hm + "'");
  if (!operations.empty()) {
    crystal.cell.images.clear();
    for (const std::string& triplet : operations) {
      const gemmi::Op op = gemmi::parse_triplet(triplet);
      if (op == gemmi::Op::identity()) continue;
      const auto matrix = op.float_seitz();
      gemmi::Transform image;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) image.mat[i][j] = matrix[i][j];
      }
      image.vec = gemmi::Vec3(matrix[0][3], matrix[1][3], matrix[2][3]);
      crystal.cell.images.emplace_back(std::move(image));
    }
  } else {
    crystal.setup_cell_images();
  }
  Structure s;
  s.title = crystal.name;
  s.lattice = latticeOf(crystal.cell);
  for (const auto& site : crystal.sites) requireSite(site, path);
  for (const auto& site : crystal.get_all_unit_cell_sites()) {
    const gemmi::Position p = crystal.cell.orthogonalize(site.fract.wrap_to_unit());
    s.add(s.kindNumber(nameOf(site.element, site.charge)), {p.x, p.y, p.z});
  }
  return s;
}

}  // namespace

bool hasGemmi() { return true; }

std::vector<Structure> readPdb(const std::string& path) {
  const std::string text = readFile(path);
  requirePdbCoordinates(path, text);
  try {
    const gemmi::Structure file = gemmi::read_pdb_string(text, path);
    std::vector<Structure> frames;
    for (const auto& model : file.models) frames.push_back(frameOf(file, model, path));
    if (frames.empty() || frames[0].size() == 0)
      throw StructureError(path + ":1: error: the file has no atoms");
    return frames;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    throw StructureError(path + ": error: " + e.what());
  }
}

Structure readCif(const std::string& path) {
  const std::string text = readFile(path);
  try {
    const gemmi::cif::Document document = gemmi::cif::read_memory(text.data(), text.size(), path.c_str());
    if (document.blocks.empty()) throw StructureError(path + ":1: error: the file has no data block");
    const gemmi::cif::Block& block = document.blocks.front();
    return contentOf(gemmi::make_small_structure_from_block(block), block, path);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {  // "FILE:LINE:COLUMN: ..." of the parser
    throw StructureError(std::string("error: ") + e.what());
  }
}

}  // namespace prophet
