#include "cudaprophet/optimise.hpp"

#include <cmath>

#include "frontends/api/convert.hpp"

namespace cudaprophet {

Optimised optimise(const Atom& atom, const Ladder& start, const OptimiserSettings& how,
                   const Settings& settings) {
  return translated([&] {
    const BasisSet basis = basisFromLadder(start);
    prophet::Job job = jobOf(atom, &basis, false, settings);
    job.type = prophet::JobType::BasisOptimisation;
    job.basisType = prophet::BasisType::WellTempered;
    job.wellTempered = specOf(start);
    job.optimiser.method = how.method;
    job.optimiser.rhoBegin = how.firstStep;
    job.optimiser.rhoEnd = how.lastStep;
    job.optimiser.maxEvaluations = how.maxEvaluations;
    prophet::Execution execution = executionOf(settings.device, settings);
    double best = 0;
    if (how.progress)
      execution.progress = [&](const prophet::Progress& p) {
        if (!p.evaluation) return;
        const double energy = p.evaluation->energy.value_or(std::nan(""));
        if (p.evaluation->improved) best = energy;
        how.progress(p.evaluation->number, energy, best);
      };
    prophet::Json options{{"resume", how.resume}};
    if (!how.state.empty()) options["state"] = how.state;
    const prophet::Record record =
        recordOf("bsopt", std::make_shared<prophet::ResolvedJob>(prophet::resolve(job)), options, execution);
    return Optimised{ladderOf(record.results.front()->job.job.wellTempered),
                     record.find("start_energy")->value, record.find("energy")->value,
                     record.find("evaluations")->value, record.find("stopped")->value};
  });
}

}  // namespace cudaprophet
