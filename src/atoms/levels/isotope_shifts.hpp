#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/configurations/determinant_space.hpp"
#include "atoms/levels/levels.hpp"
#include "atoms/levels/recoil_elements.hpp"
#include "atoms/levels/spinor_table.hpp"
#include "atoms/properties/spinor_integrals.hpp"

namespace prophet {

/// The recoil of the nucleus between spinors of a table, times its mass in electron masses: to first order in
/// 1/M and to order (alpha Z)^2 of the interaction
///
///     1/2 sum_ij [p_i.p_j - D_i.p_j],   D = (alpha Z/r) [alpha + (alpha.r) r/r^2],
///
/// of a point nucleus. Hartree. Source: V. M. Shabaev, Theor. Math. Phys. 63 (1985) 588; C. W. P. Palmer, J.
/// Phys. B 20 (1987) 5987; the reduced elements are derived in docs/theory/levels.md.
class RecoilOperator {
 public:
  /// The spinors must stay as long.
  explicit RecoilOperator(const SpinorTable& spinors);

  /// <a|p^2 - D.p|b>/2 of one electron; both of one symmetry.
  double normal(int a, int b) const;
  /// X^k(ab,cd) of two electrons, p_1.p_2 - (D_1.p_2 + p_1.D_2)/2, as SpinorInteraction::multipole; none but
  /// k = 1.
  double specific(int k, int a, int b, int c, int d) const;
  /// i <a||p||c> and i <a||D||c>, which are real.
  double momentum(int a, int c) const { return momenta_(a, c); }
  double photon(int a, int c) const { return photons_(a, c); }

 private:
  const SpinorTable& spinors_;
  RecoilElements elements_;
  std::vector<SlopedFunctions> functions_;
  Eigen::MatrixXd momenta_, photons_;
};

/// What isotope shifts are made of, as operators of the open electrons and values of the closed shells.
class IsotopeShiftOperators {
 public:
  /// `integrals`: of the same spinors, inside the nucleus too.
  IsotopeShiftOperators(const LevelSpace& space, const SpinorTable& spinors, const SpinorIntegrals& integrals,
                        const std::vector<Place>& places, const Nucleus& nucleus);

  /// Level::isotope of the levels that have these vectors over the block's coupled states.
  void add(const LevelBlock& block, const Eigen::MatrixXd& vectors, std::vector<Level>& levels) const;
  /// The specific part alone between the determinants of a block, with that of the closed shells on the
  /// diagonal.
  SparseMatrix specificOf(const LevelBlock& block) const;

 private:
  bool hasField_;  ///< not of a point nucleus
  OneBody normal_, field_;
  ElectronOperator specific_;
  double closedNormal_ = 0, closedSpecific_ = 0, closedField_ = 0;
};

}  // namespace prophet
