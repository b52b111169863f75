#pragma once
#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "atoms/angular/angular.hpp"
#include "atoms/atom/configuration.hpp"
#include "atoms/functional/functional.hpp"
#include "atoms/limit/exchange.hpp"
#include "atoms/limit/radial_basis.hpp"
#include "core/linalg/dense.hpp"

namespace prophet::limit {

/// Occupied spinors of all symmetries: coefficients (functions of the symmetry x spinors, in the order of
/// SymmetryOccupation::spinors) and occupations.
struct SpinorSet {
  std::vector<Eigen::MatrixXd> coefficients;
  std::vector<Eigen::VectorXd> occupations;
};

/// Two-electron parts of the Fock matrices, for each symmetry: `closed` is J - K of all electrons, and
/// `reductions` hold for each open spinor the part of that field that does not act on it: F_C = h + closed,
/// F_i = h + closed - reduction_i.
struct Fields {
  std::vector<Eigen::MatrixXd> closed;
  std::vector<std::vector<Eigen::MatrixXd>> reductions;
  /// For each symmetry, over its open spinors: what half the energy's second derivative for the rotation of
  /// two of them gains because their fields rotate too, hartree. Empty with fewer than two; Coulomb only.
  std::vector<Eigen::MatrixXd> responses;
  /// The part of a density functional, whose potential `closed` holds for all spinors; there are reductions
  /// then only if it is one of spin densities.
  std::optional<RadialExchangeCorrelation> exchangeCorrelation;
};

/// Builds fields of an average of configurations from spinors.
class MeanField {
 public:
  /// \param direct whether the fields hold the Coulomb repulsion J; without it they are exchange alone
  MeanField(const RadialBasis& basis, const Configuration& configuration,
            std::vector<ExchangeChannel> channels, int threads, bool direct = true);
  /// The field of a density functional: one for all spinors, closed or open, but for the part of the spins.
  MeanField(const RadialBasis& basis, const Configuration& configuration,
            std::shared_ptr<const Functional> functional, int threads);

  Fields build(const SpinorSet& spinors) const;

 private:
  MeanField(const RadialBasis& basis, const Configuration& configuration,
            std::vector<ExchangeChannel> channels, int threads, bool direct,
            std::shared_ptr<const Functional> functional);
  Fields buildKohnSham(const SpinorSet& spinors, const std::vector<PointSpinors>& all) const;
  DensityOnGrid densityOf(const SpinorSet& spinors, const std::vector<PointSpinors>& all) const;
  void addDensity(int symmetry, const Eigen::MatrixXd& coefficients, const PointSpinors& spinors,
                  DensityParts& density) const;
  std::vector<Eigen::MatrixXd> potentialMatrices(const RadialPotential& potential) const;
  void addSpin(const std::vector<PointSpinors>& all, Fields& fields) const;
  void addReductions(const std::vector<PointSpinors>& all, const Eigen::MatrixXd& share, bool direct,
                     Fields& fields) const;
  Eigen::MatrixXd responsesOf(int symmetry, const PointSpinors& spinors) const;

