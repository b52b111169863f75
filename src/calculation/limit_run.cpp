#include "calculation/limit_run.hpp"

namespace prophet {

LimitResult runLimit(const Calculation& calculation, int threads) {
  LimitOptions options;
  options.speedOfLight = calculation.job.speedOfLight;
  options.maxIterations = calculation.job.scf.maxIterations;
  options.threads = threads;
  options.twoElectronOperator = calculation.job.beyondCoulomb.operation;
  options.breitSelfConsistent = calculation.job.beyondCoulomb.breitSelfConsistent;
  options.extra = qedOperators(calculation.nucleus, options.speedOfLight, calculation.job.beyondCoulomb.qed);
  options.extraSelfConsistent = calculation.job.beyondCoulomb.qedSelfConsistent;
  return numericalLimit(calculation.nucleus, calculation.configuration, options);
}

std::vector<EnergyCorrection> limitCorrections(const Calculation& calculation, const LimitResult& result) {
  const BeyondCoulomb& beyond = calculation.job.beyondCoulomb;
  const LimitEnergyParts& parts = result.parts;
  std::vector<EnergyCorrection> list =
      breitCorrections(beyond.operation, {parts.gaunt, parts.gauge}, beyond.breitSelfConsistent);
  for (std::size_t i = 0; i < parts.extra.size(); ++i)
    list.push_back({CorrectionKind::Qed, parts.extraNames.at(i), parts.extra[i], beyond.qedSelfConsistent});
  return list;
}

}  // namespace prophet
