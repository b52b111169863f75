#include "cuda/matter/mesh/cuda_shape_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"
#include "cuda/core/common/devices.hpp"
#include "cuda/matter/mesh/device_grid_sum.hpp"
#include "cuda/matter/mesh/device_row_sum.hpp"
#include "cuda/matter/mesh/device_transform.hpp"

namespace prophet::cuda {
namespace {

constexpr long long kMostOfBlock = 1LL << 29;
/// So much of the memory that is left is used; the rest is for what libraries take by themselves, and others.
constexpr double kShareOfMemory = 0.5;
constexpr int kMostCopyThreads = 8;

/// Momenta of a hyperblock: no more than fit, nor an even share, or as many as wanted.
long long blockSize(long long all, std::size_t wanted, std::size_t devices, double fitting) {
  if (wanted > 0) return std::min(static_cast<long long>(wanted), kMostOfBlock);
  const long long count = static_cast<long long>(devices), share = (all + count - 1) / count;
  return std::max(1LL, std::min({static_cast<long long>(std::min(fitting, 1e18)), share, kMostOfBlock}));
}

/// Calls work(size), with half the size as long as the GPUs have too little memory.
template <class Work>
void withMemory(long long size, const Work& work) {
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

/// The clocks of one hyperblock on the first device.
class BlockClock {
 public:
  explicit BlockClock(const ShapeDevice& device) : stream_(device.stream()) { begin_.record(stream_); }
  void queued() {
    end_.record(stream_);
    queue_ = watch_.seconds();
  }
  void touched() { touch_ = watch_.seconds(); }
  void finish(DeviceSeconds& sum) const {
    sum.queue += queue_;
    sum.touch += touch_ - queue_;
    sum.copy += watch_.seconds() - touch_;
    sum.all += end_.secondsSince(begin_);
  }

 private:
  cudaStream_t stream_;
  Stopwatch watch_;
  Event begin_, end_;
  double queue_ = 0, touch_ = 0;
};

/// Bytes of a transform to so many planes of qx: the mesh, what cuFFT works with, and the sums.
template <class T>
double bytesOfPlanes(const QGrid& grid, int planes, const ExpSqrtKernel& kernel) {
  const int ny = grid.axes[1].count, nz = grid.axes[2].count;
  return 2.0 * sizeof(Complex<T>) * static_cast<double>(meshPoints(nufftMesh({planes, ny, nz}, kernel))) +
         (sizeof(double2) + sizeof(int)) * static_cast<double>(planes) * ny * nz;
}

}  // namespace

CudaShapeEngine::CudaShapeEngine(std::vector<int> devices, std::size_t pointsOfBlock, BeforeBlock before)
    : devices_(checkedDevices(std::move(devices))),
      pointsOfBlock_(pointsOfBlock),
      before_(std::move(before)),
      kept_(devices_.size()) {}

CudaShapeEngine::~CudaShapeEngine() {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    cudaSetDevice(devices_[i]);
    kept_[i].reset();
  }
}

std::string CudaShapeEngine::name() const { return nameOf(devices_); }

void CudaShapeEngine::onEach(const std::function<void(ShapeDevice&, int)>& work) {
  const int count = static_cast<int>(devices_.size());
  const int threads = std::clamp(availableThreads() / count, 1, kMostCopyThreads);
  forEachShare(count, count, [&](int number, int) {
    auto& device = kept_[static_cast<std::size_t>(number)];
    PROPHET_CUDA_CHECK(cudaSetDevice(devices_[static_cast<std::size_t>(number)]));
    try {
      if (!device) device = std::make_unique<ShapeDevice>(threads);
      work(*device, number);
    } catch (...) {
      device.reset();
      throw;
    }
  });
}

long long CudaShapeEngine::smallest(const std::function<long long(ShapeDevice&)>& size) {
  std::vector<long long> sizes(devices_.size());
  onEach([&](ShapeDevice& device, int number) { sizes[static_cast<std::size_t>(number)] = size(device); });
  return *std::min_element(sizes.begin(), sizes.end());
}

FormFactor CudaShapeEngine::sumOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                                      Precision precision) {
  // The kernels of grids step along equidistant axes.
  if (!grid.isRegular()) return sumAtPoints(elements, pointsOf(grid), precision);
  const long long all = static_cast<long long>(grid.size());
  FormFactor f(grid.size());
  const double workspace = gridSumWorkspace(grid, elements.size()) +
                           2.0 * static_cast<double>(elements.size() * sizeof(SurfaceElement));
  const long long first = smallest([&](ShapeDevice& device) {
    const double wanted = kGridSumBytes * static_cast<double>(all) + workspace,
                 left = kShareOfMemory * device.memoryLeft(wanted / kShareOfMemory);
    return blockSize(all, pointsOfBlock_, devices_.size(), (left - workspace) / kGridSumBytes);
  });
  withMemory(first, [&](long long points) {
    seconds_ = {};
    const std::vector<GridPart> parts = partsOf(grid, points);
    onEach([&](ShapeDevice& device, int number) {
      if (before_) before_(points);
      const SurfaceBox box(elements, device.copies().threads());
      const DeviceBuffer<Element<double>> surface = device.upload(elements, box);
      for (std::size_t i = static_cast<std::size_t>(number); i < parts.size(); i += devices_.size()) {
        const GridPart& part = parts[i];
        BlockClock clock(device);
        DeviceBuffer<double2> sums = device.make<double2>(static_cast<std::size_t>(part.size()));
        sumOnDevice(device, surface, grid, part, sums);
        device.finish(surface, box, {deviceGrid(grid, part), 0, nullptr, static_cast<int>(part.size())},
                      sums);
        clock.queued();
        forEachRun(grid, part, [&](long long at, long long, long long count) {
          device.copies().touch(f.data() + at, static_cast<std::size_t>(count) * sizeof(f[0]));
        });
        clock.touched();
        downloadPart(device, grid, part, sums.data(), f.data());
        device.copies().finish();
        if (number == 0) clock.finish(seconds_);
      }
    });
  });
  return f;
}

