// PDB by gemmi (M. Wojdyr, J. Open Source Softw. 7, 4200 (2022)).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <gemmi/pdb.hpp>
#include <sstream>

#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "matter/structure/gemmi_lattice.hpp"
#include "matter/structure/structure.hpp"

namespace prophet {
namespace {

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
    if (line.compare(0, 6, "ATOM  ") != 0 && line.compare(0, 6, "HETATM") != 0) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string word = line.size() < 54 ? "" : trimmed(line.substr(30 + 8 * axis, 8));
      const auto value = parseDouble(word);
      if (!value || !std::isfinite(*value) || word.find_first_of("eE") != std::string::npos)
        throw StructureError(
            fmt::format("{}:{}: error: '{}' is not a coordinate; columns 31-54 of an atom's line hold x, y, "
                        "z in angstrom",
                        path, number, word));
    }
  }
}

Structure frameOf(const gemmi::Structure& file, const gemmi::Model& model, const std::string& path) {
  Structure s;
  s.title = utf8(file.name);
  // Programs without a box write lengths of 0 or 1.
  const gemmi::UnitCell& cell = file.cell;
  if (cell.is_crystal() && (cell.a != 0 || cell.b != 0 || cell.c != 0)) {
    s.lattice = latticeOf(cell);
    try {
      requireLattice(*s.lattice);
    } catch (const Error& e) {
      throw StructureError(path + ": error: CRYST1: " + e.what());
    }
  }
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
  requirePdbCoordinates(path, text);
  try {
    const gemmi::Structure file = gemmi::read_pdb_string(withoutBonds(text), path);
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

}  // namespace prophet
