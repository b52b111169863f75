#pragma once
#include <complex>
#include <memory>
#include <vector>

#include "core/mesh/mesh_slabs.hpp"

namespace prophet {

// Fourier transforms of any size: by pocketfft, which gemmi brings, and in programs that were built without
// it by Eigen's, several times slower.

/// sum f exp(-2 pi i k.j/n) of so many numbers, in place.
void transformLine(std::vector<std::complex<double>>& values);

/// Real numbers on a mesh n0 x n1 x n2 and their modes, n0 x n1 x (n2/2 + 1): forward sums f exp(-2 pi i
/// k.j/n), backward sums with the other sign; neither divides by the number of points. Backward destroys the
/// modes. Real: float or double.
template <class Real>
class MeshFft {
 public:
  /// Throws Error if the memory does not suffice.
  MeshFft(const MeshSize& n, int threads);
  ~MeshFft();
  MeshFft(const MeshFft&) = delete;
  MeshFft& operator=(const MeshFft&) = delete;

  Real* values();
  std::complex<Real>* modes();
  void forward();
  void backward();

 private:
  struct Plans;
  std::unique_ptr<Plans> plans_;
};

/// Complex numbers on a mesh of which the modes 0 <= |k| <= kept/2 alone are wanted: sum f exp(+2 pi i
/// k.j/n). After transform(), mode k of an axis (-kept/2 <= k < (kept + 1)/2) is at index k mod n; other
/// modes are undefined, which saves almost half of the work of a mesh twice as fine as its modes.
class PrunedFft {
 public:
  PrunedFft(const MeshSize& n, const MeshSize& kept, int threads);
  ~PrunedFft();
  PrunedFft(const PrunedFft&) = delete;
  PrunedFft& operator=(const PrunedFft&) = delete;

  std::complex<double>* values();
  void transform();

 private:
  struct Plans;
  std::unique_ptr<Plans> plans_;
};

}  // namespace prophet