template <class T>
FormFactor CudaShapeEngine::sumAt(const std::vector<SurfaceElement>& elements, const QPoints& q) {
  static_assert(sizeof(double3) == 3 * sizeof(double));
  const long long all = q.cols();
  FormFactor f(static_cast<std::size_t>(all));
  constexpr double kBytes = sizeof(double2) + sizeof(double3) + sizeof(int);
  const long long first = smallest([&](ShapeDevice& device) {
    const double left =
        kShareOfMemory * device.memoryLeft(kBytes * static_cast<double>(all) / kShareOfMemory);
    return blockSize(all, pointsOfBlock_, devices_.size(), left / kBytes);
  });
  withMemory(first, [&](long long block) {
    seconds_ = {};
    onEach([&](ShapeDevice& device, int number) {
      if (before_) before_(block);
      const SurfaceBox box(elements, device.copies().threads());
      const DeviceBuffer<Element<double>> surface = device.upload(elements, box);
      DeviceBuffer<Element<T>> turns = device.make<Element<T>>(elements.size());
      const int count = static_cast<int>(elements.size());
      if (count > 0) launchTurns(surface.data(), count, turns.data(), device.stream());
      const std::size_t most = static_cast<std::size_t>(std::min(block, all));
      DeviceBuffer<double2> sums = device.make<double2>(most);
      DeviceBuffer<double3> points = device.make<double3>(most);
      for (long long from = number * block; from < all;
           from += static_cast<long long>(devices_.size()) * block) {
        const Momenta some{{}, from, points.data(), static_cast<int>(std::min(block, all - from))};
        const std::size_t there = static_cast<std::size_t>(some.count);
        device.copies().upload(points.data(), q.data() + 3 * from, there * sizeof(double3), device.stream());
        BlockClock clock(device);
        sums.fill(0, device.stream());
        launchSum(turns.data(), count, some, sums.data(), device.stream());
        device.finish(surface, box, some, sums);
        clock.queued();
        clock.touched();
        device.copies().download(f.data() + from, sums.data(), there * sizeof(double2), device.stream());
        device.copies().finish();
        if (number == 0) clock.finish(seconds_);
      }
    });
  });
  return f;
}

FormFactor CudaShapeEngine::sumAtPoints(const std::vector<SurfaceElement>& elements, const QPoints& q,
                                        Precision precision) {
  if (q.cols() == 0) return {};
  if (precision == Precision::Double) return sumAt<double>(elements, q);
  ThreadPool here(1);
  const double phase = q.colwise().norm().maxCoeff() * SurfaceBox(elements, here).radius;
  return phase <= kLargestSinglePhase ? sumAt<float>(elements, q) : sumAt<double>(elements, q);
}

