#pragma once
#include <Eigen/Core>
#include <functional>
#include <vector>

#include "atoms/atom/energy_breakdown.hpp"
#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/symmetry.hpp"

namespace prophet {

/// A spherical one-electron operator, local in r, that may depend on kappa and may couple the components:
///   <a|V|a> = integral [local (P^2 + Q^2) + 2 coupling P Q] dr,  local = sum_i factor_i(kappa)
///   function_i(r).
/// Hartree, bohr.
struct RadialOperator {
  struct Part {
    std::function<double(double)> function;
    std::function<double(Symmetry)> factor;  ///< empty: 1 for all
  };
  EnergyPartId part = EnergyPartId::External;  ///< which part of the energy its expectation value is
  std::vector<Part> parts;
  std::function<double(double)> coupling;  ///< may be empty
};

/// Values of an operator at given radii.
class SampledOperator {
 public:
  SampledOperator(const RadialOperator& radial, const Eigen::VectorXd& radii);
  Eigen::VectorXd local(Symmetry symmetry) const;
  /// Empty if the operator does not couple the components.
  const Eigen::VectorXd& coupling() const { return coupling_; }

 private:
  std::vector<std::function<double(Symmetry)>> factors_;
  Eigen::MatrixXd parts_;  ///< radii x parts
  Eigen::VectorXd coupling_;
};

/// Potential energy of an electron in a charged shell, hartree.
inline double potential(const ChargedShell& shell, double r) {
  return -shell.charge / (r < shell.radius ? shell.radius : r);
}

/// The same as an operator of the part EnergyPartId::External.
inline RadialOperator shellOperator(const ChargedShell& shell) {
  return {EnergyPartId::External, {{[shell](double r) { return potential(shell, r); }, {}}}, {}};
}

}  // namespace prophet
