// Measures the kernels of cuda/matter/mesh: prophet_mesh_bench spme | shape | points | sizes | large |
// devices [NUMBER OF GPUS]
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "benchmarks/potassium_chloride.hpp"
#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
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

void printSum(const Case& c, const char* what, double points, const cuda::CudaShapeEngine& engine,
              double first, double whole) {
  const double pairs = static_cast<double>(c.elements.size()) * points;
  std::printf(
      "%s: %s: %.3f s on the first device, %.3f s the whole call (the first one %.3f), %.3e pairs a "
      "second\n",
      c.text.c_str(), what, engine.seconds().all, whole, first, pairs / engine.seconds().all);
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
  printSum(c, "sum on the grid, double", static_cast<double>(c.grid.size()), engine, seconds[0], seconds[1]);
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
           static_cast<double>(c.grid.size()), engine, seconds[0], seconds[1]);
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
    if (what == "devices") measureDevices(argc > 2 ? std::stoi(argv[2]) : 1);
  } catch (const std::exception& e) {
    std::printf("FAIL %s\n", e.what());
    return 1;
  }
}
