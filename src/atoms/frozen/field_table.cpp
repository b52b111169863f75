#include "atoms/frozen/field_table.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "atoms/frozen/exponent_stencil.hpp"
#include "atoms/frozen/frozen_field.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "atoms/scf/fock_operator.hpp"
#include "core/common/error.hpp"
#include "core/linalg/dense.hpp"
#include "core/linalg/dense_kernels.hpp"

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
  /// Interpolates a table of anything x nodes: anything x functions.
  Eigen::MatrixXd columns(const Eigen::MatrixXd& table) const;
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

Stencils::Stencils(const ExponentNodes& nodes, const std::vector<double>& exponents, bool derivatives)
    : weights_(kPoints, static_cast<Eigen::Index>(exponents.size())), first_(nodes.count) {
  if (derivatives) slopes_.resizeLike(weights_);
  for (std::size_t p = 0; p < exponents.size(); ++p) {
    const auto column = static_cast<Eigen::Index>(p);
    double* slopes = derivatives ? slopes_.col(column).data() : nullptr;
    start_.push_back(nodes.stencil(exponents[p], weights_.col(column).data(), slopes));
    first_ = std::min(first_, start_.back());
    last_ = std::max(last_, start_.back() + kPoints - 1);
  }
}

void Stencils::columns(const Eigen::MatrixXd& table, bool transposed, Eigen::MatrixXd& out) const {
  out.resize(rows(), functions());
  for (Eigen::Index q = 0; q < functions(); ++q) {
    if (transposed) {
      productTN(table.block(start_[q], first_, kPoints, rows()), weights_.col(q), out.col(q));
    } else {
      product(table.block(first_, start_[q], rows(), kPoints), weights_.col(q), out.col(q));
    }
  }
}

Eigen::MatrixXd Stencils::columns(const Eigen::MatrixXd& table) const {
  Eigen::MatrixXd out(table.rows(), functions());
  for (Eigen::Index q = 0; q < functions(); ++q)
    product(table.middleCols(start_[static_cast<std::size_t>(q)], kPoints), weights_.col(q), out.col(q));
  return out;
}

Eigen::MatrixXd Stencils::weigh(const Eigen::MatrixXd& weights, const Eigen::MatrixXd& nodal) const {
  Eigen::MatrixXd values(functions(), nodal.cols());
  for (Eigen::Index q = 0; q < nodal.cols(); ++q) {
    for (Eigen::Index p = 0; p < functions(); ++p)
      values(p, q) = weights.col(p).dot(nodal.col(q).segment(start_[p] - first_, kPoints));
  }
  return values;
}

Eigen::MatrixXd Stencils::spread(const Eigen::MatrixXd& coefficients) const {
  Eigen::MatrixXd wide = Eigen::MatrixXd::Zero(rows(), coefficients.cols());
  for (Eigen::Index p = 0; p < functions(); ++p)
    wide.middleRows(start_[p] - first_, kPoints) += weights_.col(p) * coefficients.row(p);
  return wide;
}

/// One trial in a FieldTable: its Fock matrix by interpolation, its spinors, and what follows from these.
class TableTrial {
 public:
  /// Throws Error where the exponents do not carry the spinors. `slopes`: with what slopes() needs.
  TableTrial(const FieldTable& table, const std::vector<double>& exponents, bool slopes = false);
  BasisShortfall shortfall() const;
  ShortfallSlopes slopes() const;
  /// As FieldTable has them; made with `slopes`.
  DefectSlopes defectSlopes(const Eigen::VectorXd& weights, bool defect) const;

 private:
  /// Coefficients over the functions; a column for each of some spinors, or vectors beside them. Of the
  /// reference's small functions where they are there too.
  struct Spinors {
    Eigen::MatrixXd large, small, reference{};
  };
  Spinors fromSpace(const Eigen::MatrixXd& vectors) const;
  void interpolate();
  /// (F - energy) s at the derivatives of the functions: rows of <d g_p/d ln zeta_p|F - energies_i|s_i>.
  Spinors moved(const Spinors& s, const Eigen::VectorXd& energies) const;
  /// The derivatives of spinors' energies with respect to ln zeta: functions x spinors.
  Eigen::MatrixXd energySlopes(const Spinors& s, const Eigen::VectorXd& energies) const;
  /// Overlaps of the reference's negative-energy solutions with the spinors, and what these cost.
  Eigen::MatrixXd negativeOverlaps() const;
  BasisShortfall shortfallOf(const Eigen::MatrixXd& overlaps) const;
  /// The same of the overlap.
  Spinors movedOverlap(const Spinors& s) const;
  /// Vectors in the orthonormal basis that solve (F - energy_i) x = right_i, both orthogonal to spinor i.
  Eigen::MatrixXd response(const Eigen::MatrixXd& right) const;

