#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "atoms/atom/shell_list.hpp"
#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/second_order.hpp"

namespace prophet {

/// One electron outside of closed shells, or a hole in them.
struct ValenceState {
  std::string label;          ///< "6s1/2"
  int symmetry = 0;           ///< of OrbitalSpace::symmetries()
  Eigen::Index column = 0;    ///< of it
  bool hole = false;          ///< whether the spinor is one of the closed shells'
  double energy = 0;          ///< in the field of the closed shells, hartree
  double secondOrder = 0;     ///< <v|Sigma(epsilon_v)|v>, hartree
  std::vector<double> waves;  ///< of it, with holes and particles of l at most L, less that of at most L - 1
  /// Eigenvalue of F + Sigma(epsilon_v) among the spinors of its symmetry: of the Brueckner orbital.
  double brueckner = 0;
  /// That orbital has a coefficient of each spinor of the symmetry; normalised, v's own positive.
  Eigen::VectorXd bruecknerSpinor;
  double smallestGap = 0;  ///< smallest energy difference that Sigma was divided by, hartree
};

/// Energies of the spinors `valence` (n and l, and j where one is named) with the self-energy of second order
/// of the closed shells. Formulas and sources:
/// docs/theory/correlation.md. Throws Error for open shells, frozen shells that there are none of, and where
/// the space has not so many spinors.
std::vector<ValenceState> valenceStates(const OrbitalSpace& space, const Configuration& configuration,
                                        const std::vector<Shell>& valence, const CorrelationOptions& options);

/// Multiplications and additions of the products that they take, nearly.
double valenceOperations(const OrbitalSpace& space, const Configuration& configuration,
                         const std::vector<Shell>& valence, const CorrelationOptions& options);

}  // namespace prophet
