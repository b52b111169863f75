#pragma once
#include <complex>

namespace prophet {

/// Divided differences of exp(i x) over two, three and four real points, to rounding wherever the points are,
/// coincident or far apart: integral of exp(i x) over a line, a triangle, a tetrahedron whose corners have
/// the phases x, divided by twice the area, six times the volume (formula of Hermite and Genocchi).
std::complex<double> exponentialDifference(double a, double b);
std::complex<double> exponentialDifference(double a, double b, double c);
std::complex<double> exponentialDifference(double a, double b, double c, double d);

}  // namespace prophet
