#include "integrals/nuclear_attraction.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "common/error.hpp"
#include "integrals/radial.hpp"

namespace prophet {
namespace {

/// Finite sphere: potential inside [0, R] and outside, both as incomplete gamma functions.
double sphereAttraction(int n, double p, double radius) {
  const double x = p * radius * radius;
  const auto inside = [&](int power) {
    const double a = 0.5 * (power + 1);
    return 0.5 * boost::math::tgamma_lower(a, x) / std::pow(p, a);
  };
  const double outside = 0.5 * boost::math::tgamma(0.5 * n, x) / std::pow(p, 0.5 * n);
  return (3.0 * inside(n) - inside(n + 2) / (radius * radius)) / (2.0 * radius) + outside;
}

}  // namespace

double nuclearAttraction(const Nucleus& nucleus, int n, double p) {
  switch (nucleus.model) {
    case NuclearModel::Point:
      return radial::moment(n - 1, p);
    case NuclearModel::Gaussian:
      return radial::gaussianCloud(n / 2 - 1, p, nucleus.exponent);
    case NuclearModel::Sphere:
      return sphereAttraction(n, p, nucleus.sphereRadius);
    case NuclearModel::Fermi:
      break;
  }
  throw Error("the attraction of a Fermi nucleus has no closed form");  // callers use quadrature
}

}  // namespace prophet
