#include "operations/sets/chain_search.hpp"

#include "bases/collections/thesis_chain.hpp"

namespace prophet {

ChainResult searchChain(const ResolvedJob& c, const ChainRun& run, EnergyService& service,
                        const ChainLog& log) {
  const ChainTask task{c.calculation.problem, c.job.chain.limit, run.threads, run.checkpoint};
  const auto placed = [&](auto& options) {
    options.threshold = c.job.chain.threshold;
    options.stateFile = run.stateFile;
    options.resume = run.resume;
  };
  if (c.job.chain.method == ChainMethod::Ladders) {
    ChainOptions options;
    placed(options);
    options.fit.checkpoint = run.checkpoint;
    options.sideBySide = run.threads;
    return runChain(task, options, service, log);
  }
  const OptimiserOptions& o = c.job.optimiser;
  ThesisChainOptions options;
  placed(options);
  options.probes = c.job.chain.probes;
  if (c.job.basisType == BasisType::WellTempered) options.start = c.job.wellTempered;
  options.minimiser = {minimiserOf(o.method), o.rhoBegin, o.rhoEnd, o.maxEvaluations, {}, run.checkpoint};
  options.bestFile = run.bestFile;
  return runThesisChain(task, options, service, log);
}

}  // namespace prophet
