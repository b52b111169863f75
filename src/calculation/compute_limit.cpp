#include "calculation/methods.hpp"
#include "common/stopwatch.hpp"
#include "qed/qed.hpp"

namespace prophet {
namespace {

std::vector<Spinor> spinorsOf(const LimitResult& limit) {
  std::vector<Spinor> list;
  for (const LimitSpinor& s : limit.spinors) {
    Spinor& spinor = list.emplace_back();
    spinor.symmetry = Symmetry{s.kappa};
    spinor.n = s.n;
    spinor.occupation = s.occupation;
    spinor.energy = s.energy;
    spinor.bound = s.bound;
    spinor.meanRadius = s.meanRadius;
    spinor.meanSquareRadius = s.meanSquareRadius;
    spinor.meanInverseRadius = s.meanInverseRadius;
  }
  return list;
}

}  // namespace

Result computeLimit(const AtomProblem& problem, const LimitMethod& method, int threads) {
  const Stopwatch watch;
  const Hamiltonian& h = problem.hamiltonian;
  LimitOptions options;
  options.speedOfLight = h.speedOfLight;
  options.maxIterations = method.maxIterations;
  options.threads = threads;
  options.twoElectronOperator = h.repulsion;
  options.breitSelfConsistent = h.breitTreatment == Treatment::SelfConsistent;
  options.extra = qedOperators(problem.nucleus, h.speedOfLight, h.qed);
  options.extraSelfConsistent = h.qedTreatment == Treatment::SelfConsistent;
  const LimitResult limit = numericalLimit(problem.nucleus, problem.configuration, options);

  Result result;
  result.status = limit.converged ? Status::Converged : Status::NotConverged;
  if (!limit.converged)
    result.reason =
        "the numerical limit did not converge in " + std::to_string(method.maxIterations) + " iterations";
  result.energy = limit.parts;
  result.virialRatio = limit.virialRatio;
  result.spinors = spinorsOf(limit);
  result.limit = LimitDetails{limit.estimatedError, limit.resolutions};
  if (!limit.resolutions.empty()) result.iterations = limit.resolutions.back().iterations;
  judgeBinding(result);
  result.provenance.method = "limit";
  result.provenance.threads = threads;
  result.timings = {{"total", watch.seconds()}};
  return result;
}

}  // namespace prophet
