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

/// What an expansion of one symmetry's spinors costs, measured by variation instead of projection (theory.md,
/// "Prolapse"). The small-component defect is how far their energy falls because the small component cannot
/// follow the large one: the sum of n_i (epsilon_i with the reference's small functions too - epsilon_i),
/// hartree, 0 or more but for rounding (energies are minima over the large and maxima over the small
/// components). Derivatives are with respect to ln zeta of each exponent.
struct DefectSlopes {
  double rise = 0, defect = 0;
  double weighted = 0;  ///< the rise with a weight for each spinor
  Eigen::VectorXd ofRise, ofDefect, ofWeighted;
};

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
  /// nuclei.
  FieldTable table(int symmetry) const;
  /// Rise and small-component defect with their derivatives; `weights`: of the occupied spinors, in the order
  /// of n, for the weighted rise; empty: none. Throws Error where the exponents do not carry the spinors.
  /// Thread-safe.
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
  struct Solution;
  Solution solveIn(int symmetry, const BasisInField& trial) const;
  Solution solveWithReferenceSmall(int symmetry, const SymmetryBasis& basis, const BasisInField& trial) const;
  Eigen::MatrixXd energySlopes(int symmetry, const SymmetryBasis& basis, const BasisInField& trial,
                               const Solution& s) const;
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
