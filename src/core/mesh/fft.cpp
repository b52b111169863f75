#include "core/mesh/fft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/common/error.hpp"
#ifdef PROPHET_WITH_GEMMI
#include <gemmi/third_party/pocketfft_hdronly.h>
#else
#include <unsupported/Eigen/FFT>
#endif

namespace prophet {
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

/// Points from one to the next along each axis of a mesh whose last axis has `length` points.
using Strides = std::array<std::ptrdiff_t, 3>;
Strides stridesOf(const MeshSize& n, int length) {
  return {static_cast<std::ptrdiff_t>(n[1]) * length, length, 1};
}

#ifdef PROPHET_WITH_GEMMI

template <class T>
pocketfft::stride_t inBytes(const Strides& strides) {
  const auto size = static_cast<std::ptrdiff_t>(sizeof(T));
  return {strides[0] * size, strides[1] * size, strides[2] * size};
}

pocketfft::shape_t shapeOf(const MeshSize& n) {
  return {static_cast<std::size_t>(n[0]), static_cast<std::size_t>(n[1]), static_cast<std::size_t>(n[2])};
}

/// Complex numbers in place along one axis after the other.
template <class Real>
void transformAxes(std::complex<Real>* values, const MeshSize& n, const Strides& strides,
                   const std::vector<std::size_t>& axes, bool forward, std::size_t threads) {
  const pocketfft::stride_t bytes = inBytes<std::complex<Real>>(strides);
  pocketfft::c2c(shapeOf(n), bytes, bytes, axes, forward, values, values, Real{1}, threads);
}

/// Real numbers into the half of their modes along the last axis, and back.
template <class Real>
void realToModes(const Real* values, std::complex<Real>* modes, const MeshSize& n, std::size_t threads) {
  pocketfft::r2c(shapeOf(n), inBytes<Real>(stridesOf(n, n[2])),
                 inBytes<std::complex<Real>>(stridesOf(n, n[2] / 2 + 1)), 2, pocketfft::FORWARD, values,
                 modes, Real{1}, threads);
}
template <class Real>
void modesToReal(const std::complex<Real>* modes, Real* values, const MeshSize& n, std::size_t threads) {
  pocketfft::c2r(shapeOf(n), inBytes<std::complex<Real>>(stridesOf(n, n[2] / 2 + 1)),
                 inBytes<Real>(stridesOf(n, n[2])), 2, pocketfft::BACKWARD, modes, values, Real{1}, threads);
}

#else

// By Eigen's transform, which is always there: line by line, in one thread, several times slower.

template <class Real>
Eigen::FFT<Real> lineTransform() {
  Eigen::FFT<Real> fft;
  fft.SetFlag(Eigen::FFT<Real>::Unscaled);
  fft.SetFlag(Eigen::FFT<Real>::HalfSpectrum);
  return fft;
}

template <class Real>
void transformAxes(std::complex<Real>* values, const MeshSize& n, const Strides& strides,
                   const std::vector<std::size_t>& axes, bool forward, std::size_t) {
  Eigen::FFT<Real> fft = lineTransform<Real>();
  for (const std::size_t axis : axes) {
    const int length = n[axis];
    if (length == 1) continue;  // of which kissfft makes no plan
    const std::size_t a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    std::vector<std::complex<Real>> line(static_cast<std::size_t>(length)), modes(line.size());
    for (int i = 0; i < n[a]; ++i)
      for (int j = 0; j < n[b]; ++j) {
        std::complex<Real>* first = values + i * strides[a] + j * strides[b];
        for (int k = 0; k < length; ++k) line[static_cast<std::size_t>(k)] = first[k * strides[axis]];
        if (forward)
          fft.fwd(modes.data(), line.data(), length);
        else
          fft.inv(modes.data(), line.data(), length);
        for (int k = 0; k < length; ++k) first[k * strides[axis]] = modes[static_cast<std::size_t>(k)];
      }
  }
}

template <class Real>
void realToModes(const Real* values, std::complex<Real>* modes, const MeshSize& n, std::size_t) {
  if (n[2] == 1) {
    std::copy_n(values, n[0] * n[1], modes);
    return;
  }
  Eigen::FFT<Real> fft = lineTransform<Real>();
  for (std::ptrdiff_t line = 0; line < static_cast<std::ptrdiff_t>(n[0]) * n[1]; ++line)
    fft.fwd(modes + line * (n[2] / 2 + 1), values + line * n[2], n[2]);
}
template <class Real>
void modesToReal(const std::complex<Real>* modes, Real* values, const MeshSize& n, std::size_t) {
  if (n[2] == 1) {
    for (int i = 0; i < n[0] * n[1]; ++i) values[i] = modes[i].real();
    return;
  }
  Eigen::FFT<Real> fft = lineTransform<Real>();
  for (std::ptrdiff_t line = 0; line < static_cast<std::ptrdiff_t>(n[0]) * n[1]; ++line)
    fft.inv(values + line * n[2], modes + line * (n[2] / 2 + 1), n[2]);
}

#endif

}  // namespace

void transformLine(std::vector<Complex>& values) {
  const int length = static_cast<int>(values.size());
  if (length == 0) return;
  transformAxes(values.data(), {1, 1, length}, stridesOf({1, 1, length}, length), {2}, true, 1);
}

template <class Real>
struct MeshFft<Real>::Plans {
  MeshSize n;
  std::size_t threads;
  std::vector<Real> values;
  std::vector<std::complex<Real>> modes;

  void transformModes(const std::vector<std::size_t>& axes, bool forward) {
    const MeshSize size{n[0], n[1], n[2] / 2 + 1};
    transformAxes(modes.data(), size, stridesOf(size, size[2]), axes, forward, threads);
  }
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
  realToModes(p.values.data(), p.modes.data(), p.n, p.threads);
  p.transformModes({1, 0}, true);
}

template <class Real>
void MeshFft<Real>::backward() {
  // Axis by axis in place: the transform of all at once would keep the modes, and need their memory again.
  Plans& p = *plans_;
  p.transformModes({0, 1}, false);
  modesToReal(p.modes.data(), p.values.data(), p.n, p.threads);
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
    Complex* first = values.data() +
                     (static_cast<std::size_t>(begin[0]) * static_cast<std::size_t>(n[1]) +
                      static_cast<std::size_t>(begin[1])) *
                         static_cast<std::size_t>(n[2]) +
                     static_cast<std::size_t>(begin[2]);
    transformAxes(first, part, stridesOf(n, n[2]), {axis}, false, threads);
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

}  // namespace prophet
