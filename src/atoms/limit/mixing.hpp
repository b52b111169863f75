#pragma once
#include <Eigen/Core>
#include <deque>
#include <vector>

namespace prophet::limit {

/// Residual of the Fock equations, for each symmetry as the sum of outer products
/// sum_i n_i residual_i spinor_i^T in an orthonormal basis, which does not depend on signs or on rotations
/// among equally occupied spinors.
struct Residual {
  std::vector<Eigen::MatrixXd> residuals, spinors;  ///< functions x spinors
  std::vector<Eigen::VectorXd> occupations;
  double largest = 0;  ///< norm of the largest residual_i, hartree
};

double innerProduct(const Residual& a, const Residual& b);

/// Pulay's direct inversion in the iterative subspace (Chem. Phys. Lett. 73, 393 (1980)) on the two-electron
/// parts of effective Fock matrices, one for each symmetry.
/// Not the Diis of src/atoms/scf: residuals here are sums of outer products, never formed as matrices (their
/// product would cost n^2 numbers for each symmetry), and nearly parallel ones are told apart by adding to
/// the diagonal instead of cutting off eigenvalues.
class Mixer {
 public:
  explicit Mixer(int depth) : depth_(depth) {}
  /// Adds a pair and returns the combination of all kept that minimises the combined residual.
  std::vector<Eigen::MatrixXd> mix(std::vector<Eigen::MatrixXd> fields, Residual residual);

 private:
  Eigen::VectorXd weights() const;

  int depth_;
  std::deque<std::vector<Eigen::MatrixXd>> fields_;
  std::deque<Residual> residuals_;
  std::deque<std::deque<double>> products_;  ///< products_[i][j], j <= i
};

}  // namespace prophet::limit
