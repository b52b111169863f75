#pragma once
#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "integrals/block_matrix.hpp"

namespace prophet {

/// Occupied spinors of one symmetry over the primitive basis: one column for each, closed ones first, the
/// open one (if any) last. Density blocks: D^LL = sum_i n_i P_i P_i^T, D^LS = sum_i n_i P_i Q_i^T, ...
struct OccupiedSpinors {
  Eigen::MatrixXd large, small;  ///< n x m
  Eigen::VectorXd occupation;    ///< m; electrons in each spinor
  bool open = false;             ///< whether the last column is an open spinor
};

/// Two-electron part of the Fock matrices.
///
/// `build` computes, for every symmetry a,
///   P_a = J - K of all electrons (closed and open, by their occupations), and
///   Q_a = sum over open b of exchangeDefect(a, b) (J - K)[n_b b b^T], only where a has an open spinor,
/// so that the closed-shell Fock matrix is h + P and the open-shell one h + P - Q. Energies in hartree.
/// Source: the thesis's equations 3.8-3.9, generalised to averages of several open shells (docs/theory.md).
class FockBuilder {
 public:
  virtual ~FockBuilder() = default;
  /// `exchangeDefect`: nsym x nsym, 1 - w_ab/(<n_a><n_b>) between open spinors, 0 elsewhere.
  /// `p` and `q` have one entry for each symmetry; sizes are set on the first call and kept after it; entries
  /// of q for symmetries without an open spinor are left alone.
  virtual void build(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd& exchangeDefect,
                     std::vector<BlockMatrix>& p, std::vector<BlockMatrix>& q) = 0;
  /// "stored", "grid", ... as reports print it.
  virtual std::string name() const = 0;
};

}  // namespace prophet
