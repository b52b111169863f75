// Measures the kernels of cuda/matter/mesh: prophet_mesh_bench spme | shape | points | sizes | large |
// detector | devices [NUMBER OF GPUS]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "benchmarks/potassium_chloride.hpp"
#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"
#include "cuda/core/common/staged_copies.hpp"
#include "cuda/matter/mesh/cuda_shape_engine.hpp"
#include "cuda/matter/mesh/device_spme.hpp"
#include "matter/shape/bodies.hpp"

namespace {

using namespace prophet;
using namespace prophet::benchmarks;

constexpr double kBohr = constants::kAngstromsPerBohr;

constexpr Assignment kAssignments[] = {Assignment::Spread, Assignment::Gather, Assignment::Filter};

/// Seconds of whole calls, places and charges on the host in and sums on the host out.
struct CallSeconds {
  double first, best, median;
};
CallSeconds timeCalls(cuda::DeviceSpme& device, const ChargedCell& cell, const SpmeParameters& p) {
  constexpr int kCalls = 21;
  std::vector<double> seconds;
  for (int i = 0; i < kCalls; ++i) {
    const Stopwatch watch;
    const Electrostatics e = device.compute(cell, p, nullptr);
    seconds.push_back(watch.seconds());
  }
  const double first = seconds.front();
  std::sort(seconds.begin() + 1, seconds.end());
  return {first, seconds[1], seconds[1 + kCalls / 2]};
}

/// Parts one after the other, and whole calls.
void measureSpme(const ChargedCell& cell, Assignment assignment, int points, double exact) {
  const SpmeParameters p{assignment, 4, {points, points, points}, 0.3 * kBohr, 9.0 / kBohr};
  cuda::DeviceSpme device(p);
  const CallSeconds calls = timeCalls(device, cell, p);
  SpmeTimes best;
  double all = 1e9, energy = 0;
  for (int i = 0; i < 10; ++i) {
    SpmeTimes t;
    energy = device.compute(cell, p, &t).energy;
    const double sum = t.assign + t.transform + t.interpolate + t.pairs;
    if (sum >= all) continue;
    all = sum;
    best = t;
  }
  std::printf(
      "%7ld ions, %d^3, order 4, %-6s: assign %.3f ms, transforms %.3f, interpolate %.3f, pairs %.3f, sum "
      "%.3f; whole "
      "call %.3f, median %.3f, the first one %.1f; energy off by %.2e\n",
      static_cast<long>(cell.sites()), points, std::string(nameOf(assignment)).c_str(), 1e3 * best.assign,
      1e3 * best.transform, 1e3 * best.interpolate, 1e3 * best.pairs, 1e3 * all, 1e3 * calls.best,
      1e3 * calls.median, 1e3 * calls.first, std::abs(energy / exact - 1));
  std::fflush(stdout);
}

/// What the copies of a call take by themselves: places and charges there, potentials and fields back.
void measureCopies(Eigen::Index ions) {
  const std::size_t size = static_cast<std::size_t>(ions);
  const Eigen::Matrix4Xd given = Eigen::Matrix4Xd::Zero(4, ions);
  cuda::DeviceBuffer<double> device(4 * size);
  const cuda::Stream stream;
  cuda::StagedCopies copies(std::min(availableThreads(), 8));
  double up = 1e9, down = 1e9;
  for (int i = 0; i < 11; ++i) {
    const Stopwatch watch;
    copies.upload(device.data(), given.data(), 4 * size * sizeof(double), stream.get());
    stream.synchronize();
    up = std::min(up, watch.seconds());
    Eigen::Matrix4Xd back(4, ions);
    copies.touch(back.data(), 4 * size * sizeof(double));
    const Stopwatch again;
    copies.download(back.data(), device.data(), 4 * size * sizeof(double), stream.get());
    copies.finish();
    down = std::min(down, again.seconds());
  }
  std::printf("%7ld ions: copies of %.1f MB to the device %.3f ms, back %.3f ms\n", static_cast<long>(ions),
              32e-6 * static_cast<double>(ions), 1e3 * up, 1e3 * down);
}

/// Sizes of P. Mühlbauer's thesis, from 1,728 to 1,191,016 ions, and one of them in disorder.
void measureSpme() {
  for (const auto& [n, points] :
       {std::pair{6, 36}, {12, 72}, {18, 108}, {24, 144}, {30, 180}, {36, 216}, {42, 240}, {53, 300}}) {
    const ChargedCell cell = potassiumChloride(n);
    measureCopies(cell.sites());
    for (const Assignment a : kAssignments) measureSpme(cell, a, points, perfectEnergy(cell));
  }
  const ChargedCell cell = shuffled(potassiumChloride(42, 0.3));
  std::puts("moved by up to 0.3 angstrom and shuffled:");
  const SpmeParameters p{Assignment::Spread, 4, {240, 240, 240}, 0.3 * kBohr, 9.0 / kBohr};
  const double energy = hostSpmeEngine(availableThreads())->compute(cell, p, nullptr).energy;
  for (const Assignment a : kAssignments) measureSpme(cell, a, 240, energy);
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
    if (what == "spme") measureSpme();
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
