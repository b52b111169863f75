#include "atoms/lines/lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/binomial.hpp>
#include <random>

#include "atoms/levels/angular_tables.hpp"
#include "atoms/levels/level_engine.hpp"
#include "tests/atoms/lines/lines_of.hpp"

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

/// The tables of one ion serve for another whose open shells have other n.
TEST(Lines, KeptTablesServeForEveryIonOfTheirKind) {
  std::unique_ptr<AngularTables> tables;
  for (const auto& [charge, text] : std::vector<std::pair<int, std::string>>{
           {8, "1s2 2s2 2p2 | 1s2 2s2 2p1 3s1 | 1s2 2s2 2p1 3d1"},
           {16, "1s2 2s2 2p6 3s2 3p2 | 1s2 2s2 2p6 3s2 3p1 4s1 | 1s2 2s2 2p6 3s2 3p1 4d1"}}) {
    Nucleus nucleus;
    nucleus.charge = charge;
    const LevelSpace space = levelSpace(text);
    const Result limit = limitOf(space, nucleus, 137.03599976);
    const LevelHamiltonian hamiltonian{{nucleus, 137.03599976, {}}};
    if (!tables) tables = std::make_unique<AngularTables>(space);
    EXPECT_TRUE(tables->fit(space));
    const Computed expected = linesOf(space, limit, hamiltonian);
    const LevelResult levels = computeLevels(
        space, limit, hamiltonian,
        {.detail = LevelDetail::Configurations, .vectors = true, .threads = 3, .angular = tables.get()});
    LineOptions options;
    options.angular = tables.get();
    options.threads = 3;
    const std::vector<Line> lines = computeLines(space, limit, hamiltonian, levels, options).lines;
    ASSERT_EQ(lines.size(), expected.lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_EQ(lines[i].strength, expected.lines[i].strength);
      EXPECT_EQ(lines[i].velocityStrength, expected.lines[i].velocityStrength);
    }
    for (std::size_t i = 0; i < levels.levels.size(); ++i)
      EXPECT_EQ(levels.levels[i].energy, expected.levels.levels[i].energy);
    EXPECT_EQ(levels.levels.front().label, charge == 8 ? "2p2" : "3p2");
  }
  EXPECT_FALSE(tables->fit(levelSpace("1s2 2s2 2p2")));
  EXPECT_FALSE(tables->fit(levelSpace("1s2 2s2 2p2 | 1s2 2s2 2p1 3s1 | 1s2 2s2 2p1 3p1")));
}

/// The processor's products against the definition, element by element.
TEST(LevelEngine, LinesAreThoseOfTheDefinition) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  const auto any = [&](Eigen::Index rows, Eigen::Index columns) -> Eigen::MatrixXd {
    return Eigen::MatrixXd::NullaryExpr(rows, columns,
                                        [&](Eigen::Index, Eigen::Index) { return normal(random); });
  };
  const Eigen::MatrixXd bra = any(7, 5), ket = any(9, 9), moved = any(7, 5);
  const BlockLevels a{hostStates(bra, {moved}), any(5, 1)}, b{hostStates(ket, {ket}), any(9, 1)};
  TransitionOperators o;
  o.rows = 7;
  o.starts = {0};
  for (int column = 0; column < 9; ++column) {
    for (int row = column % 2; row < 7; row += 2) o.places.push_back(row);
    o.starts.push_back(static_cast<int>(o.places.size()));
  }
  o.nodes = {0.2, 1.1};
  const auto count = static_cast<Eigen::Index>(o.places.size());
  o.charge = any(count, 2);
  o.current = any(count, 2);
  o.velocity = any(count, 2);
  const auto element = [&](const Eigen::MatrixXd& elements, const Eigen::MatrixXd& left, int i, int j,
                           double x) {
    double sum = 0;
    for (int column = 0; column < 9; ++column)
      for (int e = o.starts[static_cast<std::size_t>(column)];
           e < o.starts[static_cast<std::size_t>(column) + 1]; ++e) {
        const double linear = ((1.1 - x) * elements(e, 0) + (x - 0.2) * elements(e, 1)) / 0.9;
        sum += left(o.places[static_cast<std::size_t>(e)], i) * linear * ket(column, j);
      }
    return sum;
  };
  const auto lines = hostLevelEngine()->productsOf({a, b});
  const auto omega = [&](int i, int j) { return b.energies(j) - a.energies(i); };
  const ChosenLines all = lines->lines(0, 1, o, {2, 3});
  ASSERT_EQ(all.length.size(), 45u);
  EXPECT_EQ(all.belowBra.norm() + all.belowKet.norm(), 0);
  double largest = 0;
  for (std::size_t n = 0; n < 45; ++n) {
    const int i = all.bra[n], j = all.ket[n];
    const double w = omega(i, j), x = w * w, charge = element(o.charge, bra, i, j, 0.2);
    EXPECT_NEAR(all.length[n], element(o.charge, bra, i, j, x) + w * element(o.current, bra, i, j, x), 1e-11);
    EXPECT_NEAR(all.velocity[n] * w, element(o.velocity, bra, i, j, x), 1e-11);
    const double change = 2 * std::log10(std::abs(element(o.charge, moved, i, j, 0.2) / charge));
    EXPECT_NEAR(all.spread[n], std::min(std::abs(change), kMostSpread), 1e-9);
    largest = std::max(largest, 2 * std::pow(all.length[n], 2) * std::pow(std::abs(w), 3));
  }
  // Those that are too weak come as sums; a part of the largest one is wanted where that is less.
  for (const auto& [least, share] : {std::pair(0.3 * largest, 1e300), std::pair(largest, 0.2)}) {
    const ChosenLines some = lines->lines(0, 1, o, {2, 3, least, share});
    Eigen::VectorXd ofBra = Eigen::VectorXd::Zero(5), ofKet = Eigen::VectorXd::Zero(9);
    std::size_t kept = 0;
    for (std::size_t n = 0; n < 45; ++n) {
      const double w = omega(all.bra[n], all.ket[n]),
                   gf = 2 * std::pow(all.length[n], 2) * std::pow(std::abs(w), 3);
      if (gf >= std::min(least, share * largest))
        EXPECT_EQ(all.length[n], some.length[kept++]);
      else
        (w > 0 ? ofKet(all.ket[n]) : ofBra(all.bra[n])) += w * w * gf;
    }
    EXPECT_EQ(kept, some.length.size());
    EXPECT_LT(kept, 20u);
    EXPECT_LT((ofBra - some.belowBra).norm() + (ofKet - some.belowKet).norm(), 1e-12 * largest);
  }
  // Within a block each pair once.
  EXPECT_EQ(lines->lines(1, 1, {9, std::vector<int>(10, 0), {}, {0.5}, Eigen::MatrixXd(0, 1), {}, {}}, {})
                .length.size(),
            36u);
}

}  // namespace
}  // namespace prophet