  const RadialBasis& basis_;
  Configuration configuration_;
  int symmetries_;
  SlaterKernel kernel_;
  ExchangeBuilder exchange_;
  bool direct_;
  std::shared_ptr<const Functional> functional_;  ///< nullptr: exact exchange
  Eigen::VectorXd spinShares_;                    ///< of the open spinors, for functionals of spin densities
};

/// The expectation value of the field that each spinor, by symmetry, feels, hartree: without itself, as the
/// average over configurations has it.
std::vector<Eigen::VectorXd> fieldValues(const Fields& fields, const SpinorSet& spinors,
                                         const Configuration& configuration);

/// Energy of the two-electron operator that made `fields` from these spinors, hartree; of a density
/// functional the repulsion and its share of the exact exchange.
double twoElectronEnergy(const Fields& fields, const SpinorSet& spinors, const Configuration& configuration);

/// Spinors at the quadrature points.
std::vector<PointSpinors> atPoints(const RadialBasis& basis, const SpinorSet& spinors);
/// sum_i n_i (p_i^2 + q_i^2) at the points.
Eigen::VectorXd densityAtPoints(const PointSpinors& spinors);

/// Solution of A X = B by LU factors with partial pivoting. Throws Error for a singular A.
Eigen::MatrixXd solveLinear(Eigen::MatrixXd matrix, Eigen::MatrixXd right);

/// Lower Cholesky factor, zero above the diagonal. Throws Error unless positive definite.
Eigen::MatrixXd choleskyFactor(Eigen::MatrixXd matrix);

/// Number of positive eigenvalues of a symmetric matrix, from its tridiagonal form.
int countPositiveEigenvalues(Eigen::MatrixXd matrix);

struct Eigenpairs {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// The `count` largest eigenvalues of a symmetric matrix, descending, with vectors. Throws Error where that
/// fails.
Eigenpairs largestEigenpairs(Eigen::MatrixXd matrix, int count);

/// Lowest positive-energy solutions of F x = epsilon S x.
struct Solutions {
  Eigen::VectorXd energies;  ///< ascending
  Eigen::MatrixXd vectors;   ///< columns with x^T S x = 1
  /// Columns A^-1 C with A = F - sigma S, S = C C^T: the filter for residuals (preconditionedResidual).
  Eigen::MatrixXd filter;
};

/// Solves by a spectral transformation about `shift`, a point in the gap between the negative-energy
/// continuum and the lowest bound state: the eigenvalues of C^T (F - shift S)^-1 C are 1/(epsilon - shift),
/// the wanted ones are the largest, and the huge positive and negative energies of splines close to the
/// nucleus, which would drown the bound states in rounding, become tiny.
///
/// \param factor lower Cholesky factor C of the overlap
/// Throws Error where LAPACK fails or fewer than `count` states lie above the shift.
Solutions lowestSolutions(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap,
                          const Eigen::MatrixXd& factor, double shift, int count);

/// All solutions of F x = epsilon S x with shift < epsilon < highest, in the same way. Throws Error where
/// LAPACK fails.
Solutions solutionsBetween(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap,
                           const Eigen::MatrixXd& factor, double shift, double highest);

/// A point safely between the two continua of a hydrogen-like ion with a point nucleus and below all its
/// bound states; screening and the extent of the nucleus only raise those. Hartree. From charge = c on -1.5
/// c^2, which bound states of finite nuclei may undercut: see findGapShift. Without relativity
/// (`speedOfLight` infinite) there is but the continuum above.
double gapShift(double charge, double speedOfLight);

/// Number of solutions of F x = epsilon S x with epsilon > shift (Sylvester's law of inertia).
int countSolutionsAbove(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap, double shift);

/// A point between -2 c^2 and the lowest of the `electronStates` solutions that belong to electrons, found by
/// counting solutions: for nuclei whose 1s comes close to the negative-energy continuum. Throws Error where
/// that spinor has sunk into it.
double findGapShift(const Eigen::MatrixXd& fock, const Eigen::MatrixXd& overlap, int electronStates,
                    double speedOfLight);

/// Channels of a part of the Breit interaction, three for each pair of symmetries: large-large from the
/// small-small density, small-small from large-large, large-small from small-large. The gauge term acts with
/// theta(r1 < r2) and theta(r1 > r2), so its kernels weigh the two orders of the electrons differently
/// (docs/theory/breit-qed.md). Average of configuration, where the direct part vanishes.
std::vector<ExchangeChannel> breitChannels(int symmetries, BreitPart part);

/// Expectation value of a part of the Breit interaction in an average of configurations, hartree. `values`:
/// takes what fieldValues has of it, where it is not null.
double breitEnergy(const RadialBasis& basis, const Configuration& configuration, const SpinorSet& spinors,
                   BreitPart part, int threads, std::vector<Eigen::VectorXd>* values = nullptr);

}  // namespace prophet::limit
