#pragma once
#include <vector>

#include "core/mesh/assignment.hpp"

namespace prophet {

/// |sum_k M_p(k+1) exp(2 pi i m k / n)|^2 for m = 0 ... n-1 (Essmann 1995, eq. 4.4, without the inverse).
/// With an odd order and even n the mode n/2 has 0: splines cannot say anything about it.
std::vector<double> splineSpectrum(int order, int n);

/// 1/|w(m)|^2 for m = 0 ... n-1: what assigning charges and reading the potential back with the same weights
/// are undone by; 0 where the weights lose a mode.
std::vector<double> inverseSpectrum(Assignment assignment, int order, int n);

}  // namespace prophet
