#include "matter/shape/bodies.hpp"

#include <fmt/format.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <memory>

#include "core/common/error.hpp"
#include "core/common/math_constants.hpp"
#include "matter/shape/polyhedron.hpp"
#include "matter/shape/round_surfaces.hpp"

namespace prophet {
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
