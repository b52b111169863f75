#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "atoms/atom/symmetry.hpp"
#include "atoms/correlation/orbital_space.hpp"
#include "atoms/correlation/second_order.hpp"

namespace prophet {

/// What correlation changes in the electrons of one symmetry: a density matrix between the spinors of
/// SymmetryOrbitals, of one place, the mean over all projections.
struct SymmetryDensity {
  Eigen::MatrixXd closed;    ///< between closed spinors: what they lose, negative
  Eigen::VectorXd open;      ///< of each open spinor
  Eigen::MatrixXd virtuals;  ///< between virtual spinors
};

/// The density matrix of second order of the mean over all determinants of a configuration, from the wave
/// functions of first order (unrelaxed): of closed shells
///
///   D_rs = 1/2 sum_abt t_ab^rt t_ab^st,  D_ab = -1/2 sum_crs t_ac^rs t_bc^rs,
///
/// with t_ab^rs = <ab||rs> / (e_a + e_b - e_r - e_s); frozen spinors lose nothing. Open spinors have their
/// change of electrons alone, and there is nothing between closed, open and virtual ones. The electrons of
/// all symmetries add up to zero. For each symmetry of the space; `targets` and `cache` do not count.
/// Formulas and sources: docs/theory/correlation.md. Throws Error as secondOrder.
std::vector<SymmetryDensity> secondOrderDensity(const OrbitalSpace& space, const Configuration& configuration,
                                                const CorrelationOptions& options);

/// An eigenvector of the density matrix with all its electrons.
struct NaturalSpinor {
  Symmetry symmetry;
  int n = 0;             ///< of the shell that it is most like; virtual ones follow, most occupied first
  double electrons = 0;  ///< in all 2j + 1 places
  std::string label() const;
};

/// By symmetry, ascending in n; open spinors as they are.
std::vector<NaturalSpinor> naturalSpinors(const OrbitalSpace& space,
                                          const std::vector<SymmetryDensity>& densities);

/// Electrons of a symmetry between the normalised primitives of a Gaussian set, as the space has their large
/// components: sum_ij c_i D_ij c_j^T with those of the field and of second order, of all places.
Eigen::MatrixXd electronsOverPrimitives(const SymmetryOrbitals& orbitals, const SymmetryDensity& density);

}  // namespace prophet
