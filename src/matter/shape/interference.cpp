#include "matter/shape/interference.hpp"

#include <cmath>
#include <complex>

#include "core/common/error.hpp"
#include "core/common/math_constants.hpp"

namespace prophet {
namespace {

using Complex = std::complex<double>;

constexpr double kDegree = constants::kPi / 180;

/// 1 + 2 Re sum_{n = 1}^{N-1} (1 - n/N) P^n: in closed form, or where that divides by little term by term.
double chain(Complex p, int count) {
  const Complex gap = 1.0 - p;
  if (std::abs(gap) < 1e-3) {
    double sum = 1;
    Complex power = 1;
    for (int n = 1; n < count; ++n) {
      power *= p;
      sum += 2 * (1 - static_cast<double>(n) / count) * power.real();
    }
    return sum;
  }
  const Complex sum =
      (1.0 + p) / gap - 2.0 * p * (1.0 - std::pow(p, count)) / (static_cast<double>(count) * gap * gap);
  return sum.real();
}

}  // namespace

void check(const Arrangement& a) {
  if (a.spacings.size() > 2) throw Error("an arrangement on a surface has one or two directions");
  for (const Spacing& s : a.spacings) {
    if (!(s.length > 0 && s.length < 1e9)) throw Error("the distance between particles is above 0 angstrom");
    if (!(s.sigma >= 0 && s.sigma < 1e9))
      throw Error("the standard deviation of a distance is 0 angstrom or more");
    if (s.count < 1 || s.count > 1000000) throw Error("particles along a direction are 1 to 1000000");
  }
  for (const double angle : {a.angle, a.rotation}) {
    if (!(std::abs(angle) <= 360)) throw Error("the angles of an arrangement are up to 360 degrees");
  }
  if (a.spacings.size() == 2 && !(std::abs(std::sin(kDegree * a.angle)) > 1e-3))
    throw Error("the two directions of an arrangement must not be parallel");
}

double interference(const Arrangement& a, const Eigen::Vector3d& q) {
  double product = 1;
  const double along = std::hypot(q(0), q(1));
  for (std::size_t k = 0; k < a.spacings.size(); ++k) {
    const Spacing& s = a.spacings[k];
    const double direction = kDegree * (a.rotation + (k == 0 ? 0 : a.angle));
    const double phase =
        s.length * (a.radial ? along : q(0) * std::cos(direction) + q(1) * std::sin(direction));
    const double damping = 0.5 * along * along * s.sigma * s.sigma;
    product *= chain(std::polar(std::exp(-damping), phase), s.count);
  }
  return product;
}

}  // namespace prophet
