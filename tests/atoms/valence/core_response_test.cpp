#include "atoms/valence/core_response.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/angular/angular.hpp"
#include "atoms/correlation/core_polarisation.hpp"
#include "tests/atoms/correlation/spaces.hpp"

namespace prophet {
namespace {

struct Core {
  AtomProblem problem;
  OrbitalSpace orbitals;
  ValenceSpace space;

  Core(double z, const char* configuration, const std::vector<std::vector<double>>& exponents,
       ThreadPool& pool)
      : problem(atomOf(z, configuration, OneElectronOperator::Dirac)),
        orbitals(spaceIn(sharedSet(exponents), problem, pool)),
        space(valenceSpace(orbitals, problem.configuration, request(orbitals.largestL()), pool)) {}

 private:
  static ValenceSpinorRequest request(int largestL) {
    ValenceSpinorRequest r;
    r.largestL = largestL;
    r.perSymmetry = r.eigenvectors = r.screened = 1000;
    return r;
  }
};

/// In all excitations of a small set the modes give the response that the equations of one operator give.
TEST(CoreResponse, HasThePolarisabilitiesOfTheRandomPhaseApproximation) {
  ThreadPool pool(2);
  const Core core(6, "1s2 2s2", {{60, 9, 1.6, 0.3}, {8, 2, 0.5}, {3, 0.5}}, pool);
  const CoreResponse response(core.space, pool);
  for (const int k : {1, 2}) {
    const CorePolarisation known(core.orbitals, electricMultipole(core.orbitals, k), 0, pool);
    EXPECT_GT(known.susceptibility(), 1e-3);
    EXPECT_NEAR(response.polarisability(k), known.susceptibility(), 1e-9 * known.susceptibility()) << k;
  }
}

}  // namespace
}  // namespace prophet
