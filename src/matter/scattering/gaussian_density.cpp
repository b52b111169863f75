#include "matter/scattering/gaussian_density.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "atoms/integrals/primitives.hpp"

namespace prophet {
namespace {

constexpr double kAlpha = 0.5;      // of the Laguerre polynomials
constexpr double kFewTerms = 0.25;  // of x: below, the series of the deficit is the more accurate form
constexpr double kVanished = 760;   // of x: exp(-x) and all powers before it are zero in double precision

/// integral r^(2m+2) exp(-zeta r^2) dr.
double momentOf(int m, double zeta) { return 0.5 * std::tgamma(m + 1.5) * std::pow(zeta, -(m + 1.5)); }

/// (1 - 1F1(m + 3/2; 3/2; -x))/x by its power series: alternating, but small for small x.
double deficitSeries(int m, double x) {
  double term = (m + 1.5) / 1.5, sum = term;
  for (int k = 2; std::abs(term) > 1e-17 * std::abs(sum); ++k) {
    term *= -x * (m + 0.5 + k) / ((kAlpha + k) * k);
    sum += term;
  }
  return sum;
}

/// Density matrix of one component.
Eigen::MatrixXd weighted(const Eigen::MatrixXd& c, const Eigen::VectorXd& electrons) {
  return c * electrons.asDiagonal() * c.transpose();
}

}  // namespace

GaussianDensity::GaussianDensity(const GaussianWavefunction& wavefunction,
                                 const std::vector<double>& electrons) {
  const StartSpinors& spinors = wavefunction.coefficients();
  std::vector<Eigen::VectorXd> weights;
  for (const Eigen::MatrixXd& c : spinors.large) weights.push_back(Eigen::VectorXd::Zero(c.cols()));
  for (int i = 0; i < wavefunction.count(); ++i) {
    const GaussianWavefunction::Place& place = wavefunction.place(i);
    weights[place.symmetry](place.column) = electrons.at(i);
  }
  electrons_.resize(spinors.basis.largestL() + 2, 0);
  for (std::size_t a = 0; a < weights.size(); ++a) {
    if (weights[a].isZero(0)) continue;
    addSymmetry(spinors.basis.symmetries[a], weighted(spinors.large[a], weights[a]),
                weighted(spinors.small[a], weights[a]));
  }
  gather();
}

void GaussianDensity::addSymmetry(const SymmetryBasis& basis, const Eigen::MatrixXd& large,
                                  const Eigen::MatrixXd& small) {
  const int n = basis.size(), l = basis.symmetry.l();
  std::vector<Primitive> g;
  for (const double zeta : basis.exponents) g.push_back(makePrimitive(basis.symmetry, zeta));
  Eigen::Index term = electrons_.cols();
  electrons_.conservativeResize(Eigen::NoChange, term + n * (n + 1) / 2);
  electrons_.rightCols(n * (n + 1) / 2).setZero();
  const auto add = [&](const PairDistribution& pair, double weight) {
    for (int i = 0; i < pair.count; ++i) {
      const int m = pair.power / 2 - 1 + i;
      electrons_(m, term) += weight * pair.coefficient[i] * momentOf(m, pair.zeta);
    }
  };
  for (int p = 0; p < n; ++p) {
    for (int q = 0; q <= p; ++q, ++term) {
      const double both = p == q ? 1 : 2;
      zetas_.push_back(g[p].zeta + g[q].zeta);
      add(largePair(g[p], l, g[q], l), both * large(p, q));
      add(smallPair(g[p], l, g[q], l), both * small(p, q));
    }
  }
}

/// Sorts the terms and joins those of one exponent.
void GaussianDensity::gather() {
  std::vector<int> order(zetas_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return zetas_[a] < zetas_[b]; });
  std::vector<double> zetas;
  Eigen::MatrixXd electrons(electrons_.rows(), electrons_.cols());
  for (const int i : order) {
    if (!zetas.empty() && zetas.back() == zetas_[i]) {
      electrons.col(static_cast<Eigen::Index>(zetas.size()) - 1) += electrons_.col(i);
    } else {
      electrons.col(static_cast<Eigen::Index>(zetas.size())) = electrons_.col(i);
      zetas.push_back(zetas_[i]);
    }
  }
  zetas_ = std::move(zetas);
  electrons_ = electrons.leftCols(static_cast<Eigen::Index>(zetas_.size()));
}

Eigen::VectorXd GaussianDensity::formFactor(const Eigen::VectorXd& q) const {
  const Eigen::Index powers = electrons_.rows();
  const Eigen::ArrayXd quarter = 0.25 * q.array().square();
  Eigen::ArrayXd f = Eigen::ArrayXd::Zero(q.size()), x, value, previous, sum, next;
  for (int term = 0; term < terms(); ++term) {
    x = (quarter / zetas_[term]).min(kVanished);
    value.setOnes(q.size());
    previous.setZero(q.size());
    sum.setZero(q.size());
    for (Eigen::Index m = 0; m < powers; ++m) {
      sum += electrons_(m, term) * value;
      next = ((2.0 * m + 1 + kAlpha - x) * value - double(m) * previous) / (m + 1 + kAlpha);
      previous.swap(value);
      value.swap(next);
    }
    f += sum * (-x).exp();
  }
  return f;
}

Eigen::VectorXd GaussianDensity::deficit(const Eigen::VectorXd& q) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(q.size());
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    for (int term = 0; term < terms(); ++term) {
      const double x = 0.25 * q(i) * q(i) / zetas_[term], decay = std::exp(-x);
      double value = 1, previous = 0, sum = 0;
      for (int m = 0; m < electrons_.rows(); ++m) {
        const double share = x < kFewTerms ? deficitSeries(m, x) : (1 - decay * value) / x;
        sum += electrons_(m, term) * share;
        const double next = ((2 * m + 1 + kAlpha - x) * value - m * previous) / (m + 1 + kAlpha);
        previous = value;
        value = next;
      }
      result(i) += sum / (4 * zetas_[term]);
    }
  }
  return result;
}

}  // namespace prophet
