#include <benchmark/benchmark.h>

#include "atoms.hpp"
#include "atoms/service/energy_service.hpp"
#include "bases/optimise/bsopt.hpp"

namespace prophet::benchmarks {
namespace {

/// Element, warm starts (1) or cold ones (0): an optimisation of the library set's parameters to rhoend 1e-9,
/// 300 energies at most, on one thread.
void Bsopt(benchmark::State& state) {
  const int z = static_cast<int>(state.range(0));
  const Atom atom = libraryAtom(z);
  BsoptTask task;
  task.problem.nucleus = atom.nucleus;
  task.problem.configuration = atom.configuration;
  task.spec = readLibraryEntry(z, "wtbs-2.1-by-symmetry")->spec;
  BsoptOptions options;
  options.minimiser.rhoEnd = 1e-9;
  options.minimiser.maxEvaluations = 300;
  options.warmStarts = state.range(1) == 1;
  HostEnergyService service(1);
  BsoptResult result;
  for (auto _ : state) result = runBsopt(task, options, service);
  state.counters["energies"] = result.evaluations;
  state.counters["ms_each"] = 1e3 * result.seconds / result.evaluations;
  state.counters["scf_each"] = static_cast<double>(result.scfIterations) / result.evaluations;
  state.SetLabel(symbolOf(z) + (options.warmStarts ? ", warm starts" : ", cold starts"));
}

BENCHMARK(Bsopt)
    ->Args({10, 0})
    ->Args({10, 1})
    ->Args({86, 0})
    ->Args({86, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace prophet::benchmarks
