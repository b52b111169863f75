#include "cudaprophet/optimise.hpp"

#include <cmath>

#include "frontends/api/convert.hpp"

namespace cudaprophet {

Optimised optimise(const Atom& atom, const Ladder& start, const OptimiserSettings& how,
                   const Settings& settings) {
  return translated([&] {
    const prophet::WellTemperedSpec spec = specOf(start);
    std::vector<double> parameters;
    for (const auto& g : spec.groups)
      parameters.insert(parameters.end(), {g.alpha, g.beta, g.delta, g.gamma});
    prophet::Json values = valuesOf(atom, settings);
    values["basis"] = {{"bastype", "wtbs"},
                       {"ngroup", spec.groups.size()},
                       {"wtbspara", parameters},
                       {"nbs", spec.functions},
                       {"start", spec.start},
                       {"groups", spec.group},
                       {"pool", start.shared ? "shared" : "symmetry"}};
    const OptimiserSettings usual;
    values["method"] = how.method;
    values["maxfun"] = how.maxEvaluations;
    if (how.firstStep != usual.firstStep) values["rhobeg"] = how.firstStep;
    if (how.lastStep != usual.lastStep) values["rhoend"] = how.lastStep;
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
    const prophet::Record record = recordOf("bsopt",
                                            std::make_shared<prophet::ResolvedJob>(prophet::resolve(jobOf(
                                                prophet::JobType::BasisOptimisation, values, settings))),
                                            options, execution);
    return Optimised{ladderOf(record.results.front()->job.job.wellTempered),
                     record.find("start_energy")->value, record.find("energy")->value,
                     record.find("evaluations")->value, record.find("stopped")->value};
  });
}

}  // namespace cudaprophet
