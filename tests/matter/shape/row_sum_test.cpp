#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "matter/shape/bodies.hpp"
#include "matter/shape/flat_elements.hpp"
#include "matter/shape/quarter_turns.hpp"
#include "tests/matter/shape/random_rows.hpp"

namespace prophet {
namespace {

TEST(QuarterTurns, AreSinesAndCosines) {
  std::mt19937 random(1);
  for (const double size : {0.3, 3.0, 1e3, 1e6}) {
    std::uniform_real_distribution<double> uniform(-size, size);
    for (int i = 0; i < 1000; ++i) {
      const double x = uniform(random), angle = std::acos(-1.0) / 2 * std::remainder(x, 4.0);
      double c, s;
      turn(x, c, s);
      EXPECT_NEAR(c, std::cos(angle), 4e-16) << x;
      EXPECT_NEAR(s, std::sin(angle), 4e-16) << x;
    }
  }
}

TEST(RowTiles, HoldEveryPixelOnce) {
  const QRows q = randomRows(3, 7, 50, 1, 0);
  for (const int most : {1, 7, 64}) {
    int pixel = 0;
    for (const RowTile& tile : tilesOf(q, most)) {
      EXPECT_EQ(tile.first, pixel);
      EXPECT_GT(tile.count, 0);
      EXPECT_LE(tile.count, most);
      EXPECT_GE(tile.first, q.first[static_cast<std::size_t>(tile.row)]);
      pixel += tile.count;
      EXPECT_LE(pixel, q.first[static_cast<std::size_t>(tile.row) + 1]);
    }
    EXPECT_EQ(pixel, q.pixels());
  }
}

/// Away from the origin; real momenta and waves that decay, one wave to four, long rows and single pixels,
/// and a surface that is not closed.
TEST(RowSum, IsThatPointByPoint) {
  auto elements = surfaceElements(cone(30, 40).surface(700));
  for (SurfaceElement& e : elements) e.centre += Eigen::Vector3d(7, -11, 20);
  const std::vector<SurfaceElement> open(elements.begin(), elements.begin() + 301);
  int seed = 10;
  for (const auto& [rows, longest, decay] :
       {std::tuple{5, 100, 0.0}, {5, 100, 0.05}, {40, 1, 0.2}, {1, 300, 0.1}}) {
    for (int waves = 1; waves <= QRows::kMostWaves; ++waves) {
      for (const std::vector<SurfaceElement>* surface : {&std::as_const(elements), &open}) {
        const QRows q = randomRows(++seed, rows, longest, waves, decay);
        const Eigen::MatrixXcd expected = pointByPoint(*surface, q), f = sumOnRows(*surface, q, 2);
        // Of each wave, as decay makes them differ in size.
        for (int wave = 0; wave < waves; ++wave)
          EXPECT_LT((f.row(wave) - expected.row(wave)).norm(), 1e-12 * expected.row(wave).norm())
              << rows << " " << decay << " " << wave;
        EXPECT_LT(std::abs(f(0, q.first[1] / 2) - expected(0, q.first[1] / 2)),
                  1e-12 * std::abs(expected(0, q.first[1] / 2)));
      }
    }
  }
}

}  // namespace
}  // namespace prophet
