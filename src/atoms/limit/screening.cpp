#include "atoms/limit/screening.hpp"

#include <algorithm>
#include <cmath>

namespace prophet::limit {

Eigen::VectorXd thomasFermiScreening(const Eigen::VectorXd& r, double charge, double electrons) {
  const double others = std::max(electrons - 1, 0.0);
  Eigen::VectorXd screening(r.size());
  for (int i = 0; i < r.size(); ++i) {
    const double x = r[i] * std::cbrt(128 * charge / (9 * M_PI * M_PI)), root = std::sqrt(x);
    const double excess =
        root *
        (0.02747 + root * (1.243 + root * (-0.1486 + root * (0.2302 + root * (0.007298 + root * 0.006944)))));
    screening[i] = others * excess / (1 + excess) / r[i];
  }
  return screening;
}

}  // namespace prophet::limit
