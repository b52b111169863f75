#include "matter/structure/lattices.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "core/common/memory.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

struct Site {
  int kind;
  double x, y, z;
};

struct LatticeType {
  int kinds;
  std::vector<Site> sites;
};

/// The face-centred sites, shifted.
void addFaces(std::vector<Site>& sites, int kind, double x, double y, double z) {
  for (const auto& f : {Site{0, 0, 0, 0}, Site{0, 0, 0.5, 0.5}, Site{0, 0.5, 0, 0.5}, Site{0, 0.5, 0.5, 0}})
    sites.push_back({kind, f.x + x, f.y + y, f.z + z});
}

std::vector<Site> faces(const std::vector<Site>& shifts) {
  std::vector<Site> sites;
  for (const Site& s : shifts) addFaces(sites, s.kind, s.x, s.y, s.z);
  return sites;
}

/// Wyckoff positions of the types, in units of the edge.
const std::map<std::string, LatticeType>& types() {
  static const std::map<std::string, LatticeType> list = {
      {"sc", {1, {{0, 0, 0, 0}}}},
      {"bcc", {1, {{0, 0, 0, 0}, {0, 0.5, 0.5, 0.5}}}},
      {"fcc", {1, faces({{0, 0, 0, 0}})}},
      {"diamond", {1, faces({{0, 0, 0, 0}, {0, 0.25, 0.25, 0.25}})}},
      {"rocksalt", {2, faces({{0, 0, 0, 0}, {1, 0.5, 0.5, 0.5}})}},
      {"cscl", {2, {{0, 0, 0, 0}, {1, 0.5, 0.5, 0.5}}}},
      {"zincblende", {2, faces({{0, 0, 0, 0}, {1, 0.25, 0.25, 0.25}})}},
      {"fluorite", {2, faces({{0, 0, 0, 0}, {1, 0.25, 0.25, 0.25}, {1, 0.75, 0.75, 0.75}})}},
  };
  return list;
}

/// Edges in angstrom at room temperature: R. W. G. Wyckoff, Crystal Structures, vol. 1 (1963). 4.26 angstrom
/// for CoO gives the 5.4e4 and 4.3e5 atoms of the particles of 10 and 20 nm in Reiten's thesis (NTNU 2010).
const std::map<std::string, std::string>& named() {
  static const std::map<std::string, std::string> list = {
      {"CoO", "rocksalt:Co,O:4.26"},   {"NaCl", "rocksalt:Na,Cl:5.64056"},
      {"MgO", "rocksalt:Mg,O:4.2112"}, {"Au", "fcc:Au:4.07825"},
      {"Ag", "fcc:Ag:4.0862"},         {"Cu", "fcc:Cu:3.61496"},
      {"Al", "fcc:Al:4.04958"},        {"Pt", "fcc:Pt:3.9231"},
      {"Ni", "fcc:Ni:3.52387"},        {"Fe", "bcc:Fe:2.8665"},
      {"Si", "diamond:Si:5.43070"},    {"diamond", "diamond:C:3.56679"},
  };
  return list;
}

[[noreturn]] void refuseLattice(const std::string& name) {
  std::string names;
  for (const auto& [key, value] : named()) names += key + ", ";
  throw Error("there is no lattice '" + name + "'; expected " + names +
              "and TYPE:ATOM:EDGE or TYPE:ATOM,ATOM:EDGE (sc, bcc, fcc, diamond; rocksalt, cscl, zincblende, "
              "fluorite), such as rocksalt:Co,O:4.26");
}

}  // namespace

Structure namedLattice(const std::string& name) {
  const auto short_ = named().find(name);
  const std::string text = short_ == named().end() ? name : short_->second;
  const auto parts = split(text, ':');
  const auto type = types().find(parts[0]);
  if (parts.size() != 3 || type == types().end()) refuseLattice(name);
  const auto atoms = split(parts[1], ',');
  const auto edge = parseDouble(parts[2]);
  if (static_cast<int>(atoms.size()) != type->second.kinds)
    throw Error(fmt::format("lattice '{}': {} takes {} kind(s) of atoms, not {}", name, parts[0],
                            type->second.kinds, atoms.size()));
  if (!edge || !(*edge > 0.1) || !(*edge < 1e4))
    throw Error("lattice '" + name + "': '" + parts[2] + "' is not an edge in angstrom");
  Structure s;
  s.lattice = Eigen::Matrix3d(*edge * Eigen::Matrix3d::Identity());
  s.title = text;
  for (const auto& atom : atoms) s.kindNumber(kindName(atom));
  for (const Site& site : type->second.sites)
    s.add(std::min(site.kind, static_cast<int>(s.kinds.size()) - 1),
          *edge * Eigen::Vector3d(std::fmod(site.x, 1.0), std::fmod(site.y, 1.0), std::fmod(site.z, 1.0)));
  return s;
}

