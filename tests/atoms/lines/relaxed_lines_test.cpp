#include "atoms/lines/relaxed_lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "atoms/levels/extended_wavefunction.hpp"
#include "tests/atoms/lines/lines_of.hpp"

namespace prophet {
namespace {

/// The spinors of one space out of those of a larger one; those of s shells 2 and 3 turned by an angle.
Result spinorsOf(const LevelSpace& space, const Result& whole, double angle = 0) {
  std::vector<const LevelSpinor*> order(space.closed.size() + space.open.size());
  for (const auto* list : {&space.closed, &space.open})
    for (const LevelSpinor& s : *list) order[static_cast<std::size_t>(s.index)] = &s;
  const auto count = static_cast<Eigen::Index>(whole.spinors.size());
  const auto unit = [&](int n, Symmetry symmetry) {
    const auto found = std::ranges::find_if(
        whole.spinors, [&](const Spinor& s) { return s.n == n && s.symmetry == symmetry; });
    return Eigen::VectorXd(Eigen::VectorXd::Unit(count, found - whole.spinors.begin()));
  };
  Result result = whole;
  result.spinors.clear();
  std::vector<ExtendedWavefunction::Function> functions;
  for (const LevelSpinor* s : order) {
    Spinor spinor;
    spinor.n = s->n;
    spinor.symmetry = s->symmetry;
    result.spinors.push_back(spinor);
    Eigen::VectorXd mixed = unit(s->n, s->symmetry);
    if (angle != 0 && s->symmetry.l() == 0 && s->n > 1)
      mixed = std::cos(angle) * mixed + (s->n == 2 ? 1 : -1) * std::sin(angle) * unit(5 - s->n, s->symmetry);
    functions.push_back({s->symmetry, mixed, {}, {}});
  }
  result.wavefunction =
      std::make_shared<ExtendedWavefunction>(whole.wavefunction, std::vector<double>{1.0}, functions);
  return result;
}

struct Group {
  LevelSpace space;
  Result result;
  LevelResult levels;
  std::vector<int> places;

  Group(const std::string& text, const LevelHamiltonian& h) : Group(text, limitOfGroup(text, h), h) {}
  Group(const std::string& text, const Result& spinors, const LevelHamiltonian& h)
      : space(levelSpace(text)), result(spinors) {
    LevelOptions options;
    options.vectors = true;
    levels = computeLevels(space, result, h, options);
  }
  static Result limitOfGroup(const std::string& text, const LevelHamiltonian& h) {
    return limitOf(levelSpace(text), h.field.nucleus, h.field.speedOfLight);
  }
};

/// The lines between two groups; their places are those in order of energy.
Computed linesOfGroups(const LevelSpace& all, std::vector<Group> groups, const LevelHamiltonian& h) {
  Computed c;
  std::vector<std::pair<double, std::pair<std::size_t, std::size_t>>> order;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups[g].places.resize(groups[g].levels.levels.size());
    for (std::size_t i = 0; i < groups[g].levels.levels.size(); ++i)
      order.push_back({groups[g].levels.levels[i].energy, {g, i}});
  }
  std::ranges::sort(order);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto [g, own] = order[i].second;
    groups[g].places[own] = static_cast<int>(i);
    c.levels.levels.push_back(groups[g].levels.levels[own]);
  }
  std::vector<RelaxedLevels> relaxed;
  for (const Group& g : groups) relaxed.push_back({g.space, g.result, g.levels, g.places});
  c.lines = computeRelaxedLines(all, relaxed, h).lines;
  return c;
}

void expectSame(const Computed& found, const Computed& expected) {
  ASSERT_EQ(found.lines.size(), expected.lines.size());
  double most = 0;
  for (const Line& l : expected.lines) most = std::max(most, l.strength);
  for (std::size_t i = 0; i < found.lines.size(); ++i) {
    const Line &a = found.lines[i], &b = expected.lines[i];
    EXPECT_EQ(a.upper, b.upper);
    EXPECT_EQ(a.lower, b.lower);
    EXPECT_EQ(a.multipole, b.multipole);
    EXPECT_NEAR(a.energy, b.energy, 1e-11);
    EXPECT_NEAR(a.strength, b.strength, 1e-9 * (b.strength + 1e-3 * most)) << i << b.multipole.name();
    EXPECT_NEAR(a.velocityStrength, b.velocityStrength, 1e-9 * (b.velocityStrength + 1e-3 * most));
  }
}

LevelHamiltonian hamiltonianOf(double z) {
  Nucleus nucleus;
  nucleus.charge = z;
  return {{nucleus, 137.035999139, {}}};
}

TEST(RelaxedLines, FunctionsAreMadeBiorthonormal) {
  Eigen::MatrixXd overlap(3, 3);
  overlap << 0.99, 0.1, -0.02, -0.05, 0.9, 0.3, 0.01, -0.2, 0.8;
  const Biorthonormal b = biorthonormal(overlap);
  EXPECT_TRUE(b.bra.isUpperTriangular());
  EXPECT_TRUE(b.ket.isUpperTriangular());
  EXPECT_NEAR((b.bra.transpose() * b.ket - overlap).norm(), 0, 1e-15);
  overlap.row(1) = overlap.row(0);
  EXPECT_THROW(biorthonormal(overlap), Error);
}

