#pragma once
#include <Eigen/Core>
#include <memory>

#include "atoms/calculation/result.hpp"
#include "matter/scattering/radial_density.hpp"

namespace prophet {

/// How a density is transformed: in closed form where it is expanded in Gaussians, or by quadrature of its
/// values at many radii, which all results allow.
enum class TransformMethod { Automatic, Quadrature };

/// The density of all electrons of a result, or of those of spinors[spinor] alone. It refers to the result's
/// wave function, which must outlive it.
///
/// Throws Error where the result has no radial functions (BasisMethod::keepSpinors was not set, or the field
/// did not converge), or no such spinor. A result that is not bound has a density like any other; whoever
/// uses it should look at the status.
std::unique_ptr<const RadialDensity> electronDensity(const Result& result,
                                                     TransformMethod method = TransformMethod::Automatic);
std::unique_ptr<const RadialDensity> spinorDensity(const Result& result, int spinor,
                                                   TransformMethod method = TransformMethod::Automatic);

/// X-ray form factors f(q), electrons, at momentum transfers q = 4 pi sin(theta)/lambda in 1/angstrom (any
/// order, from 0); f(0) is the number of electrons. Throws Error as electronDensity, and for a q that is
/// negative or no finite number.
Eigen::VectorXd formFactor(const Result& result, const Eigen::VectorXd& q,
                           TransformMethod method = TransformMethod::Automatic);
/// The part of each spinor's electrons: (q, spinor); the columns add up to formFactor.
Eigen::MatrixXd spinorFormFactors(const Result& result, const Eigen::VectorXd& q,
                                  TransformMethod method = TransformMethod::Automatic);

/// Throws Error for a momentum transfer that is negative or no finite number.
void requireMomenta(const Eigen::VectorXd& q);

}  // namespace prophet
