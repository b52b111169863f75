#include "matter/powder/pattern.hpp"

#include <cmath>
#include <limits>

#include "core/common/math_constants.hpp"

namespace prophet {

Eigen::VectorXd intensityOf(const Eigen::MatrixXd& sums, const std::vector<std::size_t>& counts,
                            const Eigen::VectorXd& q, const Eigen::MatrixXcd& f,
                            const std::vector<double>& bFactors) {
  const int kinds = static_cast<int>(counts.size());
  const Eigen::ArrayXd s2 = (q.array() / (4 * constants::kPi)).square();
  Eigen::ArrayXd intensity = Eigen::ArrayXd::Zero(q.size());
  const auto bOf = [&](int k) { return bFactors.empty() ? 0.0 : bFactors[static_cast<std::size_t>(k)]; };
  for (int a = 0; a < kinds; ++a) {
    intensity += static_cast<double>(counts[static_cast<std::size_t>(a)]) * f.col(a).array().abs2();
    for (int b = a; b < kinds; ++b) {
      const Eigen::ArrayXd both = (f.col(a).array() * f.col(b).array().conjugate()).real();
      intensity += 2 * both * (-(bOf(a) + bOf(b)) * s2).exp() * sums.col(pairKind(a, b, kinds)).array();
    }
  }
  return intensity;
}

Eigen::VectorXd intensityBound(const Eigen::MatrixXd& bounds, const Eigen::MatrixXcd& f) {
  const int kinds = static_cast<int>(f.cols());
  Eigen::ArrayXd bound = Eigen::ArrayXd::Zero(f.rows());
  for (int a = 0; a < kinds; ++a) {
    for (int b = a; b < kinds; ++b)
      bound +=
          2 * f.col(a).array().abs() * f.col(b).array().abs() * bounds.col(pairKind(a, b, kinds)).array();
  }
  return bound;
}

Eigen::VectorXd twoTheta(const Eigen::VectorXd& q, double wavelength) {
  return q.unaryExpr([&](double value) {
    const double sine = value * wavelength / (4 * constants::kPi);
    return sine > 1 ? std::numeric_limits<double>::quiet_NaN() : 2 * std::asin(sine) * 180 / constants::kPi;
  });
}

}  // namespace prophet
