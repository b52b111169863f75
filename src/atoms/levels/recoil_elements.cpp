#include "atoms/levels/recoil_elements.hpp"

#include <cmath>
#include <cstdlib>

#include "atoms/angular/angular.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Reduced element of C^1, where it changes the parity; else 0.
double reducedVector(Symmetry a, Symmetry c) { return (a.l() + c.l()) % 2 == 0 ? 0 : reducedC(a, 1, c); }

}  // namespace

Eigen::MatrixXd RecoilElements::momentum(const SlopedFunctions& a, const SlopedFunctions& c) const {
  const double angular = reducedVector(a.symmetry, c.symmetry);
  if (angular == 0) return {};
  // Of a function f(r)/r with l, the gradient leads to l + 1 with f' - (l + 1) f/r, to l - 1 with f' + l f/r.
  const auto part = [&](int to, int from, const Eigen::MatrixXd& bra, const Eigen::MatrixXd& ket,
                        const Eigen::MatrixXd& slope) {
    const double shift = to > from ? -(from + 1.0) : static_cast<double>(from);
    return multiply(bra, true, lengths_.asDiagonal() * (slope + shift * (inverse_.asDiagonal() * ket)),
                    false);
  };
  const int la = Symmetry{-a.symmetry.kappa}.l(), lc = Symmetry{-c.symmetry.kappa}.l();
  return angular * (part(a.symmetry.l(), c.symmetry.l(), a.large, c.large, c.largeSlope) +
                    part(la, lc, a.small, c.small, c.smallSlope));
}

Eigen::MatrixXd RecoilElements::photon(const SlopedFunctions& a, const SlopedFunctions& c) const {
  const double angular = strength_ * reducedVector(a.symmetry, c.symmetry);
  if (angular == 0) return {};
  const Eigen::VectorXd weight = lengths_.cwiseProduct(inverse_);
  const double change = c.symmetry.kappa - a.symmetry.kappa;
  return angular * ((change + 2) * multiply(a.large, true, weight.asDiagonal() * c.small, false) +
                    (change - 2) * multiply(a.small, true, weight.asDiagonal() * c.large, false));
}

Eigen::MatrixXd RecoilElements::normal(const SlopedFunctions& a, const SlopedFunctions& b, Eigen::Index first,
                                       double edge) const {
  const int kappa = a.symmetry.kappa, large = a.symmetry.l(), small = Symmetry{-kappa}.l(),
            size = std::abs(kappa);
  const double power = 2 * (isPoint_ ? std::sqrt(size * size - strength_ * strength_) - 1 : size - 1);
  Eigen::VectorXd plain = lengths_;
  plain.head(first).setZero();
  plain(first) += std::pow(edge * inverse_(first), power) * edge / (power + 1);
  const Eigen::VectorXd once = plain.cwiseProduct(inverse_), twice = once.cwiseProduct(inverse_);
  const auto integral = [](const Eigen::MatrixXd& bra, const Eigen::VectorXd& weight,
                           const Eigen::MatrixXd& ket) {
    return multiply(bra, true, weight.asDiagonal() * ket, false);
  };
  const Eigen::MatrixXd kinetic = integral(a.largeSlope, plain, b.largeSlope) +
                                  large * (large + 1.0) * integral(a.large, twice, b.large) +
                                  integral(a.smallSlope, plain, b.smallSlope) +
                                  small * (small + 1.0) * integral(a.small, twice, b.small);
  const Eigen::MatrixXd photon =
      2 * integral(a.small, once, b.largeSlope) + (kappa - 1.0) * integral(a.small, twice, b.large) -
      2 * integral(a.large, once, b.smallSlope) + (kappa + 1.0) * integral(a.large, twice, b.small);
  return 0.5 * (kinetic - strength_ * photon);
}

}  // namespace prophet
