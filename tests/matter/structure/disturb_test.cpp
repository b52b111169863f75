#include "matter/structure/structure.hpp"

#include <gtest/gtest.h>

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
