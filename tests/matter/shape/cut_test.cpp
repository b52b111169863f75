#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <random>

#include "core/common/error.hpp"
#include "matter/shape/bodies.hpp"

namespace prophet {
namespace {

using Complex = std::complex<double>;

constexpr double kCutInfinity = std::numeric_limits<double>::infinity();
constexpr double kCutPi = 3.14159265358979323846;

/// A ring around z, which planes cut in two loops, loops around holes, or along circles of its vertices.
TriangleMesh torus(double large, double small, int around, int across) {
  TriangleMesh mesh;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double a = 2 * kCutPi * i / around, b = 2 * kCutPi * j / across, r = large + small * std::cos(b);
      mesh.vertices.emplace_back(r * std::cos(a), r * std::sin(a), small * std::sin(b));
    }
  const auto number = [&](int i, int j) { return (i % around) * across + j % across; };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      mesh.triangles.push_back({number(i, j), number(i + 1, j), number(i + 1, j + 1)});
      mesh.triangles.push_back({number(i, j), number(i + 1, j + 1), number(i, j + 1)});
    }
  repair(mesh);
  return mesh;
}

/// A sphere whose radius varies at random: with dents, not convex.
TriangleMesh blob(std::mt19937& random) {
  TriangleMesh mesh = sphere(30).surface(500);
  std::uniform_real_distribution<double> factor(0.4, 1.6);
  for (Eigen::Vector3d& v : mesh.vertices) v *= factor(random);
  return mesh;
}

/// Two bodies in one file.
TriangleMesh pair() {
  TriangleMesh mesh = box(20, 30, 40).surface(12);
  const TriangleMesh other = sphere(12).surface(100);
  const int first = static_cast<int>(mesh.vertices.size());
  for (const Eigen::Vector3d& v : other.vertices) mesh.vertices.push_back(v + Eigen::Vector3d(40, 5, 8));
  for (const auto& t : other.triangles) mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  repair(mesh);
  return mesh;
}

Complex factorOf(const TriangleMesh& mesh, const Eigen::Vector3d& q) {
  return mesh.triangles.empty() ? 0.0 : Polyhedron(mesh).formFactor(q);
}

Complex factorOf(const TriangleMesh& mesh, const Eigen::Vector3cd& q) {
  return mesh.triangles.empty() ? 0.0 : Polyhedron(mesh).formFactor(q);
}

/// Both sides of a plane: closed, on their sides of it, with volumes and form factors that add up.
void expectTwoParts(const TriangleMesh& mesh, const Eigen::Vector3d& direction, double height) {
  const TriangleMesh below = slab(mesh, direction, -kCutInfinity, height),
                     above = slab(mesh, direction, height, kCutInfinity);
  const double volume = mesh.volume(), slack = 1e-6;
  EXPECT_GE(below.volume(), -1e-12 * volume);
  EXPECT_GE(above.volume(), -1e-12 * volume);
  EXPECT_NEAR(below.volume() + above.volume(), volume, 1e-11 * volume);
  for (const Eigen::Vector3d& v : below.vertices) EXPECT_LE(direction.dot(v), height + slack);
  for (const Eigen::Vector3d& v : above.vertices) EXPECT_GE(direction.dot(v), height - slack);
  for (const TriangleMesh* part : {&below, &above}) EXPECT_NO_THROW(surfaceElements(*part));
  for (const Eigen::Vector3d& q :
       {Eigen::Vector3d(0.01, -0.02, 0.015), Eigen::Vector3d(0.11, 0.2, -0.3), Eigen::Vector3d(0, 0, 0.7)}) {
    EXPECT_LT(std::abs(factorOf(below, q) + factorOf(above, q) - factorOf(mesh, q)), 1e-10 * volume);
    const Eigen::Vector3cd decaying = q.cast<Complex>() + Complex(0, 0.02) * Eigen::Vector3cd::UnitZ();
    EXPECT_LT(std::abs(factorOf(below, decaying) + factorOf(above, decaying) - factorOf(mesh, decaying)),
              1e-10 * volume);
  }
}

TEST(CutMesh, PartsAddUp) {
  std::mt19937 random(41);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20; ++i) {
    for (const TriangleMesh& mesh : {torus(30, 10, 24, 12), blob(random), pair()}) {
      const Eigen::Vector3d direction =
          Eigen::Vector3d(normal(random), normal(random), normal(random)).normalized();
      expectTwoParts(mesh, direction, 12 * normal(random));
    }
  }
}

/// Planes through vertices, edges and faces, and planes that only touch.
TEST(CutMesh, WhereVerticesLieOnThePlane) {
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), z = Eigen::Vector3d::UnitZ();
  const TriangleMesh cube = box(20, 20, 20).surface(108), ring = torus(30, 10, 24, 12),
                     octahedron = sphere(10).surface(8);
  for (const double height : {-10.0, -10 / 3.0, 0.0, 10 / 3.0, 10.0, 10 - 1e-9, -10 + 1e-9, 11.0}) {
    expectTwoParts(cube, z, height);
    expectTwoParts(cube, Eigen::Vector3d(1, 1, 0).normalized(), height);
    expectTwoParts(ring, z, height);
    expectTwoParts(octahedron, z, height);
    expectTwoParts(octahedron, Eigen::Vector3d(1, 1, 1).normalized(), height);
  }
  for (const double height : {20.0, 30.0, 40.0, -20.0}) expectTwoParts(ring, x, height);
  // Nothing, and all, of a body that stands on the plane.
  EXPECT_TRUE(slab(cube, z, -kCutInfinity, -10).triangles.empty());
  EXPECT_TRUE(slab(cube, z, 10, kCutInfinity).triangles.empty());
  EXPECT_NEAR(slab(cube, z, -10, 10).volume(), 8000, 1e-9);
  EXPECT_NEAR(slab(cube, z, -2, 5).volume(), 2800, 1e-9);
  EXPECT_NEAR(slab(cube, z, -2, 5).area(), 800 + 4 * 140, 1e-9);
}

