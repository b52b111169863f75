#pragma once
#include <Eigen/Core>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/second_order.hpp"

namespace prophet {

/// How second order changes with the virtual spinors of one symmetry, to first order:
///
///   dE = sum_rs density_rs d<r|F|s> + sum_r integral (large_r dP_r + small_r dQ_r) + sum_ar core_ar <a|h|dr>
///
/// with the occupied spinors as they are. The sum over virtual spinors does not depend on how they are
/// combined: changes that are antisymmetric between them add nothing.
struct SymmetrySlopes {
  Eigen::MatrixXd density;       ///< virtual x virtual, of all places
  Eigen::MatrixXd large, small;  ///< points x virtual, with the mesh's weights, for P sqrt(r) and Q sqrt(r)
  Eigen::MatrixXd core;          ///< occupied x virtual
};

struct SecondOrderSlopes {
  double energy = 0;                       ///< SecondOrder::energy
  std::vector<SymmetrySlopes> symmetries;  ///< empty ones of those that are no targets
};

/// Energy and slopes of the excitations to the symmetries `targets` of the options, which must name some:
/// derivatives of Hylleraas' functional of second order with its amplitudes as they are. One thread. Formulas
/// and source: docs/theory/correlation.md. Throws Error as secondOrder.
SecondOrderSlopes secondOrderSlopes(const OrbitalSpace& space, const Configuration& configuration,
                                    const CorrelationOptions& options);

}  // namespace prophet
