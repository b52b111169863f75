#include "matter/shape/bodies.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>
#include <type_traits>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/sinc.hpp"
#include "matter/shape/triangle_mesh.hpp"

namespace prophet {
namespace {

using Complex = std::complex<double>;

/// Points within this of each other are summed as a series, beyond it the recursion loses at most a digit.
constexpr double kClose = 1.0;

/// Directions that differ by less are one.
constexpr double kSameDirection = 1e-9;

Complex unitWave(double phase) { return std::polar(1.0, phase); }
Complex unitWave(Complex phase) { return std::exp(Complex(0, 1) * phase); }

/// exp(i m) sum_k i^k h_k(x - m) / (k + n)!, h_k the complete homogeneous polynomials of the n + 1 points and
/// m their mean.
template <class Scalar, std::size_t Count>
Complex series(const Scalar (&x)[Count]) {
  Scalar mean = 0;
  for (const Scalar& v : x) mean += v / static_cast<double>(Count);
  Scalar d[Count];
  for (std::size_t i = 0; i < Count; ++i) d[i] = x[i] - mean;
  // h[i]: h_k of the points 0 ... i; h_k(0..i) = h_k(0..i-1) + d_i h_(k-1)(0..i).
  Scalar h[Count];
  std::fill(h, h + Count, Scalar(1));
  double factor = 1;
  for (std::size_t n = 2; n < Count; ++n) factor /= static_cast<double>(n);
  Complex sum = factor, power = 1;
  for (int k = 1; k < 22; ++k) {
    Scalar before = 0;
    for (std::size_t i = 0; i < Count; ++i) before = h[i] = before + d[i] * h[i];
    factor /= static_cast<double>(k) + static_cast<double>(Count) - 1;
    power *= Complex(0, 1);
    sum += power * (factor * h[Count - 1]);
  }
  return unitWave(mean) * sum;
}

/// Puts the two points that are farthest apart first and last; their distance.
template <class Scalar, std::size_t Count>
double spread(Scalar (&x)[Count]) {
  if constexpr (std::is_same_v<Scalar, double>) {
    std::sort(x, x + Count);
  } else {
    std::size_t low = 0, high = Count - 1;
    for (std::size_t i = 0; i < Count; ++i)
      for (std::size_t j = i + 1; j < Count; ++j)
        if (std::abs(x[j] - x[i]) > std::abs(x[high] - x[low])) low = i, high = j;
    std::swap(x[high], x[Count - 1]);
    std::swap(x[low], x[0]);
  }
  return std::abs(x[Count - 1] - x[0]);
}

template <class Scalar>
Complex differenceOf(Scalar a, Scalar b) {
  // (exp(ib) - exp(ia)) / (i (b - a)) = exp(i (a + b)/2) sin(h)/h
  return sinc(0.5 * (b - a)) * unitWave(0.5 * (a + b));
}

template <class Scalar>
Complex differenceOf(Scalar a, Scalar b, Scalar c) {
  Scalar x[3] = {a, b, c};
  if (spread(x) < kClose) return series(x);
  return (differenceOf(x[1], x[2]) - differenceOf(x[0], x[1])) / (Complex(0, 1) * (x[2] - x[0]));
}

template <class Scalar>
Complex differenceOf(Scalar a, Scalar b, Scalar c, Scalar d) {
  Scalar x[4] = {a, b, c, d};
  if (spread(x) < kClose) return series(x);
  return (differenceOf(x[1], x[2], x[3]) - differenceOf(x[0], x[1], x[2])) / (Complex(0, 1) * (x[3] - x[0]));
}

/// The sum of products without conjugates.
template <class Vector>
auto productOf(const Vector& q, const Eigen::Vector3d& r) {
  return q(0) * r(0) + q(1) * r(1) + q(2) * r(2);
}

}  // namespace

Complex exponentialDifference(double a, double b) { return differenceOf(a, b); }
Complex exponentialDifference(double a, double b, double c) { return differenceOf(a, b, c); }
Complex exponentialDifference(double a, double b, double c, double d) { return differenceOf(a, b, c, d); }

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

template <class Vector>
Complex Polyhedron::factorAt(const Vector& q) const {
  constexpr double kLongWaveOfBody = 2;
  // With the conjugate of q in the divergence theorem the divisor is zero for q = 0 only, also where q is
  // complex.
  const double square = q.squaredNorm();
  const Vector direction = q.conjugate();
  const bool byTetrahedra = square * radius_ * radius_ < kLongWaveOfBody * kLongWaveOfBody;
  Complex sum = 0;
  for (const Face& face : faces_) {
    const auto a = productOf(q, vertices_[face.corners[0]]), b = productOf(q, vertices_[face.corners[1]]),
               c = productOf(q, vertices_[face.corners[2]]);
    if (byTetrahedra) {
      sum += face.sixVolumes * differenceOf(decltype(a)(0), a, b, c);
    } else {
      sum += productOf(direction, face.twiceArea) * differenceOf(a, b, c);
    }
  }
  if (!byTetrahedra) sum /= Complex(0, square);
  return unitWave(productOf(q, centre_)) * sum;
}

Complex Polyhedron::formFactor(const Eigen::Vector3d& q) const { return factorAt(q); }
Complex Polyhedron::formFactor(const Eigen::Vector3cd& q) const { return factorAt(q); }

double Polyhedron::reach(const Eigen::Vector3d& direction) const {
  double farthest = -std::numeric_limits<double>::infinity();
  for (const Eigen::Vector3d& v : vertices_) farthest = std::max(farthest, direction.dot(centre_ + v));
  return farthest;
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
    if (!(l > 0 && l < 1e9))
      throw Error(
          fmt::format("the lengths of a {} are above 0 and below 1e9 (angstrom); found {:g}", name, l));
  }
}

