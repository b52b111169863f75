// Measures the kernels of cuda/matter/mesh: prophet_mesh_bench spme | shape | points | sizes | large |
// detector | devices [NUMBER OF GPUS]
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "benchmarks/potassium_chloride.hpp"
#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"
#include "cuda/matter/mesh/cuda_shape_engine.hpp"
#include "cuda/matter/mesh/device_spme.hpp"
#include "matter/shape/bodies.hpp"

namespace {

using namespace prophet;
using namespace prophet::benchmarks;

constexpr double kBohr = constants::kAngstromsPerBohr;

void measureSpme(int n, int points) {
  const ChargedCell cell = potassiumChloride(n);
  const double beta = 0.3 * kBohr, cutoff = 9.0 / kBohr;
  for (const Assignment a : {Assignment::Spread, Assignment::Gather, Assignment::Filter}) {
    const SpmeParameters p{a, 4, {points, points, points}, beta, cutoff};
    cuda::DeviceSpme device(cell, p);
    SpmeTimes best = device.run();
    double all = 1e9;
    for (int i = 0; i < 10; ++i) {
      const SpmeTimes t = device.run();
      const double sum = t.assign + t.transform + t.interpolate + t.pairs;
      if (sum < all) {
        all = sum;
        best = t;
      }
    }
    const double exact = perfectEnergy(cell);
    std::printf(
        "%7ld ions, %d^3, order 4, %-6s: %7.3f ms (assign %.3f, transforms %.3f, interpolate %.3f, pairs "
        "%.3f), energy off by %.2e\n",
        static_cast<long>(cell.sites()), points, nameOf(a).c_str(), 1e3 * all, 1e3 * best.assign,
        1e3 * best.transform, 1e3 * best.interpolate, 1e3 * best.pairs,
        std::abs(device.result().energy / exact - 1));
    std::fflush(stdout);
  }
}

struct Case {
  std::vector<SurfaceElement> elements;
  QGrid grid;
  std::string text;
};

Case shapeCase(int triangles, const std::string& grid) {
  Case c{surfaceElements(sphere(200).surface(triangles)), parseQGrid(grid), ""};
  c.text = fmt::format("{} triangles x {} points", c.elements.size(), c.grid.size());
  return c;
}

/// The fastest of some calls with one engine.
void measureTransform(const Case& c, const std::vector<int>& devices, Precision precision, int repeats) {
  cuda::CudaShapeEngine engine(devices);
  double whole = 1e9, first = 0;
  cuda::DeviceSeconds best;
  for (int i = 0; i < repeats; ++i) {
    const Stopwatch watch;
    const FormFactor f = engine.transformOnGrid(c.elements, c.grid, 1e-6, precision);
    const double seconds = watch.seconds();
    if (i == 0) first = seconds;
    if (seconds > whole) continue;
    whole = seconds;
    best = engine.seconds();
  }
  std::printf(
      "%s: transform, %s, 1e-6: %.2f ms on the device (spread %.2f, FFT and rest %.2f), whole calls %.1f ms "
      "(the first one %.1f): queueing %.1f, room for the result %.1f, waiting and copying %.1f\n",
      c.text.c_str(), precision == Precision::Single ? "single" : "double", 1e3 * best.all, 1e3 * best.spread,
      1e3 * (best.all - best.spread), 1e3 * whole, 1e3 * first, 1e3 * best.queue, 1e3 * best.touch,
      1e3 * best.copy);
  std::fflush(stdout);
}

/// Operations a second of cuBLAS's products of large matrices in double precision: what a device does at
/// best.
double productRate() {
  constexpr int n = 6144;
  const cuda::Stream stream;
  const cuda::BlasHandle blas(stream.get());
  // Equal numbers take less power and let clocks rise.
  std::mt19937 random(1);
  std::vector<double> values(std::size_t{n} * n);
  for (double& value : values) value = random() * 0x1p-32 - 0.5;
  const cuda::DeviceBuffer<double> a(values), b(values);
  cuda::DeviceBuffer<double> c(values.size());
  const double one = 1, none = 0;
  double best = 1e9;
  for (int i = 0; i < 4; ++i) {
    const cuda::Event begin, end;
    begin.record(stream.get());
    PROPHET_CUDA_CHECK(cublasDgemm(blas.get(), CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, a.data(), n, b.data(),
                                   n, &none, c.data(), n));
    end.record(stream.get());
    best = std::min(best, end.secondsSince(begin));
  }
  return 2.0 * n * n * n / best;
}

/// `operations` of products of matrices for a pair; 0: there are none.
void printSum(const Case& c, const char* what, double points, double operations,
              const cuda::CudaShapeEngine& engine, double first, double whole) {
  const double rate = static_cast<double>(c.elements.size()) * points / engine.seconds().all;
  std::string share;
  if (operations > 0) {
    static const double most = productRate();
    share = fmt::format(", {:.3g} operations a second in products: {:.0f} % of {:.3g} of cuBLAS",
                        operations * rate, 100 * operations * rate / most, most);
  }
  std::printf(
      "%s: %s: %.4f s on the first device, %.4f s the whole call (the first one %.3f), %.3e pairs a "
      "second%s\n",
      c.text.c_str(), what, engine.seconds().all, whole, first, rate, share.c_str());
  std::fflush(stdout);
}

/// By products of matrices.
void measureSum(const Case& c, const std::vector<int>& devices) {
  cuda::CudaShapeEngine engine(devices);
  double seconds[2];
  for (double& s : seconds) {
    const Stopwatch watch;
    const FormFactor f = engine.sumOnGrid(c.elements, c.grid, Precision::Double);
    s = watch.seconds();
  }
  printSum(c, "sum on the grid, double", static_cast<double>(c.grid.size()), 8, engine, seconds[0],
           seconds[1]);
}

/// The same points as a list, each with its own sines.
void measurePoints(const Case& c, Precision precision) {
  cuda::CudaShapeEngine engine({0});
  const QPoints q = pointsOf(c.grid);
  double seconds[2];
  for (double& s : seconds) {
    const Stopwatch watch;
    const FormFactor f = engine.sumAtPoints(c.elements, q, precision);
    s = watch.seconds();
  }
  printSum(c, precision == Precision::Single ? "sum at points, single" : "sum at points, double",
           static_cast<double>(c.grid.size()), 0, engine, seconds[0], seconds[1]);
}

/// The image of a detector for four waves that decay, or for one that does not; on both against the sum point
/// by point of some pixels by the host.
void measureDetector(int triangles, int size, bool decays) {
  Case c{surfaceElements(sphere(200).surface(triangles)), {}, ""};
  c.text = fmt::format("{} triangles x {} x {} pixels", c.elements.size(), size, size);
  QRows q;
  q.along.resize(2, size * size);
  q.z.resize(decays ? 4 : 1, size);
  const double k = 2 * constants::kPi, radian = constants::kPi / 180, in = k * std::sin(0.2 * radian);
  for (int row = 0; row < size; ++row) {
    const double up = 2.0 * radian * (row + 0.5) / size;
    q.first.push_back(row * size);
    for (int column = 0; column < size; ++column) {
      const double side = radian * (2.0 * (column + 0.5) / size - 1);
      q.along.col(row * size + column) << k * (std::cos(up) * std::cos(side) - std::cos(0.2 * radian)),
          k * std::cos(up) * std::sin(side);
    }
    for (int wave = 0; wave < q.waves(); ++wave)
      q.z(wave, row) = {(wave % 2 == 0 ? in : -in) + (wave < 2 ? 1 : -1) * k * std::sin(up),
                        decays ? 1e-3 * (wave + 1) : 0.0};
  }
  q.first.push_back(size * size);
  cuda::CudaShapeEngine engine({0});
  double seconds[3];
  Eigen::MatrixXcd f;
  for (double& s : seconds) {
    const Stopwatch watch;
    f = engine.sumOnRows(c.elements, q, Precision::Double);
    s = watch.seconds();
  }
  // For four waves a triangle and a pixel have two complex products with each of them.
  printSum(
      c, decays ? "detector, four waves that decay (pairs with each), double" : "detector, one wave, double",
      static_cast<double>(f.size()), decays ? 16 : 0, engine, seconds[0], std::min(seconds[1], seconds[2]));
  double error = 0, norm = 0;
  for (int i = 0; i < 8; ++i) {
    const int row = (size - 1) * i / 7, pixel = row * size + (37 * i) % size, wave = i % q.waves();
    const std::complex<double> there =
        sumAtPoints(c.elements, Eigen::Matrix3Xcd(q.momentum(wave, row, pixel))).front();
    error += std::norm(f(wave, pixel) - there);
    norm += std::norm(there);
  }
  std::printf("  off from the sum point by point by %.1e\n", std::sqrt(error / norm));
  std::fflush(stdout);
}

constexpr const char* kPaperGrid = "-1:1:91,-1:1:500,0.01:1:500";
constexpr const char* kLargeGrid = "-1:1:91,-1:1:1000,0.01:1:1000";

/// One shape on 1, 2, ... GPUs of this process.
void measureDevices(int most) {
  const Case paper = shapeCase(91753, kPaperGrid), large = shapeCase(3598351, kLargeGrid);
  std::vector<int> devices;
  for (int count = 1; count <= most; ++count) {
    devices.push_back(count - 1);
    if (count > 2 && count % 2) continue;
    std::printf("%d GPUs\n", count);
    measureSum(paper, devices);
    measureTransform(paper, devices, Precision::Single, 3);
    measureTransform(large, devices, Precision::Single, 2);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "spme";
  try {
    if (what == "spme") {
      for (const auto& [n, points] :
           {std::pair{6, 36}, {12, 72}, {18, 108}, {24, 144}, {30, 180}, {36, 216}, {42, 240}})
        measureSpme(n, points);
    }
    if (what == "shape") {
      const Case c = shapeCase(91753, kPaperGrid);
      measureTransform(c, {0}, Precision::Single, 3);
      measureTransform(c, {0}, Precision::Double, 3);
      measureSum(c, {0});
    }
    if (what == "points") {
      const Case c = shapeCase(91753, "-1:1:91,-1:1:500,0.01:1:100");
      measureSum(c, {0});
      measurePoints(c, Precision::Double);
      measurePoints(c, Precision::Single);
    }
    if (what == "sizes") {
      for (const char* grid :
           {"-1:1:32,-1:1:32,0.1:1:32", "-1:1:64,-1:1:64,0.1:1:64", "-1:1:200,-1:1:200,0.1:1:200",
            "-1:1:500,-1:1:91,0.1:1:91", "-1:1:91,-1:1:500,0.1:1:91"})
        measureSum(shapeCase(91753, grid), {0});
    }
    if (what == "large") measureTransform(shapeCase(3598351, kLargeGrid), {0}, Precision::Single, 3);
    if (what == "detector") {
      for (const bool decays : {true, false}) {
        measureDetector(91753, 500, decays);
        measureDetector(20000, 61, decays);
      }
    }
    if (what == "devices") measureDevices(argc > 2 ? std::stoi(argv[2]) : 1);
  } catch (const std::exception& e) {
    std::printf("FAIL %s\n", e.what());
    return 1;
  }
}
