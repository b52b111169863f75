#pragma once
#include <cmath>

#include "core/common/host_device.hpp"

namespace prophet {

/// Fock matrices that DIIS combines at most: the same on processors and GPUs, so that both iterate alike.
inline constexpr int kDiisDepth = 8;

/// Whether the largest element of the orbital gradient (orthonormal basis, hartree) is small enough for an
/// energy that is stationary; host and GPU decide by it. With g that element the energy is above its
/// stationary value by about g^2 / (2 n gap), n electrons and `gap` to the next spinor; the limit for g is
/// 3e-7 sqrt(|E|), which for n = 1 and 0.05 hartree is 1e-12 of the energy.
PROPHET_HD inline bool isSmallGradient(double gradient, double energy) {
  constexpr double kGradient = 3e-7;
  const double size = std::fabs(energy);
  return gradient < kGradient * std::sqrt(size > 1.0 ? size : 1.0);
}

}  // namespace prophet
