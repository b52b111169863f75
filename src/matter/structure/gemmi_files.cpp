// PDB by gemmi (M. Wojdyr, J. Open Source Softw. 7, 4200 (2022)).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <sstream>

#include "core/common/csv.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "matter/structure/structure.hpp"
#include "matter/structure/structure_formats.hpp"
#ifdef PROPHET_WITH_GEMMI
#include <gemmi/pdb.hpp>
#include "matter/structure/gemmi_lattice.hpp"
#include "matter/structure/whole_atoms.hpp"
#endif

namespace prophet {
#ifdef PROPHET_WITH_GEMMI

namespace {

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

/// gemmi reads a broken coordinate or occupancy as the number that it begins with, and a broken charge as
/// none; a user needs to hear of it.
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
  const std::string occupancy = line.size() < 60 ? "" : trimmed(line.substr(54, 6), " \t\r");
  if (const auto value = occupancy.empty() ? 1 : finiteNumber(occupancy); !value || *value < 0)
    throw StructureError(fmt::format(
        "{}: error: '{}' is not an occupancy; columns 55-60 of an atom's line hold one, from 0 to "
        "1, or are blank",
        place, occupancy));
}

/// How many copies of its atoms a file wants made: operations MTRIX whose copies are not among the atoms,
/// which a 1 in column 60 would say.
std::size_t missingCopies(const std::string& text) {
  std::size_t count = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.rfind("MTRIX1", 0) == 0 && !(line.size() > 59 && line[59] == '1')) ++count;
  return count;
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
  std::vector<AtomLine> lines;
  for (const auto& chain : model.chains) {
    for (const auto& residue : chain.residues) {
      for (const auto& atom : residue.atoms) {
        if (atom.element == gemmi::El::X)
          throw StructureError(fmt::format("{}: error: atom {} ({}) has no element in columns 77-78", path,
                                           atom.serial, atom.name));
        AtomLine line;
        line.kind = nameOf(atom.element, atom.charge);
        line.name = fmt::format("{} ({})", atom.serial, atom.name);
        line.identity = chain.name + '\n' + residue.segment + '\n' + residue.seqid.str() + '\n' + atom.name;
        if (atom.altloc != '\0') line.alternative = std::string(1, atom.altloc);
        line.occupancy = atom.occ;
        line.position = {atom.pos.x, atom.pos.y, atom.pos.z};
        lines.push_back(std::move(line));
      }
    }
  }
  addWholeAtoms(s, lines, path);
  warnOfSymmetry(s, trimmed(file.spacegroup_hm), path);
  return s;
}

/// Without the records of bonds, which nobody needs here: gemmi 0.5 reads beyond the end of those that are
/// cut short; and with the occupancies that are blank, which gemmi takes for 0, as 1.
std::string withoutBonds(const std::string& text) {
  std::istringstream in(text);
  std::string kept;
  for (std::string line; std::getline(in, line);) {
    for (char& c : line)
      if (static_cast<unsigned char>(c) > 127) c = '?';  // the format is ASCII; others look like any record
    std::string record = line.substr(0, 4);
    for (char& c : record) c = static_cast<char>(c & ~0x20);  // as gemmi compares: capitals or not
    const bool isBond = record == "SSBO" || record == "LINK" || record == "CISP" || record == "CONE";
    const bool isAtom = record == "ATOM" || record == "HETA";
    if (isAtom && line.size() > 60 && trimmed(line.substr(54, 6)).empty()) line.replace(54, 6, "  1.00");
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
    if (const std::size_t copies = missingCopies(text); copies > 0)
      frames[0].warnings.push_back(fmt::format(
          "{} has {} operation{} MTRIX whose copies of the atoms are not in the file: they are not made; "
          "write all atoms of the cell",
          path, copies, copies == 1 ? "" : "s"));
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

#else

namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw StructureError(path +
                       ": error: this program was built without gemmi, which reads PDB and CIF; install it "
                       "(Debian: gemmi-dev tao-pegtl-dev), configure and build again, or write XYZ");
}

}  // namespace

bool hasGemmi() { return false; }
std::vector<Structure> readPdb(const std::string& path) { refuse(path); }
std::vector<Structure> readCif(const std::string& path, const std::string&) { refuse(path); }

#endif

StructureFormat pdbFormat() {
  return {"PDB", {".pdb", ".ent"}, false, [](const std::string& path, const std::string&) {
            return framesOf(readPdb(path));
          }};
}

StructureFormat cifFormat() {
  return {"CIF", {".cif", ".mmcif"}, true, [](const std::string& path, const std::string& block) {
            return framesOf(readCif(path, block));
          }};
}

}  // namespace prophet
