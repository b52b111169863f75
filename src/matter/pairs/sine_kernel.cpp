// Compiled with -fno-math-errno -fno-trapping-math (CMakeLists.txt), so that sines are taken and added
// many at a time.
#include "matter/pairs/sine_kernel.hpp"

#include <cmath>

#include "matter/pairs/clones.hpp"
#include "matter/pairs/sine_turns.hpp"

namespace prophet {

PROPHET_PAIR_CLONES
double sumOfSines(const float* __restrict r, const float* __restrict rRest, const float* __restrict inverse,
                  int count, float turns, float turnsRest) {
  double total = 0;
  float lanes[16] = {};
  for (int k = 0; k < count; k += 16) {
    for (int l = 0; l < 16; ++l) {
      const float distance = r[k + l];
      const float whole = std::nearbyint(turns * distance);
      const float phase = __builtin_fmaf(
          turns, rRest[k + l], __builtin_fmaf(turnsRest, distance, __builtin_fmaf(turns, distance, -whole)));
      lanes[l] += inverse[k + l] * sineOfTurns(phase);
    }
  }
  for (const float lane : lanes) total += lane;
  return total;
}

PROPHET_PAIR_CLONES
double sumOfSines(const double* __restrict r, const double* __restrict inverse, int count, double turns,
                  double turnsRest) {
  double total = 0;
  double lanes[16] = {};
  for (int k = 0; k < count; k += 16) {
    for (int l = 0; l < 16; ++l) {
      const double distance = r[k + l];
      const double whole = std::nearbyint(turns * distance);
      const double phase = __builtin_fma(turnsRest, distance, __builtin_fma(turns, distance, -whole));
      lanes[l] += inverse[k + l] * sineOfTurns(phase);
    }
  }
  for (const double lane : lanes) total += lane;
  return total;
}

PROPHET_PAIR_CLONES
void addSines(const double* __restrict turns, int count, double r, double weight, double* __restrict out) {
  for (int k = 0; k < count; ++k) {
    const double whole = std::nearbyint(turns[k] * r);
    out[k] += weight * sineOfTurns(__builtin_fma(turns[k], r, -whole));
  }
}

}  // namespace prophet
