#pragma once
#include <Eigen/Core>
#include <vector>

#include "matter/pairs/debye_sums.hpp"

namespace prophet {

/// Intensity of a powder of particles, by the formula of Debye (Ann. Phys. 351, 809 (1915)):
///
///   I(q) = sum_a N_a |f_a|^2 + 2 sum_{a <= b} Re(f_a f_b*) exp(-(B_a + B_b) s^2) P_ab(q),  s = q/(4 pi)
///
/// with the sums over pairs P of `sums`. Motion blurs the interference of different atoms, not what an atom
/// scatters itself. Units: squares of those of the amplitudes, for one particle.
///
/// \param amplitudes (q, kind)
/// \param bFactors   of each kind, angstrom^2; empty: 0
Eigen::VectorXd intensityOf(const Eigen::MatrixXd& sums, const std::vector<std::size_t>& counts,
                            const Eigen::VectorXd& q, const Eigen::MatrixXcd& amplitudes,
                            const std::vector<double>& bFactors = {});

/// A bound of the intensity's error from bounds of the sums: 2 sum |f_a f_b| bound_ab.
Eigen::VectorXd intensityBound(const Eigen::MatrixXd& bounds, const Eigen::MatrixXcd& amplitudes);

/// Scattering angles 2 theta in degrees for a wavelength in angstrom; not a number where q > 4 pi/wavelength.
Eigen::VectorXd twoTheta(const Eigen::VectorXd& q, double wavelength);

}  // namespace prophet