/// 3 (sin x - x cos x)/x^3
template <class Scalar>
Scalar sphereShape(Scalar x) {
  if (std::abs(x) > 0.5) return 3.0 * (std::sin(x) - x * std::cos(x)) / (x * x * x);
  Scalar sum = 0, term = 1;  // sum of 3 (2k + 2) (-x^2)^k / (2k + 3)!
  for (int k = 0; k < 10; ++k) {
    sum += term * 3.0 / (2.0 * k + 3);
    term *= -x * x / ((2.0 * k + 2) * (2.0 * k + 3));
  }
  return sum;
}

/// 2 J1(x)/x
double discShape(double x) { return x < 1e-4 ? 1 - x * x / 8 : 2 * ::j1(x) / x; }

/// The same of a complex number: 2/pi times Poisson's integral of cos(x cos t) sin^2 t from 0 to pi (NIST
/// Handbook of Mathematical Functions, 10.9.4). The trapezoidal rule on a period is right to rounding as soon
/// as a period has more points than |x|; a quarter of them is enough, the others have the same values.
Complex discShape(Complex x) {
  const int points = 10 + static_cast<int>(std::abs(x) / 3);
  Complex sum = 0;
  for (int i = 0; i < points; ++i) {
    const double t = (i + 0.5) * kPi / (2 * points), s = std::sin(t);
    sum += std::cos(x * std::cos(t)) * (s * s);
  }
  return 2.0 * sum / static_cast<double>(points);
}

double acrossOf(const Eigen::Vector3d& q) { return std::hypot(q(0), q(1)); }
Complex acrossOf(const Eigen::Vector3cd& q) { return std::sqrt(q(0) * q(0) + q(1) * q(1)); }
double lengthOf(const Eigen::Vector3d& q) { return q.norm(); }
Complex lengthOf(const Eigen::Vector3cd& q) { return std::sqrt(q(0) * q(0) + q(1) * q(1) + q(2) * q(2)); }

using BodyPart = decltype(Body::part);

/// A body by what computes its form factor at real and at complex momenta.
template <class Factor, class Reach, class Surface>
Body bodyOf(std::string description, Factor factor, Reach reach, Surface surface, BodyPart part) {
  Body body;
  body.description = std::move(description);
  body.formFactor = [factor](const Eigen::Vector3d& q) { return Complex(factor(q)); };
  body.complexFormFactor = [factor](const Eigen::Vector3cd& q) { return factor(q); };
  body.reach = reach;
  body.surface = surface;
  body.part = std::move(part);
  return body;
}

/// Discs across a direction with radii radius(t), `largest` at most, at t from low to high along it: Gauss's
/// rule on pieces of less than a period. The square of the radius must be smooth; `along` and `across`:
/// components of q.
template <class Scalar, class Radius>
Complex discsFactor(double low, double high, double largest, Scalar along, Scalar across, Radius radius) {
  const double length = high - low, middle = 0.5 * (low + high);
  const int pieces = 1 + static_cast<int>((std::abs(across) * largest + std::abs(along) * length) / 6);
  const auto at = [&](double t) {
    const double r = radius(t);
    return r * r * discShape(across * r) * unitWave(along * (t - middle));
  };
  using Rule = boost::math::quadrature::gauss<double, 20>;  // points on both sides of the middle
  Complex sum = 0;
  for (int piece = 0; piece < pieces; ++piece) {
    const double half = 0.5 * length / pieces, centre = low + (piece + 0.5) * length / pieces;
    for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
      const double away = half * Rule::abscissa()[i];
      sum += half * Rule::weights()[i] * (at(centre - away) + at(centre + away));
    }
  }
  return kPi * unitWave(along * middle) * sum;
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

