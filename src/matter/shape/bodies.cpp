#include "matter/shape/bodies.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <memory>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "matter/shape/triangle_mesh.hpp"

namespace prophet {
namespace {

using Complex = std::complex<double>;

/// Points within this of each other are summed as a series, beyond it the recursion loses at most a digit.
constexpr double kClose = 1.0;

/// exp(i m) sum_k i^k h_k(x - m) / (k + n)!, h_k the complete homogeneous polynomials of the n + 1 points and
/// m their mean.
template <std::size_t Count>
Complex series(const double (&x)[Count]) {
  double mean = 0;
  for (const double v : x) mean += v / Count;
  double d[Count];
  for (std::size_t i = 0; i < Count; ++i) d[i] = x[i] - mean;
  // h[i]: h_k of the points 0 ... i; h_k(0..i) = h_k(0..i-1) + d_i h_(k-1)(0..i).
  double h[Count];
  std::fill(h, h + Count, 1.0);
  double factor = 1;
  for (std::size_t n = 2; n < Count; ++n) factor /= static_cast<double>(n);
  Complex sum = factor, power = 1;
  for (int k = 1; k < 22; ++k) {
    double before = 0;
    for (std::size_t i = 0; i < Count; ++i) before = h[i] = before + d[i] * h[i];
    factor /= static_cast<double>(k) + static_cast<double>(Count) - 1;
    power *= Complex(0, 1);
    sum += power * (factor * h[Count - 1]);
  }
  return std::polar(1.0, mean) * sum;
}

}  // namespace

Complex exponentialDifference(double a, double b) {
  // (exp(ib) - exp(ia)) / (i (b - a)) = exp(i (a + b)/2) sin(h)/h
  const double half = 0.5 * (b - a);
  const double sinc = std::abs(half) < 1e-4 ? 1 - half * half / 6 : std::sin(half) / half;
  return std::polar(sinc, 0.5 * (a + b));
}

Complex exponentialDifference(double a, double b, double c) {
  double x[3] = {a, b, c};
  std::sort(x, x + 3);
  if (x[2] - x[0] < kClose) return series(x);
  return (exponentialDifference(x[1], x[2]) - exponentialDifference(x[0], x[1])) / Complex(0, x[2] - x[0]);
}

Complex exponentialDifference(double a, double b, double c, double d) {
  double x[4] = {a, b, c, d};
  std::sort(x, x + 4);
  if (x[3] - x[0] < kClose) return series(x);
  return (exponentialDifference(x[1], x[2], x[3]) - exponentialDifference(x[0], x[1], x[2])) /
         Complex(0, x[3] - x[0]);
}

Polyhedron::Polyhedron(const TriangleMesh& mesh) : vertices_(mesh.vertices) {
  Eigen::Vector3d low = vertices_.front(), high = low;
  for (const Eigen::Vector3d& v : vertices_) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  centre_ = 0.5 * (low + high);
  radius_ = 0.5 * (high - low).norm();
  for (Eigen::Vector3d& v : vertices_) v -= centre_;
  for (const auto& t : mesh.triangles) {
    const Eigen::Vector3d &a = vertices_[t[0]], &b = vertices_[t[1]], &c = vertices_[t[2]];
    faces_.push_back({t, (b - a).cross(c - a), a.dot(b.cross(c))});
  }
}

std::complex<double> Polyhedron::formFactor(const Eigen::Vector3d& q) const {
  constexpr double kLongWave = 2;
  const double square = q.squaredNorm();
  const bool byTetrahedra = square * radius_ * radius_ < kLongWave * kLongWave;
  std::complex<double> sum = 0;
  for (const Face& face : faces_) {
    const double a = q.dot(vertices_[face.corners[0]]), b = q.dot(vertices_[face.corners[1]]),
                 c = q.dot(vertices_[face.corners[2]]);
    if (byTetrahedra) {
      sum += face.sixVolumes * exponentialDifference(0, a, b, c);
    } else {
      sum += q.dot(face.twiceArea) * exponentialDifference(a, b, c);
    }
  }
  if (!byTetrahedra) sum /= std::complex<double>(0, square);
  return std::polar(1.0, q.dot(centre_)) * sum;
}

/// A sphere around the origin by about so many triangles, made of an octahedron's faces; corners on the
/// sphere.
TriangleMesh sphereSurface(double radius, int triangles) {
  TriangleMesh octahedron;
  octahedron.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  octahedron.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                          {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  TriangleMesh mesh =
      subdivided(octahedron, std::max(1, static_cast<int>(std::lround(std::sqrt(triangles / 8.0)))));
  for (Eigen::Vector3d& v : mesh.vertices) v *= radius / v.norm();
  repair(mesh);
  return mesh;
}

/// A body of revolution about z between z = -height/2 (radius `lower`) and height/2 (radius `upper`, 0 for a
/// cone) by about so many triangles; corners on the surface.
TriangleMesh roundSurface(double lower, double upper, double height, int triangles) {
  // Rings of points from the middle of the base along its radius, up the side and to the middle of the top.
  struct Ring {
    double radius, z;
  };
  const double side = std::hypot(height, lower - upper), length = lower + side + upper;
  const double around = constants::kPi * (lower + upper);
  const int sectors =
      std::max(6, static_cast<int>(std::lround(std::sqrt(0.5 * triangles * around / length))));
  const auto pieces = [&](double part) {
    return std::max(1, static_cast<int>(std::lround(0.5 * triangles / sectors * part / length)));
  };
  std::vector<Ring> rings{{0, -0.5 * height}};
  const auto add = [&](Ring to, double part) {
    const Ring from = rings.back();
    const int count = pieces(part);
    for (int i = 1; i <= count; ++i) {
      const double t = static_cast<double>(i) / count;
      rings.push_back({from.radius + t * (to.radius - from.radius), from.z + t * (to.z - from.z)});
    }
  };
  add({lower, -0.5 * height}, lower);
  add({upper, 0.5 * height}, side);
  if (upper > 0) add({0, 0.5 * height}, upper);
  TriangleMesh mesh;
  for (const Ring& ring : rings) {
    for (int s = 0; s < sectors; ++s) {
      const double angle = 2 * constants::kPi * s / sectors;
      mesh.vertices.emplace_back(ring.radius * std::cos(angle), ring.radius * std::sin(angle), ring.z);
    }
  }
  for (int r = 0; r + 1 < static_cast<int>(rings.size()); ++r) {
    for (int s = 0; s < sectors; ++s) {
      const int a = r * sectors + s, b = r * sectors + (s + 1) % sectors, c = a + sectors, d = b + sectors;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  }
  repair(mesh);
  return mesh;
}

namespace {

using Complex = std::complex<double>;
using constants::kPi;

void requireLengths(std::initializer_list<double> lengths, const char* name) {
  for (const double l : lengths) {
    if (!(l > 0 && l < 1e9)) throw Error(fmt::format("the lengths of a {} are above 0 (angstrom)", name));
  }
}

double sinc(double x) { return std::abs(x) < 1e-4 ? 1 - x * x / 6 : std::sin(x) / x; }

/// 3 (sin x - x cos x)/x^3
double sphereShape(double x) {
  if (x > 0.5) return 3 * (std::sin(x) - x * std::cos(x)) / (x * x * x);
  double sum = 0, term = 1;  // sum of 3 (2k + 2) (-x^2)^k / (2k + 3)!
  for (int k = 0; k < 10; ++k) {
    sum += term * 3 / (2 * k + 3);
    term *= -x * x / ((2 * k + 2) * (2 * k + 3));
  }
  return sum;
}

/// 2 J1(x)/x
double discShape(double x) { return x < 1e-4 ? 1 - x * x / 8 : 2 * ::j1(x) / x; }

/// Discs of radius R (1 - t) at the height H (t - 1/2), t from 0 to 1: Gauss's rule on pieces of less than a
/// period.
Complex coneFactor(double radius, double height, const Eigen::Vector3d& q) {
  const double across = std::hypot(q(0), q(1)) * radius, along = q(2) * height;
  const int pieces = 1 + static_cast<int>((across + std::abs(along)) / 6);
  Complex sum = 0;
  for (int piece = 0; piece < pieces; ++piece) {
    const double from = static_cast<double>(piece) / pieces, to = static_cast<double>(piece + 1) / pieces;
    for (const bool imaginary : {false, true}) {
      const double part = boost::math::quadrature::gauss<double, 20>::integrate(
          [&](double t) {
            const double r = 1 - t, phase = along * (t - 0.5);
            return r * r * discShape(across * r) * (imaginary ? std::sin(phase) : std::cos(phase));
          },
          from, to);
      sum += imaginary ? Complex(0, part) : Complex(part, 0);
    }
  }
  return kPi * radius * radius * height * sum;
}

/// Cuts flat faces until there are about so many triangles.
TriangleMesh cut(const TriangleMesh& mesh, int triangles) {
  const double ratio = static_cast<double>(triangles) / static_cast<double>(mesh.triangles.size());
  return subdivided(mesh, std::max(1, static_cast<int>(std::lround(std::sqrt(ratio)))));
}

/// A frustum with a square base and top, or a pyramid.
TriangleMesh frustum(double x, double y, double z, double share) {
  TriangleMesh mesh;
  for (const double h : {-0.5, 0.5}) {
    const double s = h < 0 ? 0.5 : 0.5 * share;
    for (const auto& [cx, cy] : {std::pair{-s, -s}, {s, -s}, {s, s}, {-s, s}})
      mesh.vertices.emplace_back(cx * x, cy * y, h * z);
  }
  mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                    {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  repair(mesh);
  return mesh;
}

}  // namespace

Body sphere(double radius) {
  requireLengths({radius}, "sphere");
  const double volume = 4 * kPi / 3 * radius * radius * radius;
  return {fmt::format("sphere of radius {:g} angstrom", radius),
          [=](const Eigen::Vector3d& q) { return Complex(volume * sphereShape(q.norm() * radius)); },
          [=](int triangles) { return sphereSurface(radius, triangles); }, -radius};
}

Body cylinder(double radius, double height) {
  requireLengths({radius, height}, "cylinder");
  const double volume = kPi * radius * radius * height;
  return {fmt::format("cylinder of radius {:g} and height {:g} angstrom", radius, height),
          [=](const Eigen::Vector3d& q) {
            return Complex(volume * discShape(std::hypot(q(0), q(1)) * radius) * sinc(0.5 * q(2) * height));
          },
          [=](int triangles) { return roundSurface(radius, radius, height, triangles); }, -0.5 * height};
}

Body box(double x, double y, double z) {
  requireLengths({x, y, z}, "box");
  return {fmt::format("box of {:g} x {:g} x {:g} angstrom", x, y, z),
          [=](const Eigen::Vector3d& q) {
            return Complex(x * y * z * sinc(0.5 * q(0) * x) * sinc(0.5 * q(1) * y) * sinc(0.5 * q(2) * z));
          },
          [=](int triangles) { return cut(frustum(x, y, z, 1), triangles); }, -0.5 * z};
}

Body pyramid(double base, double height, double top) {
  requireLengths({base, height}, "pyramid");
  if (!(top >= 0 && top <= base)) throw Error("the top of a pyramid is from 0 to its base (angstrom)");
  const TriangleMesh mesh = frustum(base, base, height, top / base);
  Body body = polyhedronBody(mesh);
  body.description =
      fmt::format("pyramid of base {:g}, height {:g} and top {:g} angstrom", base, height, top);
  body.surface = [mesh](int triangles) { return cut(mesh, triangles); };
  return body;
}

Body cone(double radius, double height) {
  requireLengths({radius, height}, "cone");
  return {fmt::format("cone of radius {:g} and height {:g} angstrom", radius, height),
          [=](const Eigen::Vector3d& q) { return coneFactor(radius, height, q); },
          [=](int triangles) { return roundSurface(radius, 0, height, triangles); }, -0.5 * height};
}

Body polyhedronBody(const TriangleMesh& mesh) {
  const auto polyhedron = std::make_shared<const Polyhedron>(mesh);
  double bottom = mesh.vertices.front()(2);
  for (const Eigen::Vector3d& v : mesh.vertices) bottom = std::min(bottom, v(2));
  return {mesh.description, [polyhedron](const Eigen::Vector3d& q) { return polyhedron->formFactor(q); },
          [mesh](int) { return mesh; }, bottom};
}

}  // namespace prophet
