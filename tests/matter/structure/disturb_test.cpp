#include "matter/structure/structure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "matter/structure/lattices.hpp"

namespace prophet {
namespace {

Structure block() { return cutShape(namedLattice("CoO"), parseShape("cells:10,10,10")); }

TEST(Disturb, VacanciesTakeTheirFraction) {
  Structure s = block(), again = block(), other = block();
  removeAtoms(s, 0.1, "O", 7);
  removeAtoms(again, 0.1, "O", 7);
  removeAtoms(other, 0.1, "O", 8);
  EXPECT_EQ(s.counts()[0], 4000u);
  EXPECT_NEAR(static_cast<double>(s.counts()[1]), 3600, 5 * std::sqrt(360));
  EXPECT_EQ(s.positions, again.positions);
  EXPECT_NE(s.positions, other.positions);
  EXPECT_THROW(removeAtoms(s, 1.0, "", 1), Error);
  EXPECT_THROW(removeAtoms(s, 0.1, "Fe", 1), Error);
}

/// How many neighbours at this distance the atom next to the origin has.
int neighbours(const Structure& s, double distance) {
  const auto centre = std::ranges::min_element(s.positions, {}, [](const auto& p) { return p.norm(); });
  return static_cast<int>(std::ranges::count_if(
      s.positions, [&](const auto& p) { return std::abs((p - *centre).norm() - distance) < 1e-6; }));
}

// Second neighbours at sqrt(2) d are those of f.c.c. crystals (6 of them, 3 from the layers above), at
// sqrt(8/3) d those of h.c.p. (2), where d is the distance of the 12 nearest ones.
TEST(Disturb, StackingFaultsKeepHollows) {
  const double edge = 4, near = edge / std::sqrt(2), hexagonal = near * std::sqrt(8.0 / 3);
  const Structure cell = namedLattice("fcc:Au:4"), particle = cutShape(cell, parseShape("sphere:40"));
  EXPECT_EQ(faceCentredEdge(cell), edge);
  int mixed = 0;
  for (const double probability : {0.0, 0.3, 1.0}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Structure s = particle;
      addStackingFaults(s, edge, probability, seed);
      EXPECT_EQ(neighbours(s, near), 12);
      const bool cubic = neighbours(s, hexagonal) == 0;
      EXPECT_EQ(neighbours(s, near * std::sqrt(2)), 6);
      if (probability == 0.3)
        mixed += cubic ? 0 : 1;
      else
        EXPECT_TRUE(cubic) << probability;  // every plane a fault: the twin
      for (std::size_t i = 0; i < s.size(); ++i)
        EXPECT_LT((s.positions[i] - particle.positions[i]).norm(), edge / std::sqrt(6) + 1e-9);
    }
  }
  EXPECT_GT(mixed, 2);
  EXPECT_LT(mixed, 19);
  Structure box = cutShape(cell, parseShape("cells:2,2,2")), some = particle;
  EXPECT_THROW(addStackingFaults(box, edge, 0.1, 1), Error);
  EXPECT_THROW(addStackingFaults(some, edge, 1.1, 1), Error);
  EXPECT_THROW(faceCentredEdge(namedLattice("Fe")), Error);
  EXPECT_EQ(faceCentredEdge(namedLattice("zincblende:Zn,S:5.41")), 5.41);
}

// In zincblende every atom keeps its four neighbours: the layers glide between the narrow pairs.
TEST(Disturb, StackingFaultsKeepTetrahedra) {
  Structure s = cutShape(namedLattice("zincblende:Zn,S:4"), parseShape("sphere:30"));
  addStackingFaults(s, 4, 0.5, 3);
  EXPECT_EQ(neighbours(s, std::sqrt(3.0)), 4);
}

TEST(Disturb, StrainScalesTheLatticeToo) {
  Structure s = block();
  strain(s, {0.01, 0, -0.5});
  EXPECT_NEAR((*s.lattice)(0, 0), 42.6 * 1.01, 1e-12);
  EXPECT_NEAR((*s.lattice)(2, 2), 21.3, 1e-12);
  EXPECT_THROW(strain(s, {-1, 0, 0}), Error);
}

TEST(Disturb, DisplacementsHaveTheirDeviation) {
  const Structure before = block();
  Structure after = before;
  displace(after, 0.2, 3);
  Eigen::Vector3d mean = Eigen::Vector3d::Zero(), square = mean;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Eigen::Vector3d d = after.positions[i] - before.positions[i];
    mean += d / static_cast<double>(before.size());
    square += d.cwiseAbs2() / static_cast<double>(before.size());
  }
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(mean(k), 0, 5 * 0.2 / std::sqrt(8000));
    EXPECT_NEAR(square(k), 0.04, 5 * 0.04 * std::sqrt(2.0 / 8000));
  }
  EXPECT_THROW(displace(after, -1, 1), Error);
}

}  // namespace
}  // namespace prophet