BodyPart partOfSurface(const TriangleMesh& mesh) {
  return [mesh](const Eigen::Vector3d& direction, double low, double high) -> std::optional<Body> {
    const TriangleMesh part = slab(mesh, direction, low, high);
    if (part.triangles.empty()) return {};
    return polyhedronBody(part);
  };
}

/// A sphere between two planes across `direction`.
std::optional<Body> segment(double radius, const Eigen::Vector3d& direction, double low, double high) {
  if (!(high > low)) return {};
  const auto radiusAt = [=](double t) { return std::sqrt(std::max(0.0, (radius - t) * (radius + t))); };
  const double widest = radiusAt(std::clamp(0.0, low, high));
  return bodyOf(
      fmt::format("sphere of radius {:g} angstrom, cut", radius),
      [=](const auto& q) {
        const auto along = productOf(q, direction);
        return discsFactor(low, high, widest, along, lengthOf((q - along * direction).eval()), radiusAt);
      },
      [=](const Eigen::Vector3d& d) {
        // The sphere's own farthest point, or one on the rim of the nearest cut.
        const double along = d.dot(direction), across = (d - along * direction).norm(), length = d.norm();
        const double t = std::clamp(length > 0 ? radius * along / length : 0.0, low, high);
        return t * along + radiusAt(t) * across;
      },
      [=](int triangles) {
        return slab(sphereSurface(radius, triangles), direction, low, high, CutFaces::Fine);
      },
      nullptr);
}

/// A prism or pyramid of many sides for a body of revolution, of the same cross sections.
TriangleMesh manySided(double lower, double upper, double low, double high) {
  constexpr int kSides = 360;
  const double angle = 2 * kPi / kSides, wider = std::sqrt(angle / std::sin(angle));
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, low}, {0, 0, high}};
  for (int s = 0; s < kSides; ++s) {
    const Eigen::Vector3d out(wider * std::cos(s * angle), wider * std::sin(s * angle), 0);
    mesh.vertices.emplace_back(lower * out + Eigen::Vector3d(0, 0, low));
    mesh.vertices.emplace_back(upper * out + Eigen::Vector3d(0, 0, high));
  }
  for (int s = 0; s < kSides; ++s) {
    const int a = 2 + 2 * s, b = 2 + 2 * ((s + 1) % kSides);
    mesh.triangles.push_back({0, b, a});
    mesh.triangles.push_back({a, b, b + 1});
    mesh.triangles.push_back({a, b + 1, a + 1});
    mesh.triangles.push_back({1, a + 1, b + 1});
  }
  repair(mesh);
  return mesh;
}

/// The part of a body of revolution: make(low, high) where the planes are perpendicular to z.
template <class Make>
std::optional<Body> partOfRound(const Eigen::Vector3d& direction, double low, double high, double lower,
                                double upper, std::pair<double, double> ends, Make make) {
  if (direction.head<2>().norm() > kSameDirection)
    return partOfSurface(manySided(lower, upper, ends.first, ends.second))(direction, low, high);
  if (direction(2) < 0) std::tie(low, high) = std::pair(-high, -low);
  low = std::max(low, ends.first);
  high = std::min(high, ends.second);
  if (!(high > low)) return {};
  return make(low, high);
}

Body cylinderBetween(double radius, double low, double high) {
  const double height = high - low, middle = 0.5 * (low + high), volume = kPi * radius * radius * height;
  return bodyOf(
      fmt::format("cylinder of radius {:g} and height {:g} angstrom", radius, height),
      [=](const auto& q) {
        return volume * unitWave(q(2) * middle) * discShape(acrossOf(q) * radius) * sinc(0.5 * q(2) * height);
      },
      [=](const Eigen::Vector3d& d) {
        return radius * std::hypot(d(0), d(1)) + middle * d(2) + 0.5 * height * std::abs(d(2));
      },
      [=](int triangles) {
        TriangleMesh mesh = roundSurface(radius, radius, height, triangles);
        for (Eigen::Vector3d& v : mesh.vertices) v(2) += middle;
        return mesh;
      },
      [=](const Eigen::Vector3d& direction, double from, double to) {
        return partOfRound(direction, from, to, radius, radius, {low, high},
                           [=](double bottom, double top) { return cylinderBetween(radius, bottom, top); });
      });
}

