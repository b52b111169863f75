#include "atoms/levels/lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/binomial.hpp>

#include "tests/atoms/levels/lines_of.hpp"

namespace prophet {
namespace {

TEST(Lines, LengthEqualsVelocityInHydrogenLikeIons) {
  for (const double z : {1.0, 20.0, 80.0}) {
    Nucleus nucleus;
    nucleus.charge = z;
    LineOptions options;
    options.multipoles = {{1, false}, {2, false}, {3, false}};
    const Computed c = linesOf("1s | 2s | 2p | 3d", nucleus, 137.03599976, options);
    int compared = 0;
    for (const Line& l : c.lines) {
      // The velocity gauge is divided by the energy, in which few digits of fine structure remain.
      if (l.energy < 0.01 * z * z) continue;
      ++compared;
      EXPECT_NEAR(l.velocityStrength, l.strength, 1e-11 * l.strength)
          << z << " " << l.multipole.name() << " " << l.upper << " " << l.lower;
    }
    EXPECT_GE(compared, 12);
  }
}

/// The strengths of all lines between l^n and l^(n-1) l' add up to binomial(4l+1, n-1) times those of one
/// electron between l and l', in long waves (B. R. Judd's sums; Cowan, chapter 14).
TEST(Lines, StrengthsOfAnArrayAddUp) {
  Nucleus nucleus;
  nucleus.charge = 7;
  constexpr double kSlowLight = 1e6;  // no retardation
  const LevelSpace space = levelSpace("1s2 2s2 2p3 | 1s2 2s2 2p2 3d1");
  const Result limit = limitOf(space, nucleus, kSlowLight);
  const LevelHamiltonian hamiltonian{{nucleus, kSlowLight, {}}};
  LineOptions options;
  options.multipoles = {{1, false}};
  const Computed c = linesOf(space, limit, hamiltonian, options);
  double sum = 0;
  for (const Line& l : c.lines) sum += l.strength;
  const SpinorTable spinors(limit, hamiltonian.field, 0);
  double one = 0;
  for (const LevelSpinor& p : space.open)
    for (const LevelSpinor& d : space.open)
      if (p.symmetry.l() == 1 && d.symmetry.l() == 2) {
        const double element =
            reducedC(p.symmetry, 1, d.symmetry) * spinors.density(p.index, d.index, spinors.radii());
        one += element * element;
      }
  EXPECT_NEAR(sum, boost::math::binomial_coefficient<double>(5, 2) * one, 1e-9 * sum);
}

TEST(Lines, LifetimesAreThoseOfAllRates) {
  Nucleus nucleus;
  nucleus.charge = 1;
  const Computed c = linesOf("1s | 2s | 2p", nucleus, 137.03599976);
  std::vector<double> lifetimes;
  for (const double rate : rated({c.lines, c.leftOut}, c.levels.levels, 137.03599976).decayRates)
    lifetimes.push_back(1 / rate);
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    const Level& l = c.levels.levels[i];
    // 1.596 ns with an infinite mass, A = 6.26835e8 and 6.26824e8 (docs/theory/lines.md).
    if (!l.odd) continue;
    EXPECT_NEAR(lifetimes[i], l.twoJ == 1 ? 1 / 6.26835e8 : 1 / 6.26824e8, 2e-14);
  }
  EXPECT_TRUE(std::isinf(lifetimes.front()));
}

/// Lines below a cut are not listed, but lifetimes and branching ratios are those of all.
TEST(Lines, LifetimesDoNotDependOnACut) {
  Nucleus nucleus;
  nucleus.charge = 8;
  const LevelSpace space = levelSpace("1s2 2s2 2p2 | 1s2 2s1 2p3 | 1s2 2s2 2p1 3s1");
  const LevelHamiltonian hamiltonian{{nucleus, 137.03599976, {}}};
  const Result limit = limitOf(space, nucleus);
  LineOptions cut;
  cut.leastGf = 0.01;
  const Computed every = linesOf(space, limit, hamiltonian), some = linesOf(space, limit, hamiltonian, cut);
  EXPECT_LT(some.lines.size(), every.lines.size() / 4);
  EXPECT_GT(some.lines.size(), 10U);
  const RatedLines all = rated({every.lines, every.leftOut}, every.levels.levels, 137.03599976),
                   strong = rated({some.lines, some.leftOut}, some.levels.levels, 137.03599976);
  for (std::size_t i = 0; i < all.decayRates.size(); ++i)
    EXPECT_NEAR(strong.decayRates[i], all.decayRates[i], 1e-12 * all.decayRates[i]);
  for (const RatedLine& l : strong.lines) {
    const auto same = std::ranges::find_if(all.lines, [&](const RatedLine& o) {
      return o.line.upper == l.line.upper && o.line.lower == l.line.lower &&
             o.line.multipole == l.line.multipole;
    });
    EXPECT_NEAR(l.branching, same->branching, 1e-12);
  }
}

TEST(Lines, AreCountedBeforehand) {
  Nucleus nucleus;
  nucleus.charge = 6;
  const LevelSpace space = levelSpace("1s2 2s2 2p2 | 1s2 2s2 2p1 3s1");
  for (const Multipole m : {Multipole{1, false}, {1, true}, {2, false}, {2, true}}) {
    LineOptions options;
    options.multipoles = {m};
    const Computed c = linesOf(space.average.description, nucleus, 137.03599976, options);
    EXPECT_EQ(static_cast<double>(c.lines.size()), countLines(space, {m})) << m.name();
  }
  EXPECT_THROW(multipoleNamed("E4"), Error);
  EXPECT_EQ(multipoleNamed("M2").name(), "M2");
}

}  // namespace
}  // namespace prophet
