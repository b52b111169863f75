#include "limit/open_shell.hpp"

namespace prophet::limit {

void addOpenShell(const Eigen::MatrixXd& defect, const Eigen::MatrixXd& overlap,
                  const Eigen::MatrixXd& spinors, double degeneracy, double openElectrons,
                  Eigen::MatrixXd& fock) {
  const int closed = static_cast<int>(spinors.cols()) - 1;
  const Eigen::VectorXd open = spinors.rightCols(1);
  const Eigen::MatrixXd closedDual = overlap * spinors.leftCols(closed);
  const Eigen::VectorXd openDual = overlap * open;
  const Eigen::VectorXd change = -(defect * open);  // (F_O - F_C)|open>
  const double diagonal = open.dot(change);
  const Eigen::VectorXd coupling = spinors.leftCols(closed).transpose() * change;
  // With virtuals the change itself; with closed spinors -n/(g - n) times it; the diagonal is counted twice.
  const double ratio = openElectrons / (degeneracy - openElectrons);
  const Eigen::VectorXd column = change - (1 + ratio) * (closedDual * coupling) - 0.5 * diagonal * openDual;
  fock += openDual * column.transpose() + column * openDual.transpose();
}

}  // namespace prophet::limit
