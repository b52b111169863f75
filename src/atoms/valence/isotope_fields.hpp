#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/core_valence/breit_points.hpp"
#include "atoms/levels/recoil_elements.hpp"
#include "atoms/valence/valence_levels.hpp"

namespace prophet {

/// A factor times the recoil of pairs of electrons, p_1.p_2 - (D_1.p_2 + p_1.D_2)/2 (RecoilOperator), hartree
/// electron masses.
class RecoilInteraction : public AddedInteraction {
 public:
  /// The space must stay as long.
  RecoilInteraction(const OrbitalSpace& space, const LevelField& field, double factor);

  SpinorFunctions sampled(const SpinorFunctions& functions) const override { return functions; }
  Eigen::MatrixXd sources(int k, const SpinorFunctions& a, const SpinorFunctions& c) const override;
  Eigen::MatrixXd potentials(int k, bool odd, const Eigen::MatrixXd& sources) const override;

  /// The recoil of single electrons between functions of one symmetry, without the factor.
  Eigen::MatrixXd normal(const SpinorFunctions& functions) const;

 private:
  const RadialMesh& mesh_;
  RecoilElements elements_;
  double charge_;
  Eigen::Matrix2d between_;  ///< of p and D of one electron with those of the other
};

/// A small operator beside the Hamiltonian of all electrons: of single electrons, between the spinors of each
/// symmetry of a space (empty: there is none), and of pairs of them (null: there is none).
struct ScalarPerturbation {
  std::vector<Eigen::MatrixXd> single{};
  const AddedInteraction* pair = nullptr;
};

/// The spinors of a self-consistent field of closed shells that has the perturbation too, as combinations of
/// those of the space. Throws NotConvergedError.
OrbitalSpace perturbedSpace(const OrbitalSpace& space, const ScalarPerturbation& perturbation,
                            ThreadPool& pool, const Checkpoint& checkpoint = {});

/// The perturbation's expectation value in the closed shells of a space, hartree.
double closedEnergy(const OrbitalSpace& space, const ScalarPerturbation& perturbation);

/// Level::isotope of the levels that valenceLevels made: derivatives of their energies by the operators of
/// the isotope shift, from computations with these in the whole Hamiltonian, in the field as in Sigma and in
/// the configuration interaction. Levels that have no counterpart in these stay without. Throws as
/// valenceLevels and perturbedSpace.
void addIsotopeShifts(const OrbitalSpace& orbitals, const Configuration& core, const ValenceRequest& request,
                      CorrelationEngine& engine, ThreadPool& pool, const Checkpoint& checkpoint,
                      ValenceLevels& levels);

}  // namespace prophet
