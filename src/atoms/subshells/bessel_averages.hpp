#pragma once
#include <vector>

#include "atoms/subshells/subshell_functions.hpp"

namespace prophet {

/// Integrals of densities with spherical Bessel functions at momentum transfers q, 1/bohr: sums over the grid
/// of radii, as products of matrices, where the grid resolves j_k(qr), and the transform beyond. Absolute
/// error about 1e-14 of the densities' norm.
class BesselAverages {
 public:
  /// \param q from 0 to kLargestSubshellMomentum. Throws Error for others.
  BesselAverages(const SubshellFunctions& functions, const Eigen::VectorXd& q, int largestK);

  const Eigen::VectorXd& q() const { return q_; }
  /// integral D(r) j_k(qr) dr: (q, column of D).
  Eigen::MatrixXd averages(int k, const Eigen::MatrixXd& densities) const;
  /// integral D(r) [1 - j_0(qr)] dr, without cancellation at small q.
  Eigen::MatrixXd deficits(const Eigen::MatrixXd& densities) const;

 private:
  Eigen::MatrixXd sums(const Eigen::MatrixXd& table, const Eigen::MatrixXd& densities) const;
  /// Values beyond the q that the sums are good for.
  void transformBeyond(int k, const Eigen::MatrixXd& densities, bool deficit, Eigen::MatrixXd& values) const;

  const SubshellFunctions& functions_;
  Eigen::VectorXd q_;
  std::vector<Eigen::MatrixXd> tables_;  ///< j_k(qr): (q, r)
  Eigen::MatrixXd deficitTable_;         ///< 1 - j_0(qr)
};

/// <j_k> of each spinor for k = 0, 2, 4, ...: a matrix (q, spinor) for each.
std::vector<Eigen::MatrixXd> evenBesselAverages(const SubshellFunctions& functions, const Eigen::VectorXd& q,
                                                int largestK);

/// The incoherent scattering function S(q) of the average of a configuration with exchange (Waller and
/// Hartree), electrons, and its slope S/q^2 at q = 0, bohr^2. The elastic part that is taken out is that of
/// the spherical density; q in 1/bohr.
struct IncoherentScattering {
  Eigen::VectorXd values;
  double slope = 0;
};
IncoherentScattering incoherentScattering(const SubshellFunctions& functions, const Eigen::VectorXd& q);

}  // namespace prophet
