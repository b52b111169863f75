#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/nucleus.hpp"
#include "atoms/basis/basis_set.hpp"
#include "atoms/frozen/field_table.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "atoms/scf/fock_operator.hpp"
#include "atoms/scf/scf.hpp"

namespace prophet {

/// Eigenvalues number `first` .. `first + count - 1` (from 0, ascending) of a Fock matrix and their vectors
/// (a column each). The eigenvalues are the vectors' Rayleigh quotients: a solver's own are good to the
/// rounding of the matrix's largest element, which with tight functions is more than what two good bases
/// differ by. Throws Error as EigenSolver does.
void occupiedSolutions(const Eigen::MatrixXd& fock, int first, int count, Eigen::VectorXd& energies,
                       Eigen::MatrixXd& vectors);

/// Spinors of one symmetry in a frozen field, a column each: coefficients over a trial's primitives, and over
/// the reference's small functions where these are there too.
struct FrozenSpinors {
  Eigen::VectorXd energies;
  Eigen::MatrixXd large, small, reference;
};

/// The reference's small functions, orthonormal, beside a trial's: functions x the trial's primitives are
/// their overlaps with the small ones, and the potential between them and both kinds.
struct ReferenceSmall {
  const Eigen::MatrixXd& fock;  ///< between them
  Eigen::MatrixXd overlap, toLarge, toSmall;
};

/// The occupied spinors in the trial's functions, `fock` being the Fock matrix in its space.
FrozenSpinors solveInTrial(const SymmetrySpace& space, const Eigen::MatrixXd& fock, int occupied);

/// The same with the small functions of the reference beside those of the trial. `balance`: c times what
/// kinetic balance multiplies each small function by. Throws Error as EigenSolver does.
FrozenSpinors solveWithReferenceSmall(const SymmetrySpace& space, const Eigen::MatrixXd& fock,
                                      const ReferenceSmall& reference, const Eigen::VectorXd& balance,
                                      double c, int occupied);

/// The self-consistent field of one atom in a nearly complete reference basis, kept fixed, to measure other
/// bases in: one symmetry's basis then costs one small eigenproblem (milliseconds) instead of an SCF.
///
/// In a fixed field F the energy rises by sum_i n_i (epsilon_i[basis] - epsilon_i[reference]) when the
/// spinors of one symmetry are confined to a smaller basis. The true energy rises by this to first order in
/// the lost density; relaxation of the others enters in second order of the orbital change like the rise
/// itself, but multiplied by the ratio of electron interaction to orbital energies, so that the sum over
/// symmetries estimates the SCF error of a set (docs/engineering/basis-searches.md). Errors of
/// symmetries add up, each can be optimised alone.
///
/// A basis whose small component cannot follow the large one lets negative-energy solutions in and the energy
/// fall below the limit (prolapse), which may hide a lack elsewhere. Its share is measured apart, projected
/// on the reference's negative-energy solutions k: sum_i n_i sum_k |<k|i>|^2 (epsilon_i - epsilon_k) >= 0.
///
/// Open shells: F is the effective Fock operator whose eigenvectors are the closed and open spinors
/// (scf/fock_operator.hpp), with its correction on the reference spinors.
class FrozenField : public BasisTrials {
 public:
  /// Computes the reference SCF. Throws Error if it does not converge, or for holes and excited states.
  /// `c`: speed of light.
  FrozenField(const BasisSet& reference, const Nucleus& nucleus, const Configuration& configuration,
              double c);

  /// Energy of the reference SCF, hartree.
  double referenceEnergy() const { return energy_; }
  const Nucleus& nucleus() const { return nucleus_; }
  int symmetries() const override { return static_cast<int>(fields_.size()); }
  int occupied(int symmetry) const override { return static_cast<int>(fields_[symmetry].occupation.size()); }
  BasisShortfall shortfall(int symmetry, const std::vector<double>& exponents) const override;
  /// One symmetry's field between Gaussians of tabulated exponents, for many trials of it: four times the
  /// range of the reference's exponents on either side. Costs as much as some hundred trials. Not for Fermi
  /// nuclei. `defects`: also for FieldTable::defectSlopes.
  FieldTable table(int symmetry, bool defects = false) const;
  /// Rise and small-component defect with their derivatives; `weights`: of the occupied spinors, in the order
  /// of n, for the weighted rise; empty: none. Throws Error where the exponents do not carry the spinors.
  /// Thread-safe. A FieldTable has the same at a small part of the cost.
  DefectSlopes defectSlopes(int symmetry, const std::vector<double>& exponents,
                            const Eigen::VectorXd& weights = {}) const;

 private:
  /// The Fock operator of one symmetry on pairs of grid points, and the correction of its open spinor.
  struct Field {
    Symmetry symmetry;
    Eigen::MatrixXd LL, LS, SS;  ///< two-electron part; rows and columns scaled by r^(-1/4)
    Eigen::MatrixXd o, u;        ///< points x 2 (large, small): F += |o><u| + |u><o|; empty: closed
    Eigen::VectorXd occupation;
    Eigen::VectorXd energies;                      ///< epsilon in the reference basis
    double referenceSum = 0;                       ///< sum n epsilon
    Eigen::MatrixXd negativeLarge, negativeSmall;  ///< reference's negative-energy solutions on the grid
    Eigen::VectorXd negativeEnergies;
    // The reference's small functions, orthonormal, and the Fock operator on them.
    SymmetryBasis reference;
    Eigen::MatrixXd smallX;            ///< their coefficients
    Eigen::MatrixXd smallFock;         ///< between them
    Eigen::MatrixXd functions;         ///< points x functions
    Eigen::MatrixXd onLarge, onSmall;  ///< the same times what couples them to large and to other small ones
  };
  /// A basis of one symmetry and the fixed Fock operator in it.
  struct BasisInField {
    SymmetrySpace space;
    GridFunctions functions;
    Eigen::MatrixXd fieldLarge;  ///< points x functions: LL on the large ones
    Eigen::MatrixXd fieldSmall;  ///< SS on the small ones
    Eigen::MatrixXd fieldCross;  ///< LS on the small ones
    Eigen::MatrixXd fock;
  };
  BasisInField placeInField(int symmetry, const std::vector<double>& exponents) const;
  BasisShortfall measure(int symmetry, const std::vector<double>& exponents) const;
  Eigen::MatrixXd energySlopes(int symmetry, const SymmetryBasis& basis, const BasisInField& trial,
                               const FrozenSpinors& s) const;
  void keepSmallFunctions(int symmetry, const std::vector<double>& exponents, const BasisInField& trial);
  void solveReference(int symmetry, const std::vector<double>& exponents);
  void makeFields(const BasisSet& reference, const ScfResult& result);
  void addCorrections(const BasisSet& reference, const ScfResult& result, FockBuilder& builder);

  Nucleus nucleus_;
  Configuration configuration_;
  double c_;
  double energy_ = 0;
  double dependencyThreshold_;
  double smallestExponent_ = 0, largestExponent_ = 0;  ///< range that the grid resolves
  RadialGrid grid_;
  Eigen::VectorXd scale_;  ///< r^(-1/4)
  std::vector<Field> fields_;
};

}  // namespace prophet
