#pragma once
#include <Eigen/Core>
#include <filesystem>

#include "operations/tables/tables_request.hpp"

namespace prophet {

/// What tables differ from those of exact solutions of their model by, because of basis or grid.
///
/// At the numerical limit these are the errors of its transforms and of its own two resolutions. In the
/// default basis sets they are somewhat more than the largest differences that studies/subshell-tables finds
/// between them and the limits of all neutral atoms and the ions of the International Tables, of negative
/// ions by themselves (docs/theory/subshells.md); of other sets nothing is known, and all errors are not
/// numbers.
class TableErrors {
 public:
  /// `basisSets`: folder of the collections, whose default sets these are.
  TableErrors(const TablesRequest& request, int charge, const std::filesystem::path& basisSets);

  double binding(double value) const;
  double kinetic(double value) const;
  /// The error of the expectation value of the Breit interaction or of radiative potentials in a spinor.
  double shift(double value) const;
  /// The error of what the field makes of such a shift.
  double answer(double value) const;
  double moment(int k, double value) const;
  /// Errors of a Compton profile J(p) of a subshell or, `whole`, of all; `size`: root of <p^2> of its
  /// electrons, 1/bohr.
  Eigen::VectorXd profile(const Eigen::VectorXd& p, const Eigen::VectorXd& J, double size, bool whole) const;
  /// Errors of the form factor of so many electrons.
  Eigen::VectorXd formFactor(const Eigen::VectorXd& f, double electrons, bool whole) const;
  /// Errors of each of the <j_k> of an electron, k = 0, 2, 4, 6.
  Eigen::VectorXd bessel(const Eigen::VectorXd& j0) const;
  Eigen::VectorXd scattering(const Eigen::VectorXd& S) const;

 private:
  enum class Spinors { Limit, Basis, NegativeIon, Unknown };
  struct Bounds;
  const Bounds& bounds() const;
  Spinors kind_;
};

}  // namespace prophet
