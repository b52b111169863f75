#pragma once
#include <Eigen/Core>
#include <complex>
#include <memory>

#include "core/mesh/exp_sqrt.hpp"
#include "core/mesh/fft.hpp"
#include "core/mesh/mesh_slabs.hpp"

namespace prophet {

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

/// The same sum as it is written, one term after the other: the reference.
void sumExponentials(const Eigen::Matrix3Xd& x, const Eigen::VectorXcd& c, const MeshSize& modes,
                     std::complex<double>* f);

}  // namespace prophet
