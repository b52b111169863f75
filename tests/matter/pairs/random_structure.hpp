#pragma once
#include <random>

#include "matter/structure/structure.hpp"

namespace prophet::test {

/// Atoms of some kinds at random places of a box; periodic where `oblique` or `box` says so.
inline Structure randomStructure(int seed, int count, int kinds, double edge, bool periodic,
                                 bool oblique = false) {
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  std::uniform_real_distribution<double> place(-0.2 * edge, 1.2 * edge);
  const char* names[] = {"Co", "O", "Fe3+"};
  Structure s;
  for (int k = 0; k < kinds; ++k) s.kindNumber(names[k]);
  for (int i = 0; i < count; ++i) {
    const double x = place(random), y = place(random), z = place(random);
    s.add(static_cast<int>(random() % static_cast<std::uint64_t>(kinds)), {x, y, z});
  }
  if (periodic) {
    s.lattice = Eigen::Matrix3d{{edge, 0, 0}, {0, 1.1 * edge, 0}, {0, 0, 0.9 * edge}};
    if (oblique)
      *s.lattice =
          Eigen::Matrix3d{{edge, 0, 0}, {0.4 * edge, edge, 0}, {-0.3 * edge, 0.2 * edge, 0.9 * edge}};
  }
  return s;
}

}  // namespace prophet::test
