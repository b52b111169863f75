#include "matter/structure/structure.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "atoms/atom/species.hpp"
#include "core/common/text.hpp"

namespace prophet {

int Structure::kindNumber(std::string_view name) {
  const auto found = std::find(kinds.begin(), kinds.end(), name);
  if (found != kinds.end()) return static_cast<int>(found - kinds.begin());
  kinds.emplace_back(name);
  return static_cast<int>(kinds.size()) - 1;
}

void Structure::add(int number, const Eigen::Vector3d& position) {
  kind.push_back(number);
  positions.push_back(position);
}

std::vector<std::size_t> Structure::counts() const {
  std::vector<std::size_t> list(kinds.size());
  for (const int k : kind) ++list[static_cast<std::size_t>(k)];
  return list;
}

bool isPlace(const Eigen::Vector3d& p) { return p.allFinite() && p.cwiseAbs().maxCoeff() <= kFarthest; }

void addWarnings(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const auto& text : more) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
  }
}

std::string isotopeWarning(std::string_view name) {
  const std::string word = trimmed(name);
  if (word != "D" && word != "T") return {};
  return word + " is read as H: its electrons are those of H, its scattering length for neutrons is another";
}

Structure makeStructure(const std::vector<std::string>& names, const std::vector<Eigen::Vector3d>& positions,
                        const std::optional<Eigen::Matrix3d>& lattice) {
  if (names.size() != positions.size())
    throw Error(fmt::format("{} names of atoms but {} positions; give one name for each position",
                            names.size(), positions.size()));
  if (lattice) requireLattice(*lattice);
  Structure s;
  s.lattice = lattice;
  s.kind.reserve(names.size());
  std::string last;
  int number = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == 0 || names[i] != last) {
      number = s.kindNumber(kindName(names[i]));
      if (const auto warning = isotopeWarning(names[i]); !warning.empty()) addWarnings(s.warnings, {warning});
    }
    last = names[i];
    if (!isPlace(positions[i]))
      throw Error(fmt::format("position {} is no place: coordinates are finite and up to {:g} angstrom", i,
                              kFarthest));
    s.kind.push_back(number);
  }
  s.positions = positions;
  return s;
}

std::string kindName(std::string_view text) {
  const std::string word = trimmed(text);
  if (word == "D" || word == "T") return "H";
  const Species species = parseSpecies(word);
  if (!species.configuration.empty())
    throw Error("'" + word + "': atoms in space have no configuration of their own; expected Fe or Fe3+");
  return ionName(species.z, species.charge);
}

void requireLattice(const Eigen::Matrix3d& lattice) {
  if (!lattice.allFinite()) throw Error("the lattice has numbers that are not finite");
  if (lattice.cwiseAbs().maxCoeff() > kFarthest)
    throw Error(fmt::format("the lattice has vectors beyond {:g} angstrom", kFarthest));
  const double box = lattice.row(0).norm() * lattice.row(1).norm() * lattice.row(2).norm();
  if (!(cellVolume(lattice) > 1e-9 * box))
    throw Error("the lattice has no volume; give three vectors a, b, c that are not in one plane");
}

double cellVolume(const Eigen::Matrix3d& lattice) { return std::abs(lattice.determinant()); }

Eigen::Vector3d cellWidths(const Eigen::Matrix3d& lattice) {
  const double volume = cellVolume(lattice);
  Eigen::Vector3d widths;
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d b = lattice.row((i + 1) % 3), c = lattice.row((i + 2) % 3);
    widths(i) = volume / b.cross(c).norm();
  }
  return widths;
}

Extent extentOf(const std::vector<Eigen::Vector3d>& positions) {
  Extent extent;
  if (positions.empty()) return extent;
  Eigen::Vector3d low = positions[0], high = positions[0];
  for (const auto& p : positions) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  extent.centre = 0.5 * (low + high);
  extent.size = high - low;
  double square = 0;
  for (const auto& p : positions) square = std::max(square, (p - extent.centre).squaredNorm());
  extent.radius = std::sqrt(square);
  return extent;
}

}  // namespace prophet
