#include "atoms/gradient/energy_gradient.hpp"

#include <cmath>

#include "atoms/integrals/one_electron.hpp"
#include "core/common/error.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// One symmetry's part of the gradient.
class SymmetryGradient {
 public:
  SymmetryGradient(const SymmetryBasis& basis, const OneElectronMatrices& matrices,
                   const OccupiedSpinors& spinors, double c)
      : basis_(basis),
        matrices_(matrices),
        spinors_(spinors),
        c_(c),
        balance_(c * matrices.balance.asDiagonal() * spinors.large) {}

  /// `field`: (J - K) psi_i on the grid (GridFockBuilder::applyField).
  /// `functions`: of the basis, in the same scale.
  Eigen::VectorXd from(const GridFunctions& field, const GridFunctions& functions, const RadialGrid& grid,
                       const ExponentDerivatives& d) const {
    const Eigen::VectorXd& n = spinors_.occupation;
    const Eigen::MatrixXd lagrange = multipliers(field, functions);
    const auto& large = spinors_.large;
    const auto& small = spinors_.small;
    const GridFunctions df = fieldDerivatives(functions, basis_, grid);
    // Column i: <dP_p| and <dQ_p| of n_i F_i psi_i - sum_j lambda_ij psi_j.
    const Eigen::MatrixXd onLarge =
        (d.nuclearLarge * large + multiply(df.large, true, field.large, false)) * n.asDiagonal() -
        d.overlapLarge * large * lagrange;
    const Eigen::MatrixXd onSmall = (d.nuclearSmall * small + multiply(df.small, true, field.small, false) +
                                     d.overlapSmall * (balance_ - 2.0 * c_ * c_ * small)) *
                                        n.asDiagonal() -
                                    d.overlapSmall * small * lagrange;
    // c <Q_q|(d/dr + kappa/r) dP_p> = d/d ln zeta_p of balance_p <Q_q|Q_p>, balance ~ sqrt(zeta).
    const Eigen::MatrixXd kinetic =
        c_ * (matrices_.balance.asDiagonal() *
              ((d.overlapSmall + 0.5 * matrices_.overlapSmall) * small * n.asDiagonal()));
    return 2.0 * (large.cwiseProduct(onLarge + kinetic) + small.cwiseProduct(onSmall)).rowwise().sum();
  }

 private:
  /// lambda_ij = n_i <j|F_i|i>, symmetric at convergence; its mean with the transpose.
  Eigen::MatrixXd multipliers(const GridFunctions& field, const GridFunctions& f) const {
    const auto& large = spinors_.large;
    const auto& small = spinors_.small;
    const Eigen::MatrixXd kinetic = small.transpose() * (matrices_.overlapSmall * balance_);
    const Eigen::MatrixXd elements =
        large.transpose() * (matrices_.nuclearLarge * large + multiply(f.large, true, field.large, false)) +
        small.transpose() * (matrices_.nuclearSmall * small + multiply(f.small, true, field.small, false) -
                             2.0 * c_ * c_ * (matrices_.overlapSmall * small)) +
        kinetic + kinetic.transpose();
    const Eigen::MatrixXd weighted = elements * spinors_.occupation.asDiagonal();
    return 0.5 * (weighted + weighted.transpose());
  }

  const SymmetryBasis& basis_;
  const OneElectronMatrices& matrices_;
  const OccupiedSpinors& spinors_;
  double c_;
  Eigen::MatrixXd balance_;  ///< c (d/dr + kappa/r) of the large components over the small functions
};

}  // namespace

ExponentGradient energyGradient(const ScfProblem& problem, const ScfResult& scf, GridFockBuilder& builder) {
  if (!problem.extra.empty())
    throw Error(
        "the gradient of the energy has no QED potentials; remove them from the self-consistent field");
  const std::size_t count = problem.basis.symmetries.size();
  if (scf.symmetries.size() != count) throw Error("the gradient needs the spinors of the same basis set");
  const std::vector<OccupiedSpinors> spinors = occupiedSpinors(scf);
  std::vector<GridFunctions> field;
  builder.applyField(spinors, problem.configuration.openReduction(), field);
  ExponentGradient gradient(count);
  for (std::size_t a = 0; a < count; ++a) {
    const SymmetryBasis& basis = problem.basis.symmetries[a];
    gradient[a] = Eigen::VectorXd::Zero(basis.size());
    if (spinors[a].occupation.size() == 0) continue;
    const OneElectronMatrices matrices = oneElectronMatrices({{basis}, ""}, problem.nucleus).front();
    gradient[a] = SymmetryGradient(basis, matrices, spinors[a], problem.speedOfLight)
                      .from(field[a], builder.functions(static_cast<int>(a)), builder.grid(),
                            exponentDerivatives(basis, problem.nucleus));
  }
  return gradient;
}

ScfOptions tightThresholds() {
  ScfOptions options;
  options.thresholdLL = 1e-8;
  options.thresholdSL = 1e-10;
  options.thresholdSS = 1e-11;
  options.energyThreshold = 1e-12;
  return options;
}

}  // namespace prophet
