#include "atoms/scf/start_spinors.hpp"

#include <Eigen/Cholesky>

#include "atoms/integrals/one_electron.hpp"
#include "atoms/scf/scf.hpp"

namespace prophet {

StartSpinors startSpinors(const BasisSet& basis, const ScfResult& result) {
  StartSpinors start{basis, {}, {}};
  for (const SymmetrySpinors& s : result.symmetries) {
    start.large.push_back(s.large);
    start.small.push_back(s.small);
  }
  return start;
}

Eigen::MatrixXd projectSpinors(const StartSpinors& start, int a, const SymmetryBasis& basis,
                               const SymmetrySpace& space) {
  constexpr double kLeastNorm = 0.5;
  const OverlapBlocks overlap = overlapBetween(basis, start.basis.symmetries[a]);
  Eigen::MatrixXd c(space.size(), start.large[a].cols());
  c.topRows(space.largeSize()) = space.large.x.transpose() * (overlap.large * start.large[a]);
  c.bottomRows(space.smallSize()) = space.small.x.transpose() * (overlap.small * start.small[a]);
  const Eigen::LLT<Eigen::MatrixXd> cholesky(c.transpose() * c);
  if (cholesky.info() != Eigen::Success) return {};
  if (c.cols() > 0 && !(cholesky.matrixLLT().diagonal().minCoeff() > kLeastNorm)) return {};
  cholesky.matrixU().solveInPlace<Eigen::OnTheRight>(c);
  return c;
}

}  // namespace prophet
