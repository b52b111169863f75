#pragma once
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "core/common/constants.hpp"
#include "matter/madelung/charged_cell.hpp"

namespace prophet::benchmarks {

inline constexpr double kPotassiumChlorideEdge = 6.2931 / constants::kAngstromsPerBohr;  ///< bohr

/// The crystal of P. Mühlbauer's thesis: KCl, n x n x n cells of 8 ions, each moved at random by up to
/// `shift` angstrom along each axis.
inline ChargedCell potassiumChloride(int n, double shift = 0) {
  const double half = 0.5 * kPotassiumChlorideEdge, range = shift / constants::kAngstromsPerBohr;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-range, range);
  ChargedCell cell{2 * n * half * Eigen::Matrix3d::Identity(), Eigen::Matrix3Xd(3, 8 * n * n * n),
                   Eigen::VectorXd(8 * n * n * n)};
  Eigen::Index at = 0;
  for (int x = 0; x < 2 * n; ++x) {
    for (int y = 0; y < 2 * n; ++y) {
      for (int z = 0; z < 2 * n; ++z, ++at) {
        cell.positions.col(at) = half * Eigen::Vector3d(x, y, z);
        if (shift > 0)
          cell.positions.col(at) += Eigen::Vector3d(uniform(random), uniform(random), uniform(random));
        cell.charges(at) = (x + y + z) % 2 ? -1 : 1;
      }
    }
  }
  return cell;
}

/// The same ions one after the other at random, as in a file that does not follow the lattice.
inline ChargedCell shuffled(const ChargedCell& cell) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(cell.sites()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(2));
  ChargedCell out = cell;
  for (Eigen::Index i = 0; i < cell.sites(); ++i) {
    out.positions.col(i) = cell.positions.col(order[static_cast<std::size_t>(i)]);
    out.charges(i) = cell.charges(order[static_cast<std::size_t>(i)]);
  }
  return out;
}

/// Its energy without shifts, hartree.
inline double perfectEnergy(const ChargedCell& cell) {
  return -static_cast<double>(cell.sites()) * 1.747564594633182 / kPotassiumChlorideEdge;
}

}  // namespace prophet::benchmarks
