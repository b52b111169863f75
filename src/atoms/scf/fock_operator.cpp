#include "atoms/scf/fock_operator.hpp"

#include <algorithm>
#include <cmath>

#include "core/linalg/dense.hpp"

namespace prophet {
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
  fock.work.resize(c.rows(), own.rows());
  productNT(c, own, fock.work);
  fock.gradient = fock.work - fock.work.transpose();
}

}  // namespace prophet
