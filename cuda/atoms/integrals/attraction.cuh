#pragma once
#include "atoms/integrals/radial.hpp"
#include "atoms/integrals/sphere_cloud.hpp"
#include "cuda/atoms/integrals/one_electron_kernel.hpp"

namespace prophet::cuda {

/// integral r^n exp(-p r^2) (-V(r)/Z) dr for even n >= 2.
__device__ inline double attraction(const NucleusView& nucleus, int n, double p) {
  if (nucleus.model == NuclearModel::Point) return radial::moment(n - 1, p);
  return nucleus.model == NuclearModel::Gaussian ? radial::gaussianCloud(n / 2 - 1, p, nucleus.exponent)
                                                 : radial::sphereCloud(n / 2 - 1, p, nucleus.radius);
}

/// Attraction energy of a product of two primitives' components, hartree.
__device__ inline double attraction(const NucleusView& nucleus, const PairDistribution& d) {
  double sum = 0.0;
  for (int i = 0; i < d.count; ++i) sum += d.coefficient[i] * attraction(nucleus, d.power + 2 * i, d.zeta);
  return -nucleus.charge * sum;
}

}  // namespace prophet::cuda
