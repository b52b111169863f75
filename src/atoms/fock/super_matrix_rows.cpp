// Compiled for each instruction set (PROPHET_LEVEL, CMakeLists.txt). All that is compiled here depends on a
// type of its own, so that the linker takes no function of one instruction set for that of another.
#include "atoms/fock/super_matrix_rows.hpp"

#include <cstring>

#include "core/linalg/dense_kernels.hpp"

namespace prophet {
namespace {

using Group = double __attribute__((vector_size(kElementGroup * sizeof(double))));

/// Not a vector itself: those are passed to functions in a way that depends on the instruction set.
struct Lanes {
  Group v{};

  friend inline Lanes operator+(Lanes a, Lanes b) { return {a.v + b.v}; }
  friend inline Lanes operator-(Lanes a, Lanes b) { return {a.v - b.v}; }
  friend inline Lanes operator*(Lanes a, Lanes b) { return {a.v * b.v}; }
  friend inline Lanes operator/(Lanes a, Lanes b) { return {a.v / b.v}; }
  friend inline Lanes operator+(Lanes a, double b) { return {a.v + b}; }
  friend inline Lanes operator+(double a, Lanes b) { return {a + b.v}; }
  friend inline Lanes operator*(Lanes a, double b) { return {a.v * b}; }
  friend inline Lanes operator*(double a, Lanes b) { return {a * b.v}; }
  friend inline Lanes operator/(double a, Lanes b) { return {a / b.v}; }
  friend inline Lanes operator-(Lanes a) { return {-a.v}; }
  Lanes& operator+=(Lanes b) {
    v += b.v;
    return *this;
  }
  Lanes& operator*=(Lanes b) {
    v *= b.v;
    return *this;
  }
};

inline Lanes squareRoot(Lanes x) {
  Lanes root;
  for (int i = 0; i < kElementGroup; ++i) root.v[i] = __builtin_sqrt(x.v[i]);
  return root;
}

struct PrimitiveLanes {
  Lanes zeta, norm, small0, small2;
};

inline Lanes load(const double* x) {
  Lanes lanes;
  std::memcpy(&lanes.v, x, sizeof(lanes.v));
  return lanes;
}

inline PrimitiveLanes load(const PrimitiveColumns& c, std::int64_t at) {
  return {load(c.zeta + at), load(c.norm + at), load(c.small0 + at), load(c.small2 + at)};
}

template <int kDegree>
void fillRow(const PairPolynomials<kDegree>& polynomials, const Primitive& p, const Primitive& q,
             const PairColumns& columns, std::int64_t first, std::int64_t end, double* const (&rows)[8]) {
  for (std::int64_t at = first; at < end; at += kElementGroup) {
    const SuperMatrixValues<Lanes> e =
        polynomialElement<kDegree, Lanes>(polynomials, p, q, load(columns.r, at), load(columns.s, at));
    const Lanes* const values[8] = {&e.x1, &e.x2, &e.x3, &e.x4, &e.x5, &e.x6, &e.x7, &e.x8};
    const std::size_t bytes =
        sizeof(double) * static_cast<std::size_t>(end - at < kElementGroup ? end - at : kElementGroup);
    if (bytes == sizeof(Group)) {
      for (int k = 0; k < 8; ++k) std::memcpy(rows[k] + at, &values[k]->v, sizeof(Group));
    } else {
      for (int k = 0; k < 8; ++k) std::memcpy(rows[k] + at, &values[k]->v, bytes);
    }
  }
}

}  // namespace

#if PROPHET_LEVEL == 3
template <>
SuperMatrixRows<5> superMatrixRowsV3<5>() {
  return fillRow<5>;
}
template <>
SuperMatrixRows<9> superMatrixRowsV3<9>() {
  return fillRow<9>;
}
#elif PROPHET_LEVEL == 4
template <>
SuperMatrixRows<5> superMatrixRowsV4<5>() {
  return fillRow<5>;
}
template <>
SuperMatrixRows<9> superMatrixRowsV4<9>() {
  return fillRow<9>;
}
#else
template <int kDegree>
SuperMatrixRows<kDegree> superMatrixRowsBaseline() {
  return fillRow<kDegree>;
}

template <int kDegree>
SuperMatrixRows<kDegree> superMatrixRows() {
#if defined(__x86_64__)
  return supportsV4()   ? superMatrixRowsV4<kDegree>()
         : supportsV3() ? superMatrixRowsV3<kDegree>()
                        : superMatrixRowsBaseline<kDegree>();
#else
  return superMatrixRowsBaseline<kDegree>();
#endif
}
template SuperMatrixRows<5> superMatrixRowsBaseline<5>();
template SuperMatrixRows<9> superMatrixRowsBaseline<9>();
template SuperMatrixRows<5> superMatrixRows<5>();
template SuperMatrixRows<9> superMatrixRows<9>();
#endif

}  // namespace prophet
