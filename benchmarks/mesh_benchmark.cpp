// Times of one non-uniform Fourier transform and of one particle-mesh Ewald sum, for comparison with other
// programs (mesh_peers.py, spme_peers.py) and with P. Mühlbauer's thesis: prophet_mesh_benchmark nufft POINTS
// N TOLERANCE THREADS | spme CELLS MESH THREADS | series THREADS | errors | gaussian [FRAMES]
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
#include "core/mesh/nufft.hpp"
#include "gaussian_filter.hpp"
#include "matter/madelung/charge_sums.hpp"
#include "matter/madelung/direct_ewald.hpp"
#include "matter/madelung/spme.hpp"
#include "matter/structure/structure.hpp"
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

/// The least processor time of a few calls, seconds of all threads together.
template <class Work>
double processorSeconds(Work work) {
  double best = 1e9;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
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
  // A step of molecular dynamics: with all checks of cell and places.
  ChargeSumOptions options{false,
                           {Assignment::Spread, 1e-3, 4, MeshSize{mesh, mesh, mesh}, 0.3 * kBohr, 9 / kBohr,
                            ChargePrecision::Mixed},
                           NetCharge::Refused,
                           threads};
  ChargeSums moving(cell.charges, options);
  std::printf("charges that move, mixed precision: of all processors %.4f s\n",
              processorSeconds([&] { moving.compute(cell.vectors, cell.positions); }));
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

/// Seconds of the assignments of ions to a mesh of floats or doubles, and of the whole sum by `spread`.
template <class Real>
void seriesRow(const ChargedCell& cell, int points, int threads) {
  const MeshSize n{points, points, points};
  constexpr double kBeta = 0.3 * kBohr;
  constexpr ChargePrecision kPrecision =
      std::is_same_v<Real, float> ? ChargePrecision::Mixed : ChargePrecision::Double;
  MeshPositions u = points * cell.fractional();
  for (double& x : u.reshaped()) x = x >= points ? 0 : x;
  std::vector<Real> mesh(meshPoints(n));
  std::printf("%ld,%d,%s", static_cast<long>(cell.sites()), points, nameOf(kPrecision).c_str());
  for (const Assignment a : {Assignment::Spread, Assignment::Gather, Assignment::Filter})
    std::printf(",%.4f",
                processorSeconds([&] { SplineMesh(u, n, a, 4, threads).assign(cell.charges, mesh.data()); }));
  const double width = points / (std::sqrt(2.0) * kBeta * cell.vectors(0, 0));
  std::printf(",%.4f", processorSeconds([&] {
                assignGaussians(u, cell.charges, n, width, {0.4, 3, 7, 4}, threads, mesh.data());
              }));
  Spme spme(cell.vectors, {Assignment::Spread, 4, n, kBeta, 9 / kBohr, kPrecision}, threads);
  std::printf(",%.4f\n", processorSeconds([&] { spme.compute(cell); }));
  std::fflush(stdout);
}

/// The systems of the thesis, 1,728 to 1,191,016 ions, as CSV.
void series(int threads) {
  std::puts("ions,mesh,precision,spread,gather,filter,gaussian,sum");
  for (const auto& [cells, points] :
       {std::pair{6, 36}, {12, 72}, {18, 108}, {24, 144}, {30, 180}, {36, 216}, {42, 240}, {53, 320}}) {
    const ChargedCell cell = potassiumChloride(cells);
    seriesRow<double>(cell, points, threads);
    seriesRow<float>(cell, points, threads);
  }
}

/// Errors of sums over several configurations: root mean squares relative to those of the fields.
class FieldErrors {
 public:
  /// The frames of a file of K and Cl; without one, a crystal disordered by 0.3 angstrom.
  explicit FieldErrors(const std::string& path) {
    if (path.empty()) {
      cells_ = {potassiumChloride(6, 0.3)};
    } else {
      const auto frames = openFrames(path);
      while (const auto frame = frames->next())
        cells_.push_back(chargedStructure(*frame, parseChargeSource("K=1,Cl=-1")).cell);
    }
    for (const ChargedCell& cell : cells_) references_.push_back(directEwald(cell));
  }

  double edge() const { return cells_.front().vectors(0, 0) * kBohr; }

  /// Takes the sums of a cell.
  template <class Sums>
  double of(Sums sums) const {
    double wrong = 0, all = 0;
    for (std::size_t k = 0; k < cells_.size(); ++k) {
      wrong += (sums(cells_[k]).fields - references_[k].fields).squaredNorm();
      all += references_[k].fields.squaredNorm();
    }
    return std::sqrt(wrong / all);
  }

 private:
  std::vector<ChargedCell> cells_;
  std::vector<Electrostatics> references_;
};

/// The Gaussian filter of the thesis beside our assignments, as CSV: errors of the fields, of ions of one
/// charge also those of the forces.
void compareGaussians(const std::string& path) {
  const FieldErrors errors(path);
  constexpr double kCutoff = 16 / kBohr;
  std::puts("method,mesh,beta,narrow,passes,force_error");
  for (const double spacing : {1.05, 0.79, 0.525}) {  // angstrom: 36, 48, 72 points for 1,728 ions
    const int mesh = fastMeshSize(static_cast<int>(std::lround(errors.edge() / spacing)));
    const auto row = [&](const std::string& name, double beta, double narrow, int passes, double error) {
      std::printf("%s,%d,%g,%g,%d,%.3e\n", name.c_str(), mesh, beta, narrow, passes, error);
      std::fflush(stdout);
    };
    for (const double beta : {0.2, 0.3, 0.4}) {
      for (const double narrow : {0.3, 0.4, 0.5, 0.6}) {
        for (const int passes : {2, 3, 5, 9})
          row("gaussian", beta, narrow, passes, errors.of([&](const ChargedCell& cell) {
            return gaussianFilterSums(cell, mesh, beta * kBohr, kCutoff, {narrow, passes, 7, 4});
          }));
      }
      for (const auto& [a, order] :
           {std::pair{Assignment::Spread, 4}, {Assignment::Filter, 4}, {Assignment::Filter, 8}})
        row(nameOf(a) + std::to_string(order), beta, 0, 0,
            errors.of([&, a = a, order = order](const ChargedCell& cell) {
              return spme(cell, {a, order, {mesh, mesh, mesh}, beta * kBohr, kCutoff}, NetCharge::Refused, 2);
            }));
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
  } else if (what == "series" && argc == 3) {
    series(std::stoi(argv[2]));
  } else if (what == "gaussian") {
    compareGaussians(argc > 2 ? argv[2] : "");
  } else {
    std::puts(
        "usage: prophet_mesh_benchmark nufft POINTS N TOLERANCE THREADS | spme CELLS MESH THREADS | "
        "series THREADS | errors | gaussian [FRAMES]");
    return 2;
  }
}
