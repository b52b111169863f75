#include "atoms/subshells/compton_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr int kProfilePoints = 12;  // of the polynomials between two points of the grid
using PointWeights = std::array<double, kProfilePoints>;

/// Integral from the points kProfilePoints/2 - 1 to kProfilePoints/2 of the polynomial through points 0 ..
/// kProfilePoints - 1 of step 1.
PointWeights middleWeights() {
  // Gauss-Legendre points of a rule that is exact for it.
  constexpr std::array<double, 4> kGaussNodes{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                              0.9602898564975363},
      kGauss{0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  PointWeights weights{};
  for (std::size_t node = 0; node < kGaussNodes.size(); ++node)
    for (const double sign : {-1.0, 1.0}) {
      const double x = kProfilePoints / 2 - 0.5 + 0.5 * sign * kGaussNodes[node];
      for (int a = 0; a < kProfilePoints; ++a) {
        double value = 1;
        for (int b = 0; b < kProfilePoints; ++b)
          if (a != b) value *= (x - b) / (a - b);
        weights[static_cast<std::size_t>(a)] += 0.5 * kGauss[node] * value;
      }
    }
  return weights;
}

}  // namespace

Eigen::VectorXd biggsMomenta() {
  Eigen::VectorXd p(31);
  p << 0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2, 2.4, 3, 4, 5, 6, 7, 8,
      10, 15, 20, 30, 40, 60, 100;
  return p;
}

Eigen::MatrixXd comptonProfiles(const SubshellFunctions& f, const Eigen::VectorXd& p) {
  if (p.size() > 0 && !(p.minCoeff() >= 0 && p.maxCoeff() <= kLargestSubshellMomentum))
    throw Error(fmt::format("Compton profiles are computed for momenta from 0 to {:g} per bohr",
                            kLargestSubshellMomentum));
  const LogGrid& grid = f.momenta();
  const Eigen::ArrayXd square = grid.points().array().square();
  // In ln p; twice the integrand of J.
  const Eigen::MatrixXd integrand =
      ((f.waveLarge().array().square() + f.waveSmall().array().square()).colwise() * square).matrix();
  static const PointWeights kWeights = middleWeights();
  Eigen::MatrixXd profile(grid.count, f.count());
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(f.count());
  profile.row(grid.count - 1) = sum;
  for (int i = grid.count - 2; i >= 0; --i) {
    // Near the ends, where there is next to nothing, the polynomial is that of the nearest points inside.
    const int first = std::clamp(i - kProfilePoints / 2 + 1, 0, grid.count - kProfilePoints);
    if (first == i - kProfilePoints / 2 + 1) {
      for (int a = 0; a < kProfilePoints; ++a)
        sum += 0.5 * grid.step * kWeights[static_cast<std::size_t>(a)] * integrand.row(first + a);
    } else {
      sum += 0.25 * grid.step * (integrand.row(i) + integrand.row(i + 1));
    }
    profile.row(i) = sum;
  }
  // From the first point down g is a power of p, p^l.
  Eigen::MatrixXd result(p.size(), f.count());
  const double smallest = grid.first();
  for (Eigen::Index i = 0; i < p.size(); ++i) {
    if (p[i] > smallest) {
      result.row(i) = interpolated(grid, profile, p.segment(i, 1));
      continue;
    }
    for (int a = 0; a < f.count(); ++a) {
      const Symmetry s = f.spinor(a).symmetry;
      const double power = 2 * std::min(s.l(), s.lSmall()) + 2;
      result(i, a) = profile(0, a) + 0.5 * integrand(0, a) / power * (1 - std::pow(p[i] / smallest, power));
    }
  }
  return result;
}

}  // namespace prophet
