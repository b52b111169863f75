#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/correlation/product_points.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// An interaction of two electrons beside their Coulomb repulsion as products of matrices:
///
///   X^k(ab,cd) = sources(k, a, c)^T potentials(k, sources(k, b, d)),
///
/// the factor of sum_q (-1)^q w(a k q c) w(b k -q d), w = (-1)^(ja-ma) 3j(ja k jc; -ma q mc).
class AddedInteraction {
 public:
  virtual ~AddedInteraction() = default;

  /// What sources() takes of functions at the points of the mesh.
  virtual SpinorFunctions sampled(const SpinorFunctions& functions) const = 0;
  /// A column for each of the first functions (fastest) and each of the others; empty where there is no such
  /// multipole.
  virtual Eigen::MatrixXd sources(int k, const SpinorFunctions& a, const SpinorFunctions& c) const = 0;
  /// `odd`: whether l_a + l_c is odd.
  virtual Eigen::MatrixXd potentials(int k, bool odd, const Eigen::MatrixXd& sources) const = 0;
};

/// The Breit interaction of frequency zero between products of spinors, at the few points of the mesh that
/// say all about products P_f Q_g and Q_f P_g:
///
///   X^k(ab,cd) = sources(k, a, c)^T potentials(k, sources(k, b, d)),
///
/// the factor of sum_q (-1)^q w(a k q c) w(b k -q d), w = (-1)^(ja-ma) 3j(ja k jc; -ma q mc). The formulas
/// are those of SpinorTable::breit. There are multipoles of both parities of l_a + l_c + k, which are told
/// apart by l_a + l_c and k alone, as l_b + l_d has the parity of l_a + l_c.
class BreitPoints : public InterpolationPoints, public AddedInteraction {
 public:
  /// The points are those of products of `functions` with `functions` and `others`. `largestK`: of the
  /// multipoles.
  BreitPoints(const OrbitalSpace& space, const std::vector<SpinorFunctions>& functions,
              const std::vector<SpinorFunctions>& others, TwoElectronOperator repulsion, int largestK,
              ThreadPool& pool);

  SpinorFunctions sampled(const SpinorFunctions& functions) const override { return valuesOf(functions); }
  Eigen::MatrixXd sources(int k, const SpinorFunctions& a, const SpinorFunctions& c) const override;
  Eigen::MatrixXd potentials(int k, bool odd, const Eigen::MatrixXd& sources) const override;

 private:
  bool hasGauge_;
  /// [k]: where l_a + l_c + k is even, and where it is odd.
  std::vector<Eigen::MatrixXd> even_, odd_;
};

}  // namespace prophet
