#include "scf/fock_operator.hpp"

namespace prophet {
namespace {

/// Adds the open shell: with w = (F_O - F_C) o = -Q o the corrections are o u^T + u o^T,
/// u = w - P_c w - (o.w) o / 2 - n/(g - n) P_c w, and the gradient's M gains n o (F_O o)^T.
void addOpenShell(double g, double n, const Eigen::MatrixXd& closed, const Eigen::VectorXd& o,
                  const Eigen::MatrixXd& q, const Eigen::MatrixXd& closedFock, Eigen::MatrixXd& effective,
                  Eigen::MatrixXd& gradient) {
  const Eigen::VectorXd w = -(q * o);
  const Eigen::VectorXd inClosed = closed * (closed.transpose() * w);
  const Eigen::VectorXd u = w - (1.0 + n / (g - n)) * inClosed - 0.5 * o.dot(w) * o;
  effective.noalias() += o * u.transpose() + u * o.transpose();
  const Eigen::VectorXd openRow = closedFock * o + w;
  gradient.noalias() += n * (o * openRow.transpose() - openRow * o.transpose());
}

}  // namespace

void effectiveFock(const SymmetrySpace& space, const SymmetryOccupation& occupation, double degeneracy,
                   const BlockMatrix& p, const BlockMatrix& q, const SpaceOrbitals& orbitals,
                   FockScratch& scratch, Eigen::MatrixXd& effective, Eigen::MatrixXd& gradient) {
  transformToSpace(space, p, scratch.work, scratch.closedFock);
  scratch.closedFock += space.core;
  effective = scratch.closedFock;

  const auto closed = orbitals.coefficients.leftCols(occupation.closed);
  scratch.work.noalias() = closed.transpose() * scratch.closedFock;
  gradient.noalias() = degeneracy * closed * scratch.work;
  gradient.noalias() -= degeneracy * scratch.work.transpose() * closed.transpose();
  if (!occupation.open) return;

  transformToSpace(space, q, scratch.work, scratch.open);
  addOpenShell(degeneracy, occupation.openElectrons, closed, orbitals.coefficients.col(occupation.closed),
               scratch.open, scratch.closedFock, effective, gradient);
}

}  // namespace prophet
