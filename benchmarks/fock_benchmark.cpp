#include <benchmark/benchmark.h>

#include "atoms.hpp"
#include "atoms/gradient/energy_gradient.hpp"

namespace prophet::benchmarks {
namespace {

/// Converged orbitals of an atom, as input of one Fock build.
struct Converged {
  explicit Converged(int z) : atom(libraryAtom(z)), pool(2) {
    GridFockBuilder builder(atom.basis, fockGrid(atom.basis), pool);
    const ScfResult result = run(atom, builder, pool);
    spinors = occupiedSpinors(result);
    reduction = atom.configuration.openReduction();
  }
  Atom atom;
  ThreadPool pool;
  std::vector<OccupiedSpinors> spinors;
  Eigen::MatrixXd reduction;
};

void FockGrid(benchmark::State& state) {
  const Converged c(static_cast<int>(state.range(0)));
  ThreadPool pool(static_cast<int>(state.range(1)));
  GridFockBuilder builder(c.atom.basis, fockGrid(c.atom.basis), pool);
  std::vector<BlockMatrix> p, q;
  for (auto _ : state) builder.build(c.spinors, c.reduction, p, q);
  state.SetLabel(symbolOf(static_cast<int>(state.range(0))));
}

void EnergyGradient(benchmark::State& state) {
  const Atom atom = libraryAtom(static_cast<int>(state.range(0)));
  ThreadPool pool(static_cast<int>(state.range(1)));
  GridFockBuilder builder(atom.basis, fockGrid(atom.basis), pool);
  const ScfResult scf = run(atom, builder, pool);
  const ScfProblem problem{atom.basis, atom.nucleus, atom.configuration, constants::kSpeedOfLight};
  for (auto _ : state) benchmark::DoNotOptimize(energyGradient(problem, scf, builder));
  state.SetLabel(symbolOf(static_cast<int>(state.range(0))));
}

void FockStored(benchmark::State& state) {
  const Converged c(static_cast<int>(state.range(0)));
  StoredFockBuilder builder(c.atom.basis, static_cast<int>(state.range(1)));
  std::vector<BlockMatrix> p, q;
  for (auto _ : state) builder.build(c.spinors, c.reduction, p, q);
  state.SetLabel(symbolOf(static_cast<int>(state.range(0))));
}

void StoredIntegrals(benchmark::State& state) {
  const Atom atom = libraryAtom(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const StoredFockBuilder builder(atom.basis, static_cast<int>(state.range(1)));
    benchmark::DoNotOptimize(&builder);
  }
  state.SetLabel(symbolOf(static_cast<int>(state.range(0))));
}

// Element, threads.
BENCHMARK(FockGrid)
    ->Args({10, 1})
    ->Args({54, 1})
    ->Args({86, 1})
    ->Args({86, 2})
    ->Args({92, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(EnergyGradient)
    ->Args({10, 1})
    ->Args({54, 1})
    ->Args({86, 1})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(FockStored)
    ->Args({10, 1})
    ->Args({54, 1})
    ->Args({86, 1})
    ->Args({86, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(StoredIntegrals)
    ->Args({10, 1})
    ->Args({54, 2})
    ->Args({86, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace prophet::benchmarks
