#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/correlation/correlated_spinors.hpp"
#include "atoms/correlation/open_groups.hpp"
#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/pair_angles.hpp"

namespace prophet {

/// Amplitudes of two spinors, whose electrons go to the targets of two symmetries: rows and columns of each
/// block of columns, one for each radial integral as PairAngles::form has them.
struct PairAmplitudes {
  Eigen::MatrixXd values;    ///< R^k / (excitation energy)
  Eigen::MatrixXd weighted;  ///< the form times them, times the probability
  Eigen::MatrixXd gaps;      ///< excitation energies, hartree
  std::vector<int> ranks;    ///< k of each block
  Eigen::Index direct = 0;   ///< blocks of R^k(ab,rs); those of R^k(ab,sr) follow
  Eigen::Index blocks() const { return static_cast<Eigen::Index>(ranks.size()); }
};

/// `ofB`: b's potentials, with the targets of both symmetries. No columns where no rank couples them.
PairAmplitudes pairAmplitudes(const OrbitalSpace& space, const OpenGroups& groups, bool virtualOnly,
                              const ActiveSpinor& a, const ActiveSpinor& b, int r, int s,
                              const SpinorPotentials& ofB, PairAngles& angles);

}  // namespace prophet
