#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>

#include "bases/formats/exchange_formats.hpp"

namespace prophet {
namespace {

/// A point of a joined list: mean of the logarithms of `count` exponents.
struct Point {
  double logarithm = 0;
  int count = 1;
};

double smallestGap(const std::vector<double>& exponents) {
  double least = INFINITY;
  for (std::size_t i = 1; i < exponents.size(); ++i)
    least = std::min(least, std::abs(std::log(exponents[i] / exponents[i - 1])));
  return least;
}

/// Joins the closest neighbours until none are closer than `gap` in ln zeta.
void merge(std::vector<Point>& points, double gap) {
  while (points.size() > 1) {
    std::size_t closest = 1;
    const auto distance = [&](std::size_t i) { return points[i].logarithm - points[i - 1].logarithm; };
    for (std::size_t i = 2; i < points.size(); ++i)
      if (distance(i) < distance(closest)) closest = i;
    if (distance(closest) >= gap) return;
    Point &a = points[closest - 1], &b = points[closest];
    a.logarithm = (a.count * a.logarithm + b.count * b.logarithm) / (a.count + b.count);
    a.count += b.count;
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(closest));
  }
}

/// Ten digits: more mean nothing for a mean.
double rounded(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 9);
  return std::round(value / unit) * unit;
}

}  // namespace

std::vector<std::vector<double>> sharedShells(const BasisSet& basis, SharedLists how) {
  // A ladder's neighbours lie no closer than this share of its smallest gap.
  constexpr double kShare = 0.9;
  std::vector<std::vector<double>> shells;
  std::vector<double> gaps;
  for (const SymmetryBasis& s : basis.symmetries) {
    const auto l = static_cast<std::size_t>(s.symmetry.l());
    if (shells.size() <= l) {
      shells.resize(l + 1);
      gaps.resize(l + 1, INFINITY);
    }
    std::vector<double> sorted = s.exponents;
    std::sort(sorted.begin(), sorted.end());
    gaps[l] = std::min(gaps[l], smallestGap(sorted));
    shells[l].insert(shells[l].end(), sorted.begin(), sorted.end());
  }
  for (std::size_t l = 0; l < shells.size(); ++l) {
    std::vector<double>& shell = shells[l];
    std::sort(shell.begin(), shell.end());
    shell.erase(std::unique(shell.begin(), shell.end()), shell.end());
    if (how == SharedLists::Average && std::isfinite(gaps[l])) {
      std::vector<Point> points;
      for (const double zeta : shell) points.push_back({std::log(zeta), 1});
      merge(points, kShare * gaps[l]);
      if (points.size() < shell.size()) {
        shell.clear();
        for (const Point& p : points) shell.push_back(rounded(std::exp(p.logarithm)));
      }
    }
    std::reverse(shell.begin(), shell.end());
  }
  return shells;
}

double smallestOverlap(int l, const std::vector<double>& exponents) {
  const auto n = static_cast<Eigen::Index>(exponents.size());
  if (n == 0) return 1.0;
  Eigen::MatrixXd s(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) {
      const double a = exponents[static_cast<std::size_t>(i)], b = exponents[static_cast<std::size_t>(j)];
      s(i, j) = std::pow(2 * std::sqrt(a) * std::sqrt(b) / (a + b), l + 1.5);
    }
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(s, Eigen::EigenvaluesOnly).eigenvalues()(0);
}

}  // namespace prophet
