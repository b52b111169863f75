#include "atoms/subshells/kinetic_energies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace prophet {
namespace {

constexpr int kDifferenceReach = 4;  // of central differences of eighth order
constexpr double kDifferences[kDifferenceReach] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
constexpr double kPowersEnd = 1e-4;  // bohr times Z: below it functions are nearly powers of r

/// dP/d ln r. At the inner end, where the functions do not vanish, they are powers of r.
Eigen::MatrixXd logSlopesOf(const SubshellFunctions& f, const Eigen::MatrixXd& functions, bool isSmall) {
  Eigen::MatrixXd slopes = logDerivative(f.radii(), functions);
  const double end = kPowersEnd / std::max(1.0, f.problem().nucleus.charge);
  for (Eigen::Index i = 0; i < f.r().size() - kDifferenceReach && f.r()[i] < end; ++i) {
    if (i < kDifferenceReach) {
      for (int a = 0; a < f.count(); ++a)
        slopes(i, a) = (isSmall ? f.powers(a).small : f.powers(a).large) * functions(i, a);
      continue;
    }
    slopes.row(i).setZero();
    for (int k = 1; k <= kDifferenceReach; ++k)
      slopes.row(i) += kDifferences[k - 1] / f.radii().step * (functions.row(i + k) - functions.row(i - k));
  }
  return slopes;
}

}  // namespace

std::vector<KineticEnergies> kineticEnergies(const SubshellFunctions& f) {
  const Eigen::MatrixXd large = logSlopesOf(f, f.large(), false), small = logSlopesOf(f, f.small(), true);
  const Eigen::ArrayXd r = f.r();
  const double c = f.problem().hamiltonian.speedOfLight;
  std::vector<KineticEnergies> list;
  for (int a = 0; a < f.count(); ++a) {
    const int kappa = f.spinor(a).symmetry.kappa;
    const LeadingPowers& power = f.powers(a);
    const Eigen::ArrayXd P = f.large().col(a), Q = f.small().col(a);
    const bool hasSmall = Q.abs().maxCoeff() > 0;
    KineticEnergies& e = list.emplace_back();
    const double lowest = 2 * std::min(power.large, hasSmall ? power.small : power.large) - 2;
    const Eigen::ArrayXd squares = (large.col(a).array().square() + kappa * (kappa + 1) * P.square() +
                                    small.col(a).array().square() + kappa * (kappa - 1) * Q.square()) /
                                   r.square();
    e.momentumSquare = lowest > -1 ? f.integral(squares, lowest) : std::numeric_limits<double>::quiet_NaN();
    if (!hasSmall) {
      e.kinetic = e.halfVelocity = 0.5 * e.momentumSquare;
      continue;
    }
    const double velocity =
        2 * c * f.integral(Q * (large.col(a).array() + kappa * P) / r, power.large + power.small - 1);
    e.halfVelocity = 0.5 * velocity;
    e.kinetic = velocity - 2 * c * c * f.integral(Q.square(), 2 * power.small);
  }
  return list;
}

std::vector<double> firstOrderShifts(const SubshellFunctions& f,
                                     const std::vector<RadialOperator>& operators) {
  std::vector<double> shifts(static_cast<std::size_t>(f.count()), 0.0);
  for (const RadialOperator& radial : operators) {
    const SampledOperator sampled(radial, f.r());
    for (int a = 0; a < f.count(); ++a) {
      const LeadingPowers& power = f.powers(a);
      const double lowest = 2 * std::min(power.large, power.small);
      double& shift = shifts[static_cast<std::size_t>(a)];
      // The potentials are finite, or grow as logarithms, where the first point lies.
      shift += f.integral(sampled.local(f.spinor(a).symmetry).array() * f.density(a, a).array(), lowest);
      if (sampled.coupling().size() > 0)
        shift +=
            2 * f.integral(sampled.coupling().array() * f.large().col(a).array() * f.small().col(a).array(),
                           power.large + power.small);
    }
  }
  return shifts;
}

}  // namespace prophet
