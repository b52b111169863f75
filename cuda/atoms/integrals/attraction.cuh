#pragma once
#include "atoms/integrals/radial.hpp"
#include "cuda/atoms/integrals/one_electron_kernel.hpp"

namespace prophet::cuda {

/// Attraction energy of a product of two primitives' components, hartree.
__device__ inline double attraction(const NucleusView& nucleus, const PairDistribution& d) {
  double sum = 0.0;
  for (int i = 0; i < d.count; ++i)
    sum += d.coefficient[i] * radial::attraction(nucleus.attraction, d.power + 2 * i, d.zeta);
  return -nucleus.charge * sum;
}

}  // namespace prophet::cuda
