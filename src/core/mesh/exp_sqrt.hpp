#pragma once
#include <cmath>
#include <vector>

#include "core/common/host_device.hpp"
#include "core/mesh/mesh_size.hpp"

namespace prophet {

inline constexpr int kMostKernelWidth = 15;

/// The kernel exp(b (sqrt(1 - z^2) - 1)), |z| <= 1, across `width` points of a mesh twice as fine as its
/// modes: A. H. Barnett, J. Magland, L. af Klinteberg, SIAM J. Sci. Comput. 41, C479 (2019). Close to the
/// Kaiser-Bessel pair and cheaper.
struct ExpSqrtKernel {
  int width = 7;
  double shape = 2.30 * 7;  ///< b

  /// At a distance from the centre in units of the spacing; 0 outside.
  PROPHET_HD double operator()(double distance) const {
    const double z = 2.0 * distance / width, rest = 1.0 - z * z;
    return rest > 0 ? exp(shape * (sqrt(rest) - 1.0)) : 0.0;
  }
};

/// The kernel whose relative error in the transform (2-norm, relative to that of the strengths) is about
/// `tolerance`, from 1e-1 to 1e-14. Throws Error outside.
ExpSqrtKernel kernelFor(double tolerance);

/// The mesh of a transform to these modes with this kernel. Throws Error for no modes along an axis.
MeshSize nufftMesh(const MeshSize& modes, const ExpSqrtKernel& kernel);

/// 1 / integral kernel(x) cos(2 pi k x / n) dx for k = 0 ... most: what a transform on a mesh of n points is
/// multiplied by.
std::vector<double> kernelCorrection(const ExpSqrtKernel& kernel, int n, int most);

}  // namespace prophet
