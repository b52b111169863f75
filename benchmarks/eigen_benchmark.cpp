#include <benchmark/benchmark.h>

#include "core/linalg/eigen_solver.hpp"

namespace prophet::benchmarks {
namespace {

/// The occupied sixth of the upper half of a spectrum, as one SCF iteration of one symmetry needs it.
void EigenOccupied(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  Eigen::MatrixXd m = Eigen::MatrixXd::Random(n, n);
  m += m.transpose().eval();
  EigenSolver solver;
  Eigen::VectorXd values;
  Eigen::MatrixXd copy, vectors;
  for (auto _ : state) {
    copy = m;
    solver.solve(copy, n / 2, n / 12 + 1, values, vectors);
  }
}

BENCHMARK(EigenOccupied)
    ->Arg(28)
    ->Arg(42)
    ->Arg(54)
    ->Arg(64)
    ->Arg(90)
    ->Arg(180)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace prophet::benchmarks
