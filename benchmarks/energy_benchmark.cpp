#include <benchmark/benchmark.h>

#include "atoms.hpp"

namespace prophet::benchmarks {
namespace {

void runGridEnergy(benchmark::State& state, const Atom& atom, int threads) {
  ThreadPool pool(threads);
  std::size_t iterations = 0;
  for (auto _ : state) {
    GridFockBuilder builder(atom.basis, fockGrid(atom.basis), pool);
    const ScfResult result = run(atom, builder, pool);
    if (!result.converged) state.SkipWithError("not converged");
    iterations = result.iterations.size();
  }
  state.counters["scf"] = static_cast<double>(iterations);
}

/// Element, threads: from basis set to converged energy.
void EnergyGrid(benchmark::State& state) {
  runGridEnergy(state, libraryAtom(static_cast<int>(state.range(0))), static_cast<int>(state.range(1)));
  state.SetLabel(symbolOf(static_cast<int>(state.range(0))));
}

void EnergyStored(benchmark::State& state) {
  const Atom atom = libraryAtom(static_cast<int>(state.range(0)));
  const int threads = static_cast<int>(state.range(1));
  ThreadPool pool(threads);
  for (auto _ : state) {
    StoredFockBuilder builder(atom.basis, threads);
    benchmark::DoNotOptimize(run(atom, builder, pool).energy.total);
  }
  state.SetLabel(symbolOf(static_cast<int>(state.range(0))));
}

/// Functions in each of seven symmetries, one thread: the series of Hennessey (2018) and beyond.
void ThesisSeries(benchmark::State& state) {
  runGridEnergy(state, thesisAtom(static_cast<int>(state.range(0))), 1);
}

/// All atoms of the library, one after the other.
void AllLibraryAtoms(benchmark::State& state) {
  std::vector<Atom> atoms;
  for (const int z : libraryElements("wtbs-2.1-by-symmetry")) atoms.push_back(libraryAtom(z));
  ThreadPool pool(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    for (const Atom& atom : atoms) {
      GridFockBuilder builder(atom.basis, fockGrid(atom.basis), pool);
      if (!run(atom, builder, pool).converged) state.SkipWithError("not converged");
    }
  }
}

BENCHMARK(EnergyGrid)
    ->Args({2, 1})
    ->Args({10, 1})
    ->Args({54, 1})
    ->Args({86, 1})
    ->Args({86, 2})
    ->Args({92, 2})
    ->Args({118, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(EnergyStored)
    ->Args({10, 1})
    ->Args({54, 2})
    ->Args({86, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(ThesisSeries)
    ->Arg(10)
    ->Arg(15)
    ->Arg(20)
    ->Arg(25)
    ->Arg(30)
    ->Arg(35)
    ->Arg(40)
    ->Arg(45)
    ->Arg(60)
    ->Arg(75)
    ->Arg(90)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(AllLibraryAtoms)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace prophet::benchmarks
