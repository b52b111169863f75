#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/symmetry.hpp"
#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/result.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// Matrices of one symmetry in the field of all electrons of an average of configuration, over its n
/// normalised primitives (n x n, hartree; LS: rows large). Of a spherical operator they are the matrices for
/// each m.
struct SymmetryField {
  Symmetry symmetry;
  std::vector<double> exponents;
  OneElectronMatrices oneElectron;
  BlockMatrix coulomb;       ///< J - K of the Coulomb interaction
  BlockMatrix gaunt, gauge;  ///< the parts of the Breit interaction; zero where the Hamiltonian lacks them
  BlockMatrix density;       ///< sum n_i/(2j+1) c_i c_i^T, electrons of one m
  /// X and R of the Dirac operator (DecoupledField): its positive-energy solutions have C_S = X C_L, and
  /// R^T (S_LL + X^T S_SS X) R = S_LL.
  Eigen::MatrixXd coupling, normalisation;
  Eigen::MatrixXd density2c;  ///< R^-1 D_LL R^-T
  Eigen::MatrixXd field2c;    ///< J - K of untransformed 1/r12 with density2c
};

/// An occupied spinor over the normalised primitives of its symmetry.
struct FieldSpinor {
  std::size_t symmetry = 0;  ///< its place in MeanField::symmetries
  int number = 0;            ///< in its symmetry, from 0
  double electrons = 0;
  Eigen::VectorXd large, small;
  bool open = false;
  /// An open spinor's Q, by which its own Fock matrix is less than that of closed ones: what of the average's
  /// interaction its electrons do not feel. It is as the fields of its symmetry; empty where it is closed.
  BlockMatrix coulomb{}, gaunt{}, gauge{};
};

/// Which operator X and R decouple: that of the nucleus, or with the field of the electrons.
enum class DecoupledField { Nucleus, Whole };

/// The two-electron field of an atom for every symmetry of its basis, also those without electrons, and what
/// exact two-component programs need to correct the picture change of the two-electron interaction.
struct MeanField {
  std::vector<SymmetryField> symmetries;
  /// The occupied ones, by symmetry. Half the sum of n_i <i|Q_i|i> over open ones is fractionalEnergy less
  /// energy.
  std::vector<FieldSpinor> spinors;
  double energy = 0;            ///< of the average of configuration, hartree
  double fractionalEnergy = 0;  ///< tr h D + 1/2 tr G D, hartree: open spinors with fractional occupations
  /// -1/2 (tr G4 D4 - tr G2 D2), hartree, D4 the density, or for DecoupledField::Nucleus that of density2c
  /// transformed back, which is another one then: what the energy of a two-component calculation with the
  /// difference of both fields in its one-electron Hamiltonian must be corrected by.
  double constant = 0;
  int dropped = 0;  ///< near-dependent directions that X and R leave out
};

/// The field of the spinors of a converged result, whose coefficients were kept. Throws Error for
/// Hamiltonians that are not Dirac's with the Coulomb, Gaunt or Breit interaction alone, and for contracted
/// sets.
MeanField meanField(const Calculation& calculation, const Result& result, DecoupledField decoupled,
                    ThreadPool& pool);

/// What it throws, before anything is computed.
void requireMeanField(const Calculation& calculation);

}  // namespace prophet
