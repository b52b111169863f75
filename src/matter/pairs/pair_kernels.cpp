#include "matter/pairs/pair_kernels.hpp"

#include <algorithm>
#include <cmath>

#include "core/common/processor_clones.hpp"
#include "matter/pairs/sine_turns.hpp"

// Compiled with -fno-math-errno -fno-trapping-math (CMakeLists.txt), so that square roots are taken many at a
// time.
namespace prophet {
namespace {

constexpr int kBlock = 256;  // places that are computed before they are sorted in

}  // namespace

// The two differ in the type alone; templates cannot be cloned for processors.
PROPHET_CLONES
static void placesOf(const float* __restrict x, const float* __restrict y, const float* __restrict z,
                     int count, float ax, float ay, float az, float scale, float limit,
                     std::int32_t* __restrict places) {
  for (int j = 0; j < count; ++j) {
    const float dx = ax - x[j], dy = ay - y[j], dz = az - z[j];
    const float place = std::sqrt(dx * dx + dy * dy + dz * dz) * scale;
    places[j] = static_cast<std::int32_t>(place < limit ? place : limit);
  }
}

PROPHET_CLONES
static void placesOf(const double* __restrict x, const double* __restrict y, const double* __restrict z,
                     int count, double ax, double ay, double az, double scale, double limit,
                     std::int32_t* __restrict places) {
  for (int j = 0; j < count; ++j) {
    const double dx = ax - x[j], dy = ay - y[j], dz = az - z[j];
    const double place = std::sqrt(dx * dx + dy * dy + dz * dz) * scale;
    places[j] = static_cast<std::int32_t>(place < limit ? place : limit);
  }
}

template <class Real>
static void add(const Coordinates<Real>& others, int count, const Real (&atom)[3], Real scale, int bins,
                PackedBin* histogram) {
  alignas(64) std::int32_t places[kBlock];
  const Real limit = static_cast<Real>(bins) * static_cast<Real>(1 << kPlaceBits);
  for (int start = 0; start < count; start += kBlock) {
    const int block = std::min(kBlock, count - start);
    placesOf(others.x + start, others.y + start, others.z + start, block, atom[0], atom[1], atom[2], scale,
             limit, places);
    for (int j = 0; j < block; ++j) {
      const std::uint32_t place = static_cast<std::uint32_t>(places[j]);
      histogram[place >> kPlaceBits] += (PackedBin{1} << kCountShift) | (place & ((1u << kPlaceBits) - 1));
    }
  }
}

void addDistances(const Coordinates<float>& others, int count, const float (&atom)[3], float scale, int bins,
                  PackedBin* histogram) {
  add(others, count, atom, scale, bins, histogram);
}
void addDistances(const Coordinates<double>& others, int count, const double (&atom)[3], double scale,
                  int bins, PackedBin* histogram) {
  add(others, count, atom, scale, bins, histogram);
}

}  // namespace prophet

// Compiled with -fno-math-errno -fno-trapping-math (CMakeLists.txt), so that sines are taken and added
// many at a time.
namespace prophet {

PROPHET_CLONES
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

PROPHET_CLONES
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

PROPHET_CLONES
void addSines(const double* __restrict turns, int count, double r, double weight, double* __restrict out) {
  for (int k = 0; k < count; ++k) {
    const double whole = std::nearbyint(turns[k] * r);
    out[k] += weight * sineOfTurns(__builtin_fma(turns[k], r, -whole));
  }
}

}  // namespace prophet
