#pragma once
#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/integrals/radial_grid.hpp"

namespace prophet {

struct RadialExchangeCorrelation;  // functional/functional.hpp

/// Occupied spinors of one symmetry over the primitive basis, a column for each. Density blocks: D^LL = sum_i
/// n_i P_i P_i^T, D^LS = sum_i n_i P_i Q_i^T, ...
struct OccupiedSpinors {
  Eigen::MatrixXd large, small;  ///< n x m
  Eigen::VectorXd occupation;    ///< m; electrons in each spinor
  std::vector<int> open;         ///< columns of the open spinors, ascending
};

/// The open spinors of all symmetries, by symmetry, then by column; their order is that of Q and of its
/// weights.
std::vector<OpenSpinor> openSpinors(const std::vector<OccupiedSpinors>& spinors);

/// Two-electron part of the Fock matrices.
///
/// `build` computes, for every symmetry a,
///   P_a = J - K of all electrons (closed and open, by their occupations), and
/// and for every open spinor i, in its symmetry,
///   Q_i = sum over open spinors j of openReduction(i, j) (J - K)[n_j j j^T],
/// so that the Fock matrix of closed spinors is h + P and that of an open one h + P - Q_i. Energies in
/// hartree. Source: Hennessey (2018), eqs. 3.8-3.9, generalised to averages of several open shells
/// (docs/theory/dirac-hartree-fock.md).
class FockBuilder {
 public:
  virtual ~FockBuilder() = default;
  /// `openReduction`: 1 - w_ij/(<n_i><n_j>), see Configuration; rows and columns as openSpinors().
  /// `p` gets one entry for each symmetry, `q` one for each open spinor; storage is kept between calls.
  virtual void build(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd& openReduction,
                     std::vector<BlockMatrix>& p, std::vector<BlockMatrix>& q) = 0;
  /// Whether matrix elements are sums over density-matrix elements between primitives, which grow large and
  /// cancel in near-dependent sets (a builder that evaluates the spinors first loses no digits there).
  virtual bool sumsOverPrimitives() const { return false; }
  /// Exchange and correlation of a density functional in the last `build`, whose potential P holds for all
  /// spinors (Q vanishes then); nullptr for exact exchange.
  virtual const RadialExchangeCorrelation* exchangeCorrelation() const { return nullptr; }
  /// "stored", "grid", ... as reports print it.
  virtual std::string name() const = 0;
};

}  // namespace prophet