std::vector<std::string> latticeNames() {
  std::vector<std::string> list;
  for (const auto& [key, value] : named()) list.push_back(key + " = " + value);
  return list;
}

namespace {

constexpr double kSurface = 1e-6;  // angstrom
constexpr double kMostLatticeAtoms = 2e8;
constexpr double kBytesAnAtom = 150;        // position, kind, and twice its line of text
constexpr double kMostVisitedAtoms = 1e10;  // atoms of the box around a shape
constexpr double kLongest = 1e6;            // angstrom

double lengthOf(const std::string& text, const std::string& all) {
  const auto value = parseDouble(trimmed(text));
  if (!value || !(*value > 0) || !(*value < kLongest))
    throw Error(fmt::format("'{}' in the shape '{}' is not a length above 0 and below {:g} angstrom", text,
                            all, kLongest));
  return *value;
}

bool inside(const Shape& shape, const Eigen::Vector3d& p) {
  const double half = 0.5 * shape.size + kSurface;
  switch (shape.kind) {
    case Shape::Kind::Sphere:
      return p.squaredNorm() <= half * half;
    case Shape::Kind::Ellipsoid:
      return p.cwiseQuotient(Eigen::Vector3d(0.5 * shape.diameters.array() + kSurface)).squaredNorm() <= 1;
    case Shape::Kind::Wulff:
      return std::all_of(shape.facets.begin(), shape.facets.end(),
                         [&](const auto& facet) { return facet.first.dot(p) <= facet.second + kSurface; });
    case Shape::Kind::Cube:
      return p.cwiseAbs().maxCoeff() <= half;
    case Shape::Kind::Rod:
      return p.head<2>().squaredNorm() <= half * half && std::abs(p.z()) <= 0.5 * shape.length + kSurface;
    case Shape::Kind::Cells:
      break;
  }
  return true;
}

/// Half of the edges of the box around a shape.
Eigen::Vector3d halfBox(const Shape& shape) {
  if (shape.kind == Shape::Kind::Ellipsoid) return 0.5 * shape.diameters;
  if (shape.kind == Shape::Kind::Wulff) {
    // The mean of the normals of a form that lean most to an axis lies on this axis.
    double reach = kLongest;
    for (const auto& [normal, distance] : shape.facets)
      reach = std::min(reach, distance / normal.cwiseAbs().maxCoeff());
    return Eigen::Vector3d::Constant(reach);
  }
  const double half = 0.5 * shape.size;
  return {half, half, shape.kind == Shape::Kind::Rod ? 0.5 * shape.length : half};
}

/// No atoms yet, of the kinds of a cell.
Structure emptyLike(const Structure& cell) {
  Structure s;
  s.kinds = cell.kinds;
  s.title = cell.title;
  s.warnings = cell.warnings;
  return s;
}

/// Adds an atom like that of the cell, with its charge if it has one.
void addLike(Structure& s, const Structure& cell, std::size_t atom, const Eigen::Vector3d& position) {
  s.add(cell.kind[atom], position);
  if (!cell.charges.empty()) s.charges.push_back(cell.charges[atom]);
}

Structure blockOf(const Structure& cell, const Shape& shape) {
  Structure s = emptyLike(cell);
  const Eigen::Matrix3d& l = *cell.lattice;
  Eigen::Matrix3d large;
  for (int i = 0; i < 3; ++i) large.row(i) = l.row(i) * shape.cells[i];
  s.lattice = large;
  for (int a = 0; a < shape.cells[0]; ++a) {
    for (int b = 0; b < shape.cells[1]; ++b) {
      for (int c = 0; c < shape.cells[2]; ++c) {
        const Eigen::Vector3d shift = l.transpose() * Eigen::Vector3d(a, b, c);
        for (std::size_t i = 0; i < cell.size(); ++i) addLike(s, cell, i, cell.positions[i] + shift);
      }
    }
  }
  return s;
}

}  // namespace

