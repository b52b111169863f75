#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/common/host_device.hpp"

/// One-dimensional numbering of two-electron super-matrix elements (Hennessey (2018), algorithms 3-5).
///
/// A pair index I numbers the function pairs (L; P >= Q) of all symmetries L, symmetry after symmetry, row
/// after row of each symmetry's triangle. An element index t numbers the pairs of pairs (I >= J) of the
/// triangle over pairs.
namespace prophet {

/// n'(j) = j (j + 1) / 2 (Hennessey (2018), eq. 3.1).
PROPHET_HD inline constexpr std::int64_t triangle(std::int64_t j) { return j * (j + 1) / 2; }

/// The largest i in [0, size) with start(i) <= target, by binary search; `start` ascends and start(0) <=
/// target.
template <class Integer, class Start>
PROPHET_HD inline Integer lastNotAbove(Integer target, Integer size, const Start& start) {
  Integer low = 0, high = size;
  while (high - low > 1) {
    const Integer middle = (low + high) / 2;
    if (start(middle) <= target) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

template <class Integer>
struct TriangularFrom {
  Integer first;
  PROPHET_HD Integer operator()(Integer i) const { return (first + i) * (first + i + 1) / 2; }
};

/// The largest i in [0, size) with triangle(i) <= target: binary search in the few numbers around the
/// solution of i (i + 1) / 2 = target in single precision (off by less than one below 10^6 rows).
template <class Integer>
PROPHET_HD inline Integer lastTriangleNotAbove(Integer target, Integer size) {
  const float root = sqrtf(2.0f * static_cast<float>(target) + 0.25f) - 0.5f;
  const Integer guess = static_cast<Integer>(root);
  const Integer low = guess > 1 ? guess - 1 : 0, high = guess + 2 < size ? guess + 2 : size;
  return low + lastNotAbove(target, high - low, TriangularFrom<Integer>{low});
}

/// A function pair: symmetry and the two functions inside it, p >= q, all counted from 0.
struct FunctionPair {
  int symmetry, p, q;
  PROPHET_HD bool operator==(const FunctionPair& o) const {
    return symmetry == o.symmetry && p == o.p && q == o.q;
  }
};

/// Plain view of the numbering that a kernel can hold by value: `pairOffset` has `symmetries` + 1 entries,
/// the first pair of each symmetry; `size` its numbers of functions.
struct PairNumbering {
  const std::int64_t* pairOffset;
  const int* size;
  int symmetries;

  PROPHET_HD std::int64_t pairs() const { return pairOffset[symmetries]; }
  PROPHET_HD std::int64_t elements() const { return triangle(pairs()); }

  struct Offset {
    const std::int64_t* offset;
    PROPHET_HD std::int64_t operator()(std::int64_t i) const { return offset[i]; }
  };

  /// Pair index -> (L, P, Q).
  PROPHET_HD FunctionPair functions(std::int64_t pair) const {
    const int symmetry = static_cast<int>(lastNotAbove<std::int64_t>(pair, symmetries, Offset{pairOffset}));
    const std::int64_t local = pair - pairOffset[symmetry];
    const std::int64_t p = lastTriangleNotAbove<std::int64_t>(local, size[symmetry]);
    return {symmetry, static_cast<int>(p), static_cast<int>(local - triangle(p))};
  }
  /// (L, P, Q) -> pair index; needs p >= q.
  PROPHET_HD std::int64_t pair(const FunctionPair& f) const {
    return pairOffset[f.symmetry] + triangle(f.p) + f.q;
  }
  /// Element index -> pair I (row); the column is J = element - triangle(I) <= I.
  PROPHET_HD std::int64_t row(std::int64_t element) const { return lastTriangleNotAbove(element, pairs()); }
};

/// Owner of the arrays behind a PairNumbering.
class PairIndex {
 public:
  explicit PairIndex(const std::vector<int>& functionsPerSymmetry);
  PairNumbering view() const { return {pairOffset_.data(), size_.data(), static_cast<int>(size_.size())}; }
  std::int64_t pairs() const { return pairOffset_.back(); }
  std::int64_t elements() const { return triangle(pairs()); }

 private:
  std::vector<std::int64_t> pairOffset_;
  std::vector<int> size_;
};

}  // namespace prophet