  const FieldTable& table_;
  const SymmetryBasis basis_;
  const Stencils stencils_;
  SymmetrySpace space_;
  Eigen::MatrixXd ll_, ss_, ls_, sl_;  ///< the field's columns at the functions, Stencils::columns
  Eigen::MatrixXd fock_, vectors_;     ///< in the orthonormal basis
  Eigen::VectorXd energies_;
  Spinors spinors_;
  struct Derivatives;
  std::shared_ptr<const Derivatives> derivatives_;
};

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
  if (slopes)
    derivatives_ = std::make_shared<Derivatives>(Derivatives{
        exponentDerivatives(basis_, table.nucleus), matrices.overlapSmall, table.c * matrices.balance});
  if (slopes) stencils_.columns(table.LS, true, sl_);
}

Eigen::MatrixXd TableTrial::negativeOverlaps() const {
  const Eigen::MatrixXd large = stencils_.spread(spinors_.large), small = stencils_.spread(spinors_.small);
  Eigen::MatrixXd overlaps(table_.negativeEnergies.size(), table_.occupied());
  product(table_.negativeLarge.middleCols(stencils_.first(), large.rows()), large, overlaps);
  addProduct(table_.negativeSmall.middleCols(stencils_.first(), small.rows()), small, overlaps);
  return overlaps;
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

BasisShortfall TableTrial::shortfall() const { return shortfallOf(negativeOverlaps()); }

BasisShortfall TableTrial::shortfallOf(const Eigen::MatrixXd& overlaps) const {
  BasisShortfall s;
  s.rise = (energies_ - table_.energies).dot(table_.occupation);
  for (int i = 0; i < table_.occupied(); ++i) {
    const auto depth = energies_(i) - table_.negativeEnergies.array();
    s.prolapse += table_.occupation(i) * (overlaps.col(i).array().square() * depth).sum();
  }
  return s;
}

TableTrial::Spinors TableTrial::moved(const Spinors& s, const Eigen::VectorXd& energies) const {
  const Derivatives& k = *derivatives_;
  Eigen::MatrixXd onLarge = multiply(ll_, false, s.large, false),
                  onSmall = multiply(sl_, false, s.large, false);
  addProduct(ls_, s.small, onLarge);
  addProduct(ss_, s.small, onSmall);
  Eigen::MatrixXd slope = k.d.overlapSmall * s.small, plain = k.overlapSmall * s.small;
  if (s.reference.size() > 0) {
    const auto with = [&](const Eigen::MatrixXd& nodal) {
      return multiply(nodal.middleCols(stencils_.first(), stencils_.rows()), true, s.reference, false);
    };
    const Eigen::MatrixXd overlap = with(table_.smallOverlap);
    onLarge += with(table_.smallToLarge);
    onSmall += with(table_.smallToSmall);
    slope += stencils_.slopesAt(overlap);
    plain += stencils_.at(overlap);
  }
  const Eigen::VectorXd shift = energies.array() + 2.0 * table_.c * table_.c;
  return {k.d.nuclearLarge * s.large + stencils_.slopesAt(onLarge) +
              k.balance.asDiagonal() * (slope + 0.5 * plain) -
              k.d.overlapLarge * s.large * energies.asDiagonal(),
          k.d.nuclearSmall * s.small + stencils_.slopesAt(onSmall) +
              k.d.overlapSmall * (k.balance.asDiagonal() * s.large) - slope * shift.asDiagonal()};
}

Eigen::MatrixXd TableTrial::energySlopes(const Spinors& s, const Eigen::VectorXd& energies) const {
  const Spinors rows = moved(s, energies);
  return 2.0 * (s.large.cwiseProduct(rows.large) + s.small.cwiseProduct(rows.small));
}

DefectSlopes TableTrial::defectSlopes(const Eigen::VectorXd& weights, bool defect) const {
  const Eigen::VectorXd& n = table_.occupation;
  const Eigen::MatrixXd slopes = energySlopes(spinors_, energies_);
  DefectSlopes s;
  s.rise = n.dot(energies_ - table_.energies);
  s.ofRise = slopes * n;
  if (weights.size() > 0) {
    const Eigen::VectorXd weighted = weights.cwiseProduct(n);
    s.weighted = weighted.dot(energies_ - table_.energies);
    s.ofWeighted = slopes * weighted;
  }
  if (!defect) return s;
  const FrozenSpinors best = solveWithReferenceSmall(
      space_, fock_,
      {table_.smallFock, stencils_.columns(table_.smallOverlap), stencils_.columns(table_.smallToLarge),
       stencils_.columns(table_.smallToSmall)},
      derivatives_->balance, table_.c, table_.occupied());
  s.defect = n.dot(best.energies - energies_);
  s.ofDefect = energySlopes({best.large, best.small, best.reference}, best.energies) * n - s.ofRise;
  return s;
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
  const Eigen::MatrixXd overlaps = negativeOverlaps();
  const BasisShortfall value = shortfallOf(overlaps);
  ShortfallSlopes s{value.rise, value.prolapse, {}, {}};
  const Eigen::VectorXd& n = table_.occupation;
  const Spinors own = moved(spinors_, energies_);
  const Eigen::MatrixXd ofEnergies =
      2.0 * (spinors_.large.cwiseProduct(own.large) + spinors_.small.cwiseProduct(own.small));
  s.ofRise = ofEnergies * n;

  Eigen::MatrixXd pull = overlaps;  // 2 (epsilon_i - epsilon_k) <k|i>
  for (Eigen::Index i = 0; i < pull.cols(); ++i)
    pull.col(i).array() *= 2.0 * (energies_(i) - table_.negativeEnergies.array());
  const int first = stencils_.first(), rows = stencils_.rows();
  const Eigen::MatrixXd large = multiply(table_.negativeLarge.middleCols(first, rows), true, pull, false),
                        small = multiply(table_.negativeSmall.middleCols(first, rows), true, pull, false);
  Eigen::MatrixXd a(fock_.rows(), n.size());
  a << space_.large.x.transpose() * stencils_.at(large), space_.small.x.transpose() * stencils_.at(small);
  const Eigen::VectorXd along = a.cwiseProduct(vectors_).colwise().sum().transpose();
  const Spinors lambda = fromSpace(response(a - vectors_ * along.asDiagonal()));
  const Spinors ofLambda = moved(lambda, energies_), overlap = movedOverlap(spinors_);
  const Eigen::VectorXd weight = overlaps.colwise().squaredNorm().transpose();
  s.ofProlapse = (ofEnergies * weight.asDiagonal() + spinors_.large.cwiseProduct(stencils_.slopesAt(large)) +
                  spinors_.small.cwiseProduct(stencils_.slopesAt(small)) -
                  lambda.large.cwiseProduct(own.large) - lambda.small.cwiseProduct(own.small) -
                  spinors_.large.cwiseProduct(ofLambda.large) - spinors_.small.cwiseProduct(ofLambda.small) -
                  (spinors_.large.cwiseProduct(overlap.large) + spinors_.small.cwiseProduct(overlap.small)) *
                      along.asDiagonal()) *
                 n;
  return s;
}

namespace {

constexpr double kNotCarried = std::numeric_limits<double>::infinity();

}  // namespace

bool FieldTable::contains(const std::vector<double>& exponents) const {
  return std::all_of(exponents.begin(), exponents.end(), [&](double zeta) { return nodes.contains(zeta); });
}

BasisShortfall FieldTable::shortfall(const std::vector<double>& exponents) const {
  try {
    const TableTrial trial(*this, exponents);
    const BasisShortfall s = trial.shortfall();
    if (std::isfinite(s.rise + s.prolapse)) return s;
  } catch (const Error&) {  // too few, or near-dependent beyond what LAPACK can handle
  }
  return {kNotCarried, 0.0};
}

ShortfallSlopes FieldTable::shortfallWithSlopes(const std::vector<double>& exponents) const {
  TableTrial trial(*this, exponents, true);
  return trial.slopes();
}

DefectSlopes FieldTable::defectSlopes(const std::vector<double>& exponents, const Eigen::VectorXd& weights,
                                      bool defect) const {
  return TableTrial(*this, exponents, true).defectSlopes(weights, defect);
}

}  // namespace prophet