/// Volumes by hand: half a torus, a corner of a box.
TEST(CutMesh, KnownVolumes) {
  const TriangleMesh ring = torus(30, 10, 24, 12);
  EXPECT_NEAR(slab(ring, {0, 0, 1}, 0, kCutInfinity).volume(), 0.5 * ring.volume(), 1e-9);
  const TriangleMesh cube = box(2, 2, 2).surface(12);
  const Eigen::Vector3d diagonal = Eigen::Vector3d(1, 1, 1).normalized();
  EXPECT_NEAR(slab(cube, diagonal, 2 / std::sqrt(3.0), kCutInfinity).volume(), 1 / 6.0, 1e-12);
}

/// Sums over triangles are as good for a part as for a whole.
TEST(CutMesh, FineFacesSuitSums) {
  const TriangleMesh ball = sphere(30).surface(20000);
  const auto largest = [](const TriangleMesh& mesh) {
    double area = 0;
    for (const SurfaceElement& e : surfaceElements(mesh)) area = std::max(area, e.area);
    return area;
  };
  const TriangleMesh coarse = slab(ball, {0, 0, 1}, -5, 10),
                     fine = slab(ball, {0, 0, 1}, -5, 10, CutFaces::Fine);
  EXPECT_LT(largest(fine), 2 * largest(ball));
  EXPECT_GT(largest(coarse), 4 * largest(ball));
  EXPECT_NEAR(fine.volume(), coarse.volume(), 1e-9 * coarse.volume());
}

struct CutCase {
  Body body;
  Eigen::Vector3d direction;
  double tolerance;
};

/// Three slabs of a body are the body, at real and at complex momenta.
TEST(BodyParts, AddUp) {
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ(), oblique = Eigen::Vector3d(0.5, -0.3, 0.8).normalized();
  std::mt19937 random(42);
  std::normal_distribution<double> normal;
  for (const CutCase& c : {CutCase{sphere(40), z, 1e-13},
                           {sphere(40), oblique, 1e-13},
                           {cylinder(30, 70), z, 1e-13},
                           {cylinder(30, 70), -z, 1e-13},
                           {cylinder(30, 70), oblique, 2e-7},
                           {cone(40, 50), z, 1e-13},
                           {cone(40, 50), -z, 1e-13},
                           {cone(40, 50), oblique, 2e-7},
                           {box(50, 60, 70), oblique, 1e-12},
                           {pyramid(60, 40, 20), oblique, 1e-12}}) {
    const double volume = std::abs(c.body.formFactor({0, 0, 0}));
    const auto low = c.body.part(c.direction, -kCutInfinity, -7), middle = c.body.part(c.direction, -7, 9),
               high = c.body.part(c.direction, 9, kCutInfinity);
    ASSERT_TRUE(low && middle && high) << c.body.description;
    EXPECT_NEAR(low->reach(c.direction), -7, 1e-6) << c.body.description;
    EXPECT_NEAR(middle->reach(-c.direction), 7, 1e-6) << c.body.description;
    EXPECT_NEAR(middle->reach(c.direction), 9, 1e-6) << c.body.description;
    for (const double size : {0.0, 0.01, 0.05, 0.2}) {
      const Eigen::Vector3d q = size * Eigen::Vector3d(normal(random), normal(random), normal(random));
      EXPECT_LT(
          std::abs(low->formFactor(q) + middle->formFactor(q) + high->formFactor(q) - c.body.formFactor(q)),
          c.tolerance * volume)
          << c.body.description << " " << size;
      const Eigen::Vector3cd decaying = q.cast<Complex>() + Complex(0, 0.01) * Eigen::Vector3cd::UnitZ();
      EXPECT_LT(std::abs(low->complexFormFactor(decaying) + middle->complexFormFactor(decaying) +
                         high->complexFormFactor(decaying) - c.body.complexFormFactor(decaying)),
                c.tolerance * volume)
          << c.body.description << " " << size;
    }
    EXPECT_FALSE(c.body.part(c.direction, 100, kCutInfinity)) << c.body.description;
  }
}

/// Each part by itself is that of the surface, cut.
TEST(BodyParts, AreThoseOfTheirSurfaces) {
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ(), oblique = Eigen::Vector3d(0.5, -0.3, 0.8).normalized();
  const Eigen::Vector3d q(0.03, -0.02, 0.04);
  for (const CutCase& c : {CutCase{sphere(40), z, 1e-3},
                           {sphere(40), oblique, 1e-3},
                           {cylinder(30, 70), z, 1e-3},
                           {cylinder(30, 70), oblique, 1e-3},
                           {cone(40, 50), z, 1e-3}}) {
    const auto part = c.body.part(c.direction, -7, 19);
    const TriangleMesh cut = slab(c.body.surface(20000), c.direction, -7, 19);
    EXPECT_LT(std::abs(part->formFactor(q) - factorOf(cut, q)), c.tolerance * cut.volume())
        << c.body.description;
    EXPECT_LT(std::abs(part->formFactor(q) - factorOf(part->surface(20000), q)), c.tolerance * cut.volume())
        << c.body.description;
  }
}

}  // namespace
}  // namespace prophet
