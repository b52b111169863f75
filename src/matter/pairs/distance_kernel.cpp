// Compiled with -fno-math-errno -fno-trapping-math (CMakeLists.txt), so that square roots are taken many at a
// time.
#include "matter/pairs/distance_kernel.hpp"

#include <algorithm>
#include <cmath>

#include "matter/pairs/clones.hpp"

namespace prophet {
namespace {

constexpr int kBlock = 256;  // places that are computed before they are sorted in

}  // namespace

// The two differ in the type alone; templates cannot be cloned for processors.
PROPHET_PAIR_CLONES
static void placesOf(const float* __restrict x, const float* __restrict y, const float* __restrict z,
                     int count, float ax, float ay, float az, float scale, float limit,
                     std::int32_t* __restrict places) {
  for (int j = 0; j < count; ++j) {
    const float dx = ax - x[j], dy = ay - y[j], dz = az - z[j];
    const float place = std::sqrt(dx * dx + dy * dy + dz * dz) * scale;
    places[j] = static_cast<std::int32_t>(place < limit ? place : limit);
  }
}

PROPHET_PAIR_CLONES
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
