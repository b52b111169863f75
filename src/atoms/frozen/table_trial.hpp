#pragma once
#include <memory>

#include "atoms/frozen/field_table.hpp"
#include "atoms/frozen/stencils.hpp"
#include "atoms/scf/symmetry_space.hpp"

namespace prophet {

/// One trial in a FieldTable: its Fock matrix by interpolation, its spinors, and what follows from these.
class TableTrial {
 public:
  /// Throws Error where the exponents do not carry the spinors. `slopes`: with what slopes() needs.
  TableTrial(const FieldTable& table, const std::vector<double>& exponents, bool slopes = false);
  BasisShortfall shortfall() const;
  ShortfallSlopes slopes() const;

 private:
  /// Coefficients over the functions; a column for each of some spinors, or vectors beside them.
  struct Spinors {
    Eigen::MatrixXd large, small;
  };
  Spinors fromSpace(const Eigen::MatrixXd& vectors) const;
  void interpolate();
  /// (F - energy) s at the derivatives of the functions: rows of <d g_p/d ln zeta_p|F - energies_i|s_i>.
  Spinors moved(const Spinors& s) const;
  /// The same of the overlap.
  Spinors movedOverlap(const Spinors& s) const;
  /// Vectors in the orthonormal basis that solve (F - energy_i) x = right_i, both orthogonal to spinor i.
  Eigen::MatrixXd response(const Eigen::MatrixXd& right) const;

  const FieldTable& table_;
  const SymmetryBasis basis_;
  const Stencils stencils_;
  SymmetrySpace space_;
  Eigen::MatrixXd ll_, ss_, ls_, sl_;  ///< the field's columns at the functions, Stencils::columns
  Eigen::MatrixXd fock_, vectors_;     ///< in the orthonormal basis
  Eigen::VectorXd energies_;
  Spinors spinors_;
  Eigen::MatrixXd overlaps_;  ///< negative-energy solutions x spinors
  struct Derivatives;
  std::shared_ptr<const Derivatives> derivatives_;
};

}  // namespace prophet
