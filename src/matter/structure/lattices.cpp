#include "matter/structure/lattices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/common/number.hpp"
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

[[noreturn]] void refuse(const std::string& name) {
  std::string names;
  for (const auto& [key, value] : named()) names += key + ", ";
  throw Error("there is no lattice '" + name + "'; known are " + names +
              "and TYPE:ATOM:EDGE or TYPE:ATOM,ATOM:EDGE (sc, bcc, fcc, diamond; rocksalt, cscl, zincblende, "
              "fluorite), such as rocksalt:Co,O:4.26");
}

}  // namespace

Structure namedLattice(const std::string& name) {
  const auto short_ = named().find(name);
  const std::string text = short_ == named().end() ? name : short_->second;
  const auto parts = split(text, ':');
  const auto type = types().find(parts[0]);
  if (parts.size() != 3 || type == types().end()) refuse(name);
  const auto atoms = split(parts[1], ',');
  const auto edge = parseDouble(parts[2]);
  if (static_cast<int>(atoms.size()) != type->second.kinds)
    throw Error(fmt::format("lattice '{}': {} takes {} kind(s) of atoms, not {}", name, parts[0],
                            type->second.kinds, atoms.size()));
  if (!edge || !(*edge > 0.1) || !(*edge < 1e4))
    throw Error("lattice '" + name + "': '" + parts[2] + "' is no edge in angstrom");
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

}  // namespace prophet