Eigen::MatrixXcd CudaShapeEngine::sumOnRows(const std::vector<SurfaceElement>& elements, const QRows& q,
                                            Precision precision) {
  if (q.waves() == 1 && q.isReal()) {  // nothing is shared
    QPoints points(3, q.pixels());
    points.topRows(2) = q.along;
    for (const RowTile& row : tilesOf(q, std::max(1, q.pixels())))
      points.row(2).segment(row.first, row.count).setConstant(q.z(0, row.row).real());
    const FormFactor f = sumAtPoints(elements, points, precision);
    return Eigen::Map<const Eigen::MatrixXcd>(f.data(), 1, q.pixels());
  }
  const std::vector<RowTile> tiles = tilesOf(q, kRowPixels);
  const long long all = static_cast<long long>(tiles.size()), waves = q.waves();
  Eigen::MatrixXcd f(waves, q.pixels());
  if (all == 0) return f;
  constexpr double kBytes =
      kRowPixels * sizeof(double2) * (1 + QRows::kMostWaves) + kRowNumbers * sizeof(double) + sizeof(RowTile);
  const long long first = smallest([&](ShapeDevice& device) {
    const double left =
        kShareOfMemory * device.memoryLeft(kBytes * static_cast<double>(all) / kShareOfMemory);
    const std::size_t wanted = pointsOfBlock_ > 0 ? std::max<std::size_t>(1, pointsOfBlock_ / kRowPixels) : 0;
    return blockSize(all, wanted, devices_.size(), left / kBytes);
  });
  withMemory(first, [&](long long block) {
    seconds_ = {};
    onEach([&](ShapeDevice& device, int number) {
      if (before_) before_(block * kRowPixels);
      const SurfaceBox box(elements, device.copies().threads());
      const DeviceBuffer<Element<double>> surface = device.upload(elements, box);
      const DeviceBuffer<double2> z = device.make<double2>(static_cast<std::size_t>(q.z.size()));
      device.upload(z, q.z.data());
      for (long long from = number * block; from < all;
           from += static_cast<long long>(devices_.size()) * block) {
        const std::vector<RowTile> some(tiles.begin() + from, tiles.begin() + std::min(all, from + block));
        const int pixel = some.front().first, pixels = some.back().first + some.back().count - pixel;
        BlockClock clock(device);
        const DeviceBuffer<double2> sums = sumRowsOnDevice(
            device, surface, box, some, q.along.data() + 2 * pixel, z, static_cast<int>(waves));
        clock.queued();
        clock.touched();
        device.copies().download(f.data() + waves * pixel, sums.data(),
                                 static_cast<std::size_t>(waves * pixels) * sizeof(double2), device.stream());
        device.copies().finish();
        if (number == 0) clock.finish(seconds_);
      }
    });
  });
  sumLongWaves(elements, q, availableThreads(), f);
  return f;
}

template <class T>
FormFactor CudaShapeEngine::transform(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                                      double tolerance) {
  const ExpSqrtKernel kernel = kernelFor(tolerance);
  const int all = grid.axes[0].count;
  const std::size_t plane = grid.size() / static_cast<std::size_t>(all);
  FormFactor f(grid.size());
  const long long most = smallest([&](ShapeDevice& device) -> long long {
    if (pointsOfBlock_ > 0)
      return std::clamp<long long>(static_cast<long long>(pointsOfBlock_ / plane), 1, all);
    int blocks = std::min(static_cast<int>(devices_.size()), all);
    double memory = 0;
    for (;; ++blocks) {
      const int planes = (all + blocks - 1) / blocks;
      const double bytes = bytesOfPlanes<T>(grid, planes, kernel);
      if (memory == 0) memory = kShareOfMemory * device.memoryLeft(bytes / kShareOfMemory);
      if (bytes < memory) return planes;
      if (planes == 1)
        throw OutOfDeviceMemory(
            fmt::format("one plane of the grid needs {:.1f} GiB on the GPU, which has {:.1f} left; take "
                        "--method sum or a coarser grid",
                        bytes / (1 << 30), memory / (1 << 30)));
    }
  });
  withMemory(most, [&](long long some) {
    seconds_ = {};
    const int planes = static_cast<int>(some), step = planes * static_cast<int>(devices_.size());
    onEach([&](ShapeDevice& device, int number) {
      if (before_) before_(some * static_cast<long long>(plane));
      const SurfaceBox box(elements, device.copies().threads());
      const DeviceBuffer<Element<double>> surface = device.upload(elements, box);
      for (int first = number * planes; first < all; first += step) {
        const QGrid part = grid.planes(first, std::min(planes, all - first));
        BlockClock clock(device);
        const TransformEvents events;
        DeviceBuffer<double2> sums = device.make<double2>(part.size());
        transformOnDevice<T>(device, surface, part, kernel, sums, events);
        device.finish(surface, box, {deviceGrid(part), 0, nullptr, static_cast<int>(part.size())}, sums);
        clock.queued();
        std::complex<double>* to = f.data() + static_cast<std::size_t>(first) * plane;
        device.copies().touch(to, part.size() * sizeof(f[0]));
        clock.touched();
        device.copies().download(to, sums.data(), part.size() * sizeof(f[0]), device.stream());
        device.copies().finish();
        if (number > 0) continue;
        clock.finish(seconds_);
        seconds_.spread += events.spread();
      }
    });
  });
  return f;
}

FormFactor CudaShapeEngine::transformOnGrid(const std::vector<SurfaceElement>& elements, const QGrid& grid,
                                            double tolerance, Precision precision) {
  return precision == Precision::Single ? transform<float>(elements, grid, tolerance)
                                        : transform<double>(elements, grid, tolerance);
}

}  // namespace prophet::cuda
