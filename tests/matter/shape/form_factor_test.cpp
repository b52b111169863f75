#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/common/error.hpp"
#include "matter/shape/bodies.hpp"
#include "matter/shape/surface_sum.hpp"

namespace prophet {
namespace {

using Complex = std::complex<double>;

/// Momenta of all sizes in all directions, special ones among them.
std::vector<Eigen::Vector3d> manyMomenta() {
  std::mt19937 random(21);
  std::normal_distribution<double> normal;
  std::vector<Eigen::Vector3d> list{{0, 0, 0}};
  for (const double size : {1e-12, 1e-8, 1e-5, 1e-3, 0.02, 0.1, 0.5, 2.0, 10.0, 50.0}) {
    for (const Eigen::Vector3d& v :
         {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 0, 1), Eigen::Vector3d(1, 1, 0),
          Eigen::Vector3d(1, 1, 1), Eigen::Vector3d(1, 1e-9, 0), Eigen::Vector3d(0, 1e-5, 1)})
      list.push_back(size * v);
    for (int i = 0; i < 10; ++i)
      list.emplace_back(size * Eigen::Vector3d(normal(random), normal(random), normal(random)));
  }
  return list;
}

/// With long double, as they are defined; good where the points are not close.
TEST(ExponentialDifference, AgreesWithItsDefinition) {
  std::mt19937 random(22);
  std::uniform_real_distribution<double> uniform(-3, 3);
  using Long = std::complex<long double>;
  const auto e = [](double x) { return std::polar<long double>(1, x); };
  for (int i = 0; i < 200; ++i) {
    const double a = uniform(random), b = a + 0.3 + std::abs(uniform(random)),
                 c = b + 0.3 + std::abs(uniform(random)), d = c + 0.4;
    const auto two = [&](double x, double y) {
      return (e(y) - e(x)) / Long(0, static_cast<long double>(y) - x);
    };
    const auto three = [&](double x, double y, double z) {
      return (two(y, z) - two(x, y)) / Long(0, static_cast<long double>(z) - x);
    };
    const Long four = (three(b, c, d) - three(a, b, c)) / Long(0, static_cast<long double>(d) - a);
    EXPECT_LT(std::abs(Complex(two(a, b)) - exponentialDifference(a, b)), 1e-15);
    EXPECT_LT(std::abs(Complex(three(a, b, c)) - exponentialDifference(b, a, c)), 1e-15);
    EXPECT_LT(std::abs(Complex(four) - exponentialDifference(d, c, a, b)), 2e-15);
  }
  EXPECT_LT(std::abs(exponentialDifference(1, 1, 1) - 0.5 * std::polar(1.0, 1.0)), 1e-16);
  EXPECT_LT(std::abs(exponentialDifference(2, 2, 2, 2) - std::polar(1.0 / 6, 2.0)), 1e-16);
}

/// A box is the product of three sines; error against the largest value around, 2/q^2 of the surface.
TEST(Polyhedron, IsTheBoxEverywhere) {
  const Body exact = box(20, 30, 40), triangles = polyhedronBody(exact.surface(12)),
             fine = polyhedronBody(exact.surface(300));
  for (const Eigen::Vector3d& q : manyMomenta()) {
    const double scale = std::min(24000.0, 5200 / std::max(q.norm(), 1e-300));
    EXPECT_LT(std::abs(triangles.formFactor(q) - exact.formFactor(q)), 3e-14 * scale) << q.transpose();
    EXPECT_LT(std::abs(fine.formFactor(q) - exact.formFactor(q)), 3e-14 * scale) << q.transpose();
  }
  EXPECT_DOUBLE_EQ(triangles.formFactor(Eigen::Vector3d::Zero()).real(), 24000);
}

/// A body somewhere else has a phase and nothing more.
TEST(Polyhedron, CanBeAnywhere) {
  TriangleMesh mesh = pyramid(20, 15).surface(6);
  const Polyhedron here(mesh);
  const Eigen::Vector3d shift(300, -200, 77);
  for (Eigen::Vector3d& v : mesh.vertices) v += shift;
  const Polyhedron there(mesh);
  for (const Eigen::Vector3d& q : manyMomenta()) {
    if (q.norm() > 5) continue;
    EXPECT_LT(std::abs(there.formFactor(q) - std::polar(1.0, q.dot(shift)) * here.formFactor(q)),
              1e-11 * 2000)
        << q.transpose();
  }
}

/// Wuttke's and our formula for a pyramid by its cross-sections: integral of squares over the height.
TEST(Polyhedron, IsThePyramidOfSquares) {
  const double base = 24, height = 18, top = 6;
  const Body body = pyramid(base, height, top);
  for (const Eigen::Vector3d& q : manyMomenta()) {
    if (q.norm() > 3) continue;
    Complex sum = 0;
    const int steps = 4000;  // Simpson
    for (int i = 0; i <= steps; ++i) {
      const double t = static_cast<double>(i) / steps, edge = base + t * (top - base);
      const auto sinc = [](double x) { return std::abs(x) < 1e-9 ? 1.0 : std::sin(x) / x; };
      const double weight = (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2) / (3.0 * steps);
      sum += weight * height * edge * edge * sinc(0.5 * q(0) * edge) * sinc(0.5 * q(1) * edge) *
             std::polar(1.0, q(2) * height * (t - 0.5));
    }
    EXPECT_LT(std::abs(body.formFactor(q) - sum), 1e-10 * 4536) << q.transpose();
  }
}

TEST(Bodies, ConvergeFromPolyhedra) {
  for (const Body& body : {sphere(10), cylinder(8, 20), cone(10, 12)}) {
    const Body coarse = polyhedronBody(body.surface(1000)), fine = polyhedronBody(body.surface(16000));
    for (const Eigen::Vector3d& q :
         {Eigen::Vector3d(0, 0, 0), Eigen::Vector3d(0.1, 0.2, 0.15), Eigen::Vector3d(0, 0, 0.4)}) {
      const double first = std::abs(coarse.formFactor(q) - body.formFactor(q)),
                   second = std::abs(fine.formFactor(q) - body.formFactor(q));
      EXPECT_LT(first, 0.03 * std::abs(body.formFactor(Eigen::Vector3d::Zero()))) << body.description;
      EXPECT_NEAR(first / second, 16, 3) << body.description;  // the square of the edge
    }
  }
}

TEST(Bodies, HaveTheirVolumes) {
  const double pi = std::acos(-1.0);
  const Eigen::Vector3d zero = Eigen::Vector3d::Zero();
  EXPECT_NEAR(sphere(3).formFactor(zero).real(), 36 * pi, 1e-11);
  EXPECT_NEAR(cylinder(3, 5).formFactor(zero).real(), 45 * pi, 1e-11);
  EXPECT_NEAR(cone(3, 5).formFactor(zero).real(), 15 * pi, 1e-11);
  EXPECT_NEAR(pyramid(3, 5).formFactor(zero).real(), 15, 1e-12);
  EXPECT_THROW(sphere(0), Error);
  EXPECT_THROW(pyramid(3, 5, 4), Error);
  EXPECT_THROW(box(1, -1, 1), Error);
}

QGrid smallGrid() { return parseQGrid("-1:1:9,-0.8:1:7,-0.5:0.5:5"); }

TEST(SurfaceSum, ConvergesToThePolyhedron) {
  const Body body = box(6, 4, 5);
  const QPoints q = pointsOf(smallGrid());
  const FormFactor coarse = sumAtPoints(surfaceElements(body.surface(1200)), q),
                   fine = sumAtPoints(surfaceElements(body.surface(19200)), q);
  double first = 0, second = 0;
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    const Complex exact = body.formFactor(q.col(static_cast<Eigen::Index>(i)));
    first = std::max(first, std::abs(coarse[i] - exact));
    second = std::max(second, std::abs(fine[i] - exact));
  }
  EXPECT_NEAR(first / second, 16, 2);
  EXPECT_LT(second, 0.01 * 120);
}

