#include "atoms/correlation/added_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/atoms/correlation/spaces.hpp"

namespace prophet {
namespace {

struct AddedCase {
  const char* configuration;
  double z;
  std::vector<std::vector<double>> exponents;
  CorrelatedShells shells;
  std::vector<AddedList> ranges;
};

/// The energy in the whole set for the field of the set without added functions, on the denser mesh.
double simpleEnergy(const AtomProblem& problem, const AddedCase& c, const std::vector<AddedList>& lists) {
  ThreadPool pool(1);
  const BasisSet basis = sharedSet(c.exponents), all = withLists(basis, lists);
  const OrbitalSpace space = OrbitalSpace::inBasis(problem, all, ScfOptions().dependencyThreshold,
                                                   fieldIn(basis, problem), all.largestL(), pool);
  CorrelationOptions options{c.shells.frozen, &pool, {}};
  options.inner = c.shells.inner;
  options.virtualOnly = c.shells.virtualOnly;
  return secondOrder(space, problem.configuration, options).energy;
}

TEST(AddedFunctions, GiveTheEnergyOfTheWholeSet) {
  const std::vector<AddedCase> cases = {
      {"1s2 2s2 2p3",
       7,
       {{900, 130, 30, 8, 2, 0.6, 0.18}, {20, 4, 1, 0.25}},
       {parseShells("1s2"), {}, false},
       {{2, {0.2, 4}}, {3, {0.4, 4}}}},
      {"1s2 2s2", 4, {{300, 40, 10, 3, 0.7, 0.2, 0.05}}, {{}, parseShells("1s2"), false}, {{1, {0.02, 9}}}},
      {"1s2 2s2 2p6 3s2 3p6 3d2 4s2",
       22,
       {{8000, 1200, 270, 75, 24, 8, 2.6, 0.9, 0.3, 0.09, 0.035},
        {500, 110, 33, 11, 4, 1.3, 0.4},
        {22, 6, 1.7, 0.5}},
       {parseShells("1s2 2s2 2p6 3s2 3p6"), {}, true},
       {{1, {0.03, 0.3}}, {3, {0.3, 6}}}}};
  std::mt19937 random(31);
  for (const AddedCase& c : cases) {
    const AtomProblem problem = atomOf(c.z, c.configuration, OneElectronOperator::Dirac);
    AddedFunctions functions(problem, sharedSet(c.exponents), c.shells, c.ranges);
    for (int trial = 0; trial < 2; ++trial) {
      std::vector<AddedList> lists;
      for (const AddedList& range : c.ranges) {
        const double low = std::log(range.exponents[0]), high = std::log(range.exponents[1]);
        const double first = std::uniform_real_distribution<double>(low, 0.5 * (low + high))(random);
        lists.push_back({range.l, {std::exp(first), std::exp(0.4 * first + 0.6 * high)}});
      }
      const double energy = functions.energy(lists);
      EXPECT_NEAR(energy, simpleEnergy(problem, c, lists), 2e-8) << c.configuration;
      EXPECT_LT(energy, functions.constantEnergy() - 1e-3) << c.configuration;
    }
  }
}

TEST(AddedFunctions, AreInOrderAndBothJ) {
  const BasisSet basis = withLists(sharedSet({{5, 1}}), {{1, {0.5, 0.2}}, {2, {0.7}}});
  ASSERT_EQ(basis.symmetries.size(), 5u);
  EXPECT_EQ(basis.symmetries[1].exponents, (std::vector<double>{0.2, 0.5}));
  EXPECT_EQ(basis.symmetries[2].exponents, basis.symmetries[1].exponents);
  EXPECT_EQ(basis.symmetries[4].exponents, std::vector<double>{0.7});
}

}  // namespace
}  // namespace prophet
