#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/frozen/exponent_stencil.hpp"

namespace prophet {

/// Where the functions of a trial lie between the nodes of a FieldTable.
class Stencils {
 public:
  static constexpr int kPoints = ExponentNodes::kPoints;
  /// The nodes contain all exponents. `derivatives`: with the weights' derivatives.
  Stencils(const ExponentNodes& nodes, const std::vector<double>& exponents, bool derivatives = false);

  int first() const { return first_; }             ///< of the nodes that any function uses
  int rows() const { return last_ - first_ + 1; }  ///< how many these are
  Eigen::Index functions() const { return weights_.cols(); }

  /// Columns of a table (nodes x nodes) at the functions: rows() x functions. `transposed`: of its transpose.
  void columns(const Eigen::MatrixXd& table, bool transposed, Eigen::MatrixXd& out) const;
  /// The functions' values of columns over the nodes, rows() x anything: functions x anything.
  Eigen::MatrixXd at(const Eigen::MatrixXd& nodal) const { return weigh(weights_, nodal); }
  /// Their derivatives with respect to ln zeta, each function's to its own.
  Eigen::MatrixXd slopesAt(const Eigen::MatrixXd& nodal) const { return weigh(slopes_, nodal); }
  /// Coefficients over the nodes of what is given over the functions: rows() x anything.
  Eigen::MatrixXd spread(const Eigen::MatrixXd& coefficients) const;

 private:
  Eigen::MatrixXd weigh(const Eigen::MatrixXd& weights, const Eigen::MatrixXd& nodal) const;

  std::vector<int> start_;
  Eigen::MatrixXd weights_, slopes_;  ///< kPoints x functions
  int first_, last_ = -1;
};

}  // namespace prophet
