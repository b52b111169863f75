#pragma once
#include <vector>

#include "matter/shape/q_grid.hpp"

namespace prophet {

/// Neighbours along one direction of an arrangement of particles.
struct Spacing {
  double length = 0;  ///< from one particle to the next on the average, angstrom
  double sigma = 0;   ///< standard deviation of that distance; 0: a lattice
  int count = 1;      ///< of particles
};

/// Particles side by side on a surface.
struct Arrangement {
  std::vector<Spacing> spacings;  ///< none: one particle; else one or two
  double angle = 90;              ///< between the two directions, degrees
  double rotation = 0;            ///< of the first direction from x, degrees
  /// One spacing: chains in all directions along the surface, so that |(qx, qy)| counts instead of q along
  /// the first direction.
  bool radial = false;
};

/// Throws Error for lengths that are not above 0, counts below 1, directions that are parallel.
void check(const Arrangement& arrangement);

/// Scattering of the arrangement for each particle over that of one: |sum exp(i q.R)|^2/N averaged over the
/// ideal paracrystal (R. Hosemann, Z. Phys. 128, 1 (1950)), in which each distance to the next neighbour
/// varies by itself: for each direction 1 + 2 Re sum_n (1 - n/N) P^n with P = exp(i q.a) exp(-(q_x^2 + q_y^2)
/// sigma^2/2), which for sigma = 0 is (sin(N q.a/2)/sin(q.a/2))^2/N.
double interference(const Arrangement& arrangement, const Eigen::Vector3d& q);

}  // namespace prophet
