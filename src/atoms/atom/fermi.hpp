#pragma once

namespace prophet {

/// The Fermi distribution f(s) = 1/(1 + exp(s - y)) on s >= 0, in units of its skin parameter a: s = r/a,
/// y = c/a >= 0. Closed forms as in Parpia & Mohanty, Phys. Rev. A 46, 3735 (1992); derivation in
/// fermi.cpp.
namespace fermi {

/// Alternating sum eta_k(u) = sum_n (-1)^(n+1) exp(-n u)/n^k = -Li_k(-exp(-u)), k = 1 .. 5, u >= 0, to
/// rounding.
double eta(int k, double u);

/// Moment integral of s^k f(s) over all s, k = 2 (the norm) or 4.
double moment(int k, double y);

/// [Q(x) + x T(x)] / (x moment(2, y)) with Q = integral of s^2 f from 0 to x, T = integral of s f from x to
/// infinity: -V(r) a/Z at r = a x. To rounding for every x > 0, the limit x -> 0 included.
double reducedPotential(double x, double y);

/// Derivative of reducedPotential with respect to y; rounding only, but for x below 1e-3, where its absolute
/// error grows as 1e-16/x.
double reducedPotentialSlope(double x, double y);

/// Derivative of the mean square radius moment(4, y)/moment(2, y) with respect to y.
double meanSquareSlope(double y);

/// Smallest rms radius in units of a that a distribution with c >= 0 can have (the one with c = 0).
double smallestRms();

/// y = c/a of the distribution with this rms radius in units of a; needs rms >= smallestRms().
double halfDensityRadius(double rms);

}  // namespace fermi
}  // namespace prophet