/// The part of a cone with its middle at z = 0.
Body coneBetween(double radius, double height, double low, double high) {
  const auto radiusAt = [=](double z) { return radius * (0.5 - z / height); };
  const double lower = radiusAt(low), upper = std::max(0.0, radiusAt(high));
  return bodyOf(
      fmt::format("cone of radius {:g} and height {:g} angstrom", radius, height),
      [=](const auto& q) { return discsFactor(low, high, lower, q(2), acrossOf(q), radiusAt); },
      [=](const Eigen::Vector3d& d) {
        const double across = std::hypot(d(0), d(1));
        return std::max(upper * across + high * d(2), lower * across + low * d(2));
      },
      [=](int triangles) {
        TriangleMesh mesh = roundSurface(lower, upper, high - low, triangles);
        for (Eigen::Vector3d& v : mesh.vertices) v(2) += 0.5 * (low + high);
        return mesh;
      },
      [=](const Eigen::Vector3d& direction, double from, double to) {
        return partOfRound(direction, from, to, lower, upper, {low, high}, [=](double bottom, double top) {
          return coneBetween(radius, height, bottom, top);
        });
      });
}

}  // namespace

Body sphere(double radius) {
  requireLengths({radius}, "sphere");
  const double volume = 4 * kPi / 3 * radius * radius * radius;
  return bodyOf(
      fmt::format("sphere of radius {:g} angstrom", radius),
      [=](const auto& q) { return volume * sphereShape(lengthOf(q) * radius); },
      [=](const Eigen::Vector3d& d) { return radius * d.norm(); },
      [=](int triangles) { return sphereSurface(radius, triangles); },
      [=](const Eigen::Vector3d& direction, double low, double high) {
        return segment(radius, direction, std::max(low, -radius), std::min(high, radius));
      });
}

Body cylinder(double radius, double height) {
  requireLengths({radius, height}, "cylinder");
  return cylinderBetween(radius, -0.5 * height, 0.5 * height);
}

Body box(double x, double y, double z) {
  requireLengths({x, y, z}, "box");
  return bodyOf(
      fmt::format("box of {:g} x {:g} x {:g} angstrom", x, y, z),
      [=](const auto& q) {
        return x * y * z * sinc(0.5 * q(0) * x) * sinc(0.5 * q(1) * y) * sinc(0.5 * q(2) * z);
      },
      [=](const Eigen::Vector3d& d) { return 0.5 * d.cwiseAbs().dot(Eigen::Vector3d(x, y, z)); },
      [=](int triangles) { return cut(frustum(x, y, z, 1), triangles); }, partOfSurface(frustum(x, y, z, 1)));
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
  return coneBetween(radius, height, -0.5 * height, 0.5 * height);
}

const std::vector<BodyKind>& bodyKinds() {
  using Lengths = std::vector<double>;
  static const std::vector<BodyKind> kinds{
      {"sphere", "RADIUS", "a sphere: RADIUS", 1, 1, [](const Lengths& l) { return sphere(l[0]); }},
      {"cylinder", "RADIUS,HEIGHT", "a cylinder along z: RADIUS,HEIGHT", 2, 2,
       [](const Lengths& l) { return cylinder(l[0], l[1]); }},
      {"box", "X,Y,Z", "a box: X,Y,Z", 3, 3, [](const Lengths& l) { return box(l[0], l[1], l[2]); }},
      {"pyramid", "BASE,HEIGHT", "a pyramid with a square base: BASE,HEIGHT or BASE,HEIGHT,TOP", 2, 3,
       [](const Lengths& l) { return pyramid(l[0], l[1], l.size() > 2 ? l[2] : 0); }},
      {"cone", "RADIUS,HEIGHT", "a cone: RADIUS,HEIGHT", 2, 2,
       [](const Lengths& l) { return cone(l[0], l[1]); }},
  };
  return kinds;
}

Body polyhedronBody(const TriangleMesh& mesh) {
  const auto polyhedron = std::make_shared<const Polyhedron>(mesh);
  return bodyOf(
      mesh.description, [polyhedron](const auto& q) { return polyhedron->formFactor(q); },
      [polyhedron](const Eigen::Vector3d& d) { return polyhedron->reach(d); }, [mesh](int) { return mesh; },
      partOfSurface(mesh));
}

}  // namespace prophet
