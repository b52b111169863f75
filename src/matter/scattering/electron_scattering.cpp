#include "matter/scattering/electron_scattering.hpp"

#include <cmath>

#include "core/common/constants.hpp"

namespace prophet {
namespace {

constexpr double kNeutral = 1e-9;  // electrons: occupations are sums of fractions

}  // namespace

Eigen::VectorXd electronScatteringFactor(const Result& result, double charge, const Eigen::VectorXd& q,
                                         TransformMethod method) {
  requireMomenta(q);
  double excess = charge;
  for (const Spinor& s : result.spinors) excess -= s.occupation;
  if (std::abs(excess) < kNeutral) excess = 0;
  const Eigen::VectorXd momenta = q * constants::kAngstromsPerBohr;
  Eigen::VectorXd f = electronDensity(result, method)->deficit(momenta);
  if (excess != 0) f.array() += excess / momenta.array().square();
  return 2 * constants::kAngstromsPerBohr * f;
}

}  // namespace prophet
