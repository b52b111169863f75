#pragma once
#include <Eigen/Core>
#include <vector>

namespace prophet {

/// Coefficients c with sum 1 that make |sum c_i e_i|^2 least; `products`: scalar products of the errors e_i.
Eigen::VectorXd diisCombination(const Eigen::MatrixXd& products);

/// Pulay's direct inversion in the iterative subspace over the Fock matrices of all symmetries together.
/// Source: P. Pulay, J. Comput. Chem. 3, 556 (1982). Storage is taken on the first `depth` calls and reused.
class Diis {
 public:
  explicit Diis(int depth);
  /// Stores the pair (fock, error) and replaces `fock` by the combination of stored ones with the least
  /// error.
  void extrapolate(std::vector<Eigen::MatrixXd>& fock, const std::vector<Eigen::MatrixXd>& error);

 private:
  int depth_, stored_ = 0, next_ = 0;
  std::vector<std::vector<Eigen::MatrixXd>> focks_, errors_;
  Eigen::MatrixXd products_;  ///< scalar products of the stored errors
};

}  // namespace prophet
