#pragma once
#include <algorithm>
#include <vector>

#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/product_points.hpp"
#include "cuda/atoms/correlation/correlation_kernels.hpp"
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"

namespace prophet::cuda {

/// Memory that grows to what its work needs; what was in it is lost then.
template <class T>
class Room {
 public:
  T* of(std::size_t size) {
    if (values_.size() < size) {
      values_ = {};
      values_ = DeviceBuffer<T>(size);
    }
    return values_.data();
  }
  /// The values in it. The copy is complete on return.
  T* holding(const std::vector<T>& values, cudaStream_t stream) {
    T* const to = of(values.size());
    values_.upload(values.data(), values.size(), stream);
    PROPHET_CUDA_CHECK(cudaStreamSynchronize(stream));
    return to;
  }
  const T* data() const { return values_.data(); }

 private:
  DeviceBuffer<T> values_;
};

/// Complete on return.
DeviceBuffer<double> uploaded(const Eigen::MatrixXd& m);

/// Streams with a handle of cuBLAS each: what they do begins after what the main one has done so far, and the
/// main one goes on after it. Each computes its own things in a fixed order, so that results are the same in
/// every run.
class Lanes {
 public:
  static constexpr int kCount = 8;  // small products fill a GPU together

  Lanes();
  cudaStream_t main() const { return main_.get(); }
  void synchronize() const { main_.synchronize(); }
  void begin() const { side_.fork(main(), kCount); }
  void end() const { side_.join(main(), kCount); }
  cudaStream_t stream(int lane) const { return side_[lane]; }
  /// c (m x n, without gaps) = a b or a^T b; a and b are k high.
  void multiply(int lane, bool transposed, int m, int n, int k, const double* a, const double* b,
                double* c) const;
  cublasHandle_t blas(int lane) const { return blas_[static_cast<std::size_t>(lane)].get(); }

 private:
  Stream main_;
  SideStreams side_;
  std::vector<BlasHandle> blas_;
};

/// The spinors of an OrbitalSpace on the current device, and potentials of their products.
class DeviceSpace {
 public:
  /// At the points of the mesh. `largestK`: of the potentials.
  DeviceSpace(const OrbitalSpace& space, int largestK);
  /// At those that products are known by.
  DeviceSpace(const OrbitalSpace& space, const ProductPoints& products);

  const Lanes& lanes() const { return lanes_; }
  const SymmetryOrbitals& of(int symmetry) const {
    return space_.symmetries()[static_cast<std::size_t>(symmetry)];
  }
  int symmetries() const { return static_cast<int>(space_.symmetries().size()); }
  int points() const { return points_; }
  int targets(int symmetry) const { return static_cast<int>(of(symmetry).targets()); }
  /// Values of densities or potentials with all targets.
  std::size_t targetSize(int symmetry) const {
    return static_cast<std::size_t>(points_) * static_cast<std::size_t>(targets(symmetry));
  }
  const double* targetEnergies(int symmetry) const {
    return energies_[static_cast<std::size_t>(symmetry)].data() + of(symmetry).closed;
  }
  SpinorColumns spinors(int symmetry, Eigen::Index first) const;
  /// Products of a spinor with all targets of a symmetry, on the main stream.
  void densities(int symmetry, Eigen::Index column, int targetSymmetry, double* values) const;
  /// The kernel of rank k, whose products with densities are the potentials.
  const double* kernel(int k) const { return kernels_[static_cast<std::size_t>(k)].data(); }

  /// Makes the potentials of one spinor's products with all targets, of all ranks.
  void makePotentials(int symmetry, Eigen::Index column);
  /// Those of a rank; those of the next one (k + 2) follow.
  const double* potential(int targetSymmetry, int k) const;

 private:
  const OrbitalSpace& space_;
  int points_;
  Lanes lanes_;
  std::vector<DeviceBuffer<double>> large_, small_, energies_;  ///< of each symmetry
  std::vector<DeviceBuffer<double>> kernels_;                   ///< of each rank
  Room<double> densities_, potentials_;
  std::vector<std::size_t> firstOf_;  ///< where the potentials of each symmetry begin
  std::vector<int> least_;            ///< their first rank
};

}  // namespace prophet::cuda
