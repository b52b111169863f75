#include "atoms/properties/output_radii.hpp"

#include <cmath>

#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kFirstRadius = 1e-6;  // bohr
constexpr int kRadii = 500, kMostRadii = 10000000;

}  // namespace

Eigen::VectorXd logarithmicRadii(double start, double stop, int count) {
  if (!(start > 0) || !(stop > start) || !std::isfinite(stop))
    throw Error("a grid of radii needs 0 < START < STOP, in bohr");
  if (count < 2 || count > kMostRadii) throw Error("a grid of radii has 2 to 10000000 points");
  const double step = (std::log(stop) - std::log(start)) / (count - 1);
  Eigen::VectorXd r = start * (step * Eigen::ArrayXd::LinSpaced(count, 0, count - 1)).exp();
  r[count - 1] = stop;
  return r;
}

Eigen::VectorXd defaultRadii(const Wavefunction& wavefunction) {
  return logarithmicRadii(kFirstRadius, wavefunction.largestRadius(), kRadii);
}

}  // namespace prophet
