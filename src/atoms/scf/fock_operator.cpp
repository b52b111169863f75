#include "atoms/scf/fock_operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/common/error.hpp"
#include "core/linalg/dense.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {

SymmetrySpace makeSymmetrySpace(const OneElectronMatrices& matrices, double c, double threshold) {
  SymmetrySpace s;
  s.large = orthonormalise(matrices.overlapLarge, threshold);
  s.small = orthonormalise(matrices.overlapSmall, threshold);
  const int n = s.largeSize(), m = s.smallSize();
  const Eigen::MatrixXd scaled = c * matrices.balance.asDiagonal() * s.large.x;
  s.kinetic.resize(m, n);
  product(s.small.dual, scaled, s.kinetic);

  s.nuclear = Eigen::MatrixXd::Zero(n + m, n + m);
  Eigen::MatrixXd work(s.large.x.rows(), std::max(n, m));
  product(matrices.nuclearLarge, s.large.x, work.leftCols(n));
  productTN(s.large.x, work.leftCols(n), s.nuclear.topLeftCorner(n, n));
  product(matrices.nuclearSmall, s.small.x, work.leftCols(m));
  productTN(s.small.x, work.leftCols(m), s.nuclear.bottomRightCorner(m, m));

  s.core = s.nuclear;
  s.core.bottomLeftCorner(m, n) += s.kinetic;
  s.core.topRightCorner(n, m) += s.kinetic.transpose();
  s.core.diagonal().tail(m).array() -= 2.0 * c * c;
  return s;
}

double momentumOf(const SymmetrySpace& space, const Eigen::MatrixXd& density) {
  const int n = space.largeSize(), m = space.smallSize();
  if (m == 0) return density.cwiseProduct(space.momentum).sum();
  return 2.0 * density.bottomLeftCorner(m, n).cwiseProduct(space.kinetic).sum();
}

void transformToSpace(const SymmetrySpace& space, const BlockMatrix& block, Eigen::MatrixXd& work,
                      Eigen::MatrixXd& result) {
  const int n = space.largeSize(), m = space.smallSize();
  if (n + m == 0) {
    result.resize(0, 0);
    return;
  }
  const Eigen::MatrixXd &xl = space.large.x, &xs = space.small.x;
  result.resize(n + m, n + m);
  work.resize(xl.rows(), std::max(n, m));
  product(block.LL, xl, work.leftCols(n));
  productTN(xl, work.leftCols(n), result.topLeftCorner(n, n));
  if (m == 0) return;
  product(block.SS, xs, work.leftCols(m));
  productTN(xs, work.leftCols(m), result.bottomRightCorner(m, m));
  if (block.LS.size() == 0) {
    result.topRightCorner(n, m).setZero();
  } else {
    product(block.LS, xs, work.leftCols(m));
    productTN(xl, work.leftCols(m), result.topRightCorner(n, m));
  }
  result.bottomLeftCorner(m, n) = result.topRightCorner(n, m).transpose();
}

namespace {

using Matrix = Eigen::MatrixXd;

/// (1 + x^T x)^(-1/2).
Matrix normalisation(const Matrix& x) {
  const auto n = x.cols();
  Matrix metric = Matrix::Identity(n, n) + x.transpose() * x, vectors;
  Eigen::VectorXd values;
  EigenSolver().solve(metric, 0, static_cast<int>(n), values, vectors);
  return vectors * values.cwiseSqrt().cwiseInverse().asDiagonal() * vectors.transpose();
}

/// C_S C_L^-1 of the positive-energy solutions.
Matrix couplingOf(const SymmetrySpace& dirac) {
  const int n = dirac.largeSize(), m = dirac.smallSize();
  Matrix matrix = dirac.core, vectors;
  Eigen::VectorXd values;
  EigenSolver().solve(matrix, m, n, values, vectors);
  const LuFactors large(vectors.topRows(n).transpose());
  if (large.singular()) throw Error("the positive-energy solutions have no large components to decouple");
  return large.solve(vectors.bottomRows(m).transpose()).transpose();
}

/// What is left of a space when its small functions are gone.
SymmetrySpace largeOnly(const SymmetrySpace& dirac) {
  SymmetrySpace s;
  s.large = dirac.large;
  s.small = {Matrix(dirac.small.x.rows(), 0), Matrix(0, dirac.small.x.rows()), dirac.small.dropped};
  s.kinetic.resize(0, dirac.largeSize());
  return s;
}

/// Orthonormal combinations of functions that are columns over an orthonormal basis; which are dependent are
/// counted in `dropped`.
Matrix orthonormalColumns(Matrix functions, double threshold, int& dropped) {
  for (Eigen::Index i = 0; i < functions.cols(); ++i) {
    const double norm = functions.col(i).norm();
    if (!(norm > 0.0)) throw Error("a contracted function is zero; correct the basis");
    functions.col(i) /= norm;
  }
  const OrthonormalBasis basis = orthonormalise(functions.transpose() * functions, threshold);
  dropped += basis.dropped;
  return functions * basis.x;
}

/// Functions rotated (or left out) within a basis by orthonormal columns.
OrthonormalBasis within(const OrthonormalBasis& basis, const Matrix& columns, int dropped) {
  return {basis.x * columns, columns.transpose() * basis.dual, dropped};
}

/// <Q|V|Q> of pV.p alone, without spin-orbit coupling: the mean over both j, weighted by 2j + 1, in which the
/// expectation values of sigma.l cancel. `other` is the symmetry with the same l and the other j.
Matrix spinFreeAttraction(const SymmetryBasis& block, const Nucleus& nucleus, const Matrix& own) {
  const int l = block.symmetry.l();
  if (l == 0) return own;
  const Symmetry other{-1 - block.symmetry.kappa};
  const Matrix theirs = oneElectronMatrices({{{other, block.exponents}}, ""}, nucleus).front().nuclearSmall;
  const double share = block.symmetry.degeneracy() / (4.0 * l + 2.0);
  return share * own + (1.0 - share) * theirs;
}

void requireFitting(const SymmetryBasis& block) {
  if (!block.contracted() || block.contraction.rows() == block.size()) return;
  throw Error(fmt::format("the contraction of {} has {} rows for {} exponents; expected one for each",
                          block.symmetry.label(), block.contraction.rows(), block.size()));
}

}  // namespace

