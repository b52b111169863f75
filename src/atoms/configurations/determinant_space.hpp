#pragma once
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <bit>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "atoms/configurations/coupled_states.hpp"
#include "atoms/configurations/level_space.hpp"

namespace prophet {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// One place of an electron: open spinor and 2m. Its number is a bit of a determinant.
struct Place {
  int spinor = 0, twoM = 0;
  Symmetry symmetry;
};

std::vector<Place> placesOf(const LevelSpace& space);

/// w(a k q c) = (-1)^(ja - ma) 3j(ja k jc; -ma q mc).
double coupling(const Place& a, int k, const Place& c);

/// X^k(ab,cd) of a scalar operator of two electrons: <ab|g|cd> = sum_k X^k sum_q (-1)^q w(a k q c) w(b k -q
/// d).
using MultipoleOf = std::function<double(int k, int a, int b, int c, int d)>;

/// A one-body operator: from each place the places that it leads to.
using OneBody = std::vector<std::vector<std::pair<int, double>>>;
/// A two-body operator: from each pair i < j the pairs k < l, <kl|g|ij> - <kl|g|ji>.
struct PairMove {
  int k = 0, l = 0;
  double value = 0;
};
using TwoBody = std::vector<std::vector<PairMove>>;

/// A scalar operator of the open electrons, less a constant for each configuration, as engines take it.
struct ElectronOperator {
  std::size_t places = 0;
  OneBody one;
  TwoBody two;
  std::vector<double> means{};  ///< of configurations; empty: nothing is subtracted
};

/// `element`: between the place that it leads to and the one that it comes from.
OneBody oneBodyOf(const std::vector<Place>& places,
                  const std::function<double(const Place&, const Place&)>& element);
/// `multipole`: between open spinors.
TwoBody twoBodyOf(const std::vector<Place>& places, const MultipoleOf& multipole);

/// The states of one J and parity: determinants of M = J and the coupled states in them.
struct LevelBlock {
  int twoJ = 0;
  bool odd = false;
  std::vector<Determinant> determinants;
  std::unordered_map<Determinant, int> places;
  SparseMatrix states;              ///< determinants x coupled states
  std::vector<std::string> labels;  ///< of the coupled states
  std::vector<int> configurations;  ///< of each coupled state

  Eigen::Index size() const { return states.cols(); }
};

LevelBlock blockOf(const LevelSpace& space, int twoJ, bool odd);

/// The matrix of a one-body operator from the determinants of a block to those of another list.
SparseMatrix matrixOf(const OneBody& list, const LevelBlock& from,
                      const std::unordered_map<Determinant, int>& to, Eigen::Index rows);

/// The expectation value of an operator in each of these vectors over the block's coupled states; a matrix is
/// one between the block's determinants.
Eigen::VectorXd expectations(const SparseMatrix& matrix, const LevelBlock& block,
                             const Eigen::MatrixXd& vectors);
Eigen::VectorXd expectations(const OneBody& list, const LevelBlock& block, const Eigen::MatrixXd& vectors);

/// The same from the block's coupled states, to all determinants that it leads to; `rows` are their numbers,
/// which grow.
SparseMatrix appliedTo(const OneBody& list, const LevelBlock& from,
                       std::unordered_map<Determinant, int> rows = {});

/// a^T b, which is dense: much faster than as a product of sparse matrices, whose rows are sorted.
Eigen::MatrixXd transposedProduct(const SparseMatrix& a, const SparseMatrix& b);
/// A symmetric operator between determinants of a block as one between its coupled states.
Eigen::MatrixXd betweenStates(const LevelBlock& block, const SparseMatrix& matrix);

/// Which part of a symmetric matrix is kept.
enum class Triangle { Both, Upper };
/// An operator between the determinants of a block, with nothing subtracted and without elements that are
/// zero.
SparseMatrix betweenDeterminants(const LevelBlock& block, const ElectronOperator& single,
                                 Triangle triangle = Triangle::Both);

/// Operators between the coupled states of a block. Several at once cost hardly more than one: they are
/// applied to each determinant together.
std::vector<Eigen::MatrixXd> matricesOf(const LevelBlock& block,
                                        const std::vector<const ElectronOperator*>& operators);
Eigen::MatrixXd matrixOf(const LevelBlock& block, const ElectronOperator& single);

/// Mean of an operator over all states of a configuration: places of a shell are filled with equal weights.
double meanOver(const LevelSpace& space, const LevelSpace::Part& part, const std::vector<Place>& places,
                const OneBody& one, const TwoBody& two);

}  // namespace prophet
