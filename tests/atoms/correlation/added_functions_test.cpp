#include "atoms/correlation/added_functions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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
    }
  }
}

/// Random lists within ranges, functions at least a factor of 1.7 apart.
std::vector<AddedList> randomLists(const std::vector<AddedList>& ranges, std::size_t functions,
                                   std::mt19937& random) {
  std::vector<AddedList> lists;
  for (const AddedList& range : ranges) {
    const double low = std::log(range.exponents[0]), step = (std::log(range.exponents[1]) - low) / functions;
    AddedList& list = lists.emplace_back(AddedList{range.l, {}});
    for (std::size_t i = 0; i < functions; ++i)
      list.exponents.push_back(
          std::exp(low + step * (i + std::uniform_real_distribution<double>(0.2, 0.8)(random))));
    std::ranges::reverse(list.exponents);  // any order
  }
  return lists;
}

TEST(AddedFunctions, HaveTheDerivativesOfTheirEnergies) {
  const std::vector<std::vector<double>> neon = {{900, 130, 30, 8, 2, 0.6, 0.18}, {20, 4, 1, 0.25}};
  const std::vector<std::vector<double>> titanium = {{8000, 1200, 270, 75, 24, 8, 2.6, 0.9, 0.3, 0.09, 0.035},
                                                     {500, 110, 33, 11, 4, 1.3, 0.4},
                                                     {22, 6, 1.7, 0.5}};
  struct GradientCase : AddedCase {
    double speedOfLight = kReferenceLightSpeed;
  };
  const std::vector<GradientCase> cases = {
      {{"1s2", 2, {{100, 15, 3.4, 0.9, 0.25}}, {}, {{1, {0.3, 6}}, {2, {0.5, 4}}}}},
      {{"1s2 2s2 2p6", 10, neon, {parseShells("1s2"), {}, false}, {{2, {0.2, 8}}, {3, {0.4, 4}}}}},
      // Of occupied l.
      {{"1s2 2s2 2p6", 10, neon, {}, {{0, {40, 300}}, {1, {0.05, 0.18}}}}},
      {{"1s2 2s2", 4, {{300, 40, 10, 3, 0.7, 0.2, 0.05}}, {{}, parseShells("1s2"), false}, {{1, {0.02, 9}}}}},
      // Single excitations, of closed and open shells.
      {{"1s2 2s2 2p3", 7, neon, {parseShells("1s2"), {}, false}, {{1, {0.06, 0.2}}, {2, {0.2, 4}}}}},
      {{"1s2 2s2 2p2", 6, neon, {}, {{0, {0.06, 0.16}}, {2, {0.2, 4}}}}},
      {{"1s2 2s2 2p6 3s2 3p6 3d2 4s2",
        22,
        titanium,
        {parseShells("1s2 2s2 2p6 3s2 3p6"), {}, true},
        {{0, {0.1, 0.28}}, {1, {0.03, 0.3}}, {2, {0.1, 0.45}}, {3, {0.3, 6}}}}},
      {{"1s2 2s2 2p6 3s2 3p6 3d2 4s2",
        22,
        titanium,
        {parseShells("1s2 2s2 2p6"), parseShells("3s2 3p6"), true},
        {{2, {0.1, 0.45}}, {3, {0.3, 6}}}}},
      // A nucleus of which small components are large, and no relativity.
      {{"1s2 2s2 2p6",
        80,
        {{9e4, 9e3, 1500, 300, 90, 28}, {3000, 700, 150, 40}},
        {},
        {{1, {8, 30}}, {2, {30, 400}}}}},
      {{"1s2 2s2 2p3", 7, neon, {}, {{1, {0.06, 0.2}}, {2, {0.2, 4}}}}, 1e3}};
  std::mt19937 random(31);
  for (const GradientCase& c : cases) {
    AtomProblem problem = atomOf(c.z, c.configuration, OneElectronOperator::Dirac);
    problem.hamiltonian.speedOfLight = c.speedOfLight;
    SCOPED_TRACE(c.configuration + std::to_string(c.z));
    AddedFunctions functions(problem, sharedSet(c.exponents), c.shells, c.ranges);
    for (const std::size_t count : {1, 2}) {
      const std::vector<AddedList> lists = randomLists(c.ranges, count, random);
      const AddedEnergy found = functions.energyAndGradient(lists);
      EXPECT_NEAR(found.energy, functions.energy(lists), 1e-12) << c.configuration;
      double largest = 0;
      for (const std::vector<double>& own : found.gradient)
        for (const double g : own) largest = std::max(largest, std::abs(g));
      ASSERT_GT(largest, 1e-5);
      for (std::size_t i = 0; i < lists.size(); ++i)
        for (std::size_t p = 0; p < lists[i].exponents.size(); ++p) {
          const auto at = [&](double step) {
            std::vector<AddedList> moved = lists;
            moved[i].exponents[p] *= std::exp(step);
            return functions.energy(moved);
          };
          constexpr double kStep = 3e-3;  // of which the fourth power is left out
          const double central =
              (8 * (at(kStep) - at(-kStep)) - (at(2 * kStep) - at(-2 * kStep))) / (12 * kStep);
          EXPECT_NEAR(found.gradient[i][p], central, 1e-6 * largest + 1e-10)
              << c.configuration << " l = " << lists[i].l << " " << lists[i].exponents[p];
        }
    }
  }
}

TEST(AddedFunctions, HaveDerivativesWithFourComponentsAlone) {
  const AtomProblem problem = atomOf(2, "1s2", OneElectronOperator::X2c);
  AddedFunctions functions(problem, sharedSet({{15, 3.4, 0.9, 0.25}}), {}, {{1, {0.3, 6}}});
  EXPECT_THROW(functions.energyAndGradient({{1, {1.0}}}), Error);
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
