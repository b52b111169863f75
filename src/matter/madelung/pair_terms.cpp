#include "matter/madelung/pair_terms.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

#include "core/common/processor_clones.hpp"

#define PROPHET_INLINE __attribute__((always_inline)) inline

// Compiled with -fno-math-errno -fno-trapping-math (CMakeLists.txt), so that many pairs are taken at a time.
namespace prophet {
namespace {

constexpr double kFarthestTerm = 6.5;  // beta r, where the fits below end

/// (1 + 2 x) exp(x^2) erfc(x) as a polynomial in y = (x - 3)/(x + 3), 0 <= x <= 6.5, in ascending powers:
/// Chebyshev fits of our own in the variables of M. M. Shepherd and J. G. Laframboise, Math. Comp. 36, 249
/// (1981); largest errors 8e-18 and 1.4e-8.
constexpr double kScaled[] = {
    1.25300805826972965,     -0.1356211061245811693,    -0.04756229435344967168,   0.1296451587027569832,
    -0.1192736634154121753,  0.06830802734420692358,    -0.02377051491454365009,   0.002529391812759729189,
    0.001888690275226368254, -0.0007798323074554725601, -0.0001051588737605920259, 0.000125100727341488355,
    4.94449636870889299e-6,  -2.011445262782224895e-5,  -7.259464872996473222e-7,  3.529945768175902931e-6,
    4.139157027507381489e-7, -6.733302585772672689e-7,  -3.12567509474230482e-7,   -4.543204565173154906e-8};
constexpr float kScaledSingle[] = {1.253008057f,    -0.1356213281f, -0.04756221667f, 0.1296551802f,
                                   -0.1192650425f,  0.06819384882f, -0.02397862716f, 0.002813643965f,
                                   0.002916716894f, 7.752996466e-5f};
/// exp(f), |f| <= ln(2)/2, likewise; errors 3e-18 and 2e-9.
constexpr double kExponential[] = {
    0.9999999999999999969,   0.9999999999999999998,   0.5000000000000018386,   0.1666666666666668081,
    0.0416666666664880955,   0.008333333333319600611, 0.001388888895231477465, 0.0001984126989004711371,
    2.480148548232849242e-5, 2.755724091857896982e-6, 2.763263963904102975e-7, 2.511003760596377771e-8};
constexpr float kExponentialSingle[] = {1.0f,          1.000000038f,    0.5000000047f,  0.1666641551f,
                                        0.0416663529f, 0.008375126398f, 0.001394110843f};

/// c[K] + y (c[K + 1] + ...): written out, for loops within the loop over pairs would keep it from being
/// vectorised.
template <int K = 0, class Real, int N>
PROPHET_INLINE Real polynomial(const Real (&c)[N], Real y) {
  if constexpr (K + 1 < N) {
    return polynomial<K + 1>(c, y) * y + c[K];
  } else {
    return c[K];
  }
}

// What differs between the precisions: ln(2) in a part that products with whole numbers leave exact and the
// rest, and where the exponent is in the bits.
PROPHET_INLINE double exponential(double a) {
  const double whole = std::nearbyint(a * 1.4426950408889634);
  const double rest = (a - whole * 0.693147180369123816) - whole * 1.90821492927058770e-10;
  // A number whose lowest bits are `whole`: adding does what no instruction of older processors does.
  const auto bits = std::bit_cast<std::int64_t>(whole + 6755399441055744.0);
  return polynomial(kExponential, rest) * std::bit_cast<double>((bits + 1023) << 52);
}
PROPHET_INLINE float exponential(float a) {
  const float whole = std::nearbyint(a * 1.44269504f);
  const float rest = (a - whole * 0.693359375f) + whole * 2.12194440e-4f;
  const auto bits = static_cast<std::int32_t>(whole);
  return polynomial(kExponentialSingle, rest) * std::bit_cast<float>((bits + 127) << 23);
}
PROPHET_INLINE double scaledComplement(double y) { return polynomial(kScaled, y); }
PROPHET_INLINE float scaledComplement(float y) { return polynomial(kScaledSingle, y); }

/// Fills the last block up.
template <class Real>
PROPHET_INLINE int filledUp(const Neighbours<Real>& near, int found) {
  for (; found % kPairBlock != 0; ++found) {
    near.x[found] = near.y[found] = near.z[found] = 1;
    near.charge[found] = 0;
  }
  return found;
}

template <class Real>
PROPHET_INLINE int oneByOne(const Surroundings<Real>& all, int count, int own, Real squaredCutoff,
                            const Neighbours<Real>& near) {
  constexpr int kPairsAtOnce = 256;
  const Real* __restrict x = all.x, * __restrict y = all.y, * __restrict z = all.z;
  const Real ax = x[own], ay = y[own], az = z[own];
  alignas(64) Real squares[kPairsAtOnce];
  alignas(64) int list[kPairsAtOnce];
  int found = 0;
  for (int start = 0; start < count; start += kPairsAtOnce) {
    const int block = std::min(kPairsAtOnce, count - start);
    for (int j = 0; j < block; ++j) {
      const Real dx = x[start + j] - ax, dy = y[start + j] - ay, dz = z[start + j] - az;
      squares[j] = dx * dx + dy * dy + dz * dz;
    }
    if (own >= start && own < start + block) squares[own - start] = 2 * squaredCutoff;
    int here = 0;
    for (int j = 0; j < block; ++j) {
      list[here] = start + j;
      here += squares[j] <= squaredCutoff ? 1 : 0;
    }
    Real* __restrict nx = near.x + found, * __restrict ny = near.y + found, * __restrict nz = near.z + found, * __restrict nq = near.charge + found;
    for (int k = 0; k < here; ++k) {
      const int j = list[k];
      nx[k] = x[j] - ax;
      ny[k] = y[j] - ay;
      nz[k] = z[j] - az;
      nq[k] = all.charge[j];
    }
    found += here;
  }
  return filledUp(near, found);
}

template <class Real>
PROPHET_INLINE PairTerms sums(const Neighbours<Real>& near, int count, Real beta) {
  constexpr Real kSlope = static_cast<Real>(1.1283791670955126);  // 2/sqrt(pi)
  constexpr Real kEnd = static_cast<Real>(kFarthestTerm);
  const Real* __restrict x = near.x, * __restrict y = near.y, * __restrict z = near.z, * __restrict q = near.charge;
  const Real slope = kSlope * beta;
  alignas(64) Real lanes[10][kPairBlock] = {};
  for (int k = 0; k < count; k += kPairBlock) {
    for (int l = 0; l < kPairBlock; ++l) {
      const Real dx = x[k + l], dy = y[k + l], dz = z[k + l], charge = q[k + l];
      const Real inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz);
      const Real reach = beta * ((dx * dx + dy * dy + dz * dz) * inverse);
      const Real t = reach < kEnd ? reach : kEnd;
      const Real e = exponential(-t * t);
      const Real share = 1 / ((t + 3) * (1 + 2 * t));
      const Real complement = e * scaledComplement((t - 3) * (1 + 2 * t) * share) * ((t + 3) * share);
      const Real potential = charge * complement * inverse;
      const Real force = (potential + charge * slope * e) * inverse * inverse;
      lanes[0][l] += potential;
      lanes[1][l] -= force * dx;
      lanes[2][l] -= force * dy;
      lanes[3][l] -= force * dz;
      lanes[4][l] += force * dx * dx;
      lanes[5][l] += force * dy * dy;
      lanes[6][l] += force * dz * dz;
      lanes[7][l] += force * dx * dy;
      lanes[8][l] += force * dx * dz;
      lanes[9][l] += force * dy * dz;
    }
  }
  double total[10] = {};
  for (int s = 0; s < 10; ++s) {
    for (const Real lane : lanes[s]) total[s] += lane;
  }
  return {
      total[0], {total[1], total[2], total[3]}, {total[4], total[5], total[6], total[7], total[8], total[9]}};
}

#if defined(__x86_64__) && defined(__GNUC__)
#define PROPHET_COMPRESSES

/// An instruction of AVX-512 moves the lanes of a mask together, which no other set of instructions has and
/// compilers do not find by themselves.
bool compresses() {
  static const bool kHas = __builtin_cpu_supports("avx512f");
  return kHas;
}

__attribute__((target("avx512f"))) int compressed(const Surroundings<float>& all, int count, int own,
                                                  float squaredCutoff, const Neighbours<float>& near) {
  const __m512 ax = _mm512_set1_ps(all.x[own]), ay = _mm512_set1_ps(all.y[own]),
               az = _mm512_set1_ps(all.z[own]), limit = _mm512_set1_ps(squaredCutoff);
  int found = 0;
  for (int start = 0; start < count; start += 16) {
    // Those that there are, without the site itself.
    unsigned those = count - start < 16 ? (1U << (count - start)) - 1 : 0xffff;
    if (own >= start && own < start + 16) those &= ~(1U << (own - start));
    const auto valid = static_cast<__mmask16>(those);
    const __m512 dx = _mm512_sub_ps(_mm512_maskz_loadu_ps(valid, all.x + start), ax);
    const __m512 dy = _mm512_sub_ps(_mm512_maskz_loadu_ps(valid, all.y + start), ay);
    const __m512 dz = _mm512_sub_ps(_mm512_maskz_loadu_ps(valid, all.z + start), az);
    const __m512 square =
        _mm512_add_ps(_mm512_add_ps(_mm512_mul_ps(dx, dx), _mm512_mul_ps(dy, dy)), _mm512_mul_ps(dz, dz));
    const __mmask16 mask = _mm512_mask_cmp_ps_mask(valid, square, limit, _CMP_LE_OQ);
    // To a register first: compressing to memory takes many more cycles on some processors.
    _mm512_storeu_ps(near.x + found, _mm512_maskz_compress_ps(mask, dx));
    _mm512_storeu_ps(near.y + found, _mm512_maskz_compress_ps(mask, dy));
    _mm512_storeu_ps(near.z + found, _mm512_maskz_compress_ps(mask, dz));
    _mm512_storeu_ps(near.charge + found,
                     _mm512_maskz_compress_ps(mask, _mm512_maskz_loadu_ps(valid, all.charge + start)));
    found += std::popcount(static_cast<unsigned>(mask));
  }
  return filledUp(near, found);
}
#endif

}  // namespace

