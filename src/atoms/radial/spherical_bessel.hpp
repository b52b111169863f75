#pragma once

namespace prophet {

/// j_0 .. j_n at x >= 0 (at least two of them), by recurrence upwards or, where that is unstable, downwards.
void sphericalBessel(int n, double x, double* values);
/// (1 - j_0(x))/x^2 without cancellation.
double sineDeficit(double x);

}  // namespace prophet