TEST(SurfaceSum, OnAGridIsThatAtItsPoints) {
  TriangleMesh mesh = cone(8, 10).surface(900);
  for (Eigen::Vector3d& v : mesh.vertices) v += Eigen::Vector3d(5, -3, 20);
  const auto elements = surfaceElements(mesh);
  for (const QGrid& grid : {smallGrid(), parseQGrid("0,-1:1:8,0.2"), parseQGrid("-0.01:0.01:3,0,0")}) {
    const FormFactor reference = sumAtPoints(elements, pointsOf(grid)), one = sumOnGrid(elements, grid, 1),
                     two = sumOnGrid(elements, grid, 2);
    for (std::size_t i = 0; i < reference.size(); ++i)
      ASSERT_LT(std::abs(one[i] - reference[i]), 1e-12 * 700) << i;
    EXPECT_EQ(one, two);
  }
}

TEST(SurfaceSum, ByTransformsKeepsItsTolerance) {
  const auto elements = surfaceElements(sphere(12).surface(2000));
  for (const QGrid& grid :
       {smallGrid(), parseQGrid("-1:1:16,-1:1:17,0.1:1:5"), parseQGrid("0.3,0.1:2:12,0")}) {
    const FormFactor reference = sumAtPoints(elements, pointsOf(grid));
    for (const double tolerance : {1e-3, 1e-6, 1e-12}) {
      const FormFactor f = transformOnGrid(elements, grid, tolerance, 2);
      double error = 0, norm = 0;
      for (std::size_t i = 0; i < f.size(); ++i) {
        error += std::norm(f[i] - reference[i]);
        norm += std::norm(reference[i]);
      }
      EXPECT_LT(std::sqrt(error / norm), 5 * tolerance);
    }
  }
}

