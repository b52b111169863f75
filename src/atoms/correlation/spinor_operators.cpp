#include "atoms/correlation/spinor_operators.hpp"

#include <cstdlib>
#include <utility>

#include "atoms/angular/angular.hpp"
#include "atoms/properties/hyperfine_units.hpp"
#include "core/common/index.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Integrals of f a b dr between columns of a and b.
Eigen::MatrixXd integrals(const Eigen::MatrixXd& a, const Eigen::VectorXd& f, const Eigen::MatrixXd& b) {
  return multiply(a, true, f.asDiagonal() * b, false);
}

Eigen::VectorXd power(const OrbitalSpace& space, int exponent) {
  return space.weights().cwiseProduct(space.radii().array().pow(exponent).matrix());
}

/// factor f(r) C^rank, f with the mesh's weights.
SpinorOperator scalarTimesC(int rank, Eigen::VectorXd scalar, double factor) {
  return {rank, rank % 2 == 1,
          [weight = std::move(scalar), rank, factor](const SpinorFunctions& a,
                                                     const SpinorFunctions& b) -> Eigen::MatrixXd {
            const double angular = factor * reducedC(a.symmetry, rank, b.symmetry);
            if (angular == 0) return Eigen::MatrixXd::Zero(a.count(), b.count());
            Eigen::MatrixXd sum = integrals(a.large, weight, b.large);
            if (a.small.rows() > 0) sum += integrals(a.small, weight, b.small);
            return angular * sum;
          }};
}

/// factor r^power of the vector r x alpha, as hyperfine and magnetic moments have it.
SpinorOperator magnetic(const OrbitalSpace& space, int exponent, double factor) {
  return {1, false,
          [weight = power(space, exponent), factor](const SpinorFunctions& a,
                                                    const SpinorFunctions& b) -> Eigen::MatrixXd {
            const double angular = factor * (a.symmetry.kappa + b.symmetry.kappa) *
                                   reducedC(Symmetry{-a.symmetry.kappa}, 1, b.symmetry);
            if (angular == 0 || a.small.rows() == 0) return Eigen::MatrixXd::Zero(a.count(), b.count());
            return angular * (integrals(a.large, weight, b.small) + integrals(a.small, weight, b.large));
          }};
}

/// <jj|T_0|jj> of a reduced element one.
double stretched(Symmetry s, int rank) {
  return wigner3j(s.twoJ(), 2 * rank, s.twoJ(), -s.twoJ(), 0, s.twoJ());
}

}  // namespace

SpinorFunctions functionsOf(const OrbitalSpace& space, int symmetry, Eigen::Index first, Eigen::Index count) {
  const SymmetryOrbitals& s = space.symmetries()[usize(symmetry)];
  return {s.symmetry, s.large.middleCols(first, count),
          s.small.rows() > 0 ? Eigen::MatrixXd(s.small.middleCols(first, count)) : Eigen::MatrixXd()};
}

bool SpinorOperator::couples(Symmetry bra, Symmetry ket) const {
  return ((bra.l() + ket.l()) % 2 == 1) == odd && std::abs(bra.twoJ() - ket.twoJ()) <= 2 * rank &&
         bra.twoJ() + ket.twoJ() >= 2 * rank;
}

SpinorOperator electricMultipole(const OrbitalSpace& space, int rank) {
  return scalarTimesC(rank, power(space, rank), 1);
}

SpinorOperator electricVelocity(const OrbitalSpace& space, int rank, double c) {
  return {rank, rank % 2 == 1,
          [weight = power(space, rank - 1), rank, c](const SpinorFunctions& a,
                                                     const SpinorFunctions& b) -> Eigen::MatrixXd {
            const double angular = -c * reducedC(a.symmetry, rank, b.symmetry);
            if (angular == 0 || a.small.rows() == 0) return Eigen::MatrixXd::Zero(a.count(), b.count());
            const Eigen::MatrixXd first = integrals(a.large, weight, b.small),
                                  second = integrals(a.small, weight, b.large);
            return angular *
                   (rank * (first - second) - (a.symmetry.kappa - b.symmetry.kappa) * (first + second));
          }};
}

SpinorOperator magneticDipole(const OrbitalSpace& space, double c) { return magnetic(space, 1, -c); }

SpinorOperator hyperfineDipole(const OrbitalSpace& space) { return magnetic(space, -2, -1); }

SpinorOperator hyperfineQuadrupole(const OrbitalSpace& space) {
  // Next to the nucleus spinors that it acts between have less than 1e-7 of it; splines that are not powers
  // of r there, as those of high energies, would have more than all of it.
  constexpr double kQuadrupoleReach = 1e-4;  // of the innermost spinor's mean radius
  const SymmetryOrbitals& s = space.symmetries().front();
  Eigen::VectorXd density = s.large.col(0).cwiseAbs2();
  if (s.small.rows() > 0) density += s.small.col(0).cwiseAbs2();
  const double reach = kQuadrupoleReach * power(space, 1).dot(density);
  return scalarTimesC(2, (space.radii().array() < reach).select(0, power(space, -3)), -1);
}

double hyperfineA(Symmetry symmetry, double reduced) {
  return kMegahertzOfDipole * stretched(symmetry, 1) * reduced / (0.5 * symmetry.twoJ());
}

double hyperfineB(Symmetry symmetry, double reduced) {
  return kMegahertzOfQuadrupole * stretched(symmetry, 2) * reduced;
}

}  // namespace prophet