// Templates cannot be cloned for processors.
PROPHET_CLONES
int neighboursOneByOne(const Surroundings<float>& all, int count, int own, float squaredCutoff,
                       const Neighbours<float>& near) {
  return oneByOne(all, count, own, squaredCutoff, near);
}
PROPHET_CLONES
int neighboursOneByOne(const Surroundings<double>& all, int count, int own, double squaredCutoff,
                       const Neighbours<double>& near) {
  return oneByOne(all, count, own, squaredCutoff, near);
}

int neighboursOf(const Surroundings<float>& all, int count, int own, float squaredCutoff,
                 const Neighbours<float>& near) {
#ifdef PROPHET_COMPRESSES
  if (compresses()) return compressed(all, count, own, squaredCutoff, near);
#endif
  return neighboursOneByOne(all, count, own, squaredCutoff, near);
}
int neighboursOf(const Surroundings<double>& all, int count, int own, double squaredCutoff,
                 const Neighbours<double>& near) {
  return neighboursOneByOne(all, count, own, squaredCutoff, near);  // half as many lanes gain nothing
}

PROPHET_CLONES
PairTerms pairTerms(const Neighbours<float>& near, int count, float beta) { return sums(near, count, beta); }
PROPHET_CLONES
PairTerms pairTerms(const Neighbours<double>& near, int count, double beta) {
  return sums(near, count, beta);
}

}  // namespace prophet