namespace {

/// The indices of a form, "111", largest first.
std::array<int, 3> formOf(const std::string& text, const std::string& all) {
  std::array<int, 3> indices{};
  const bool digits =
      text.size() == 3 && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  for (std::size_t i = 0; digits && i < 3; ++i) indices[i] = text[i] - '0';
  if (indices == std::array<int, 3>{})
    throw Error("'" + text + "' in '" + all + "' is not a form of a cubic crystal, such as 111");
  std::sort(indices.rbegin(), indices.rend());
  return indices;
}

/// All facets of a form, each once, at this distance.
void addFacets(std::array<int, 3> indices, double distance, Shape& shape) {
  std::sort(indices.begin(), indices.end());
  do {
    for (int signs = 0; signs < 8; ++signs) {
      Eigen::Vector3d normal;
      bool twice = false;  // a minus before a 0
      for (int i = 0; i < 3; ++i) {
        const bool minus = (signs >> i & 1) != 0;
        twice = twice || (minus && indices[static_cast<std::size_t>(i)] == 0);
        normal(i) = (minus ? -1 : 1) * indices[static_cast<std::size_t>(i)];
      }
      if (!twice) shape.facets.emplace_back(normal.normalized(), distance);
    }
  } while (std::next_permutation(indices.begin(), indices.end()));
}

/// Reads surface energies such as "111=1,100=1.15" into a shape.
void addWulff(const std::string& energies, const std::string& all, Shape& shape) {
  std::map<std::array<int, 3>, double> forms;
  double least = std::numeric_limits<double>::infinity();
  for (const std::string& part : split(energies, ',')) {
    const auto sides = split(part, '=');
    const auto energy = sides.size() == 2 ? parseDouble(trimmed(sides[1])) : std::nullopt;
    if (!energy || !(*energy > 0) || !(*energy < 1e6))
      throw Error("'" + part + "' in '" + all + "' is not a form with a surface energy, such as 111=1.0");
    if (!forms.emplace(formOf(trimmed(sides[0]), all), *energy).second)
      throw Error("'" + all + "' names " + trimmed(sides[0]) + " twice");
    least = std::min(least, *energy);
  }
  for (const auto& [indices, energy] : forms) addFacets(indices, 0.5 * shape.size * energy / least, shape);
}

}  // namespace

Shape parseShape(const std::string& text) {
  const auto parts = split(text, ':');
  Shape shape;
  if (parts[0] == "sphere" && parts.size() == 2) {
    shape.size = lengthOf(parts[1], text);
  } else if (parts[0] == "cube" && parts.size() == 2) {
    shape.kind = Shape::Kind::Cube;
    shape.size = lengthOf(parts[1], text);
  } else if (parts[0] == "rod" && parts.size() == 3) {
    shape.kind = Shape::Kind::Rod;
    shape.size = lengthOf(parts[1], text);
    shape.length = lengthOf(parts[2], text);
  } else if (parts[0] == "ellipsoid" && parts.size() == 4) {
    shape.kind = Shape::Kind::Ellipsoid;
    for (int i = 0; i < 3; ++i) shape.diameters(i) = lengthOf(parts[static_cast<std::size_t>(i) + 1], text);
  } else if (parts[0] == "wulff" && parts.size() == 3) {
    shape.kind = Shape::Kind::Wulff;
    shape.size = lengthOf(parts[1], text);
    addWulff(parts[2], text, shape);
  } else if (parts[0] == "cells" && parts.size() == 2 && split(parts[1], ',').size() == 3) {
    shape.kind = Shape::Kind::Cells;
    const auto numbers = split(parts[1], ',');
    for (std::size_t i = 0; i < 3; ++i) {
      const auto n = parseDouble(trimmed(numbers[i]));
      if (!n || !(*n >= 1 && *n <= 1e4) || *n != std::floor(*n))
        throw Error("'" + numbers[i] + "' in '" + text + "' is not a number of cells, 1 to 10000");
      shape.cells[i] = static_cast<int>(*n);
    }
  } else {
    throw Error("there is no shape '" + text +
                "'; expected sphere:DIAMETER, ellipsoid:X:Y:Z, cube:EDGE, rod:DIAMETER:LENGTH, "
                "wulff:DIAMETER:111=ENERGY,100=ENERGY (lengths in angstrom) or cells:A,B,C");
  }
  return shape;
}

