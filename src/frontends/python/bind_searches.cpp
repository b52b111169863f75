#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "atoms/service/energy_service.hpp"
#include "bases/optimise/bsopt.hpp"
#include "core/common/error.hpp"
#include "frontends/python/bindings.hpp"
#include "frontends/python/foreground.hpp"
#include "operations/sets/search.hpp"

namespace prophet::python {
namespace {

int threadsOrAll(int threads) {
  ComputeSettings settings;
  settings.threads = threads;
  return settings.threadsOrAll();
}

MinimiserOptions minimiserOf(const OptimiserOptions& o, const Checkpoint& checkpoint) {
  MinimiserOptions m;
  m.method = prophet::minimiserOf(o.method);
  m.rhoBegin = o.rhoBegin;
  m.rhoEnd = o.rhoEnd;
  m.maxEvaluations = o.maxEvaluations;
  m.checkpoint = checkpoint;
  return m;
}

nb::dict bsoptDict(const BsoptManyResult& all) {
  const BsoptResult& r = all.starts[all.best].result;
  nb::dict d;
  d["ladder"] = ladderDict(r.spec);
  d["start_energy"] = r.startEnergy;
  d["energy"] = r.energy;
  d["evaluations"] = r.evaluations;
  d["failures"] = r.failures;
  d["stopped"] = describe(r.reason);
  d["best_start"] = all.best;
  d["seconds"] = all.seconds;
  return d;
}

nb::dict gradientDict(const SearchSpace& space, const ExponentSearchResult& r, const BasisSet& given,
                      const std::string& stopped) {
  nb::dict d;
  if (space.ladders) {
    d["ladder"] = ladderDict(space.ladders->spec(r.variables));
  } else {
    nb::list exponents;
    for (const SymmetryBasis& s : space.found(r, given).symmetries) exponents.append(nb::cast(s.exponents));
    d["exponents"] = exponents;
  }
  d["start_energy"] = r.startEnergy;
  d["energy"] = r.energy;
  d["evaluations"] = r.evaluations;
  d["failures"] = r.failures;
  d["stopped"] = stopped;
  d["seconds"] = r.seconds;
  return d;
}

/// By gradients: one thread, and nothing to go on from.
nb::dict optimiseByGradient(const Job& job, const std::string& stateFile, const nb::object& progress) {
  if (!stateFile.empty())
    throw Error("state: a search by gradients (method) keeps no state from which it could continue; omit it");
  const SearchSpace space = searchSpaceOf(job.resolved);
  ExponentSearchOptions options = searchOptionsOf(job.resolved);
  ExponentSearchResult result;
  Foreground foreground;
  foreground.run([&](Foreground& f) {
    options.checkpoint = f.checkpoint();
    double best = INFINITY;
    result = searchExponents(job.resolved.calculation.problem, space.variables(), options,
                             [&](const ExponentSearchStep& s) {
                               const bool improved = s.ok && s.energy < best;
                               if (improved) best = s.energy;
                               if (progress.is_none()) return;
                               f.post([&progress, n = s.evaluation, energy = s.energy, ok = s.ok, improved] {
                                 progress(0, n, ok ? nb::cast(energy) : nb::none(), improved);
                               });
                             });
  });
  return gradientDict(space, result, job.resolved.calculation.inBasis().basis, stoppedText(result, options));
}

nb::dict optimise(const Job& job, int threads, const std::string& stateFile, bool resume,
                  const nb::object& progress) {
  const prophet::Job& input = job.resolved.job;
  if (input.type != JobType::BasisOptimisation) throw Error("jobtype: optimise() needs 'bsopt'");
  if (usesGradient(prophet::minimiserOf(input.optimiser.method)))
    return optimiseByGradient(job, stateFile, progress);
  const BsoptTask task{job.resolved.calculation.problem, input.wellTempered, input.scf, ""};
  BsoptManyResult all;
  Foreground foreground;
  foreground.run([&](Foreground& f) {
    BsoptOptions options;
    options.minimiser = minimiserOf(input.optimiser, f.checkpoint());
    options.stateFile = stateFile;
    options.resume = resume;
    const BsoptManyObserver observer = [&](std::size_t start, const BsoptStep& s) {
      if (progress.is_none()) return;
      f.post([&progress, start, n = s.evaluation, energy = s.energy, ok = s.ok, improved = s.improved] {
        progress(start, n, ok ? nb::cast(energy) : nb::none(), improved);
      });
    };
    HostEnergyService service(threadsOrAll(threads));
    const int starts = input.optimiser.starts;
    if (starts > 1) {
      all = runBsoptMany(task, scatteredStarts(task.spec, starts, input.optimiser.spread), options, service,
                         observer);
      return;
    }
    if (!stateFile.empty()) refuseOtherStarts(stateFile, 1);
    const auto single = [&](const BsoptStep& s) { observer(0, s); };
    all.starts.push_back({runBsopt(task, options, service, single), ""});
    all.seconds = all.starts.front().result.seconds;
  });
  return bsoptDict(all);
}

nb::dict chainDict(const ChainResult& r, double threshold) {
  nb::dict d;
  d["ladder"] = ladderDict(r.spec);
  d["met"] = r.met;
  d["threshold"] = threshold;
  d["energy"] = r.energy;
  d["limit"] = r.limit;
  d["error"] = r.error;
  d["optimisations"] = r.fits;
  d["evaluations"] = r.evaluations;
  d["scf_runs"] = r.scfRuns;
  d["seconds"] = r.seconds;
  return d;
}

nb::dict chain(const Job& job, int threads, const std::string& stateFile, bool resume,
               const nb::object& progress) {
  const prophet::Job& input = job.resolved.job;
  if (input.type != JobType::Chain) throw Error("jobtype: chain() needs 'chain'");
  ChainResult result;
  Foreground foreground;
  foreground.run([&](Foreground& f) {
    const ChainLog log = [&](const std::string& line) {
      if (!progress.is_none()) f.post([&progress, line] { progress(line); });
    };
    HostEnergyService service(threadsOrAll(threads));
    const ChainRun run{threadsOrAll(threads), stateFile, "", resume, f.checkpoint()};
    result = searchChain(job.resolved, run, service, log);
  });
  return chainDict(result, input.chain.threshold);
}

}  // namespace

void bindSearches(nb::module_& m) {
  m.def("optimise", &optimise, nb::arg("job"), nb::arg("threads"), nb::arg("state_file"), nb::arg("resume"),
        nb::arg("progress").none(),
        "A job of type 'bsopt'; progress(start, evaluation, energy or None, improved).");
  m.def("chain", &chain, nb::arg("job"), nb::arg("threads"), nb::arg("state_file"), nb::arg("resume"),
        nb::arg("progress").none(), "A job of type 'chain'; progress(line).");
}

}  // namespace prophet::python
