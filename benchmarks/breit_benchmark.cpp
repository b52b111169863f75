#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <limits>

#include "atoms.hpp"
#include "atoms/breit/breit.hpp"
#include "atoms/calculation/compute.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet::benchmarks {
namespace {

/// Processor seconds of all threads.
template <class Work>
double secondsOf(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Runs both in turns, so that they see the same machine. Counters: the least processor time of each, and
/// their ratio.
template <class Energy>
void compare(benchmark::State& state, const Energy& energy) {
  double coulomb = std::numeric_limits<double>::infinity(), breit = coulomb;
  for (auto _ : state) {
    coulomb = std::min(coulomb, secondsOf([&] { energy(false); }));
    breit = std::min(breit, secondsOf([&] { energy(true); }));
  }
  state.counters["coulomb_ms"] = 1e3 * coulomb;
  state.counters["breit_ms"] = 1e3 * breit;
  state.counters["ratio"] = breit / coulomb;
  state.SetLabel(symbolOf(static_cast<int>(state.range(0))));
}

/// Element, threads: from basis set to converged energy, Coulomb and self-consistent Breit.
void BreitScf(benchmark::State& state) {
  const Atom atom = libraryAtom(static_cast<int>(state.range(0)));
  ThreadPool pool(static_cast<int>(state.range(1)));
  compare(state, [&](bool breit) {
    const auto repulsion = breit ? TwoElectronOperator::CoulombBreit : TwoElectronOperator::Coulomb;
    const auto builder = makeGridBuilder(atom.basis, fockGrid(atom.basis), repulsion, pool);
    if (!run(atom, *builder, pool).converged) state.SkipWithError("not converged");
  });
}

/// The same for whole jobs, which also split the Breit energy into its Gaunt and its gauge part.
void BreitJob(benchmark::State& state) {
  const auto job = [&](const std::string& control) {
    return resolve(
               parseJob(fmt::format(
                            "t\n$contrl {} $end $nuc znuc={} $end $bas library='wtbs-2.1-by-symmetry' $end",
                            control, state.range(0)),
                        "benchmark.inp"))
        .calculation;
  };
  const Calculation jobs[] = {job("breit='none'"), job("breit='breit' breitscf=t")};
  const Resources resources{static_cast<int>(state.range(1))};
  compare(state, [&](bool breit) {
    if (!compute(jobs[breit ? 1 : 0], resources).ok()) state.SkipWithError("not converged");
  });
}

BENCHMARK(BreitScf)
    ->Args({10, 1})
    ->Args({54, 1})
    ->Args({86, 1})
    ->Args({86, 2})
    ->UseRealTime()
    ->Iterations(30)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(BreitJob)->Args({10, 1})->Args({54, 1})->Args({86, 1})->UseRealTime()->Iterations(30)->Unit(
    benchmark::kMillisecond);

}  // namespace
}  // namespace prophet::benchmarks
