#include "atoms/frozen/table_trial.hpp"

#include <cmath>
#include <memory>
#include <vector>

#include "atoms/frozen/occupied_solutions.hpp"
#include "atoms/integrals/exponent_derivatives.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "core/common/error.hpp"
#include "core/linalg/dense.hpp"
#include "core/linalg/dense_kernels.hpp"

namespace prophet {

/// Closed forms that derivatives need.
struct TableTrial::Derivatives {
  ExponentDerivatives d;
  Eigen::MatrixXd overlapSmall;
  Eigen::VectorXd balance;
};

TableTrial::TableTrial(const FieldTable& table, const std::vector<double>& exponents, bool slopes)
    : table_(table), basis_{table.symmetry, exponents}, stencils_(table.nodes, exponents, slopes) {
  const OneElectronMatrices matrices = oneElectronMatrices({{basis_}, ""}, table.nucleus).front();
  space_ = makeSymmetrySpace(matrices, table.c, table.dependencyThreshold);
  if (space_.largeSize() < table.occupied()) throw Error("too few functions for the spinors");
  interpolate();
  occupiedSolutions(fock_, space_.smallSize(), table.occupied(), energies_, vectors_);
  spinors_ = fromSpace(vectors_);
  const Eigen::MatrixXd large = stencils_.spread(spinors_.large), small = stencils_.spread(spinors_.small);
  overlaps_.resize(table.negativeEnergies.size(), table.occupied());
  product(table.negativeLarge.middleCols(stencils_.first(), large.rows()), large, overlaps_);
  addProduct(table.negativeSmall.middleCols(stencils_.first(), small.rows()), small, overlaps_);
  if (slopes)
    derivatives_ = std::make_shared<Derivatives>(Derivatives{
        exponentDerivatives(basis_, table.nucleus), matrices.overlapSmall, table.c * matrices.balance});
  if (slopes) stencils_.columns(table.LS, true, sl_);
}

void TableTrial::interpolate() {
  stencils_.columns(table_.LL, false, ll_);
  stencils_.columns(table_.SS, false, ss_);
  stencils_.columns(table_.LS, false, ls_);
  BlockMatrix block;
  block.LL = stencils_.at(ll_);
  block.SS = stencils_.at(ss_);
  block.LS = stencils_.at(ls_);
  Eigen::MatrixXd work;
  transformToSpace(space_, block, work, fock_);
  fock_ += space_.core;
}

TableTrial::Spinors TableTrial::fromSpace(const Eigen::MatrixXd& vectors) const {
  return {space_.large.x * vectors.topRows(space_.largeSize()),
          space_.small.x * vectors.bottomRows(space_.smallSize())};
}

BasisShortfall TableTrial::shortfall() const {
  BasisShortfall s;
  s.rise = (energies_ - table_.energies).dot(table_.occupation);
  for (int i = 0; i < table_.occupied(); ++i) {
    const auto depth = energies_(i) - table_.negativeEnergies.array();
    s.prolapse += table_.occupation(i) * (overlaps_.col(i).array().square() * depth).sum();
  }
  return s;
}

TableTrial::Spinors TableTrial::moved(const Spinors& s) const {
  const Derivatives& k = *derivatives_;
  const Eigen::MatrixXd slope = k.d.overlapSmall * s.small, plain = k.overlapSmall * s.small;
  const Eigen::VectorXd shift = energies_.array() + 2.0 * table_.c * table_.c;
  return {
      k.d.nuclearLarge * s.large +
          stencils_.slopesAt(multiply(ll_, false, s.large, false) + multiply(ls_, false, s.small, false)) +
          k.balance.asDiagonal() * (slope + 0.5 * plain) -
          k.d.overlapLarge * s.large * energies_.asDiagonal(),
      k.d.nuclearSmall * s.small +
          stencils_.slopesAt(multiply(sl_, false, s.large, false) + multiply(ss_, false, s.small, false)) +
          k.d.overlapSmall * (k.balance.asDiagonal() * s.large) - slope * shift.asDiagonal()};
}

TableTrial::Spinors TableTrial::movedOverlap(const Spinors& s) const {
  return {derivatives_->d.overlapLarge * s.large, derivatives_->d.overlapSmall * s.small};
}

Eigen::MatrixXd TableTrial::response(const Eigen::MatrixXd& right) const {
  const Eigen::Index n = fock_.rows(), size = n + 1;
  // Where matrices begin decides the order of sums in their factorisation: always at the start of a cache
  // line.
  constexpr std::size_t kLine = 64;
  std::vector<double> storage(static_cast<std::size_t>(size * size + size) + 2 * kLine / sizeof(double));
  void* start = storage.data();
  std::size_t room = storage.size() * sizeof(double);
  double* matrix = static_cast<double*>(std::align(kLine, kLine, start, room));
  start = matrix + size * size;
  double* vector = static_cast<double*>(std::align(kLine, sizeof(double), start, room));
  Eigen::Map<Eigen::MatrixXd> bordered(matrix, size, size);
  Eigen::Map<Eigen::VectorXd> solution(vector, size);
  std::vector<int> rowOf(static_cast<std::size_t>(size));
  Eigen::MatrixXd solutions(n, right.cols());
  for (Eigen::Index i = 0; i < right.cols(); ++i) {
    bordered.topLeftCorner(n, n) = fock_;
    bordered.diagonal().head(n).array() -= energies_(i);
    bordered.col(n).head(n) = vectors_.col(i);
    bordered.row(n).head(n) = vectors_.col(i).transpose();
    bordered(n, n) = 0.0;
    solution << right.col(i), 0.0;
    denseKernels().luFactors(static_cast<int>(size), matrix, rowOf.data());
    denseKernels().luSolve(static_cast<int>(size), matrix, rowOf.data(), 1, vector);
    solutions.col(i) = solution.head(n);
  }
  return solutions;
}

/// The rise: sum n_i d epsilon_i = 2 sum n_i <d psi_i|F - epsilon_i|psi_i>. The prolapse, sum n_i sum_k
/// <k|i>^2 (epsilon_i - epsilon_k), also changes by what the spinors turn to: with a_i = sum_k 2 (epsilon_i -
/// epsilon_k) <k|i> k and (F - epsilon_i) lambda_i = a_i - <a_i|i> i that is
/// -<lambda_i|dF - epsilon_i dS|i> - <a_i|i> <i|dS|i>/2.
ShortfallSlopes TableTrial::slopes() const {
  const BasisShortfall value = shortfall();
  ShortfallSlopes s{value.rise, value.prolapse, {}, {}};
  const Eigen::VectorXd& n = table_.occupation;
  const Spinors own = moved(spinors_);
  const Eigen::MatrixXd ofEnergies =
      2.0 * (spinors_.large.cwiseProduct(own.large) + spinors_.small.cwiseProduct(own.small));
  s.ofRise = ofEnergies * n;

  Eigen::MatrixXd pull = overlaps_;  // 2 (epsilon_i - epsilon_k) <k|i>
  for (Eigen::Index i = 0; i < pull.cols(); ++i)
    pull.col(i).array() *= 2.0 * (energies_(i) - table_.negativeEnergies.array());
  const int first = stencils_.first(), rows = stencils_.rows();
  const Eigen::MatrixXd large = multiply(table_.negativeLarge.middleCols(first, rows), true, pull, false),
                        small = multiply(table_.negativeSmall.middleCols(first, rows), true, pull, false);
  Eigen::MatrixXd a(fock_.rows(), n.size());
  a << space_.large.x.transpose() * stencils_.at(large), space_.small.x.transpose() * stencils_.at(small);
  const Eigen::VectorXd along = a.cwiseProduct(vectors_).colwise().sum().transpose();
  const Spinors lambda = fromSpace(response(a - vectors_ * along.asDiagonal()));
  const Spinors ofLambda = moved(lambda), overlap = movedOverlap(spinors_);
  const Eigen::VectorXd weight = overlaps_.colwise().squaredNorm().transpose();
  s.ofProlapse = (ofEnergies * weight.asDiagonal() + spinors_.large.cwiseProduct(stencils_.slopesAt(large)) +
                  spinors_.small.cwiseProduct(stencils_.slopesAt(small)) -
                  lambda.large.cwiseProduct(own.large) - lambda.small.cwiseProduct(own.small) -
                  spinors_.large.cwiseProduct(ofLambda.large) - spinors_.small.cwiseProduct(ofLambda.small) -
                  (spinors_.large.cwiseProduct(overlap.large) + spinors_.small.cwiseProduct(overlap.small)) *
                      along.asDiagonal()) *
                 n;
  return s;
}

}  // namespace prophet
