#include "cuda/matter/mesh/cuda_shape_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/common/constants.hpp"
#include "core/common/threads.hpp"
#include "cuda/core/common/devices.hpp"
#include "cuda/matter/mesh/device_surface.hpp"
#include "cuda/matter/mesh/device_transform.hpp"

namespace prophet::cuda {
namespace {

/// Centres over 2 pi, in the precision of the terms.
template <class T>
std::vector<Element<T>> inTurns(const std::vector<Element<double>>& elements) {
  constexpr double kTurn = 2 * constants::kPi;
  std::vector<Element<T>> list;
  list.reserve(elements.size());
  for (const Element<double>& e : elements)
    list.push_back({static_cast<T>(e.x / kTurn), static_cast<T>(e.y / kTurn), static_cast<T>(e.z / kTurn),
                    static_cast<T>(e.nx), static_cast<T>(e.ny), static_cast<T>(e.nz)});
  return list;
}

/// Momenta of a hyperblock: no more than the memory of the current device holds, nor an even share.
long long blockSize(long long all, std::size_t wanted, std::size_t devices) {
  constexpr double kBytes = sizeof(double2) + sizeof(double3) + sizeof(int);
  constexpr long long kMost = 1LL << 29;
  if (wanted > 0) return std::min(static_cast<long long>(wanted), kMost);
  const long long fitting = static_cast<long long>(memoryForBlocks() / kBytes);
  const long long share = (all + static_cast<long long>(devices) - 1) / static_cast<long long>(devices);
  return std::max(1LL, std::min({fitting, share, kMost}));
}

/// The smallest of what `size()` gives on each device: all have hyperblocks of one size.
template <class Size>
auto smallestOn(const std::vector<int>& devices, const Size& size) {
  std::vector<decltype(size())> sizes;
  for (const int device : devices) {
    PROPHET_CUDA_CHECK(cudaSetDevice(device));
    sizes.push_back(size());
  }
  return *std::min_element(sizes.begin(), sizes.end());
}

/// Calls work(size), with half the size as long as the GPUs have too little memory.
template <class Size, class Work>
auto withMemory(Size size, const Work& work) {
  for (;; size = (size + 1) / 2) {
    try {
      return work(size);
    } catch (const OutOfDeviceMemory&) {
      if (size <= 1) throw;
    }
  }
}

/// Phases q.r in single precision make an error (2-norm) of 2.2e-8 times the largest one: up to here below
/// 2e-5, and beyond it they are in double precision.
constexpr double kLargestSinglePhase = 800;

double largestOn(const QAxis& axis) {
  return std::max(std::abs(axis.start), std::abs(axis.start + axis.step() * (axis.count - 1)));
}

bool singleIsEnough(const std::vector<SurfaceElement>& elements, double largestQ) {
  return largestQ * CentredElements(elements).radius <= kLargestSinglePhase;
}

/// All momenta, `grid` or `list`, by hyperblocks on some devices.
template <class T>
FormFactor sumWith(const std::vector<int>& devices, std::size_t wanted, const BeforeBlock& before,
                   const std::vector<SurfaceElement>& given, const DeviceGrid& grid,
                   const std::vector<double3>* list, DeviceSeconds& seconds) {
  const CentredElements body(given);
  const std::vector<Element<T>> elements = inTurns<T>(body.elements);
  const long long all = list ? static_cast<long long>(list->size()) : grid.size();
  FormFactor f(static_cast<std::size_t>(all));
  const int share = static_cast<int>(devices.size());
  const long long first = smallestOn(devices, [&] { return blockSize(all, wanted, devices.size()); });
  const auto sumBy = [&](long long block) {
    seconds = {};
    forEachShare(share, share, [&](int number, int) {
      PROPHET_CUDA_CHECK(cudaSetDevice(devices[static_cast<std::size_t>(number)]));
      if (before) before(block);
      const Stream stream;
      const DeviceBuffer<Element<T>> surface(elements);
      DeviceBuffer<double2> sums(static_cast<std::size_t>(std::min(block, all)));
      DeviceBuffer<double3> points(list ? sums.size() : 0);
      for (long long from = number * block; from < all; from += share * block) {
        const Momenta q{grid, from, list ? points.data() : nullptr,
                        static_cast<int>(std::min(block, all - from))};
        if (list) points.upload(list->data() + from, static_cast<std::size_t>(q.count), stream.get());
        sums.fill(0, stream.get());
        const Event begin, end;
        begin.record(stream.get());
        launchSum(surface.data(), static_cast<int>(elements.size()), q, sums.data(), stream.get());
        end.record(stream.get());
        finishOnDevice(body, q, sums, f.data() + from, stream.get());
        if (number == 0) seconds.all += end.secondsSince(begin);
      }
    });
    return 0;
  };
  withMemory(first, sumBy);
  return f;
}

std::vector<double3> listOf(const QPoints& q) {
  std::vector<double3> list;
  list.reserve(static_cast<std::size_t>(q.cols()));
  for (Eigen::Index i = 0; i < q.cols(); ++i) list.push_back({q(0, i), q(1, i), q(2, i)});
  return list;
}

/// Planes of qx of a hyperblock.
template <class T>
int planesOfBlock(const QGrid& grid, std::size_t wanted, std::size_t devices, const ExpSqrtKernel& kernel) {
  const int all = grid.axes[0].count, ny = grid.axes[1].count, nz = grid.axes[2].count;
  const auto plane = static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz);
  if (wanted > 0) return std::clamp(static_cast<int>(wanted / plane), 1, all);
  const double memory = memoryForBlocks();
  int blocks = static_cast<int>(std::min<std::size_t>(devices, static_cast<std::size_t>(all)));
  for (;; ++blocks) {
    const int planes = (all + blocks - 1) / blocks;
    // The mesh, what cuFFT works with, and the sums.
    const double bytes =
        2.0 * sizeof(Complex<T>) * static_cast<double>(meshPoints(nufftMesh({planes, ny, nz}, kernel))) +
        (sizeof(double2) + sizeof(int)) * static_cast<double>(planes) * static_cast<double>(plane);
    if (bytes < memory) return planes;
    if (planes == 1)
      throw OutOfDeviceMemory(
          fmt::format("one plane of the grid needs {:.1f} GiB on the GPU, which has {:.1f} left; take "
                      "--method sum or a coarser grid",
                      bytes / (1 << 30), memory / (1 << 30)));
  }
}

template <class T>
FormFactor transformWith(const std::vector<int>& devices, std::size_t wanted, const BeforeBlock& before,
                         const std::vector<SurfaceElement>& given, const QGrid& grid, double tolerance,
                         DeviceSeconds& seconds) {
  const CentredElements body(given);
  const ExpSqrtKernel kernel = kernelFor(tolerance);
  const int all = grid.axes[0].count, share = static_cast<int>(devices.size());
  const std::size_t plane = grid.size() / static_cast<std::size_t>(all);
  FormFactor f(grid.size());
  const int most =
      smallestOn(devices, [&] { return planesOfBlock<T>(grid, wanted, devices.size(), kernel); });
  const auto sumBy = [&](int planes) {
    seconds = {};
    forEachShare(share, share, [&](int number, int) {
      PROPHET_CUDA_CHECK(cudaSetDevice(devices[static_cast<std::size_t>(number)]));
      if (before) before(static_cast<long long>(planes) * static_cast<long long>(plane));
      const Stream stream;
      const DeviceBuffer<Element<double>> surface(body.elements);
      for (int first = number * planes; first < all; first += share * planes) {
        const QGrid part = grid.planes(first, std::min(planes, all - first));
        DeviceBuffer<double2> sums(part.size());
        const DeviceSeconds spent = transformOnDevice<T>(surface, part, kernel, sums, stream);
        const Momenta q{deviceGrid(part), 0, nullptr, static_cast<int>(part.size())};
        finishOnDevice(body, q, sums, f.data() + static_cast<std::size_t>(first) * plane, stream.get());
        if (number > 0) continue;
        seconds.spread += spent.spread;
        seconds.transform += spent.transform;
        seconds.all += spent.all;
      }
    });
    return 0;
  };
  withMemory(most, sumBy);
  return f;
}

}  // namespace