SymmetrySpace decoupled(const SymmetrySpace& dirac, double c) {
  const int n = dirac.largeSize(), m = dirac.smallSize();
  SymmetrySpace s = largeOnly(dirac);
  const Matrix x = couplingOf(dirac), r = normalisation(x), small = x * r;
  s.nuclear = r * dirac.nuclear.topLeftCorner(n, n) * r +
              small.transpose() * dirac.nuclear.bottomRightCorner(m, m) * small;
  const Matrix half = small.transpose() * (dirac.kinetic * r);
  s.momentum = half + half.transpose();
  s.core = s.nuclear + s.momentum - 2.0 * c * c * small.transpose() * small;
  s.core = (0.5 * (s.core + s.core.transpose())).eval();
  return s;
}

SymmetrySpace withoutRelativity(const SymmetrySpace& dirac, double c) {
  const int n = dirac.largeSize();
  SymmetrySpace s = largeOnly(dirac);
  s.nuclear = dirac.nuclear.topLeftCorner(n, n);
  s.momentum = dirac.kinetic.transpose() * dirac.kinetic / (c * c);
  s.core = s.nuclear + 0.5 * s.momentum;
  return s;
}

SymmetrySpace contracted(const SymmetrySpace& primitive, const Eigen::MatrixXd& contraction,
                         const Eigen::VectorXd& balance, double c, double threshold) {
  SymmetrySpace s;
  int droppedLarge = 0, droppedSmall = 0;
  const Matrix large = orthonormalColumns(primitive.large.dual * contraction, threshold, droppedLarge);
  Matrix small(primitive.smallSize(), 0);
  if (primitive.smallSize() > 0)
    small = orthonormalColumns(primitive.small.dual * (balance.asDiagonal() * contraction), threshold,
                               droppedSmall);
  s.large = within(primitive.large, large, droppedLarge);
  s.small = within(primitive.small, small, droppedSmall);
  s.kinetic = small.transpose() * primitive.kinetic * large;
  Matrix both = Matrix::Zero(primitive.size(), large.cols() + small.cols());
  both.topLeftCorner(large.rows(), large.cols()) = large;
  both.bottomRightCorner(small.rows(), small.cols()) = small;
  s.nuclear = both.transpose() * primitive.nuclear * both;
  if (primitive.momentum.size() > 0) {
    s.momentum = large.transpose() * primitive.momentum * large;
    s.core = large.transpose() * primitive.core * large;
    return s;
  }
  // As makeSymmetrySpace has it: the rest mass stays exactly diagonal.
  const auto n = large.cols(), m = small.cols();
  s.core = s.nuclear;
  s.core.bottomLeftCorner(m, n) += s.kinetic;
  s.core.topRightCorner(n, m) += s.kinetic.transpose();
  s.core.diagonal().tail(m).array() -= 2.0 * c * c;
  return s;
}

std::vector<SymmetrySpace> hamiltonianSpaces(const BasisSet& basis, const Nucleus& nucleus,
                                             OneElectronOperator kind, double c, double threshold,
                                             ThreadPool& pool) {
  // Without a closed form there is one grid for all symmetries.
  const bool together = !nucleus.attraction();
  std::vector<OneElectronMatrices> matrices(basis.symmetries.size());
  if (together) matrices = oneElectronMatrices(basis, nucleus);
  std::vector<SymmetrySpace> spaces(matrices.size());
  pool.forEach(static_cast<int>(spaces.size()), [&](int a, int) {
    const SymmetryBasis& block = basis.symmetries[a];
    requireFitting(block);
    OneElectronMatrices& m = matrices[a];
    if (!together) m = std::move(oneElectronMatrices({{block}, ""}, nucleus).front());
    if (kind == OneElectronOperator::SpinFreeX2c)
      m.nuclearSmall = spinFreeAttraction(block, nucleus, m.nuclearSmall);
    SymmetrySpace& s = spaces[a];
    s = makeSymmetrySpace(m, c, threshold);
    if (s.size() == 0) return;
    if (kind == OneElectronOperator::Nonrelativistic) {
      s = withoutRelativity(s, c);
    } else if (kind != OneElectronOperator::Dirac) {
      s = decoupled(s, c);
    }
    if (block.contracted()) s = contracted(s, block.contraction, m.balance, c, threshold);
  });
  return spaces;
}

