#include "atoms/correlation/exponent_slopes.hpp"

#include "atoms/integrals/one_electron.hpp"
#include "atoms/integrals/primitives.hpp"
#include "core/common/index.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Between derivatives of the moving functions with respect to ln zeta (rows) and spinors.
struct MovedElements {
  Eigen::MatrixXd overlapLarge, overlapSmall;
  Eigen::MatrixXd coreLarge, coreSmall;  ///< h
  Eigen::MatrixXd fockLarge, fockSmall;  ///< F
};

/// dP sqrt(r) and dQ sqrt(r) of the moving functions at the points, a column for each.
struct MovedValues {
  Eigen::MatrixXd large, small;
};

MovedValues valuesOf(const SymmetryBasis& block, const std::vector<int>& moving,
                     const Eigen::VectorXd& radii) {
  const int l = block.symmetry.l();
  const Eigen::ArrayXd square = radii.array().square();
  MovedValues d;
  d.large.resize(radii.size(), static_cast<Eigen::Index>(moving.size()));
  d.small.resize(radii.size(), static_cast<Eigen::Index>(moving.size()));
  for (std::size_t i = 0; i < moving.size(); ++i) {
    const Primitive g = makePrimitive(block.symmetry, block.exponents[usize(moving[i])]);
    const Eigen::ArrayXd common = radii.array().pow(l + 0.5) * (-g.zeta * square).exp();
    // The norm of P goes with zeta^((2l + 3)/4); of Q small0 with zeta^((2l + 1)/4), small2 with one more.
    d.large.col(static_cast<Eigen::Index>(i)) =
        g.norm * common * radii.array() * (0.25 * (2 * l + 3) - g.zeta * square);
    d.small.col(static_cast<Eigen::Index>(i)) =
        common * (0.25 * (2 * l + 1) * g.small0 + 0.25 * (2 * l + 5) * g.small2 * square -
                  g.zeta * square * (g.small0 + g.small2 * square));
  }
  return d;
}

MovedElements elementsOf(const SolvedFunctions& f, const std::vector<int>& moving, const MovedValues& values,
                         const AtomProblem& problem) {
  const ExponentDerivatives d = exponentDerivatives(f.block, problem.nucleus);
  const Eigen::VectorXd balance = balanceOf(f.block);
  const Eigen::MatrixXd overlap = overlapBetween(f.block, f.block).small;
  const double c = problem.hamiltonian.speedOfLight;
  // c <Q|(d/dr + kappa/r) dP_p> = d/d ln zeta_p of balance_p <Q|Q_p>, balance ~ sqrt(zeta).
  const Eigen::MatrixXd kinetic = c * (balance.asDiagonal() * (d.overlapSmall + 0.5 * overlap));
  MovedElements e;
  e.overlapLarge = d.overlapLarge(moving, Eigen::all) * f.large;
  e.overlapSmall = d.overlapSmall(moving, Eigen::all) * f.small;
  e.coreLarge = d.nuclearLarge(moving, Eigen::all) * f.large + kinetic(moving, Eigen::all) * f.small;
  e.coreSmall =
      d.nuclearSmall(moving, Eigen::all) * f.small +
      c * (d.overlapSmall(moving, Eigen::all) * (balance.asDiagonal() * f.large - 2.0 * c * f.small));
  e.fockLarge = e.coreLarge + multiply(values.large, true, f.largeField, false);
  e.fockSmall = e.coreSmall + multiply(values.small, true, f.smallField, false);
  return e;
}

}  // namespace

Eigen::VectorXd exponentSlopes(const SolvedFunctions& f, const SymmetrySlopes& slopes,
                               const std::vector<int>& moving, const AtomProblem& problem,
                               const Eigen::VectorXd& radii) {
  const Eigen::Index held = f.occupied, virtuals = f.virtuals, all = f.fock.rows();
  const Eigen::Index negative = all - held - virtuals, firstNegative = held + virtuals;
  const Eigen::VectorXd energies = f.fock.diagonal();
  // What the functional gains where a virtual spinor takes up another one: rows all, columns virtual ones.
  const Eigen::MatrixXd gain = multiply(f.largeAt, true, slopes.large, false) +
                               multiply(f.smallAt, true, slopes.small, false) +
                               f.core.leftCols(held) * slopes.core;
  // They take up as much of spinors of negative energy as makes F vanish between them again.
  Eigen::MatrixXd mixed = gain.bottomRows(negative);
  for (Eigen::Index r = 0; r < virtuals; ++r)
    mixed.col(r).array() /= energies(held + r) - energies.tail(negative).array();

  // dE = sum_pq ofFock_pq dF_pq - ofOverlap_pq dS_pq, and the change of the values themselves.
  Eigen::MatrixXd ofFock = Eigen::MatrixXd::Zero(all, all), ofOverlap = Eigen::MatrixXd::Zero(all, all);
  ofFock.block(held, held, virtuals, virtuals) = slopes.density;
  ofFock.block(firstNegative, held, negative, virtuals) = mixed;
  const Eigen::VectorXd own = energies.segment(held, virtuals);
  ofOverlap.block(held, held, virtuals, virtuals) =
      0.5 * (own.asDiagonal() * slopes.density + slopes.density * own.asDiagonal() +
             gain.middleRows(held, virtuals));
  ofOverlap.block(firstNegative, held, negative, virtuals) = mixed * own.asDiagonal();
  const auto toVirtual = f.fock.block(0, held, held, virtuals);
  ofOverlap.block(0, held, held, virtuals) =
      gain.topRows(held) + 2.0 * toVirtual * slopes.density + f.fock.topRightCorner(held, negative) * mixed;
  ofOverlap.topRightCorner(held, negative) = toVirtual * mixed.transpose();

  const MovedValues values = valuesOf(f.block, moving, radii);
  const MovedElements e = elementsOf(f, moving, values, problem);
  const auto sum = [&](const Eigen::MatrixXd& coefficients, const Eigen::MatrixXd& fock,
                       const Eigen::MatrixXd& overlap, const Eigen::MatrixXd& core, const Eigen::MatrixXd& at,
                       const Eigen::MatrixXd& slope) -> Eigen::VectorXd {
    const Eigen::MatrixXd rows = coefficients(moving, Eigen::all);
    const Eigen::MatrixXd direct = multiply(at, true, slope, false) + core.leftCols(held) * slopes.core;
    return (rows * (ofFock + ofFock.transpose())).cwiseProduct(fock).rowwise().sum() -
           (rows * (ofOverlap + ofOverlap.transpose())).cwiseProduct(overlap).rowwise().sum() +
           rows.middleCols(held, virtuals).cwiseProduct(direct).rowwise().sum();
  };
  return sum(f.large, e.fockLarge, e.overlapLarge, e.coreLarge, values.large, slopes.large) +
         sum(f.small, e.fockSmall, e.overlapSmall, e.coreSmall, values.small, slopes.small);
}

}  // namespace prophet
