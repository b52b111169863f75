#include "core/mesh/fft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/common/error.hpp"
#ifdef PROPHET_WITH_GEMMI
#include <gemmi/third_party/pocketfft_hdronly.h>
#endif

namespace prophet {
#ifdef PROPHET_WITH_GEMMI

namespace {

using Complex = std::complex<double>;

template <class T>
std::vector<T> allocated(std::size_t count) {
  try {
    return std::vector<T>(count);
  } catch (const std::exception&) {
    throw Error(fmt::format("no memory for a mesh of {} points ({:.1f} GiB); choose a coarser one", count,
                            static_cast<double>(count * sizeof(T)) / (1 << 30)));
  }
}

/// Threads that are worth starting for so many points.
std::size_t threadsFor(const MeshSize& n, int threads) {
  constexpr std::size_t kPoints = 500000;
  return std::min(static_cast<std::size_t>(threads), 1 + meshPoints(n) / kPoints);
}

pocketfft::shape_t shapeOf(const MeshSize& n) {
  return {static_cast<std::size_t>(n[0]), static_cast<std::size_t>(n[1]), static_cast<std::size_t>(n[2])};
}

/// Bytes from one point to the next along each axis of a mesh whose last axis has `length` points.
pocketfft::stride_t stridesOf(const MeshSize& n, int length, std::size_t size) {
  const auto bytes = static_cast<std::ptrdiff_t>(size);
  return {bytes * n[1] * length, bytes * length, bytes};
}

}  // namespace

bool hasFft() { return true; }

template <class Real>
struct MeshFft<Real>::Plans {
  MeshSize n;
  std::size_t threads;
  std::vector<Real> values;
  std::vector<std::complex<Real>> modes;
  pocketfft::stride_t valueStrides() const { return stridesOf(n, n[2], sizeof(Real)); }
  pocketfft::stride_t modeStrides() const { return stridesOf(n, n[2] / 2 + 1, sizeof(std::complex<Real>)); }
};

template <class Real>
MeshFft<Real>::MeshFft(const MeshSize& n, int threads) : plans_(std::make_unique<Plans>()) {
  plans_->n = n;
  plans_->threads = threadsFor(n, threads);
  plans_->values = allocated<Real>(meshPoints(n));
  plans_->modes = allocated<std::complex<Real>>(meshPoints({n[0], n[1], n[2] / 2 + 1}));
}

template <class Real>
MeshFft<Real>::~MeshFft() = default;
template <class Real>
Real* MeshFft<Real>::values() {
  return plans_->values.data();
}
template <class Real>
std::complex<Real>* MeshFft<Real>::modes() {
  return plans_->modes.data();
}

template <class Real>
void MeshFft<Real>::forward() {
  Plans& p = *plans_;
  pocketfft::r2c(shapeOf(p.n), p.valueStrides(), p.modeStrides(), {0, 1, 2}, pocketfft::FORWARD,
                 p.values.data(), p.modes.data(), Real{1}, p.threads);
}

template <class Real>
void MeshFft<Real>::backward() {
  // Axis by axis in place: the transform of all at once would keep the modes, and need their memory again.
  Plans& p = *plans_;
  const auto modes = p.modeStrides();
  pocketfft::c2c(shapeOf({p.n[0], p.n[1], p.n[2] / 2 + 1}), modes, modes, {0, 1}, pocketfft::BACKWARD,
                 p.modes.data(), p.modes.data(), Real{1}, p.threads);
  pocketfft::c2r(shapeOf(p.n), modes, p.valueStrides(), 2, pocketfft::BACKWARD, p.modes.data(),
                 p.values.data(), Real{1}, p.threads);
}

template class MeshFft<float>;
template class MeshFft<double>;

namespace {

/// The two ranges of indices on an axis whose modes are kept, first and number: [0, (kept+1)/2) and
/// [n - kept/2, n).
std::vector<std::pair<int, int>> keptRanges(int n, int kept) {
  if (kept >= n) return {{0, n}};
  return {{0, (kept + 1) / 2}, {n - kept / 2, kept / 2}};
}

}  // namespace

struct PrunedFft::Plans {
  MeshSize n, kept;
  std::size_t threads;
  std::vector<Complex> values;

  /// Transforms along one axis the part of the mesh that begins at `begin` and has `part` points.
  void lines(std::size_t axis, const MeshSize& begin, const MeshSize& part) {
    if (part[0] * part[1] * part[2] == 0) return;
    const auto strides = stridesOf(n, n[2], sizeof(Complex));
    Complex* first = values.data() +
                     (static_cast<std::size_t>(begin[0]) * static_cast<std::size_t>(n[1]) +
                      static_cast<std::size_t>(begin[1])) *
                         static_cast<std::size_t>(n[2]) +
                     static_cast<std::size_t>(begin[2]);
    pocketfft::c2c(shapeOf(part), strides, strides, {axis}, pocketfft::BACKWARD, first, first, 1.0, threads);
  }
};

PrunedFft::PrunedFft(const MeshSize& n, const MeshSize& kept, int threads)
    : plans_(std::make_unique<Plans>()) {
  plans_->n = n;
  plans_->kept = kept;
  plans_->threads = threadsFor(n, threads);
  plans_->values = allocated<Complex>(meshPoints(n));
}

PrunedFft::~PrunedFft() = default;
Complex* PrunedFft::values() { return plans_->values.data(); }

void PrunedFft::transform() {
  Plans& p = *plans_;
  const MeshSize& n = p.n;
  p.lines(2, {0, 0, 0}, n);
  for (const auto& [z, countZ] : keptRanges(n[2], p.kept[2])) p.lines(1, {0, 0, z}, {n[0], n[1], countZ});
  for (const auto& [y, countY] : keptRanges(n[1], p.kept[1]))
    for (const auto& [z, countZ] : keptRanges(n[2], p.kept[2])) p.lines(0, {0, y, z}, {n[0], countY, countZ});
}

#else

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

#endif
}  // namespace prophet
