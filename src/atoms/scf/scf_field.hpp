#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "atoms/scf/fock_operator.hpp"
#include "atoms/scf/scf.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {

/// The spinors of one calculation and their own field: densities, Fock matrices, energy. How iterations come
/// from one set of spinors to the next is scf.cpp's business. Every array is sized before the first one.
class ScfField {
 public:
  /// `threshold`: ScfOptions::dependencyThreshold. The problem must outlive this. Throws Error as runScf.
  ScfField(const ScfProblem& problem, FockBuilder& builder, double threshold, ThreadPool& pool);

  /// False where the spinors do not fit.
  bool startFrom(const StartSpinors& start);
  void guess(double nuclearCharge);

  /// Fock matrices and gradients of the present spinors, into `fock` and `gradient`.
  void buildFock();
  /// What the next spinors are made from.
  std::vector<Eigen::MatrixXd>& fock() { return fock_; }
  std::vector<Eigen::MatrixXd>& gradient() { return gradient_; }
  /// Lowers the occupied spinors in `fock`, hartree.
  void lowerOccupied(double shift);
  /// Occupied eigenvectors of `fock`: by number, or `follow`ed by overlap with the last ones.
  void diagonalise(bool follow);

  EnergyBreakdown energy() const;
  /// Largest changes since the last call.
  void densityChange(ScfIteration& step);
  /// Spinors in the orthonormal bases of the symmetries.
  std::vector<Eigen::MatrixXd> coefficients() const;
  void setCoefficients(const std::vector<Eigen::MatrixXd>& coefficients);
  /// Empty where the spinors have the places in the spectra of their own Fock matrices that the configuration
  /// gives them. Else the label of one that has not; those that have them are taken instead.
  std::string takePlaces();
  bool isAufbau() const { return configuration_.isAufbau(); }
  void finish(ScfResult& result) const;
  double setupSeconds() const { return setupSeconds_; }

 private:
  void prepare(const ScfProblem& problem, double threshold);
  void addExtraTerms(const std::vector<OneElectronTerm>& extra);
  bool hasOrbitalsOfNext(int a) const;
  void chooseByNumber(int a, const Eigen::VectorXd& energies, const Eigen::MatrixXd& vectors);
  void chooseByOverlap(int a, const Eigen::VectorXd& energies, const Eigen::MatrixXd& vectors);
  void expand(int a);

  int symmetries() const { return static_cast<int>(basis_.symmetries.size()); }
  int occupied(int a) const { return configuration_.occupiedSpinors(a); }
  const SymmetryOccupation& occupation(int a) const { return configuration_.occupationOf(a); }

  const BasisSet& basis_;
  const Configuration& configuration_;
  FockBuilder& builder_;
  ThreadPool& pool_;
  const double c_;
  const bool bothJAlike_;  ///< the spinors nl of both j are one orbital

  std::vector<SymmetrySpace> spaces_;
  std::vector<std::vector<Eigen::MatrixXd>> extra_;  ///< [term][symmetry], in the orthonormal basis
  std::vector<EnergyPartId> extraParts_;             ///< of the same terms
  std::vector<OccupiedSpinors> spinors_;
  std::vector<SpaceOrbitals> orbitals_;
  std::vector<BlockMatrix> p_, q_;
  std::vector<SymmetryFock> own_;  ///< Fock matrices of the present spinors
  std::vector<Eigen::MatrixXd> fock_, gradient_;
  std::vector<Eigen::MatrixXd> density_, newDensity_;
  std::vector<EigenSolver> solvers_;
  Eigen::MatrixXd openReduction_;
  double setupSeconds_ = 0;
};

}  // namespace prophet
