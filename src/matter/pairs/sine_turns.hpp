#pragma once
#include <cmath>

#include "core/common/host_device.hpp"

namespace prophet {

/// sin(2 pi t) for t in [-1/2, 1/2], by the Taylor series in [-1/4, 1/4], where its first omitted term is
/// below 6e-8 (float) or 3e-16 (double). The same function on host and device.
PROPHET_HD inline float sineOfTurns(float t) {
  const float a = 0.25f - fabsf(fabsf(t) - 0.25f);
  const float s = a * a;
  float p = -15.0946425768f;  // -(2 pi)^11/11!, ..., 2 pi
  p = p * s + 42.0586939449f;
  p = p * s - 76.7058597531f;
  p = p * s + 81.6052492761f;
  p = p * s - 41.3417022404f;
  p = p * s + 6.28318530718f;
  return copysignf(a * p, t);
}
PROPHET_HD inline double sineOfTurns(double t) {
  const double a = 0.25 - fabs(fabs(t) - 0.25);
  const double s = a * a;
  double p = 0.0011309237482517954;  // (2 pi)^21/21!, ...
  p = p * s - 0.012031585942120619;
  p = p * s + 0.10422916220813978;
  p = p * s - 0.7181223017785001;
  p = p * s + 3.8199525848482803;
  p = p * s - 15.094642576822984;
  p = p * s + 42.058693944897634;
  p = p * s - 76.70585975306136;
  p = p * s + 81.60524927607504;
  p = p * s - 41.341702240399755;
  p = p * s + 6.283185307179586;
  return copysign(a * p, t);
}

}  // namespace prophet
