#pragma once

namespace prophet {

/// Charges around a site: coordinates from a common origin and charges, bohr and e.
template <class Real>
struct Surroundings {
  const Real *x, *y, *z, *charge;
};

/// What they add to the site, times their charges and in double precision: potential (hartree/e), field, and
/// sum of charge * force * r r^T (xx, yy, zz, xy, xz, yz), r from the site.
struct PairTerms {
  double potential = 0, field[3] = {}, stretch[6] = {};
};

/// A block of neighbours is this many: what the lists of addPairTerms are filled up to.
inline constexpr int kPairBlock = 16;

/// Writes the numbers of those of `count` charges that are within the root of `squaredCutoff` of the site
/// `at` to `list`, which has room for `count` of them, in ascending order, and returns how many they are.
int neighboursWithin(const Surroundings<float>& all, int count, const float (&at)[3], float squaredCutoff,
                     int* list);
int neighboursWithin(const Surroundings<double>& all, int count, const double (&at)[3], double squaredCutoff,
                     int* list);

/// Sums erfc(beta r)/r and its derivative over the charges of a list, whose length is a multiple of
/// kPairBlock (filled up with charges of 0 that are not at the site). The complementary error function is
/// good to 1e-16 (double) or 1e-7 (float) of itself up to beta r = 6.5, beyond which it is that of 6.5,
/// 4e-20.
PairTerms pairTerms(const Surroundings<float>& all, const int* list, int count, const float (&at)[3],
                    float beta);
PairTerms pairTerms(const Surroundings<double>& all, const int* list, int count, const double (&at)[3],
                    double beta);

}  // namespace prophet
