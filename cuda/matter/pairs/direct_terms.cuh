#pragma once
#include "cuda/matter/pairs/kernels.hpp"
#include "matter/pairs/sine_turns.hpp"

/// What the direct sums add for a pair: sin(qr)/r for the momenta of a launch. Distances come in double
/// precision, so that phases of hundreds of turns are exact to the last bit of what they are reduced to;
/// there are 32 (8) terms for each of them.
namespace prophet::cuda {

/// A distance as the sum of two numbers, and its inverse.
struct SplitDistance {
  float r, rest, inverse;
};

/// From the square, in a few instructions: the fast inverse root is good to 22 bits, a step of Newton in
/// double precision doubles them.
__device__ __forceinline__ SplitDistance splitDistance(double square) {
  float guess;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(guess) : "f"(static_cast<float>(square)));
  const double start = square * static_cast<double>(guess);
  const double r = fma(fma(-start, start, square), 0.5 * static_cast<double>(guess), start);
  SplitDistance d;
  d.r = static_cast<float>(r);
  d.rest = static_cast<float>(r - static_cast<double>(d.r));
  d.inverse = fmaf(fmaf(-d.r, guess, 1.0f), guess, guess);
  return d;
}

/// A number of half turns (high + low) r as a fraction g in [-1/2, 1/2] and a whole number, whose last bit
/// stands in the uppermost of `odd`: that of the sign of sine and cosine.
__device__ __forceinline__ float reduceHalfTurns(float high, float low, const SplitDistance& d, int& odd) {
  // Adding 1.5 * 2^23 rounds to a whole number.
  const float shifted = fmaf(high, d.r, 12582912.0f), whole = shifted - 12582912.0f;
  odd = __float_as_int(shifted) << 31;
  return fmaf(high, d.rest, fmaf(low, d.r, fmaf(high, d.r, -whole)));
}

__device__ __forceinline__ float withSign(float x, int odd) {
  return __int_as_float(__float_as_int(x) ^ odd);
}

/// sin(pi g)/g and cos(pi g) by interpolation at Chebyshev points, to 1.4e-8 and 2e-10; s = g^2 up to 1/4.
__device__ __forceinline__ float sineOverFraction(float s) {
  float p = fmaf(0.07765591f, s, -0.59829041f);
  p = fmaf(p, s, 2.55007739f);
  p = fmaf(p, s, -5.16771008f);
  return fmaf(p, s, 3.14159264f);
}
__device__ __forceinline__ float cosineOfFraction(float s) {
  float p = fmaf(-0.02439593f, s, 0.23493707f);
  p = fmaf(p, s, -1.33521195f);
  p = fmaf(p, s, 4.05870915f);
  p = fmaf(p, s, -4.93480214f);
  return fmaf(p, s, 1.0f);
}

struct SineCosine {
  float sine, cosine;
};

/// weight times sine and cosine of pi (high + low) r.
__device__ __forceinline__ SineCosine sineCosine(float high, float low, const SplitDistance& d,
                                                 float weight) {
  int odd;
  const float g = reduceHalfTurns(high, low, d, odd), s = g * g, signedWeight = withSign(weight, odd);
  return {signedWeight * (g * sineOverFraction(s)), signedWeight * cosineOfFraction(s)};
}

/// Sine and cosine of the double angle.
__device__ __forceinline__ SineCosine doubled(const SineCosine& a) {
  const float twice = 2 * a.sine;
  return {twice * a.cosine, fmaf(-twice, a.sine, 1.0f)};
}

/// Sine and cosine of the sum of two angles.
__device__ __forceinline__ SineCosine rotated(const SineCosine& a, const SineCosine& by) {
  return {fmaf(a.sine, by.cosine, a.cosine * by.sine), fmaf(a.cosine, by.cosine, -a.sine * by.sine)};
}

/// Any momenta: 14 instructions a term.
struct SingleTerms {
  using Real = float;
  using Momenta = SingleMomenta;

  static __device__ __forceinline__ void add(const Momenta& q, double square, Real (&sums)[Momenta::kCount]) {
    const SplitDistance d = splitDistance(square);
#pragma unroll
    for (int k = 0; k < Momenta::kCount; ++k) {
      int odd;
      const float g = reduceHalfTurns(q.high[k], q.low[k], d, odd);
      sums[k] = fmaf(withSign(d.inverse, odd), g * sineOverFraction(g * g), sums[k]);
    }
  }
};