Structure cutShape(const Structure& cell, const Shape& shape) {
  if (!cell.lattice || cell.size() == 0)
    throw Error("a shape is cut from a crystal: the structure needs atoms and a lattice");
  const bool block = shape.kind == Shape::Kind::Cells;
  if (shape.kind == Shape::Kind::Wulff && !isCubeAlongAxes(*cell.lattice))
    throw Error("a Wulff polyhedron is cut from a cubic cell whose edges lie along x, y and z");
  const Eigen::Vector3d half = halfBox(shape);
  const double atoms =
      static_cast<double>(cell.size()) * (block ? 1.0 * shape.cells[0] * shape.cells[1] * shape.cells[2]
                                                : 8 * half.prod() / cellVolume(*cell.lattice));
  if (!(atoms < kMostLatticeAtoms))
    throw Error(fmt::format("a shape of {:.3g} atoms is too large; at most {:g}", atoms, kMostLatticeAtoms));
  if (atoms > 1e6 && atoms * kBytesAnAtom > availableMemory())
    throw Error(fmt::format("a shape of {:.3g} atoms needs {:.3g} GB of memory, of which there are {:.3g}",
                            atoms, 1e-9 * atoms * kBytesAnAtom, 1e-9 * availableMemory()));
  if (block) return blockOf(cell, shape);
  const Eigen::Matrix3d rows = *cell.lattice, toFractions = rows.inverse().transpose();
  // A box has its largest fractional coordinates in a corner.
  const Eigen::Vector3d reach = toFractions.cwiseAbs() * half;
  const double visits = (2 * reach.array().ceil() + 3).prod() * static_cast<double>(cell.size());
  if (!(visits < kMostVisitedAtoms))
    throw Error(fmt::format(
        "the cell is so flat that {:.3g} of its atoms would have to be looked at; give one whose edges are "
        "nearer to right angles",
        visits));
  Structure s = emptyLike(cell);
  // Files may have atoms cells away from each other: all into one cell at the first.
  std::vector<Eigen::Vector3d> places;
  for (const Eigen::Vector3d& p : cell.positions) {
    const Eigen::Vector3d offset = p - cell.positions[0], f = toFractions * offset;
    places.push_back(offset - rows.transpose() * Eigen::Vector3d(f.array().floor()));
  }
  Eigen::Vector3i last;
  for (int i = 0; i < 3; ++i) last(i) = static_cast<int>(std::ceil(reach(i))) + 1;
  for (int a = -last(0); a <= last(0); ++a) {
    for (int b = -last(1); b <= last(1); ++b) {
      for (int c = -last(2); c <= last(2); ++c) {
        const Eigen::Vector3d shift = rows.transpose() * Eigen::Vector3d(a, b, c);
        for (std::size_t i = 0; i < cell.size(); ++i) {
          const Eigen::Vector3d p = places[i] + shift;
          if (inside(shape, p)) addLike(s, cell, i, p);
        }
      }
    }
  }
  return s;
}

Shape coreOf(Shape shape, double thickness) {
  if (shape.kind == Shape::Kind::Cells) throw Error("a block of cells has no surface, and so no shell");
  const double both = 2 * thickness;
  double least = std::numeric_limits<double>::infinity();
  if (shape.kind == Shape::Kind::Ellipsoid) {
    shape.diameters.array() -= both;
    least = shape.diameters.minCoeff();
  } else if (shape.kind != Shape::Kind::Wulff) {
    least = shape.size -= both;
  }
  if (shape.kind == Shape::Kind::Rod) least = std::min(least, shape.length -= both);
  for (auto& facet : shape.facets) least = std::min(least, facet.second -= thickness);
  if (!(least > 0)) throw Error(fmt::format("a shell of {:g} angstrom leaves no core", thickness));
  return shape;
}

void replaceOutside(Structure& particle, const Shape& core, const std::map<std::string, std::string>& kinds) {
  for (const auto& [from, to] : kinds) {
    const auto found = std::find(particle.kinds.begin(), particle.kinds.end(), from);
    if (found == particle.kinds.end()) throw Error("there are no atoms " + from);
    const int before = static_cast<int>(found - particle.kinds.begin()), after = particle.kindNumber(to);
    for (std::size_t i = 0; i < particle.size(); ++i)
      if (particle.kind[i] == before && !inside(core, particle.positions[i])) particle.kind[i] = after;
  }
}

}  // namespace prophet
