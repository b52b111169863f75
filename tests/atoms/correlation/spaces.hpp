#pragma once
#include <string>

#include "atoms/calculation/compute.hpp"
#include "atoms/correlation/orbital_space.hpp"
#include "core/common/error.hpp"

namespace prophet {

/// The speed of light of mp2_in_dyall_sets.csv.
inline constexpr double kReferenceLightSpeed = 137.03599967994;

/// A point nucleus with the electrons of a configuration.
inline AtomProblem atomOf(double z, const std::string& configuration, OneElectronOperator hamiltonian) {
  AtomProblem problem;
  problem.nucleus.charge = z;
  problem.configuration = parseConfiguration(configuration);
  problem.hamiltonian.speedOfLight = kReferenceLightSpeed;
  problem.hamiltonian.oneElectron = hamiltonian;
  return problem;
}

/// Its field in a basis set, converged as second order needs it.
inline Result fieldIn(const BasisSet& basis, const AtomProblem& problem) {
  ScfOptions scf;
  scf.maxIterations = 200;
  scf.thresholdLL = 1e-10;
  scf.thresholdSL = 1e-12;
  scf.thresholdSS = 1e-13;
  Calculation calculation = calculationIn(basis, problem, scf);
  calculation.inBasis().keepSpinors = true;
  Result result = compute(calculation);
  if (!result.wavefunction) throw Error("the field of a test did not converge: " + result.reason);
  return result;
}

inline OrbitalSpace spaceIn(const BasisSet& basis, const AtomProblem& problem, ThreadPool& pool) {
  return OrbitalSpace::inBasis(problem, basis, ScfOptions().dependencyThreshold, fieldIn(basis, problem),
                               basis.largestL(), pool);
}

inline OrbitalSpace splineSpace(const AtomProblem& problem, double density, int largestL, double radius,
                                ThreadPool& pool) {
  LimitMethod method;
  method.density = density;
  method.largestRadius = radius;
  method.residualThreshold = 1e-10;
  const Result field = compute({problem, method});
  const double z = problem.nucleus.charge;
  return OrbitalSpace::ofSplines(problem, field, largestL, 1000 * z * z, pool);
}

/// The same exponents for both j of s, p, d, ...
inline BasisSet sharedSet(const std::vector<std::vector<double>>& exponents) {
  BasisSet basis;
  for (std::size_t l = 0; l < exponents.size(); ++l)
    for (const int kappa : {static_cast<int>(l), -static_cast<int>(l) - 1})
      if (kappa != 0) basis.symmetries.push_back({Symmetry{kappa}, exponents[l]});
  return basis;
}

}  // namespace prophet
