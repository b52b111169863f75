#include "cudaprophet/optimise.hpp"

#include "atoms/service/energy_service.hpp"
#include "bases/optimise/bsopt.hpp"
#include "core/common/error.hpp"
#include "frontends/api/convert.hpp"

namespace cudaprophet {

Optimised optimise(const Atom& atom, const Ladder& start, const OptimiserSettings& how,
                   const Settings& settings) {
  return translated([&] {
    const BasisSet basis = basisFromLadder(start);
    const prophet::ResolvedJob job = resolved(atom, &basis, false, settings);
    const prophet::BsoptTask task{job.calculation.problem, specOf(start), job.calculation.inBasis().scf, ""};
    prophet::BsoptOptions options;
    options.minimiser.method = prophet::minimiserOf(how.method);
    if (prophet::usesGradient(options.minimiser.method))
      throw prophet::Error("OptimiserSettings::method: '" + how.method +
                           "' needs gradients, which this function has none of; expected 'newuoa', 'bobyqa', "
                           "'nelder-mead' or 'sbplx'");
    options.minimiser.rhoBegin = how.firstStep;
    options.minimiser.rhoEnd = how.lastStep;
    options.minimiser.maxEvaluations = how.maxEvaluations;
    prophet::HostEnergyService service(1);
    double best = 0;
    const prophet::BsoptResult r =
        prophet::runBsopt(task, options, service, [&](const prophet::BsoptStep& step) {
          if (step.improved) best = step.energy;
          if (how.progress) how.progress(step.evaluation, step.energy, best);
        });
    return Optimised{ladderOf(r.spec), r.startEnergy, r.energy, r.evaluations, prophet::describe(r.reason)};
  });
}

}  // namespace cudaprophet