CudaShapeEngine::CudaShapeEngine(std::vector<int> devices, std::size_t pointsOfBlock, BeforeBlock before)
    : devices_(checkedDevices(std::move(devices))),
      pointsOfBlock_(pointsOfBlock),
      before_(std::move(before)) {}

std::string CudaShapeEngine::name() const { return nameOf(devices_); }

FormFactor CudaShapeEngine::sumOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                                      Precision precision) {
  const DeviceGrid points = deviceGrid(grid);
  const auto& [x, y, z] = grid.axes;
  const double largest = std::hypot(largestOn(x), largestOn(y), largestOn(z));
  return precision == Precision::Single && singleIsEnough(elements, largest)
             ? sumWith<float>(devices_, pointsOfBlock_, before_, elements, points, nullptr, seconds_)
             : sumWith<double>(devices_, pointsOfBlock_, before_, elements, points, nullptr, seconds_);
}

FormFactor CudaShapeEngine::sumAtPoints(const std::vector<SurfaceElement>& elements, const QPoints& q,
                                        Precision precision) {
  const std::vector<double3> list = listOf(q);
  const double largest = q.cols() == 0 ? 0.0 : q.colwise().norm().maxCoeff();
  return precision == Precision::Single && singleIsEnough(elements, largest)
             ? sumWith<float>(devices_, pointsOfBlock_, before_, elements, {}, &list, seconds_)
             : sumWith<double>(devices_, pointsOfBlock_, before_, elements, {}, &list, seconds_);
}

FormFactor CudaShapeEngine::transformOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                                            double tolerance, Precision precision) {
  return precision == Precision::Single
             ? transformWith<float>(devices_, pointsOfBlock_, before_, elements, grid, tolerance, seconds_)
             : transformWith<double>(devices_, pointsOfBlock_, before_, elements, grid, tolerance, seconds_);
}

}  // namespace prophet::cuda
