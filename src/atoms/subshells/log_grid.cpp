#include "atoms/subshells/log_grid.hpp"

#include <algorithm>
#include <cmath>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/mesh/fft.hpp"

namespace prophet {
namespace {

constexpr int kNeighbours = 12;  // of an interpolation

using Complex = std::complex<double>;

/// Imaginary part of ln Gamma(z), Re z > 0: Stirling's series after steps of the recurrence.
double gammaPhase(Complex z) {
  double phase = 0;
  while (std::abs(z) < 12) {
    phase -= std::arg(z);
    z += 1.0;
  }
  constexpr double kStirlingTerms[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                       1.0 / 1188, -691.0 / 360360, 1.0 / 156};
  Complex sum = (z - 0.5) * std::log(z) - z;
  Complex power = 1.0 / z;
  const Complex square = power * power;
  for (const double term : kStirlingTerms) {
    sum += term * power;
    power *= square;
  }
  return phase + sum.imag();
}

}  // namespace

Eigen::VectorXd LogGrid::points() const {
  Eigen::VectorXd x(count);
  for (int i = 0; i < count; ++i) x[i] = std::exp(start + i * step);
  return x;
}

double LogGrid::first() const { return std::exp(start); }
double LogGrid::last() const { return std::exp(start + (count - 1) * step); }

LogGrid LogGrid::between(double first, double last, double step) {
  const double start = std::log(first);
  return {start, step, static_cast<int>(std::ceil((std::log(last) - start) / step)) + 1};
}

Eigen::MatrixXd interpolated(const LogGrid& grid, const Eigen::MatrixXd& values, const Eigen::VectorXd& x) {
  Eigen::MatrixXd result(x.size(), values.cols());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const double place = (std::log(x[i]) - grid.start) / grid.step;
    if (!(place > -1e-6 && place < grid.count - 1 + 1e-6))
      throw Error("a value is asked for outside of the grid of a transform");
    const int first =
        std::clamp(static_cast<int>(std::floor(place)) - kNeighbours / 2 + 1, 0, grid.count - kNeighbours);
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(values.cols());
    for (int a = 0; a < kNeighbours; ++a) {
      double weight = 1;
      for (int b = 0; b < kNeighbours; ++b)
        if (a != b) weight *= (place - (first + b)) / (a - b);
      sum += weight * values.row(first + a);
    }
    result.row(i) = sum;
  }
  return result;
}

Eigen::MatrixXd logDerivative(const LogGrid& grid, const Eigen::MatrixXd& values) {
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(values.rows(), values.cols());
  // The derivative of the interpolation by sin(x)/x.
  for (Eigen::Index column = 0; column < values.cols(); ++column)
    for (Eigen::Index n = 1; n < values.rows(); ++n) {
      const double weight = (n % 2 == 0 ? 1.0 : -1.0) / (static_cast<double>(n) * grid.step);
      const Eigen::Index rest = values.rows() - n;
      slopes.col(column).tail(rest) += weight * values.col(column).head(rest);
      slopes.col(column).head(rest) -= weight * values.col(column).tail(rest);
    }
  return slopes;
}

BesselTransform::BesselTransform(const LogGrid& radii, const LogGrid& momenta)
    : radii_(radii), momenta_(momenta) {
  if (std::abs(radii.step - momenta.step) > 1e-14)
    throw Error("a transform needs grids of one step for radii and momenta");
  while (size_ < radii.count + momenta.count) size_ *= 2;
}

const std::vector<BesselTransform::Complex>& BesselTransform::multiplier(int l) {
  std::vector<Complex>& list = multipliers_[l];
  if (!list.empty()) return list;
  list.assign(static_cast<std::size_t>(size_), 0.0);
  const double origin = radii_.start + momenta_.start;
  for (int m = 0; m < size_ / 2; ++m) {
    const double w = 2 * constants::kPi * m / (size_ * radii_.step);
    const double phase = w * std::log(2.0) + 2 * gammaPhase({0.5 * (l + 1.5), 0.5 * w}) -
                         std::remainder(w * origin, 2 * constants::kPi);
    const Complex value = std::polar(1.0 / size_, phase);
    list[static_cast<std::size_t>(m)] = value;
    if (m > 0) list[static_cast<std::size_t>(size_ - m)] = std::conj(value);
  }
  return list;
}

/// integral S(r) z J_(l+1/2)(z) d ln r, z = pr, of each column S; two of them at once, as one complex
/// function.
Eigen::MatrixXd BesselTransform::convolved(int l, const Eigen::MatrixXd& scaled) {
  const std::vector<Complex>& factor = multiplier(l);
  Eigen::MatrixXd result(momenta_.count, scaled.cols());
  std::vector<Complex> work(static_cast<std::size_t>(size_));
  for (Eigen::Index column = 0; column < scaled.cols(); column += 2) {
    const bool both = column + 1 < scaled.cols();
    std::fill(work.begin(), work.end(), 0.0);
    for (int k = 0; k < radii_.count; ++k)
      work[static_cast<std::size_t>(k)] = {scaled(k, column), both ? scaled(k, column + 1) : 0.0};
    transformLine(work);
    for (std::size_t m = 0; m < work.size(); ++m) work[m] *= factor[m];
    transformLine(work);
    for (int j = 0; j < momenta_.count; ++j) {
      result(j, column) = work[static_cast<std::size_t>(j)].real();
      if (both) result(j, column + 1) = work[static_cast<std::size_t>(j)].imag();
    }
  }
  return result;
}

Eigen::MatrixXd BesselTransform::waves(int l, const Eigen::MatrixXd& functions) {
  const Eigen::VectorXd scale = radii_.points().array().sqrt();
  const Eigen::VectorXd back = momenta_.points().array().pow(-1.5);
  return back.asDiagonal() * convolved(l, scale.asDiagonal() * functions);
}

Eigen::MatrixXd BesselTransform::densities(int k, const Eigen::MatrixXd& functions) {
  const Eigen::VectorXd scale = radii_.points().array().rsqrt();
  const Eigen::VectorXd back = std::sqrt(constants::kPi / 2) * momenta_.points().array().pow(-1.5);
  return back.asDiagonal() * convolved(k, scale.asDiagonal() * functions);
}

}  // namespace prophet
