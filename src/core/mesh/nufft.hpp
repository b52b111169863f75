#pragma once
#include <Eigen/Core>
#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include "core/common/host_device.hpp"
#include "core/mesh/fft.hpp"
#include "core/mesh/mesh_slabs.hpp"

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

/// Non-uniform Fourier transform of type 1: strengths at any points to a regular grid of modes, by spreading
/// onto a mesh twice as fine and an FFT. Arrays of modes have the last axis fastest; index i of an axis of n
/// modes is k = i - n/2.
class Nufft {
 public:
  /// `modes`: along each axis, from 1 on. `tolerance`: see kernelFor. Throws Error if the memory does not
  /// suffice.
  Nufft(const MeshSize& modes, double tolerance, int threads);
  ~Nufft();

  /// Takes the points, one column each, in radians (any period).
  void setPoints(const Eigen::Matrix3Xd& x);
  /// f(k) = sum_j c_j exp(i k.x_j) into `f`, modes[0] x modes[1] x modes[2] numbers.
  void transform(const Eigen::VectorXcd& c, std::complex<double>* f);

 private:
  MeshSize modes_, mesh_;
  ExpSqrtKernel kernel_;
  int threads_;
  std::vector<double> correction_[3];
  PrunedFft fft_;
  MeshPositions u_;
  std::unique_ptr<MeshSlabs> slabs_;
};

}  // namespace prophet