TEST(QGrid, IsReadAsWritten) {
  const QGrid grid = parseQGrid("-1:1:64,0.5,0.1:1:32");
  EXPECT_EQ(grid.size(), 64u * 32u);
  EXPECT_EQ(grid.point(63, 0, 31), Eigen::Vector3d(1, 0.5, 1));
  for (const char* wrong : {"1,2", "0:1:2,0,a", "0:1:0,0,0", "1:0:5,0,0", "0:1:1,0,0", "0:1:2.5,0,0",
                            "0:1:99999,0:1:99999,0:1:99999", "inf,0,0"})
    EXPECT_THROW(parseQGrid(wrong), Error) << wrong;
}

/// Axes of any numbers, on which sums are those at the points one by one.
TEST(QGrid, HasIrregularAxes) {
  const QGrid grid = parseQGrid(" -1 -0.3  0.25 0.7,0.1:0.4:5, -0.2 0.5 0.6");
  EXPECT_FALSE(grid.isRegular());
  EXPECT_TRUE(smallGrid().isRegular());
  EXPECT_EQ(grid.size(), 60u);
  EXPECT_EQ(grid.point(2, 4, 1), Eigen::Vector3d(0.25, 0.4, 0.5));
  EXPECT_EQ(grid.planes(1, 2).axes[0].values(), (std::vector<double>{-0.3, 0.25}));
  EXPECT_EQ(grid.planes(3, 1).axes[0].values(), (std::vector<double>{0.7}));
  EXPECT_EQ(grid.planes(1, 2).point(1, 0, 2), Eigen::Vector3d(0.25, 0.1, 0.6));
  const auto elements = surfaceElements(cylinder(20, 30).surface(500));
  const FormFactor f = sumOnGrid(elements, grid, 2), expected = sumAtPoints(elements, pointsOf(grid));
  for (std::size_t i = 0; i < f.size(); ++i) EXPECT_LT(std::abs(f[i] - expected[i]), 1e-9 * 37000) << i;
}

TEST(QGrid, SaysWhichNumberOfAListIsWrong) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      parseQGrid(text);
    } catch (const Error& e) {
      return e.what();
    }
    return "nothing is refused";
  };
  EXPECT_EQ(refusal("0,0 0.1 x,0"),
            "qy: number 3 of the list: 'x' is not a valid momentum transfer (1/angstrom)");
  EXPECT_EQ(refusal("0 0.2 0.1,0,0"),
            "qx: number 3 of the list: found 0.1 after 0.2; expected numbers that increase");
  EXPECT_EQ(refusal("0 1 1,0,0"),
            "qx: number 3 of the list: found 1 after 1; expected numbers that increase");
  EXPECT_EQ(refusal("0,0,0 1e5"),
            "qz: number 2 of the list: '1e5' is not a valid momentum transfer (1/angstrom)");
}

}  // namespace
}  // namespace prophet
