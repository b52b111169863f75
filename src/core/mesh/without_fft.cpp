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

struct RealFft::Plans {};
RealFft::RealFft(const MeshSize&, int) { refuse(); }
RealFft::~RealFft() = default;
double* RealFft::values() { refuse(); }
std::complex<double>* RealFft::modes() { refuse(); }
void RealFft::forward() { refuse(); }
void RealFft::backward() { refuse(); }

struct PrunedFft::Plans {};
PrunedFft::PrunedFft(const MeshSize&, const MeshSize&, int) { refuse(); }
PrunedFft::~PrunedFft() = default;
std::complex<double>* PrunedFft::values() { refuse(); }
void PrunedFft::transform() { refuse(); }

}  // namespace prophet
