#pragma once
#include <random>
#include <string>
#include <vector>

#include "matter/madelung/charged_cell.hpp"

namespace prophet::crystals {

/// A crystal with its kinds of sites.
struct Crystal {
  ChargedCell cell;
  std::vector<std::string> kinds;
};

struct Site {
  const char* kind;
  double charge, x, y, z;
};

/// Cubic, edge in bohr; sites in units of it.
inline Crystal cubic(double edge, const std::vector<Site>& sites) {
  Crystal c;
  const Eigen::Index count = static_cast<Eigen::Index>(sites.size());
  c.cell.vectors = edge * Eigen::Matrix3d::Identity();
  c.cell.positions.resize(3, count);
  c.cell.charges.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Site& s = sites[static_cast<std::size_t>(i)];
    c.cell.positions.col(i) = edge * Eigen::Vector3d(s.x, s.y, s.z);
    c.cell.charges(i) = s.charge;
    c.kinds.emplace_back(s.kind);
  }
  return c;
}

inline Crystal rockSalt(double edge) {
  return cubic(edge, {{"Na", 1, 0, 0, 0},
                      {"Na", 1, 0, .5, .5},
                      {"Na", 1, .5, 0, .5},
                      {"Na", 1, .5, .5, 0},
                      {"Cl", -1, .5, .5, .5},
                      {"Cl", -1, .5, 0, 0},
                      {"Cl", -1, 0, .5, 0},
                      {"Cl", -1, 0, 0, .5}});
}

/// n x n x n cells.
inline ChargedCell repeated(const ChargedCell& one, int n) {
  ChargedCell many;
  many.vectors = n * one.vectors;
  many.positions.resize(3, n * n * n * one.sites());
  many.charges.resize(n * n * n * one.sites());
  Eigen::Index at = 0;
  for (int x = 0; x < n; ++x) {
    for (int y = 0; y < n; ++y) {
      for (int z = 0; z < n; ++z) {
        for (Eigen::Index i = 0; i < one.sites(); ++i, ++at) {
          many.positions.col(at) = one.positions.col(i) + one.vectors * Eigen::Vector3d(x, y, z);
          many.charges(at) = one.charges(i);
        }
      }
    }
  }
  return many;
}

/// Charges that add up to zero at random places, none close, in a triclinic cell of about 9 x 10 x 11 bohr.
inline ChargedCell disordered(int pairs, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  ChargedCell cell;
  cell.vectors << 9, 1.5, -2, 0, 10, 1, 0, 0, 11;
  cell.positions.resize(3, 2 * pairs);
  cell.charges.resize(2 * pairs);
  for (Eigen::Index i = 0; i < 2 * pairs; ++i) {
    cell.charges(i) = (i % 2 ? -1 : 1) * (1 + static_cast<double>(i / 2 % 3));
    for (bool close = true; close;) {
      cell.positions.col(i) =
          cell.vectors * Eigen::Vector3d(uniform(random), uniform(random), uniform(random));
      close = false;
      for (Eigen::Index j = 0; j < i; ++j)
        close = close || (cell.positions.col(i) - cell.positions.col(j)).norm() < 1.0;
    }
  }
  return cell;
}

}  // namespace prophet::crystals
