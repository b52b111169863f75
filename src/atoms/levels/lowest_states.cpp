#include "atoms/levels/lowest_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/lowest_eigenpairs.hpp"

namespace prophet {
namespace {

constexpr double kResidual = 1e-9;  // hartree
constexpr int kMostIterations = 300;
constexpr double kApart = 1e-7;  // hartree, of the preconditioner's poles from eigenvectors among the states
constexpr Eigen::Index kMoreStarts = 8;

/// Orthonormal vectors to start from: eigenvectors among the references and the states of lowest diagonal.
Eigen::MatrixXd startVectors(const CoupledHamiltonian& h, Eigen::Index count, Eigen::Index references) {
  std::vector<Eigen::Index> order(usize(h.rows() - references));
  std::iota(order.begin(), order.end(), references);
  const auto more = std::min<Eigen::Index>(h.rows() - references, count + kMoreStarts);
  std::partial_sort(order.begin(), order.begin() + more, order.end(),
                    [&](Eigen::Index a, Eigen::Index b) { return h.diagonal()(a) < h.diagonal()(b); });
  const Eigen::Index size = references + more;
  Eigen::MatrixXd units = Eigen::MatrixXd::Zero(h.rows(), size);
  for (Eigen::Index i = 0; i < size; ++i) units(i < references ? i : order[usize(i - references)], i) = 1;
  const SymmetricEigen solver(units.transpose() * (h * units));
  return units * solver.eigenvectors().leftCols(std::min(size, count + kMoreStarts));
}

}  // namespace

CoupledHamiltonian::CoupledHamiltonian(const LevelBlock& block, const SparseMatrix& upper)
    : block_(block), upper_(upper), diagonal_(Eigen::VectorXd::Zero(block.size())) {
  Eigen::VectorXd state = Eigen::VectorXd::Zero(block.states.rows());
  for (Eigen::Index i = 0; i < block.size(); ++i) {
    for (SparseMatrix::InnerIterator c(block.states, i); c; ++c) state(c.row()) = c.value();
    for (SparseMatrix::InnerIterator c(block.states, i); c; ++c)
      for (SparseMatrix::InnerIterator h(upper, c.row()); h; ++h)
        diagonal_(i) += (h.row() == c.row() ? 1 : 2) * c.value() * h.value() * state(h.row());
    for (SparseMatrix::InnerIterator c(block.states, i); c; ++c) state(c.row()) = 0;
  }
}

Eigen::MatrixXd CoupledHamiltonian::operator*(const Eigen::Ref<const Eigen::MatrixXd>& vectors) const {
  const Eigen::MatrixXd determinants = block_.states * vectors;
  const Eigen::MatrixXd applied = upper_.selfadjointView<Eigen::Upper>() * determinants;
  return block_.states.transpose() * applied;
}

Eigen::MatrixXd CoupledHamiltonian::leading(Eigen::Index count) const {
  const Eigen::MatrixXd units = Eigen::MatrixXd::Identity(rows(), count);
  return (*this * units).topRows(count);
}

LowestStates lowestStates(const CoupledHamiltonian& hamiltonian, Eigen::Index count, Eigen::Index references,
                          const Checkpoint& checkpoint) {
  const Eigen::MatrixXd start = startVectors(hamiltonian, count, references);
  const SymmetricOperator matrix{hamiltonian.diagonal().array() + kApart,
                                 [&](const Eigen::Ref<const Eigen::MatrixXd>& vectors) -> Eigen::MatrixXd {
                                   pass(checkpoint);
                                   return hamiltonian * vectors;
                                 }};
  const Eigen::Index most = std::min(hamiltonian.rows(), 8 * count + 24);
  LowestEigenpairs lowest =
      lowestEigenpairs(matrix, start, count, {2 * count + 4, most, kMostIterations, kResidual});
  if (!lowest.found)
    throw Error(fmt::format(
        "levels: Davidson's method has not found {} states among {} in {} iterations; ask for fewer or more "
        "of them (roots)",
        count, hamiltonian.rows(), kMostIterations));
  return {std::move(lowest.values), std::move(lowest.vectors)};
}

}  // namespace prophet
