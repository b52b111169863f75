#include "matter/powder/cylinder_absorption.hpp"

#include <fmt/format.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

/// The integral for a cylinder of radius 1. The radius is the sine of the variable, which removes the root's
/// singularity at the surface.
double meanTransmission(double mu, double twoTheta) {
  using Rule = boost::math::quadrature::gauss<double, 96>;
  constexpr int kDirections = 192;
  const double quarter = constants::kPi / 4;
  const auto ring = [&](double t) {
    const double r = std::sin(t);
    const auto toSurface = [r](double cosine, double sine) {
      return r * cosine + std::sqrt(1 - r * r * sine * sine);
    };
    double sum = 0;
    for (int i = 0; i < kDirections; ++i) {
      const double phi = (i + 0.5) * 2 * constants::kPi / kDirections, out = phi - twoTheta;
      sum += std::exp(-mu *
                      (toSurface(std::cos(phi), std::sin(phi)) + toSurface(-std::cos(out), std::sin(out))));
    }
    return 2 * sum / kDirections * r * std::cos(t);
  };
  double sum = 0;
  for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
    const double away = quarter * Rule::abscissa()[i];
    sum += quarter * Rule::weights()[i] * (ring(quarter - away) + ring(quarter + away));
  }
  return sum;
}

}  // namespace

CylinderAbsorption::CylinderAbsorption(double muR) {
  if (!(muR >= 0 && muR <= kLargestAbsorption))
    throw Error(
        fmt::format("mu R of an absorbing cylinder is from 0 to {:g}, not {:g}", kLargestAbsorption, muR));
  constexpr int kNodes = 48;
  coefficients_ = Eigen::VectorXd::Zero(muR > 0 ? kNodes : 1);
  for (int j = 0; muR > 0 && j < kNodes; ++j) {
    const double angle = (j + 0.5) * constants::kPi / kNodes, value = std::log(meanTransmission(muR, angle));
    for (int k = 0; k < kNodes; ++k)
      coefficients_(k) += (k == 0 ? 1.0 : 2.0) / kNodes * value * std::cos(k * angle);
  }
}

double CylinderAbsorption::at(double cosineOfTwoTheta) const {
  // Clenshaw's recursion.
  double next = 0, afterNext = 0;
  for (Eigen::Index k = coefficients_.size() - 1; k > 0; --k) {
    const double value = coefficients_(k) + 2 * cosineOfTwoTheta * next - afterNext;
    afterNext = next;
    next = value;
  }
  return std::exp(coefficients_(0) + cosineOfTwoTheta * next - afterNext);
}

}  // namespace prophet
