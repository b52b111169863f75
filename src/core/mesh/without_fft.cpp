#include "core/common/error.hpp"
#include "core/mesh/fft.hpp"

namespace prophet {
namespace {

[[noreturn]] void refuse() {
  throw Error(
      "this program was built without gemmi and cannot transform meshes; install it (Debian: gemmi-dev), "
      "configure and build again, or choose a method without a mesh");
}

}  // namespace

bool hasFft() { return false; }

template <class Real>
struct MeshFft<Real>::Plans {};
template <class Real>
MeshFft<Real>::MeshFft(const MeshSize&, int) {
  refuse();
}
template <class Real>
MeshFft<Real>::~MeshFft() = default;
template <class Real>
Real* MeshFft<Real>::values() {
  refuse();
}
template <class Real>
std::complex<Real>* MeshFft<Real>::modes() {
  refuse();
}
template <class Real>
void MeshFft<Real>::forward() {
  refuse();
}
template <class Real>
void MeshFft<Real>::backward() {
  refuse();
}
template class MeshFft<float>;
template class MeshFft<double>;

struct PrunedFft::Plans {};
PrunedFft::PrunedFft(const MeshSize&, const MeshSize&, int) { refuse(); }
PrunedFft::~PrunedFft() = default;
std::complex<double>* PrunedFft::values() { refuse(); }
void PrunedFft::transform() { refuse(); }

}  // namespace prophet
