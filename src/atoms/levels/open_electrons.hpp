#pragma once
#include <Eigen/Core>

#include "atoms/configurations/determinant_space.hpp"
#include "atoms/levels/levels.hpp"
#include "atoms/levels/open_interaction.hpp"

namespace prophet {

/// The Hamiltonian of the open electrons in the spinors of one result.
class OpenElectrons {
 public:
  OpenElectrons(const LevelSpace& space, const Result& result, const LevelHamiltonian& hamiltonian,
                const std::vector<Place>& places);
  OpenElectrons(const OpenElectrons&) = delete;
  OpenElectrons& operator=(const OpenElectrons&) = delete;

  const SpinorTable& spinors() const { return spinors_; }
  /// Energy of the closed shells, which is not in the matrices, hartree.
  double coreEnergy() const { return interaction_.coreEnergy(); }
  /// Without the energy of the closed shells, hartree.
  const ElectronOperator& electrons() const { return operator_; }
  /// Between the coupled states of a block, hartree.
  Eigen::MatrixXd matrixOf(const LevelBlock& block) const { return prophet::matrixOf(block, operator_); }
  /// The mean energy of all states of a configuration, with that of the closed shells, hartree.
  double averageOf(const LevelSpace::Part& configuration) const;
  /// Between its determinants, the upper triangle, hartree.
  SparseMatrix upperTriangleOf(const LevelBlock& block) const;

 private:
  SpinorTable spinors_;
  OpenInteraction interaction_;
  ElectronOperator operator_;
  const LevelSpace& space_;
  std::vector<Place> list_;
};

}  // namespace prophet