/// Equally spaced momenta: sine and cosine at the middle of every eight and at 1/2, 3/2, 5/2, 7/2 steps, from
/// which the theorem of addition makes all others in two instructions each; 6.5 a term with everything else.
struct LadderTerms {
  using Real = float;
  using Momenta = MomentumLadder;

  static __device__ __forceinline__ void add(const Momenta& q, double square, Real (&sums)[Momenta::kCount]) {
    const SplitDistance d = splitDistance(square);
    SineCosine step[4];
    step[0] = sineCosine(q.halfStep[0], q.halfStep[1], d, 1.0f);
    const SineCosine one = doubled(step[0]), two = doubled(one);
    step[1] = rotated(step[0], one);
    step[2] = rotated(step[0], two);
    step[3] = rotated(step[1], two);
#pragma unroll
    for (int c = 0; c < Momenta::kCentres; ++c) {
      const SineCosine centre = sineCosine(q.centreHigh[c], q.centreLow[c], d, d.inverse);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        float &above = sums[8 * c + 4 + k], &below = sums[8 * c + 3 - k];
        above = fmaf(centre.sine, step[k].cosine, fmaf(centre.cosine, step[k].sine, above));
        below = fmaf(centre.sine, step[k].cosine, fmaf(-centre.cosine, step[k].sine, below));
      }
    }
  }
};

/// Everything in double precision; momenta in turns.
struct DoubleTerms {
  using Real = double;
  using Momenta = DoubleMomenta;

  static __device__ __forceinline__ void add(const Momenta& q, double square, Real (&sums)[Momenta::kCount]) {
    const double inverse = rsqrt(square), r = square * inverse;
#pragma unroll
    for (int k = 0; k < Momenta::kCount; ++k) {
      const double whole = rint(q.high[k] * r);
      sums[k] += inverse * sineOfTurns(fma(q.low[k], r, fma(q.high[k], r, -whole)));
    }
  }
};

/// Equally spaced momenta in double precision: as LadderTerms, but with the sine and cosine of one middle
/// only, from which a rotation leads to the next. 64 terms for a pair: 4.2 instructions a term.
struct DoubleLadderTerms {
  using Real = double;
  using Momenta = DoubleLadder;

  struct Wave {
    double sine, cosine;
  };
  /// The wave at 2 pi turns r.
  static __device__ __forceinline__ Wave wave(double turns, double r) {
    const double whole = rint(turns * r), t = fma(turns, r, -whole);
    return {sineOfTurns(t), sineOfTurns(0.25 - fabs(t))};
  }
  static __device__ __forceinline__ Wave rotated(const Wave& a, const Wave& by) {
    return {fma(a.sine, by.cosine, a.cosine * by.sine), fma(a.cosine, by.cosine, -a.sine * by.sine)};
  }
  static __device__ __forceinline__ Wave doubled(const Wave& a) {
    const double twice = 2 * a.sine;
    return {twice * a.cosine, fma(-twice, a.sine, 1.0)};
  }

  static __device__ __forceinline__ void add(const Momenta& q, double square, Real (&sums)[Momenta::kCount]) {
    const double inverse = rsqrt(square), r = square * inverse;
    Wave step[4];
    step[0] = wave(q.halfStep, r);
    const Wave one = doubled(step[0]), two = doubled(one), eight = doubled(doubled(two));
    step[1] = rotated(step[0], one);
    step[2] = rotated(step[0], two);
    step[3] = rotated(step[1], two);
    Wave centre = wave(q.first, r);
    centre.sine *= inverse;
    centre.cosine *= inverse;
#pragma unroll
    for (int c = 0; c < Momenta::kCentres; ++c) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        double &above = sums[8 * c + 4 + k], &below = sums[8 * c + 3 - k];
        above = fma(centre.sine, step[k].cosine, fma(centre.cosine, step[k].sine, above));
        below = fma(centre.sine, step[k].cosine, fma(-centre.cosine, step[k].sine, below));
      }
      centre = rotated(centre, eight);
    }
  }
};

}  // namespace prophet::cuda
