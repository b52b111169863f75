#pragma once
#include <complex>
#include <functional>

#include "matter/shape/detector.hpp"

namespace prophet {

/// What a wave meets below z = 0: the refractive index is 1 - delta + i beta.
struct Substrate {
  double delta = 0, beta = 0;
};

/// From scattering factors f1 and f2 (electrons) of a formula unit with `molarMass` (g/mol): r_e lambda^2 n
/// (f1, f2)/(2 pi), n formula units in a volume; wavelength in angstrom, density in g/cm^3. Throws Error for
/// numbers that are not above 0 (f2: below 0).
Substrate substrateOf(double f1, double f2, double density, double molarMass, double wavelength);

/// Fresnel's coefficient of reflection at an angle alpha >= 0 (radians) to the surface: (k_z - k_z')/(k_z +
/// k_z') with k_z = k sin alpha and k_z' = k sqrt(n^2 - cos^2 alpha) below; 0 without a substrate.
std::complex<double> reflection(const Substrate& substrate, double alpha);

/// F at any momenta; here it is called with real ones, since the particle is above the substrate.
using FormFactorAt = std::function<FormFactor(const QPoints&)>;

/// The distorted-wave Born approximation for a particle that stands on a substrate (M. Rauscher et al., J.
/// Appl. Phys. 86, 6763 (1999); G. Renaud, R. Lazzari, F. Leroy, Surf. Sci. Rep. 64, 255 (2009)): with k_z =
/// k sin alpha of the two waves, r their coefficients of reflection, at each pixel
///   F(k_f + k_i) + r_i* F(k_f - k_i) + r_f* F(-k_f + k_i) + r_i* r_f* F(-k_f - k_i)
/// where F has the particle's lowest point, `bottom` in its own coordinates (angstrom), at z = 0. The
/// conjugates are there because F is defined with exp(i q.r): with time as exp(-i omega t), in which +i beta
/// absorbs, a wave of k_i goes over into one of k_f by exp(-i q.r), and this is the conjugate of it all.
/// Without a substrate that is the Born approximation. Throws Error for a detector that looks below the
/// horizon, where these four terms say nothing.
FormFactor distortedWave(const Detector& detector, const Substrate& substrate, double bottom,
                         const FormFactorAt& formFactor);

}  // namespace prophet
