// Times of one non-uniform Fourier transform and of one particle-mesh Ewald sum, for comparison with other
// programs (mesh_peers.py): prophet_mesh_benchmark nufft POINTS N TOLERANCE THREADS | spme CELLS MESH THREADS
// | errors | gaussian
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>
#include <utility>

#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
#include "core/mesh/nufft.hpp"
#include "gaussian_filter.hpp"
#include "matter/madelung/direct_ewald.hpp"
#include "matter/madelung/spme.hpp"
#include "potassium_chloride.hpp"

namespace {

using namespace prophet;
using namespace prophet::benchmarks;

constexpr double kBohr = constants::kAngstromsPerBohr;

void transform(int points, int n, double tolerance, int threads) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-3.14159, 3.14159);
  Eigen::Matrix3Xd x(3, points);
  for (double& v : x.reshaped()) v = uniform(random);
  const Eigen::VectorXcd c = Eigen::VectorXcd::Random(points);
  std::vector<std::complex<double>> f(meshPoints({n, n, n}));
  Nufft nufft({n, n, n}, tolerance, threads);
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const Stopwatch watch;
    nufft.setPoints(x);
    nufft.transform(c, f.data());
    best = std::min(best, watch.seconds());
  }
  std::printf("type 1, %d points, %d^3 modes, tolerance %g, %d threads: %.4f s\n", points, n, tolerance,
              threads, best);
}

void sumCharges(int cells, int mesh, int threads) {
  const ChargedCell cell = potassiumChloride(cells);
  const double exact = perfectEnergy(cell);
  for (const auto& [a, precision] : {std::pair{Assignment::Spread, ChargePrecision::Double},
                                     {Assignment::Spread, ChargePrecision::Mixed},
                                     {Assignment::Gather, ChargePrecision::Double},
                                     {Assignment::Filter, ChargePrecision::Double}}) {
    Spme spme(cell.vectors, {a, 4, {mesh, mesh, mesh}, 0.3 * kBohr, 9 / kBohr, precision}, threads);
    SpmeTimes best;
    double seconds = 1e9, processor = 1e9, energy = 0;
    for (int repeat = 0; repeat < 8; ++repeat) {
      SpmeTimes t;
      const std::clock_t start = std::clock();
      energy = spme.compute(cell, &t).energy;
      processor = std::min(processor, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
      const double all = t.assign + t.transform + t.interpolate + t.pairs;
      if (all > seconds) continue;
      seconds = all;
      best = t;
    }
    std::printf(
        "%ld ions, %d^3, order 4, %s, %s precision, %d threads: assign %.4f s, transforms %.4f s, "
        "interpolate %.4f s, "
        "pairs %.4f s, all %.4f s, of all processors %.4f s, energy off by %.2e\n",
        static_cast<long>(cell.sites()), mesh, nameOf(a).c_str(), nameOf(precision).c_str(), threads,
        best.assign, best.transform, best.interpolate, best.pairs, seconds, processor,
        std::abs(energy / exact - 1));
  }
}

/// Errors of the three assignments against Ewald's sum, as CSV: 1,728 ions, disordered by 0.3 angstrom.
void compareErrors() {
  const ChargedCell cell = potassiumChloride(6, 0.3);
  const Electrostatics reference = directEwald(cell);
  std::puts("method,order,mesh,beta,energy_error,force_error");
  const auto row = [&](Assignment a, int order, int mesh, double beta) {
    const Electrostatics e = spme(cell, {a, order, {mesh, mesh, mesh}, beta * kBohr, 16 / kBohr});
    std::printf("%s,%d,%d,%g,%.3e,%.3e\n", nameOf(a).c_str(), order, mesh, beta,
                std::abs(e.energy / reference.energy - 1),
                (e.fields - reference.fields).norm() / reference.fields.norm());
  };
  for (const Assignment a : {Assignment::Spread, Assignment::Gather, Assignment::Filter}) {
    for (const int mesh : {24, 36, 48, 72, 96}) {
      for (const int order : {4, 6, 8, 12}) row(a, order, mesh, 0.4);
    }
    for (const double beta : {0.2, 0.25, 0.3, 0.35, 0.45, 0.5, 0.6}) row(a, 4, 48, beta);
  }
}

/// The Gaussian filter beside our assignments, as CSV: the same ions; errors relative to the root mean square
/// of the fields, of the whole sum and of the mesh's part.
void compareGaussians() {
  const ChargedCell cell = potassiumChloride(6, 0.3);
  const Electrostatics reference = directEwald(cell);
  std::puts("method,mesh,beta,narrow,passes,energy_error,force_error");
  const auto row = [&](const std::string& name, int mesh, double beta, double narrow, int passes,
                       const Electrostatics& e) {
    std::printf("%s,%d,%g,%g,%d,%.3e,%.3e\n", name.c_str(), mesh, beta, narrow, passes,
                std::abs(e.energy / reference.energy - 1),
                (e.fields - reference.fields).norm() / reference.fields.norm());
  };
  for (const int mesh : {36, 48, 72}) {
    for (const double beta : {0.2, 0.3, 0.4}) {
      for (const double narrow : {0.3, 0.4, 0.5, 0.6}) {
        for (const int passes : {2, 3, 5, 9})
          row("gaussian", mesh, beta, narrow, passes,
              gaussianFilterSums(cell, mesh, beta * kBohr, 16 / kBohr, {narrow, passes, 7, 4}));
      }
      for (const auto& [a, order] :
           {std::pair{Assignment::Spread, 4}, {Assignment::Filter, 4}, {Assignment::Filter, 8}})
        row(nameOf(a) + std::to_string(order), mesh, beta, 0, 0,
            spme(cell, {a, order, {mesh, mesh, mesh}, beta * kBohr, 16 / kBohr}, NetCharge::Refused, 2));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "nufft" && argc == 6) {
    transform(std::stoi(argv[2]), std::stoi(argv[3]), std::stod(argv[4]), std::stoi(argv[5]));
  } else if (what == "spme" && argc == 5) {
    sumCharges(std::stoi(argv[2]), std::stoi(argv[3]), std::stoi(argv[4]));
  } else if (what == "errors") {
    compareErrors();
  } else if (what == "gaussian") {
    compareGaussians();
  } else {
    std::puts(
        "usage: prophet_mesh_benchmark nufft POINTS N TOLERANCE THREADS | spme CELLS MESH THREADS | errors | "
        "gaussian");
    return 2;
  }
}
