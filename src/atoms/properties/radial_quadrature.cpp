#include "atoms/properties/radial_quadrature.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

namespace prophet {
namespace {

using Rule = boost::math::quadrature::gauss<double, 10>;

constexpr int kInner = 16, kDegree = 5;  // points and degree of the fit

// Functions that were found by the variational principle are the less accurate the closer they are to the
// nucleus, where they hold little charge: s1/2 as u^1.5.
double reliability(double u) { return std::pow(u, 1.5); }

/// Coefficients of the polynomial in u^step by weighted least squares, as a matrix that acts on values at
/// `u`.
Eigen::MatrixXd polynomialFit(const Eigen::VectorXd& u, double step) {
  const Eigen::VectorXd weight = u.unaryExpr(&reliability);
  Eigen::MatrixXd powers(u.size(), kDegree + 1);
  for (int m = 0; m <= kDegree; ++m) powers.col(m) = weight.array() * u.array().pow(m * step);
  const Eigen::MatrixXd inverse = powers.completeOrthogonalDecomposition().pseudoInverse();
  return inverse * weight.asDiagonal();
}

}  // namespace

RadialQuadrature::RadialQuadrature(const Range& range) : step_(range.step) {
  std::vector<double> ends = {range.join, range.end};
  for (const double radius : range.breaks) {
    if (radius > range.join && radius < range.end) ends.push_back(radius);
  }
  std::sort(ends.begin(), ends.end());
  std::vector<double> radii, weights;
  const Eigen::VectorXd u = Eigen::VectorXd::LinSpaced(kInner, 1.0 / kInner, 1);
  fit_ = polynomialFit(u, step_);
  for (const double share : u) radii.push_back(share * range.join);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double from = std::log(ends[i]), length = std::log(ends[i + 1]) - from;
    const int panels = std::max(1, static_cast<int>(std::ceil(length / range.panel)));
    const double half = length / panels / 2;
    for (int p = 0; p < panels; ++p) {
      const double middle = from + (2 * p + 1) * half;
      for (std::size_t k = 0; k < Rule::abscissa().size(); ++k)
        for (const double node : {-Rule::abscissa()[k], Rule::abscissa()[k]}) {
          radii.push_back(std::exp(middle + half * node));
          weights.push_back(half * Rule::weights()[k] * radii.back());
        }
    }
  }
  radii_ = Eigen::Map<Eigen::VectorXd>(radii.data(), static_cast<Eigen::Index>(radii.size()));
  weights_ = Eigen::Map<Eigen::VectorXd>(weights.data(), static_cast<Eigen::Index>(weights.size()));
}

// With u = r/join the function is u^power sum_m c_m u^(m step) there.
double RadialQuadrature::integral(const Eigen::Ref<const Eigen::ArrayXd>& values, double power) const {
  const Eigen::ArrayXd u = radii_.head(kInner).array() / radii_[kInner - 1];
  const Eigen::VectorXd c = fit_ * (values.head(kInner) / u.pow(power)).matrix();
  double below = 0;
  for (int m = 0; m <= kDegree; ++m) below += c[m] / (power + 1 + m * step_);
  return radii_[kInner - 1] * below + (values.tail(weights_.size()) * weights_.array()).sum();
}

}  // namespace prophet
