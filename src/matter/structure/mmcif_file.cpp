// CIF of macromolecules, in the dictionary of the Protein Data Bank: P. M. D. Fitzgerald and others,
// International Tables for Crystallography G (2006), chapter 4.5.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/common/text.hpp"
#include "matter/structure/cif_file.hpp"
#include "matter/structure/gemmi_lattice.hpp"
#include "matter/structure/whole_atoms.hpp"

namespace prophet {
namespace {

constexpr const char* kElement = "_atom_site_type_symbol";
constexpr const char* kFormalCharge = "_atom_site_pdbx_formal_charge";
constexpr std::array kCartesian{"_atom_site_Cartn_x", "_atom_site_Cartn_y", "_atom_site_Cartn_z"};
constexpr double kSameAxes = 0.01;  // of products that are 0 or 1

std::optional<Eigen::Matrix3d> latticeOfMmcif(const CifBlock& block) {
  bool stated = false, lengths = false, angles = false;
  for (const char* tag : {"_cell_length_a", "_cell_length_b", "_cell_length_c", "_cell_angle_alpha",
                          "_cell_angle_beta", "_cell_angle_gamma"}) {
    const auto values = block.column(tag);
    if (values.empty() || values[0].empty()) continue;
    stated = true;
    const auto value = numberWithError(values[0]);
    const bool angle = std::string_view(tag).find("angle") != std::string_view::npos;
    if (angle) angles = angles || !value || (*value != 0 && *value != 90);
    if (!angle) lengths = lengths || !value || (*value != 0 && *value != 1);
  }
  if (!stated || (!lengths && !angles)) return std::nullopt;
  const Eigen::Matrix3d lattice = latticeOf(cellOf(block));
  try {
    requireLattice(lattice);
  } catch (const StructureError&) {
    throw;
  } catch (const Error& e) {
    block.fail("_cell_length_a", e.what());
  }
  // From Cartesian coordinates to fractions, where the file says how.
  Eigen::Matrix3d fractions;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const auto values = block.column(fmt::format("_atom_sites_fract_transf_matrix[{}][{}]", i + 1, j + 1));
      const auto value = values.empty() ? std::nullopt : numberWithError(values[0]);
      if (!value) return lattice;
      fractions(i, j) = *value;
    }
  }
  if ((fractions * lattice.transpose() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() > kSameAxes)
    block.fail(
        "_atom_sites_fract_transf_matrix[1][1]",
        "_atom_sites.fract_transf_matrix is not that of the cell with a along x and b in the plane of x "
        "and y, which is expected here; write the coordinates in those axes");
  return lattice;
}

/// The lines of atoms and the number of the model of each.
struct Models {
  std::vector<AtomLine> lines;
  std::vector<std::string> model;
};

Models readAtoms(const CifBlock& block) {
  for (const char* tag : {kCartesian[1], kCartesian[2], kElement})
    if (!block.has(tag)) block.fail(kCartesian[0], fmt::format("the atoms have no {}", tag));
  const std::size_t size = block.column(kCartesian[0]).size();
  const auto column = [&](const std::string& name) { return siteColumn(block, "_atom_site_" + name, size); };
  const auto kinds = column("type_symbol"), charges = column("pdbx_formal_charge"), ids = column("id"),
             names = column("label_atom_id"), occupancies = column("occupancy"),
             places = column("label_alt_id");
  const std::array identities{column("label_asym_id"), column("label_seq_id"), column("auth_seq_id"),
                              column("pdbx_PDB_ins_code")};
  Models models{{}, column("pdbx_PDB_model_num")};
  models.lines.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    AtomLine& line = models.lines[i];
    line.name = fmt::format("{}{}", ids[i].empty() ? fmt::format("number {}", i + 1) : ids[i],
                            names[i].empty() ? "" : " (" + names[i] + ")");
    const auto refuse = [&](const char* tag, const std::string& what) {
      block.failAt(tag, ids[i], fmt::format("atom {}: {}", line.name, what));
    };
    AtomKind kind;
    try {
      kind = atomKind(kinds[i]);
      if (!charges[i].empty()) {
        const auto charge = numberWithError(charges[i]);
        if (!charge) refuse(kFormalCharge, "'" + charges[i] + "' is not a charge");
        if (kind.charge != 0 && kind.charge != *charge)
          refuse(kFormalCharge, fmt::format("it is {}, and its charge is {}", kinds[i], charges[i]));
        kind.charge = *charge;
      }
      line.kind = kindName(nameOf(kind));  // the charge may be impossible
    } catch (const StructureError&) {
      throw;
    } catch (const Error& e) {
      refuse(kElement, e.what());
    }
    line.identity = models.model[i];
    for (const auto& part : identities) line.identity += '\n' + part[i];
    line.identity += '\n' + names[i];
    line.alternative = places[i];
    if (!occupancies[i].empty()) {
      const auto occupancy = numberWithError(occupancies[i]);
      if (!occupancy) refuse("_atom_site_occupancy", "'" + occupancies[i] + "' is not an occupancy");
      line.occupancy = *occupancy;
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    const auto values = siteColumn(block, kCartesian.at(static_cast<std::size_t>(axis)), size);
    for (std::size_t i = 0; i < size; ++i) {
      const auto value = numberWithError(values[i]);
      if (!value || std::abs(*value) > kFarthest)
        block.failAt(kCartesian[0], ids[i],
                     fmt::format("atom {}: '{}' is not a coordinate; expected {} in angstrom",
                                 models.lines[i].name, values[i], "xyz"[axis]));
      models.lines[i].position(axis) = *value;
    }
  }
  return models;
}

}  // namespace

std::vector<Structure> modelsOf(const CifBlock& block) {
  const auto lattice = latticeOfMmcif(block);
  const Models models = readAtoms(block);
  const std::string group = block.value({"_symmetry_space_group_name_H-M", "_space_group_name_H-M_alt"}).text;
  const auto codes = block.column("_struct_ncs_oper_code");
  const auto copies = std::count(codes.begin(), codes.end(), "generate");
  std::vector<Structure> frames;
  std::vector<std::string> names;  // of models, in order of their first atoms
  for (const std::string& model : models.model)
    if (std::find(names.begin(), names.end(), model) == names.end()) names.push_back(model);
  for (const std::string& name : names) {
    std::vector<AtomLine> lines;
    for (std::size_t i = 0; i < models.lines.size(); ++i)
      if (models.model[i] == name) lines.push_back(models.lines[i]);
    Structure s;
    s.lattice = lattice;
    addWholeAtoms(s, lines, block.path());
    warnOfSymmetry(s, group, block.path());
    if (copies > 0)
      s.warnings.push_back(
          fmt::format("{} has {} operation{} _struct_ncs_oper whose copies of the atoms are not in the file: "
                      "they are not made; write all atoms of the cell",
                      block.path(), copies, copies == 1 ? "" : "s"));
    frames.push_back(std::move(s));
  }
  return frames;
}

}  // namespace prophet
