#pragma once
#include <vector>

#include "atoms/core_valence/valence_space.hpp"
#include "tests/atoms/correlation/spaces.hpp"

namespace prophet::test {

/// A closed core in a small set whose spinors outside of it are all valence spinors.
struct SmallCore {
  AtomProblem problem;
  OrbitalSpace orbitals;
  ValenceSpace space;

  SmallCore(double z, const char* core, const std::vector<std::vector<double>>& exponents, ThreadPool& pool,
            double lightSpeed = kReferenceLightSpeed)
      : problem(withLightSpeed(atomOf(z, core, OneElectronOperator::Dirac), lightSpeed)),
        orbitals(spaceIn(sharedSet(exponents), problem, pool)),
        space(valenceSpace(orbitals, problem.configuration, all(orbitals.largestL()), pool)) {}

 private:
  static AtomProblem withLightSpeed(AtomProblem problem, double c) {
    problem.hamiltonian.speedOfLight = c;
    return problem;
  }
  static ValenceSpinorRequest all(int largestL) {
    ValenceSpinorRequest r;
    r.largestL = largestL;
    r.perSymmetry = r.eigenvectors = r.screened = 1000;
    return r;
  }
};

}  // namespace prophet::test
