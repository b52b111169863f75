#include "operations/sets/search.hpp"

#include "bases/collections/thesis_chain.hpp"
#include "core/common/error.hpp"

namespace prophet {

BasisSet SearchSpace::found(const ExponentSearchResult& result, const BasisSet& given) const {
  BasisSet basis = result.basis;
  for (std::size_t a = basis.symmetries.size(); a < given.symmetries.size(); ++a)
    basis.symmetries.push_back(given.symmetries[a]);
  return basis;
}

SearchSpace searchSpaceOf(const ResolvedJob& c) {
  const OptimiserOptions& o = c.job.optimiser;
  SearchSpace space;
  if (!o.freeExponents) {
    space.ladders = std::make_unique<LadderVariables>(c.job.wellTempered);
    return space;
  }
  const int symmetries = c.calculation.problem.configuration.occupiedSymmetries();
  space.lists = std::make_unique<ListVariables>(
      shareExponents(c.calculation.inBasis().basis, symmetries, sharingOf(o.shared)),
      RatioBounds{o.leastRatio, o.mostRatio});
  return space;
}

ExponentSearchOptions searchOptionsOf(const ResolvedJob& c) {
  const OptimiserOptions& o = c.job.optimiser;
  ExponentSearchOptions options;
  options.method = minimiserOf(o.method);
  options.tolerance = o.gradient;
  options.maxEvaluations = o.maxEvaluations;
  options.prolapse = o.prolapse > 0.0 ? std::optional<double>(o.prolapse) : std::nullopt;
  options.maxIterations = c.job.scf.maxIterations;
  if (options.prolapse && !c.calculation.problem.configuration.isAufbau()) {
    throw Error(
        "the prolapse of holes and excited states cannot be measured: write prolapse=0 in $newuoa to "
        "optimise without a bound");
  }
  return options;
}

void keepSet(const ResolvedJob& job, const WellTemperedSpec* ladders, const BasisSet& basis, Record& record) {
  const auto found = std::make_shared<JobResult>(JobResult{job, {}});
  Job& its = found->job.job;
  if (ladders) {
    its.basisType = BasisType::WellTempered;
    its.wellTempered = *ladders;
  } else {
    its.basisType = BasisType::ReadIn;
    its.readInExponents.clear();
    for (const SymmetryBasis& s : basis.symmetries) its.readInExponents.push_back(s.exponents);
  }
  record.results = {found};
}

std::string stoppedText(const ExponentSearchResult& r, const ExponentSearchOptions& options) {
  if (r.converged) return "converged";
  if (r.evaluations >= options.maxEvaluations) return describe(StopReason::MaxEvaluations);
  return describe(StopReason::Rounding);
}

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
