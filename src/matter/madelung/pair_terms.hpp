#pragma once

namespace prophet {

/// Charges around some sites: coordinates from a common origin and charges, bohr and e.
template <class Real>
struct Surroundings {
  const Real *x, *y, *z, *charge;
};

/// Charges near one site: where they are, seen from it, and the charges.
template <class Real>
struct Neighbours {
  Real *x, *y, *z, *charge;
};

/// What they add to the site, times their charges and in double precision: potential (hartree/e), field, and
/// sum of charge * force * r r^T (xx, yy, zz, xy, xz, yz), r from the site.
struct PairTerms {
  double potential = 0, field[3] = {}, stretch[6] = {};
};

/// Neighbours are taken so many at a time.
inline constexpr int kPairBlock = 16;

/// Writes those of `count` charges that are within the root of `squaredCutoff` of number `own` of them, but
/// not itself, to `near` in their order, fills the last block up with charges of 0, and returns how many they
/// are together. `near` has room for count + kPairBlock.
int neighboursOf(const Surroundings<float>& all, int count, int own, float squaredCutoff,
                 const Neighbours<float>& near);
int neighboursOf(const Surroundings<double>& all, int count, int own, double squaredCutoff,
                 const Neighbours<double>& near);

/// The same by the instructions that every processor has, which the one above is tested against.
int neighboursOneByOne(const Surroundings<float>& all, int count, int own, float squaredCutoff,
                       const Neighbours<float>& near);
int neighboursOneByOne(const Surroundings<double>& all, int count, int own, double squaredCutoff,
                       const Neighbours<double>& near);

/// Sums erfc(beta r)/r and its derivative over `count` neighbours, a multiple of kPairBlock, none of which is
/// at the site. The complementary error function is good to 1e-16 (double) or 1e-7 (float) of itself up to
/// beta r = 6.5, beyond which it is that of 6.5, 4e-20.
PairTerms pairTerms(const Neighbours<float>& near, int count, float beta);
PairTerms pairTerms(const Neighbours<double>& near, int count, double beta);

}  // namespace prophet
