#include "atoms/calculation/methods.hpp"
#include "atoms/limit/wavefunction.hpp"
#include "atoms/qed/qed.hpp"
#include "core/common/stopwatch.hpp"

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

Result computeLimit(const AtomProblem& problem, const LimitMethod& method, const Resources& resources) {
  const Stopwatch watch;
  const Hamiltonian& h = problem.hamiltonian;
  LimitOptions options;
  options.speedOfLight = h.speedOfLight;
  options.oneElectron = h.oneElectron;
  options.maxIterations = method.maxIterations;
  options.threads = resources.threads;
  options.checkpoint = resources.checkpoint;
  options.observer = resources.limitObserver;
  options.twoElectronOperator = h.repulsion;
  options.breitSelfConsistent = h.breitTreatment == Treatment::SelfConsistent;
  options.extra = qedOperators(problem.nucleus, h.speedOfLight, h.qed);
  options.extraSelfConsistent = h.qedTreatment == Treatment::SelfConsistent;
  options.shell = h.shell;
  const LimitResult limit = numericalLimit(problem.nucleus, problem.configuration, options);

  Result result;
  result.status = Status::Converged;
  if (!limit.converged)
    markNotConverged(result, "the numerical limit did not converge in " +
                                 std::to_string(method.maxIterations) + " iterations");
  result.energy = limit.parts;
  result.virialRatio = limit.virialRatio;
  result.spinors = spinorsOf(limit);
  result.wavefunction = limit.wavefunction;
  result.limit = LimitDetails{limit.estimatedError, limit.resolutions};
  if (!limit.resolutions.empty()) result.iterations = limit.resolutions.back().iterations;
  if (!limit.remark.empty()) result.warnings.push_back({"limit_other_start", limit.remark});
  warnOfNucleus(problem, result);
  judgeBinding(result);
  result.provenance.method = "limit";
  result.provenance.threads = resources.threads;
  result.timings = {{"total", watch.seconds()}};
  return result;
}

}  // namespace prophet
