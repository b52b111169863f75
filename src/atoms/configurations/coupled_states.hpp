#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "atoms/configurations/level_space.hpp"

namespace prophet {

/// Occupied places, a bit for each (spinor, m): the spinors of LevelSpace::open in their order, m ascending.
using Determinant = std::uint64_t;

/// First bit of each open spinor, and behind the last.
std::vector<int> firstBits(const std::vector<LevelSpinor>& open);

/// A state of angular momentum J and M = J as a combination of determinants; orthonormal with the others.
struct CoupledState {
  std::vector<std::pair<Determinant, double>> terms;
  std::string label;  ///< "2p1/2(1)1/2 2p3/2(1)3/2 2", subshells with their J, then intermediate ones
};

/// All states of one relativistic configuration with this J: states of the single subshells, which are the
/// kernel of J+ sorted by seniority, coupled one after the other by Clebsch-Gordan coefficients.
std::vector<CoupledState> coupledStates(const std::vector<LevelSpinor>& open,
                                        const std::vector<int>& electrons, int twoJ);

/// <j1 m1 j2 m2|j m>, arguments twice their values.
double clebschGordan(int twoJ1, int twoM1, int twoJ2, int twoM2, int twoJ, int twoM);

}  // namespace prophet
