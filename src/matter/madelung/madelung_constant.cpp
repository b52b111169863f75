#include "matter/madelung/madelung_constant.hpp"

#include <cmath>
#include <map>
#include <numeric>

namespace prophet {
namespace {

constexpr double kSame = 1e-6, kSmallest = 0.01;

/// Euclid's algorithm with a tolerance.
double commonFactor(double a, double b) {
  while (b > kSame) {
    const double rest = a - b * std::floor(a / b + kSame);
    a = b;
    b = std::abs(rest);
  }
  return a;
}

}  // namespace

double commonCharge(const Eigen::VectorXd& charges) {
  double factor = 0;
  for (const double q : charges) {
    const double size = std::abs(q);
    if (size > kSame)
      factor = factor == 0 ? size : commonFactor(std::max(factor, size), std::min(factor, size));
  }
  return factor < kSmallest ? 1.0 : factor;
}

double madelungConstant(const ChargedCell& cell, const std::vector<std::string>& kinds, double energy) {
  std::map<std::string, int> counts;
  for (const std::string& kind : kinds) ++counts[kind];
  int units = 0;
  for (const auto& [kind, count] : counts) units = std::gcd(units, count);
  const double z = commonCharge(cell.charges);
  return -energy / units * nearestDistance(cell) / (z * z);
}

}  // namespace prophet
