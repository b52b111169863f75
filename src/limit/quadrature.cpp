#include "limit/quadrature.hpp"

#include <cmath>

#include "common/error.hpp"

namespace prophet::limit {
namespace {

struct Legendre {
  long double value, derivative;
};

Legendre legendre(int n, long double x) {
  long double before = 1, now = x;
  for (int k = 2; k <= n; ++k) {
    const long double next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
    before = now;
    now = next;
  }
  return {now, n * (x * now - before) / (x * x - 1)};
}

}  // namespace

GaussRule gaussLegendre(int count) {
  if (count < 1) throw Error("a quadrature rule needs at least one point");
  GaussRule rule{Eigen::VectorXd(count), Eigen::VectorXd(count)};
  const long double pi = 3.141592653589793238462643383279502884L;
  for (int i = 0; i < count; ++i) {
    long double x = -std::cos(pi * (i + 0.75L) / (count + 0.5L));
    if (count == 1) x = 0;
    for (int step = 0; step < 100; ++step) {
      const Legendre p = legendre(count, x);
      const long double change = p.value / p.derivative;
      x -= change;
      if (std::abs(change) < 1e-18L) break;
    }
    const Legendre p = legendre(count, x);
    rule.nodes[i] = static_cast<double>(x);
    rule.weights[i] = static_cast<double>(2 / ((1 - x * x) * p.derivative * p.derivative));
  }
  return rule;
}

Eigen::MatrixXd lagrangePolynomials(const Eigen::VectorXd& nodes, const Eigen::VectorXd& points) {
  Eigen::MatrixXd values(points.size(), nodes.size());
  for (int p = 0; p < points.size(); ++p) {
    for (int i = 0; i < nodes.size(); ++i) {
      double product = 1;
      for (int j = 0; j < nodes.size(); ++j) {
        if (j != i) product *= (points[p] - nodes[j]) / (nodes[i] - nodes[j]);
      }
      values(p, i) = product;
    }
  }
  return values;
}

}  // namespace prophet::limit
