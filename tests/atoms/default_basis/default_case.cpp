#include "default_case.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/fock/grid_builder.hpp"
#include "atoms/limit/limit.hpp"

namespace prophet::test {

BasisCase computeIn(const BasisSet& basis, const AtomProblem& problem, const StartSpinors* start,
                    Estimate estimate) {
  ThreadPool alone(1);
  GridFockBuilder builder(basis, fockGrid(basis), alone);
  const ScfProblem scf{
      basis, problem.nucleus, problem.configuration,          problem.hamiltonian.speedOfLight,
      {},    start,           problem.hamiltonian.oneElectron};
  BasisCase result{basis, runScf(scf, builder, {}, alone), {}};
  if (result.scf.converged && estimate == Estimate::Yes)
    result.estimate = estimateBasisError(basis, problem, result.scf, alone);
  return result;
}

BasisCase computeIn(const BasisSet& basis, const Nucleus& nucleus, const Configuration& configuration,
                    const StartSpinors* start, double c) {
  Hamiltonian hamiltonian;
  hamiltonian.speedOfLight = c;
  return computeIn(basis, {nucleus, configuration, hamiltonian}, start);
}

void expectGoodDefault(const Nucleus& nucleus, const std::string& text, double limit,
                       OneElectronOperator kind) {
  SCOPED_TRACE(text + ", " + nucleus.description());
  AtomProblem problem{nucleus, parseConfiguration(text), {}};
  problem.hamiltonian.oneElectron = kind;
  const bool twoComponents = kind == OneElectronOperator::X2c || kind == OneElectronOperator::SpinFreeX2c;
  if (std::isnan(limit) && !twoComponents) {
    LimitOptions options;
    options.threads = 1;
    options.oneElectron = kind;
    limit = numericalLimit(nucleus, problem.configuration, options).energy;
  }
  const DefaultBasis choice = chooseBasis(problem);
  const BasisCase result = computeIn(choice.basis, problem, choice.start ? &*choice.start : nullptr);
  ASSERT_TRUE(result.scf.converged);
  if (std::isnan(limit)) {
    const StartSpinors start = startSpinors(choice.basis, result.scf);
    const BasisCase reference =
        computeIn(errorReference(choice.basis, problem, result.scf), problem, &start, Estimate::No);
    ASSERT_TRUE(reference.scf.converged);
    limit = reference.scf.energy.total;
  }
  const double tolerance = std::max(5e-9 * std::abs(limit), 1e-6);
  const double error = result.scf.energy.total - limit, estimate = result.estimate.total();
  EXPECT_LT(std::abs(error), tolerance) << choice.reason;
  if (choice.knownError) {
    EXPECT_NEAR(*choice.knownError, error, 0.02 * tolerance);
  }
  // Below a twentieth of what is promised, the two only have to agree that there is no error to speak of.
  const double floor = std::max(0.05 * tolerance, result.estimate.resolution);
  EXPECT_LT(std::abs(estimate), 3 * std::abs(error) + floor);
  EXPECT_LT(std::abs(error), 3 * std::abs(estimate) + floor);
}

}  // namespace prophet::test
