#include "calculation/limit_run.hpp"

namespace prophet {

LimitResult runLimit(const Calculation& calculation, int threads) {
  LimitOptions options;
  options.speedOfLight = calculation.job.speedOfLight;
  options.maxIterations = calculation.job.scf.maxIterations;
  options.threads = threads;
  options.operation = calculation.job.beyondCoulomb.operation;
  options.breitSelfConsistent = calculation.job.beyondCoulomb.breitSelfConsistent;
  options.extra = qedOperators(calculation.nucleus, options.speedOfLight, calculation.job.beyondCoulomb.qed);
  options.extraSelfConsistent = calculation.job.beyondCoulomb.qedSelfConsistent;
  return numericalLimit(calculation.nucleus, calculation.configuration, options);
}

std::vector<EnergyCorrection> limitCorrections(const Calculation& calculation, const LimitResult& result) {
  const BeyondCoulomb& beyond = calculation.job.beyondCoulomb;
  const LimitEnergyParts& parts = result.parts;
  std::vector<EnergyCorrection> list;
  if (beyond.breit())
    list.push_back({CorrectionKind::Breit, "Gaunt", parts.gaunt, beyond.breitSelfConsistent});
  if (beyond.operation == TwoElectronOperator::CoulombBreit)
    list.push_back({CorrectionKind::Breit, "Breit gauge", parts.gauge, beyond.breitSelfConsistent});
  for (std::size_t i = 0; i < parts.extra.size(); ++i)
    list.push_back({CorrectionKind::Qed, parts.extraNames.at(i), parts.extra[i], beyond.qedSelfConsistent});
  return list;
}

}  // namespace prophet
