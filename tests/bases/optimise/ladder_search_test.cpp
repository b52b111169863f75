#include "bases/optimise/ladder_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "atoms/frozen/trial_gatherer.hpp"
#include "bases/optimise/variables.hpp"
#include "fixtures.hpp"
#include "frozen_atom.hpp"

namespace prophet {
namespace {

struct LadderAtom : test::FrozenAtom {
  TabulatedField tabulated;
  explicit LadderAtom(int z) : FrozenAtom(z), tabulated(field) {}
};

class Slopes : public testing::TestWithParam<int> {};

TEST_P(Slopes, AreThoseOfTheShortfall) {
  const int z = GetParam();
  const LadderAtom atom(z);
  const auto spec = readLibraryEntry(z, "prophet-1")->spec;
  for (int a = 0; a < atom.field.symmetries(); ++a) {
    const auto at = static_cast<std::size_t>(a);
    const int n = spec.functions[at];
    auto exponents = wellTemperedExponents(spec.groups[at], 1, n, n);
    exponents[2] *= 1.1;  // not the minimum
    const auto slopes = atom.tabulated.slopes(a, exponents);
    ASSERT_TRUE(slopes);
    const BasisShortfall value = atom.tabulated.shortfall(a, exponents);
    EXPECT_EQ(slopes->rise, value.rise);
    EXPECT_EQ(slopes->prolapse, value.prolapse);
    const double ofRise = slopes->ofRise.cwiseAbs().maxCoeff(),
                 ofProlapse = slopes->ofProlapse.cwiseAbs().maxCoeff();
    for (const int p : {0, 2, n / 2, n - 1}) {
      constexpr double kStep = 1e-3;
      const auto at4 = [&](double steps) {
        auto moved = exponents;
        moved[static_cast<std::size_t>(p)] *= std::exp(steps * kStep);
        return atom.tabulated.shortfall(a, moved);
      };
      const BasisShortfall u1 = at4(1), d1 = at4(-1), u2 = at4(2), d2 = at4(-2);
      const double rise = (8 * (u1.rise - d1.rise) - (u2.rise - d2.rise)) / (12 * kStep),
                   prolapse = (8 * (u1.prolapse - d1.prolapse) - (u2.prolapse - d2.prolapse)) / (12 * kStep);
      const double rounding = 1e-11 * std::abs(atom.field.referenceEnergy());
      EXPECT_NEAR(slopes->ofRise(p), rise, 1e-6 * ofRise + rounding) << a << " " << p;
      EXPECT_NEAR(slopes->ofProlapse(p), prolapse, 1e-5 * ofProlapse + rounding) << a << " " << p;
    }
  }
}

// Closed: He, Rn; open s and d: Cr; open f and d: Ce.
INSTANTIATE_TEST_SUITE_P(Atoms, Slopes, testing::Values(2, 24, 58, 86));

TEST(LadderSearch, SlopesOfALadder) {
  const WellTemperedParameters p{0.05, 1.9, 4.0, 0.8};
  constexpr int kFunctions = 12;
  const auto slopes = ladderSlopes(p, kFunctions);
  const std::vector<double> x = toVariables({p});
  for (std::size_t v = 0; v < 4; ++v) {
    constexpr double kStep = 1e-5;
    auto up = x, down = x;
    up[v] += kStep;
    down[v] -= kStep;
    const auto above = wellTemperedExponents(fromVariables(up).front(), 1, kFunctions, kFunctions),
               below = wellTemperedExponents(fromVariables(down).front(), 1, kFunctions, kFunctions);
    for (std::size_t k = 0; k < kFunctions; ++k)
      EXPECT_NEAR(slopes(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(v)),
                  std::log(above[k] / below[k]) / (2 * kStep), 1e-8);
  }
}

TEST(LadderSearch, FindsWhatTheSearchWithoutDerivativesFinds) {
  const LadderAtom atom(24);
  const double resolution = 1e-11 * std::abs(atom.field.referenceEnergy());
  for (const auto& [a, n] : {std::pair{0, 28}, {1, 19}, {3, 13}}) {
    const auto& exponents = atom.reference.symmetries[static_cast<std::size_t>(a)].exponents;
    const ExponentRange range = neededRange(atom.tabulated, a, exponents, 20 * resolution);
    std::vector<WellTemperedParameters> starts;
    for (const auto& [delta, gamma] : {std::pair{5.0, 1.0}, {2.5, 0.4}, {8.0, 1.5}})
      starts.push_back(ladderOver(range, n, delta, gamma));
    FittedLadder plain{n, starts.front(), {}, 0};
    int evaluations = 0;
    for (int pass = 0; pass < 2; ++pass) {
      plain = fitLadder(atom.tabulated, a, n, plain.parameters, resolution,
                        {MinimiserMethod::Newuoa, 0.4, 1e-3, 400});
      evaluations += plain.evaluations;
    }
    const FittedLadder fast = searchLadder(atom.tabulated, a, n, starts, resolution, 1);
    EXPECT_LT(cost(fast.shortfall), 1.005 * cost(plain.shortfall)) << a;
    EXPECT_LT(fast.evaluations, evaluations);
    const FittedLadder together = searchLadder(atom.tabulated, a, n, starts, resolution, 3);
    EXPECT_EQ(together.parameters.alpha, fast.parameters.alpha);
    EXPECT_EQ(together.evaluations, fast.evaluations);
  }
}

TEST(LadderSearch, AnImpossibleSizeIsReportedAsSuch) {
  const LadderAtom atom(10);
  const FittedLadder ladder = searchLadder(atom.tabulated, 0, 1, {{1.0, 2.0, 5.0, 1.0}}, 1e-9, 1);
  EXPECT_EQ(ladder.shortfall.rise, INFINITY);
}

}  // namespace
}  // namespace prophet
