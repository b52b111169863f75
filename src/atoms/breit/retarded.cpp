#include "atoms/breit/retarded.hpp"

#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>

#include "core/common/math_constants.hpp"

namespace prophet {
namespace {

using constants::kPi;

double doubleFactorial(int n) {
  double result = 1.0;
  for (; n > 1; n -= 2) result *= n;
  return result;
}

/// Entry `order` of a table of samples of f(order, omega r), made if it is not there.
template <class Function>
const Eigen::ArrayXd& tabulated(std::vector<Eigen::ArrayXd>& table, const Eigen::VectorXd& radii,
                                double omega, int order, const Function& f) {
  if (table.size() <= static_cast<std::size_t>(order)) table.resize(order + 1);
  Eigen::ArrayXd& values = table[order];
  if (values.size() == 0) {
    values.resize(radii.size());
    for (Eigen::Index i = 0; i < radii.size(); ++i) values(i) = f(order, omega * radii(i));
  }
  return values;
}

}  // namespace

double reducedBesselJ(int order, double x) {
  if (x > 1.0)
    return boost::math::sph_bessel(static_cast<unsigned>(order), x) * doubleFactorial(2 * order + 1) /
               std::pow(x, order) -
           1.0;
  double term = 1.0, sum = 0.0;
  for (int k = 1; k < 20; ++k) {
    term *= -0.5 * x * x / (k * (2.0 * order + 2.0 * k + 1.0));
    sum += term;
  }
  return sum;
}

double reducedBesselY(int order, double x) {
  if (x > 1.0)
    return -boost::math::sph_neumann(static_cast<unsigned>(order), x) * std::pow(x, order + 1) /
               doubleFactorial(2 * order - 1) -
           1.0;
  double term = 1.0, sum = 0.0;
  for (int k = 1; k < 24; ++k) {
    term *= 0.5 * x * x / (k * (2.0 * order - 2.0 * k + 1.0));
    sum += term;
  }
  return sum;
}

Eigen::VectorXd indefiniteIntegrationWeights(int points) {
  using Gauss = boost::math::quadrature::gauss<double, 20>;
  constexpr double kPanels[] = {0.0, 1.0, 2.5, 5.0, 9.0, 15.0, 23.0, 38.0};
  Eigen::VectorXd s(points);
  s(0) = 0.5;
  for (int m = 1; m < points; ++m) {
    // 1/2 - Si(pi m)/pi = (-1)^m f(pi m)/pi with f(x) = integral of exp(-u) x/(x^2 + u^2).
    const double x = kPi * m;
    double f = 0.0;
    for (std::size_t i = 0; i + 1 < std::size(kPanels); ++i)
      f += Gauss::integrate([x](double u) { return std::exp(-u) * x / (x * x + u * u); }, kPanels[i],
                            kPanels[i + 1]);
    s(m) = 1.0 - (m % 2 == 0 ? 1.0 : -1.0) * f / kPi;
  }
  return s;
}

RetardedKernels::RetardedKernels(const Eigen::VectorXd& radii, const Eigen::MatrixXd& weights, double omega)
    : radii_(radii), weights_(weights), omega_(omega) {}

const Eigen::ArrayXd& RetardedKernels::besselJ(int order) const {
  return tabulated(besselJ_, radii_, omega_, order, reducedBesselJ);
}

const Eigen::ArrayXd& RetardedKernels::besselY(int order) const {
  return tabulated(besselY_, radii_, omega_, order, reducedBesselY);
}

double RetardedKernels::slater(int order, const Eigen::VectorXd& f, const Eigen::VectorXd& g) const {
  const Eigen::ArrayXd r = radii_.array();
  const Eigen::ArrayXd inner = r.pow(order) * (1.0 + besselJ(order));
  const Eigen::ArrayXd outer = r.pow(-order - 1) * (1.0 + besselY(order));
  const Eigen::VectorXd fInner = f.array() * inner, fOuter = f.array() * outer;
  const Eigen::VectorXd gInner = g.array() * inner, gOuter = g.array() * outer;
  return fOuter.dot(weights_ * gInner) + gOuter.dot(weights_ * fInner);
}

double RetardedKernels::gauge(int rankJ, const Eigen::VectorXd& f, const Eigen::VectorXd& g) const {
  // r1 < r2: (2 (2J+1)/omega^2) r1^(J-1)/r2^(J+2) [(1 + a)(1 + b) - 1] with a = reducedBesselJ(J-1, omega
  // r1), b = reducedBesselY(J+1, omega r2); r1 > r2: 2 omega^2 r2^(J+1)/r1^J / ((2J+3)(2J+1)(2J-1)) (1 +
  // a')(1 + b').
  const Eigen::ArrayXd r = radii_.array();
  const double twoJ = 2.0 * rankJ, scale = 2.0 * (twoJ + 1.0) / (omega_ * omega_);
  const Eigen::ArrayXd a = besselJ(rankJ - 1);
  const Eigen::ArrayXd b = besselY(rankJ + 1);
  const Eigen::VectorXd fA = f.array() * r.pow(rankJ - 1) * a, fOne = f.array() * r.pow(rankJ - 1);
  const Eigen::VectorXd gB = g.array() * r.pow(-rankJ - 2) * b,
                        gAll = g.array() * r.pow(-rankJ - 2) * (1.0 + b);
  const double below = scale * (gAll.dot(weights_ * fA) + gB.dot(weights_ * fOne));

  const Eigen::ArrayXd aPrime = 1.0 + besselJ(rankJ + 1);
  const Eigen::ArrayXd bPrime = 1.0 + besselY(rankJ - 1);
  const Eigen::VectorXd gInner = g.array() * r.pow(rankJ + 1) * aPrime,
                        fOuter = f.array() * r.pow(-rankJ) * bPrime;
  const double above =
      2.0 * omega_ * omega_ / ((twoJ + 3.0) * (twoJ + 1.0) * (twoJ - 1.0)) * fOuter.dot(weights_ * gInner);
  return below + above;
}

}  // namespace prophet
