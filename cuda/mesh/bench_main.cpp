// Checks the kernels of cuda/mesh against the host and measures them: prophet_mesh_bench
// check|spme|shape|large [NUMBER]
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "common/constants.hpp"
#include "cuda/mesh/device_shape.hpp"
#include "cuda/mesh/device_spme.hpp"
#include "madelung/direct_ewald.hpp"
#include "shape/bodies.hpp"

namespace {

using namespace prophet;

constexpr double kBohr = constants::kAngstromsPerBohr;

int failures = 0;

void expectBelow(const std::string& what, double error, double bound) {
  const bool good = error < bound;
  failures += !good;
  std::printf("%s %-60s %.3e (below %.1e)\n", good ? "ok  " : "FAIL", what.c_str(), error, bound);
}

/// KCl, n x n x n cells of 8 ions, each moved at random by up to `shift` angstrom.
ChargedCell potassiumChloride(int n, double shift) {
  const double edge = 6.2931 / kBohr;
  ChargedCell cell;
  cell.vectors = n * edge * Eigen::Matrix3d::Identity();
  cell.positions.resize(3, 8 * n * n * n);
  cell.charges.resize(8 * n * n * n);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-shift / kBohr, shift / kBohr);
  Eigen::Index at = 0;
  for (int x = 0; x < 2 * n; ++x) {
    for (int y = 0; y < 2 * n; ++y) {
      for (int z = 0; z < 2 * n; ++z, ++at) {
        cell.positions.col(at) = 0.5 * edge * Eigen::Vector3d(x, y, z) +
                                 Eigen::Vector3d(uniform(random), uniform(random), uniform(random));
        cell.charges(at) = (x + y + z) % 2 ? -1 : 1;
      }
    }
  }
  return cell;
}

double relative(const FormFactor& a, const FormFactor& b) {
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += std::norm(a[i] - b[i]);
    norm += std::norm(b[i]);
  }
  return std::sqrt(error / norm);
}

void check() {
  ChargedCell skewed = potassiumChloride(2, 0.4);
  skewed.vectors(0, 1) = 3;
  skewed.vectors(2, 0) = -2;
  for (const ChargedCell& cell : {potassiumChloride(3, 0.3), skewed}) {
    for (const Assignment a : {Assignment::Spread, Assignment::Gather, Assignment::Filter}) {
      for (const int order : {4, 6, 8}) {
        const SpmeParameters p{a, order, {36, 40, 45}, 0.25, 14.0};
        const Electrostatics host = spme(cell, p);
        cuda::DeviceSpme device(cell, p);
        device.run();
        const Electrostatics e = device.result();
        const std::string what = fmt::format("{} order {}, {} sites", nameOf(a), order, cell.sites());
        expectBelow(what + ": potentials", (e.potentials - host.potentials).norm() / host.potentials.norm(),
                    1e-12);
        expectBelow(what + ": fields", (e.fields - host.fields).norm() / host.fields.norm(), 1e-11);
        expectBelow(what + ": energy", std::abs(e.energy / host.energy - 1), 1e-12);
      }
    }
  }
  const auto elements = surfaceElements(cone(30, 40).surface(3000));
  for (const std::string text : {"-1:1:16,-1:1:17,0.1:1:9", "0.3,-1:1:40,0:0.5:3"}) {
    const QGrid grid = parseQGrid(text);
    const FormFactor reference = sumAtPoints(elements, pointsOf(grid));
    using cuda::Precision;
    expectBelow("sum, double, " + text,
                relative(cuda::sumOnDevice(elements, grid, Precision::Double), reference), 1e-12);
    expectBelow("sum, single, " + text,
                relative(cuda::sumOnDevice(elements, grid, Precision::Single), reference), 3e-5);
    for (const double tolerance : {1e-4, 1e-6, 1e-9})
      expectBelow(fmt::format("transform, double, {:g}, {}", tolerance, text),
                  relative(cuda::transformOnDevice(elements, grid, tolerance, Precision::Double), reference),
                  5 * tolerance);
    expectBelow("transform, single, 1e-6, " + text,
                relative(cuda::transformOnDevice(elements, grid, 1e-6, Precision::Single), reference), 2e-5);
  }
}

void measureSpme(int n, int points) {
  const ChargedCell cell = potassiumChloride(n, 0.0);
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
    const double exact = -0.5 * static_cast<double>(cell.sites()) * 1.747564594633182 / (6.2931 / 2 / kBohr);
    std::printf(
        "%7ld ions, %d^3, order 4, %-6s: %7.3f ms (assign %.3f, transforms %.3f, interpolate %.3f, pairs "
        "%.3f), energy off by %.2e\n",
        static_cast<long>(cell.sites()), points, nameOf(a), 1e3 * all, 1e3 * best.assign,
        1e3 * best.transform, 1e3 * best.interpolate, 1e3 * best.pairs,
        std::abs(device.result().energy / exact - 1));
    std::fflush(stdout);
  }
}

void measureShape(int triangles, const std::string& text, bool direct) {
  const auto elements = surfaceElements(sphere(200).surface(triangles));
  const QGrid grid = parseQGrid(text);
  const double pairs = static_cast<double>(elements.size()) * static_cast<double>(grid.size());
  using cuda::Precision;
  cuda::DeviceSeconds s;
  for (int repeat = 0; repeat < 2; ++repeat)
    cuda::transformOnDevice(elements, grid, 1e-6, Precision::Single, &s, false);
  std::printf(
      "%zu triangles x %zu points: transform, single, 1e-6: %.2f ms (spread %.2f, FFT and rest %.2f)\n",
      elements.size(), grid.size(), 1e3 * s.all, 1e3 * s.spread, 1e3 * s.transform);
  std::fflush(stdout);
  if (!direct) return;
  cuda::sumOnDevice(elements, grid, Precision::Single, &s, false);
  std::printf("%zu triangles x %zu points: sum, single: %.3f s, %.3e pairs a second\n", elements.size(),
              grid.size(), s.all, pairs / s.all);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "check";
  try {
    if (what == "check") check();
    if (what == "spme") {
      for (const auto& [n, points] :
           {std::pair{6, 36}, {12, 72}, {18, 108}, {24, 144}, {30, 180}, {36, 216}, {42, 240}})
        measureSpme(n, points);
    }
    if (what == "shape") measureShape(91753, "-1:1:91,-1:1:500,0.01:1:500", true);
    if (what == "large") measureShape(3598351, "-1:1:91,-1:1:1000,0.01:1:1000", false);
  } catch (const std::exception& e) {
    std::printf("FAIL %s\n", e.what());
    return 1;
  }
  std::printf("%d failures\n", failures);
  return failures > 0;
}