namespace {

/// 1/(n_i - n_j) for spinor i below spinor j. Equal occupations: the energy depends on the rotation through
/// the electrons' correlation alone, which is of the order of a fraction of the level spacing, and positive.
double rotationFactor(double ni, double nj) {
  constexpr double kNearlyEqual = 0.05, kLeastShare = 0.25;
  const double difference = ni - nj, larger = std::max(ni, nj);
  if (std::abs(difference) >= kNearlyEqual * larger) return 1.0 / difference;
  return 1.0 / (kLeastShare * larger);
}

/// The wanted elements between occupied spinors; `fields`: column i holds c^T F_i c_i.
Eigen::MatrixXd occupiedBlock(const SymmetryOccupation& occupation, const Eigen::MatrixXd& fields) {
  Eigen::MatrixXd block = fields.diagonal().asDiagonal();
  for (int j = 0; j < occupation.occupied(); ++j) {
    for (int i = 0; i < j; ++i) {
      const SpinorOccupation &a = occupation.spinors[i], &b = occupation.spinors[j];
      const double ni = a.electrons, nj = b.electrons;
      block(i, j) =
          a.open || b.open ? rotationFactor(ni, nj) * (ni * fields(j, i) - nj * fields(i, j)) : fields(i, j);
      block(j, i) = block(i, j);
    }
  }
  return block;
}

}  // namespace

SpinorCorrection spinorCorrection(const SymmetryOccupation& occupation, bool allDiffer,
                                  const Eigen::MatrixXd& c, const Eigen::MatrixXd& base,
                                  const Eigen::MatrixXd& own) {
  const Eigen::MatrixXd fields = c.transpose() * own;
  const Eigen::MatrixXd wanted = own + c * (occupiedBlock(occupation, fields) - fields);
  std::vector<int> columns;
  for (int i = 0; i < occupation.occupied(); ++i)
    if (allDiffer || occupation.spinors[i].open) columns.push_back(i);
  const auto count = static_cast<Eigen::Index>(columns.size());
  SpinorCorrection correction{Eigen::MatrixXd(c.rows(), count), Eigen::MatrixXd(c.rows(), count)};
  for (Eigen::Index k = 0; k < count; ++k) {
    correction.c.col(k) = c.col(columns[k]);
    correction.u.col(k) = wanted.col(columns[k]) - base.col(columns[k]);
  }
  // c u^T + u c^T would count twice what is between these spinors.
  correction.u -= 0.5 * correction.c * (correction.c.transpose() * correction.u).eval();
  return correction;
}

void effectiveFock(const SymmetrySpace& space, const SymmetryOccupation& occupation, const BlockMatrix& p,
                   const BlockMatrix* q, const Eigen::MatrixXd& c, SymmetryFock& fock) {
  transformToSpace(space, p, fock.work, fock.closed);
  fock.closed += space.core;
  fock.effective = fock.closed;
  fock.open.resize(occupation.occupied() - occupation.closed());
  for (std::size_t o = 0; o < fock.open.size(); ++o) transformToSpace(space, q[o], fock.work, fock.open[o]);

  Eigen::MatrixXd own(fock.closed.rows(), c.cols());
  product(fock.closed, c, own);
  if (!fock.open.empty()) {
    Eigen::MatrixXd base = own;
    const bool excited = occupation.hasEmptyPlaces() && occupation.spinors.back().open;
    if (excited) {
      fock.effective -= fock.open.back();
      base -= fock.open.back() * c;
    }
    for (int i = 0, o = 0; i < occupation.occupied(); ++i)
      if (occupation.spinors[i].open) own.col(i) -= fock.open[o++] * c.col(i);
    const SpinorCorrection correction = spinorCorrection(occupation, excited, c, base, own);
    fock.effective.noalias() += correction.c * correction.u.transpose();
    fock.effective.noalias() += correction.u * correction.c.transpose();
  }
  for (int i = 0; i < occupation.occupied(); ++i) own.col(i) *= occupation.spinors[i].electrons;
  // Not in `work`, whose size stays: where memory is short, Eigen's resize leaves a matrix with what it
  // freed.
  Eigen::MatrixXd outer(c.rows(), own.rows());
  productNT(c, own, outer);
  fock.gradient = outer - outer.transpose();
}

}  // namespace prophet
