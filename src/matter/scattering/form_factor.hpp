#pragma once
#include <Eigen/Core>
#include <memory>
#include <vector>

#include "atoms/atom/species.hpp"
#include "atoms/calculation/result.hpp"

namespace prophet {

/// A spherical density of electrons, D(r) = 4 pi r^2 rho(r), as X-rays see it. Atomic units; momentum
/// transfers may be any finite numbers that are not negative, in any order.
class RadialDensity {
 public:
  virtual ~RadialDensity() = default;

  /// f(q) = integral D(r) sin(qr)/(qr) dr, electrons; f(0) is their number. q in 1/bohr.
  virtual Eigen::VectorXd formFactor(const Eigen::VectorXd& q) const = 0;
  /// (f(0) - f(q))/q^2, bohr^2, without the cancellation at small q; <r^2>/6 at 0. q in 1/bohr.
  virtual Eigen::VectorXd deficit(const Eigen::VectorXd& q) const = 0;
};

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

/// Electron scattering factors in the first Born approximation, angstrom, by the formula of Mott and Bethe:
/// f_e(q) = (2/a0) (Z - f(q))/q^2, at q = 4 pi sin(theta)/lambda in 1/angstrom. `charge` is that of the
/// nucleus, taken as a point; no relativistic factor of the fast electron is included. At q = 0 a neutral
/// atom has <r^2>/(3 a0), an ion has +-infinity: its Coulomb field reaches everywhere. Throws as formFactor.
Eigen::VectorXd electronScatteringFactor(const Result& result, double charge, const Eigen::VectorXd& q,
                                         TransformMethod method = TransformMethod::Automatic);

/// The ions for which the International Tables for Crystallography (vol. C, table 6.1.1.3) or Waasmaier and
/// Kirfel (1995) give X-ray form factors, by Z, then by charge. O2- is among them, which does not exist as a
/// free ion: its result is not bound.
std::vector<Species> usualIons();

}  // namespace prophet
