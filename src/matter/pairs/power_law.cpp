#include "matter/pairs/power_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/common/error.hpp"

namespace prophet {

PowerLaw powerLaw(const Eigen::VectorXd& x, const Eigen::VectorXd& y, double low, double high) {
  std::vector<double> u, v;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    if (!(x(i) >= low && x(i) <= high)) continue;
    if (!(x(i) > 0 && y(i) > 0))
      throw Error(fmt::format("a power law needs numbers above 0, not {:g} at {:g}", y(i), x(i)));
    u.push_back(std::log(x(i)));
    v.push_back(std::log(y(i)));
    if (u.size() > 1 && !(u.back() > u[u.size() - 2])) throw Error("a power law needs x that increase");
  }
  const std::size_t n = u.size();
  if (n < 3)
    throw Error(fmt::format("a power law needs three points, not {}, from {:g} to {:g}", n, low, high));
  double sum = 0, meanU = 0, meanV = 0;
  std::vector<double> weights(n);
  for (std::size_t i = 0; i < n; ++i) {
    weights[i] = u[std::min(i + 1, n - 1)] - u[i == 0 ? 0 : i - 1];
    sum += weights[i];
    meanU += weights[i] * u[i];
    meanV += weights[i] * v[i];
  }
  meanU /= sum;
  meanV /= sum;
  double uu = 0, uv = 0, rest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    uu += weights[i] * (u[i] - meanU) * (u[i] - meanU);
    uv += weights[i] * (u[i] - meanU) * (v[i] - meanV);
  }
  PowerLaw law;
  law.points = static_cast<int>(n);
  law.exponent = uv / uu;
  for (std::size_t i = 0; i < n; ++i)
    rest += weights[i] * std::pow(v[i] - meanV - law.exponent * (u[i] - meanU), 2);
  law.error = std::sqrt(rest / (static_cast<double>(n) - 2) / uu);
  return law;
}

}  // namespace prophet
