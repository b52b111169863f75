#pragma once
#include <cmath>
#include <random>
#include <vector>

#include "atoms/integrals/primitives.hpp"

namespace prophet::cuda {

/// Even-tempered ladders with jittered exponents between 0.05 and 2e5, `sizes` functions for each symmetry.
inline BasisSet randomBasis(const std::vector<int>& sizes, std::mt19937& random) {
  std::uniform_real_distribution<double> jitter(0.9, 1.1);
  BasisSet basis;
  for (std::size_t a = 0; a < sizes.size(); ++a) {
    SymmetryBasis block{Symmetry::fromIndex(static_cast<int>(a)), {}};
    const double ratio = std::pow(4e6, 1.0 / std::max(1, sizes[a] - 1));
    for (int i = 0; i < sizes[a]; ++i) block.exponents.push_back(0.05 * std::pow(ratio, i) * jitter(random));
    basis.symmetries.push_back(block);
  }
  return basis;
}

inline std::vector<double> randomNumbers(std::size_t count, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> values(count);
  for (double& v : values) v = uniform(random);
  return values;
}

}  // namespace prophet::cuda
