#pragma once
#include <Eigen/Core>

#include "atoms/atom/wavefunction.hpp"

namespace prophet {

/// `count` radii from `start` to `stop` (bohr, both included) with a constant ratio. Throws Error unless
/// 0 < start < stop, both finite, and 2 <= count <= 10^7.
Eigen::VectorXd logarithmicRadii(double start, double stop, int count);

/// Where radial functions are written unless the user says otherwise: 500 radii from 1e-6 bohr, which lies
/// inside every nucleus, to where the functions have vanished. The trapezoidal rule in ln r integrates them
/// on it to about 1e-9.
Eigen::VectorXd defaultRadii(const Wavefunction& wavefunction);

}  // namespace prophet