TEST(RelaxedLines, AreThoseOfCommonSpinorsWhereSpinorsAreEqual) {
  const LevelHamiltonian h = hamiltonianOf(8);
  const std::string even = "1s2 2s2 2p2 | 1s2 2p4", odd = "1s2 2s1 2p3 | 1s2 2s2 2p1 3s1";
  const LevelSpace all = levelSpace(even + " | " + odd);
  const Result limit = limitOf(all, h.field.nucleus, h.field.speedOfLight);
  expectSame(
      linesOfGroups(
          all, {{even, spinorsOf(levelSpace(even), limit), h}, {odd, spinorsOf(levelSpace(odd), limit), h}},
          h),
      linesOf(all, limit, h));
}

/// Whatever the spinors 2s and 3s of a space that holds all distributions over both: its levels are the same.
TEST(RelaxedLines, DoNotDependOnRotationsOfSpinors) {
  const LevelHamiltonian h = hamiltonianOf(6);
  const std::string even = "1s2 2s2 2p2 | 1s2 2s1 2p2 3s1 | 1s2 2p2 3s2", odd = "1s2 2s2 2p1 3s1";
  const LevelSpace all = levelSpace(even + " | " + odd);
  const Result limit = limitOf(all, h.field.nucleus, h.field.speedOfLight);
  const Computed common = linesOf(all, limit, h);
  for (const double angle : {0.3, -0.7})
    expectSame(linesOfGroups(all,
                             {{even, spinorsOf(levelSpace(even), limit, angle), h},
                              {odd, spinorsOf(levelSpace(odd), limit), h}},
                             h),
               common);
}

/// Of GRASP 2018 on a fine grid: rmcdhf for each parity by itself, rci, rbiotransform, rtransition.
struct GraspLine {
  int lowerTwoJ, lowerIndex, upperTwoJ, upperIndex;
  double energy;            // 1/cm
  double velocity, length;  // S
};

void expectGrasp(double z, const std::string& even, const std::string& odd, bool evenIsLower,
                 double tolerance, const std::vector<GraspLine>& lines) {
  const LevelHamiltonian h = hamiltonianOf(z);
  const Computed c = linesOfGroups(levelSpace(even + " | " + odd), {Group(even, h), Group(odd, h)}, h);
  for (const GraspLine& g : lines) {
    const auto found = std::ranges::find_if(c.lines, [&](const Line& l) {
      const Level &upper = c.levels.levels[static_cast<std::size_t>(l.upper)],
                  &lower = c.levels.levels[static_cast<std::size_t>(l.lower)];
      return l.multipole == Multipole{} && upper.twoJ == g.upperTwoJ && upper.index == g.upperIndex &&
             lower.twoJ == g.lowerTwoJ && lower.index == g.lowerIndex && lower.odd != evenIsLower;
    });
    ASSERT_TRUE(found != c.lines.end()) << g.energy;
    EXPECT_NEAR(found->energy * constants::kInverseCentimetresPerHartree, g.energy, 0.05);
    EXPECT_NEAR(found->strength, g.length, tolerance * g.length) << g.energy;
    EXPECT_NEAR(found->velocityStrength, g.velocity, tolerance * g.velocity) << g.energy;
  }
}

TEST(RelaxedLines, OfCarbonAreThoseOfGrasp) {
  expectGrasp(6, "1s2 2s2 2p2", "1s2 2s2 2p1 3s1", true, 3e-5,
              {{0, 1, 2, 1, 58363.07, 5.04460e-1, 4.64012e-1},
               {0, 2, 2, 2, 28335.57, 2.14078, 4.64500e-1},
               {2, 1, 0, 1, 58318.56, 5.05832e-1, 4.65216e-1},
               {4, 1, 2, 1, 58305.01, 6.32476e-1, 5.81808e-1},
               {4, 2, 2, 2, 47192.01, 3.85875, 2.32229},
               {4, 2, 2, 1, 45753.31, 2.50594e-3, 1.44560e-3},
               {4, 1, 4, 1, 58358.04, 1.89366, 1.74276}});
}

/// Here the 3s of one group lies partly in the 2s of the other, so that determinants are transformed. The
/// field of 2s 3s is what GRASP converges to fewer digits.
TEST(RelaxedLines, OfBerylliumAreThoseOfGrasp) {
  const std::string even = "1s2 2s2 | 1s2 2s1 3s1", odd = "1s2 2s1 2p1";
  expectGrasp(4, even, odd, true, 1e-4, {{0, 1, 2, 2, 42118.65, 7.86803, 1.47795e1}});
  expectGrasp(4, even, odd, false, 1e-4,
              {{0, 1, 2, 1, 29543.01, 7.11355e-1, 1.13562},
               {2, 2, 0, 2, 4140.98, 1.66816e2, 2.25453},
               {4, 1, 2, 1, 29537.67, 3.55856, 5.68118}});
}

}  // namespace
}  // namespace prophet
