#include "calculation/limit_run.hpp"

namespace prophet {

LimitResult runLimit(const Calculation& calculation, int threads) {
  LimitOptions options;
  options.speedOfLight = calculation.job.speedOfLight;
  options.maxIterations = calculation.job.scf.maxIterations;
  options.threads = threads;
  options.operation = calculation.job.beyondCoulomb.operation;
  options.breitSelfConsistent = calculation.job.beyondCoulomb.breitSelfConsistent;
  return numericalLimit(calculation.nucleus, calculation.configuration, options);
}

}  // namespace prophet
