#pragma once

namespace prophet::qed {

/// Spectral integrals over t = cosh(theta) >= 1 of the one-loop potentials of a point charge, x = 2 r/lambda
/// with the reduced Compton wavelength lambda = 1/c, x > 0. Relative accuracy near rounding.

/// integral of exp(-x t) (1/t^2 + 1/(2 t^4)) sqrt(t^2 - 1): the Uehling potential of a charge Z is
/// -(Z/r) (2 alpha/3 pi) times this. Source: E. A. Uehling, Phys. Rev. 48, 55 (1935).
double uehling(double x);

/// The two-loop vacuum polarisation: its potential of a charge Z is (Z/r) (alpha/pi)^2 times this (negative)
/// function. Sources: G. Kallen and A. Sabry, Dan. Mat. Fys. Medd. 29, no. 17 (1955); the spectral function
/// as in L. W. Fullerton and G. A. Rinker, Phys. Rev. A 13, 1283 (1976).
double kallenSabry(double x);

/// integral of exp(-x t)/sqrt(t^2 - 1) { (1 - 1/(2 t^2)) [ln(t^2 - 1) + logarithm] - 3/2 + 1/t^2 }, the
/// high-frequency electric form factor; logarithm = 4 ln(1/(Z alpha) + 1/2). Source: V. V. Flambaum and
/// J. S. M. Ginges, Phys. Rev. A 72, 052115 (2005).
double electricFormFactor(double x, double logarithm);

/// 1 - integral of exp(-x t)/(t^2 sqrt(t^2 - 1)), the magnetic form factor (same source): 0 at x = 0, 1 far
/// out.
double magneticFormFactor(double x);

/// integral of [(1 + x t) exp(-x t) - 1]/(t^2 sqrt(t^2 - 1)) = r^2 d/dr [magneticFormFactor(2 c r)/r]: the
/// field of the same, without loss of digits at small x.
double magneticField(double x);

}  // namespace prophet::qed
