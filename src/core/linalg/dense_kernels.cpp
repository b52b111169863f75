// Dense linear algebra, compiled for each instruction set (PROPHET_LEVEL, CMakeLists.txt). Eigen's templates
// are inline, so that the linker keeps one copy of each name whoever asked for it: each set therefore has a
// namespace Eigen of its own. Nothing else that is inline and large may be used here.
#if PROPHET_LEVEL == 3
#define Eigen Eigen_v3
#elif PROPHET_LEVEL == 4
#define Eigen Eigen_v4
#endif
#define EIGEN_DONT_PARALLELIZE
#include "core/linalg/dense_kernels.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/linalg/lanes.hpp"
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace prophet {

// Some eigenpairs of the small symmetric matrices that Fock matrices are. LAPACK's steps for them are scalar
// (bisection, a division after the other) or made for large matrices (reflectors in blocks); here eight
// eigenvalues are bisected side by side, and Householder's update and the next product are one pass over the
// matrix.
namespace {

typedef double Row __attribute__((vector_size(64), aligned(8), may_alias));  ///< eight rows, or eight columns
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));  ///< four shifts
typedef long long FourFlags __attribute__((vector_size(32), may_alias));
constexpr int kRow = 8;

inline const Row& rowAt(const double* from) { return *reinterpret_cast<const Row*>(from); }
inline void putRow(const Row& values, double* to) { *reinterpret_cast<Row*>(to) = values; }

/// T = Q^T A Q with Q the product of 1 - tau_k v_k v_k^T, all in columns of `ld` >= n, a multiple of kRow.
struct HouseholderForm {
  int n = 0, ld = 0;
  std::vector<double> a, v, d, e, tau;
};

/// Columns j to j + count - 1 of A get the last reflector's update, rows from `from` on; product += these
/// columns times their elements of `next`.
template <int count>
void updateColumns(HouseholderForm& h, int from, int j, const double* v, const double* w, const double* next,
                   double* product) {
  double* columns[count];
  double vj[count], wj[count], nextJ[count];
  for (int c = 0; c < count; ++c) {
    columns[c] = h.a.data() + static_cast<std::size_t>(j + c) * h.ld;
    vj[c] = v[j + c];
    wj[c] = w[j + c];
    nextJ[c] = next[j + c];
  }
  for (int i = from; i < h.ld; i += kRow) {
    const Row vi = rowAt(v + i), wi = rowAt(w + i);
    Row sum = rowAt(product + i);
    for (int c = 0; c < count; ++c) {
      const Row a = rowAt(columns[c] + i) - vi * wj[c] - wi * vj[c];
      putRow(a, columns[c] + i);
      sum += a * nextJ[c];
    }
    putRow(sum, product + i);
  }
}

/// Rows above the one that a reflector begins with are not used any more, so that passes begin at whole
/// groups of rows.
void reduce(HouseholderForm& h) {
  const int n = h.n, ld = h.ld;
  std::vector<double> w(ld, 0.0), product(ld), none(ld, 0.0);
  const double* last = none.data();  // the last reflector
  for (int k = 0; k + 1 < n; ++k) {
    double* column = h.a.data() + static_cast<std::size_t>(k) * ld;
    double* v = h.v.data() + static_cast<std::size_t>(k) * ld;
    for (int i = k; i < n; ++i) column[i] -= last[i] * w[k] + w[i] * last[k];
    h.d[k] = column[k];
    double tail = 0.0;
    for (int i = k + 2; i < n; ++i) tail += column[i] * column[i];
    const double alpha = column[k + 1];
    const double beta = tail > 0.0 ? -std::copysign(std::sqrt(alpha * alpha + tail), alpha) : alpha;
    const double scale = tail > 0.0 ? 1.0 / (alpha - beta) : 0.0;
    h.tau[k] = tail > 0.0 ? (beta - alpha) / beta : 0.0;
    h.e[k] = beta;
    v[k + 1] = 1.0;
    for (int i = k + 2; i < n; ++i) v[i] = scale * column[i];
    std::fill(product.begin(), product.end(), 0.0);
    const int from = (k + 1) / kRow * kRow;
    int j = k + 1;
    for (; j + 4 <= n; j += 4) updateColumns<4>(h, from, j, last, w.data(), v, product.data());
    for (; j < n; ++j) updateColumns<1>(h, from, j, last, w.data(), v, product.data());
    double overlap = 0.0;
    for (int i = k + 1; i < n; ++i) overlap += product[i] * v[i];
    for (int i = 0; i <= k; ++i) w[i] = 0.0;
    for (int i = k + 1; i < n; ++i) w[i] = h.tau[k] * (product[i] - 0.5 * h.tau[k] * overlap * v[i]);
    last = v;
  }
  const std::size_t corner = static_cast<std::size_t>(n - 1) * ld + n - 1;
  h.d[n - 1] = h.a[corner] - 2.0 * last[n - 1] * w[n - 1];
}

/// How many eigenvalues lie below each of eight shifts (Sturm): a pivot of 0 gives an infinite next one,
/// which counts right; `squares` (of e) are above 0.
void countBelow(int n, const double* d, const double* squares, const double* shifts, int* counts) {
  const Four x0 = *reinterpret_cast<const Four*>(shifts), x1 = *reinterpret_cast<const Four*>(shifts + 4);
  Four q0 = d[0] - x0, q1 = d[0] - x1;
  FourFlags below0 = q0 < 0.0, below1 = q1 < 0.0;
  for (int i = 1; i < n; ++i) {
    q0 = (d[i] - x0) - squares[i - 1] / q0;
    q1 = (d[i] - x1) - squares[i - 1] / q1;
    below0 += q0 < 0.0;
    below1 += q1 < 0.0;
  }
  for (int i = 0; i < 4; ++i) {
    counts[i] = -static_cast<int>(below0[i]);
    counts[4 + i] = -static_cast<int>(below1[i]);
  }
}

/// Bisects up to eight eigenvalues, numbers first to first + count - 1, to the last digit.
void bisect(const HouseholderForm& h, const double* squares, int first, int count, double* values) {
  constexpr int kMostPasses = 200;
  double low = h.d[0], high = h.d[0];
  for (int i = 0; i < h.n; ++i) {
    const double reach = (i > 0 ? std::abs(h.e[i - 1]) : 0.0) + (i + 1 < h.n ? std::abs(h.e[i]) : 0.0);
    low = std::min(low, h.d[i] - reach);
    high = std::max(high, h.d[i] + reach);
  }
  const double margin = 1e-14 * std::max(std::abs(low), std::abs(high));
  double lower[kRow], upper[kRow], shifts[kRow];
  int counts[kRow];
  std::fill(lower, lower + kRow, low - margin);
  std::fill(upper, upper + kRow, high + margin);
  const int points = kRow / count;  // in the interval of each eigenvalue
  for (int pass = 0; pass < kMostPasses; ++pass) {
    bool open = false;
    for (int s = 0; s < kRow; ++s) {
      const int k = std::min(s / points, count - 1), point = std::min(s - k * points, points - 1) + 1;
      shifts[s] = lower[k] + (upper[k] - lower[k]) * point / (points + 1);
      if (shifts[s] > lower[k] && shifts[s] < upper[k]) open = true;
    }
    if (!open) break;
    countBelow(h.n, h.d.data(), squares, shifts, counts);
    for (int k = 0; k < count; ++k) {
      for (int s = 0; s < kRow; ++s) {
        if (counts[s] > first + k) {
          upper[k] = std::min(upper[k], shifts[s]);
        } else {
          lower[k] = std::max(lower[k], shifts[s]);
        }
      }
    }
  }
  for (int k = 0; k < count; ++k) values[k] = 0.5 * (lower[k] + upper[k]);
}

/// The eigenvector by the twisted factorisation with the smallest pivot (K. Fernando; I. Dhillon, LAPACK
/// Working Note 154), of length 1, and its correction of the eigenvalue. False: not found.
bool twistedVector(const HouseholderForm& h, double& value, double* z, std::vector<double>& work) {
  constexpr double kTiny = 1e-290;
  const int n = h.n;
  work.resize(2 * static_cast<std::size_t>(n));
  double *down = work.data(), *up = down + n;  // pivots from the top and from the bottom
  const auto safe = [](double pivot) { return std::abs(pivot) < kTiny ? -kTiny : pivot; };
  down[0] = safe(h.d[0] - value);
  for (int i = 1; i < n; ++i) down[i] = safe(h.d[i] - value - h.e[i - 1] * (h.e[i - 1] / down[i - 1]));
  up[n - 1] = safe(h.d[n - 1] - value);
  for (int i = n - 2; i >= 0; --i) up[i] = safe(h.d[i] - value - h.e[i] * (h.e[i] / up[i + 1]));
  int twist = 0;
  double least = std::numeric_limits<double>::infinity(), gamma = 0.0;
  for (int i = 0; i < n; ++i) {
    const double pivot = down[i] + up[i] - (h.d[i] - value);
    if (std::abs(pivot) < least) {
      least = std::abs(pivot);
      gamma = pivot;
      twist = i;
    }
  }
  z[twist] = 1.0;
  for (int i = twist; i > 0; --i) z[i - 1] = -h.e[i - 1] / down[i - 1] * z[i];
  for (int i = twist; i + 1 < n; ++i) z[i + 1] = -h.e[i] / up[i + 1] * z[i];
  double square = 0.0;
  for (int i = 0; i < n; ++i) square += z[i] * z[i];
  if (!std::isfinite(square)) return false;
  value += gamma / square;
  const double scale = 1.0 / std::sqrt(square);
  for (int i = 0; i < n; ++i) z[i] *= scale;
  return true;
}

/// columns = Q columns, up to eight of them: row i of all in one register.
void applyReflectorsTo(const HouseholderForm& h, int count, double* columns) {
  std::vector<double> rows(static_cast<std::size_t>(h.n) * kRow, 0.0);
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < h.n; ++i)
      rows[static_cast<std::size_t>(i) * kRow + k] = columns[static_cast<std::size_t>(k) * h.n + i];
  for (int k = h.n - 2; k >= 0; --k) {
    const double* v = h.v.data() + static_cast<std::size_t>(k) * h.ld;
    Row sum[4] = {};
    int i = k + 1;
    for (; i + 4 <= h.n; i += 4)
      for (int c = 0; c < 4; ++c) sum[c] += v[i + c] * rowAt(&rows[static_cast<std::size_t>(i + c) * kRow]);
    for (; i < h.n; ++i) sum[0] += v[i] * rowAt(&rows[static_cast<std::size_t>(i) * kRow]);
    const Row all = h.tau[k] * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
    for (i = k + 1; i < h.n; ++i) {
      double* row = &rows[static_cast<std::size_t>(i) * kRow];
      putRow(rowAt(row) - v[i] * all, row);
    }
  }
  for (int k = 0; k < count; ++k)
    for (int i = 0; i < h.n; ++i)
      columns[static_cast<std::size_t>(k) * h.n + i] = rows[static_cast<std::size_t>(i) * kRow + k];
}

/// Whether columns of length 1 are orthogonal; small deviations are taken out.
bool orthogonalise(int n, int count, double* columns) {
  constexpr double kFar = 1e-9;
  for (int k = 0; k < count; ++k) {
    double* z = columns + static_cast<std::size_t>(k) * n;
    for (int l = 0; l < k; ++l) {
      const double* y = columns + static_cast<std::size_t>(l) * n;
      double overlap = 0.0;
      for (int i = 0; i < n; ++i) overlap += y[i] * z[i];
      if (!(std::abs(overlap) < kFar)) return false;
      for (int i = 0; i < n; ++i) z[i] -= overlap * y[i];
    }
  }
  return true;
}

bool eigenpairs(int n, const double* matrix, int first, int count, double* values, double* vectors) {
  HouseholderForm h;
  h.n = n;
  h.ld = (n + kRow - 1) / kRow * kRow;
  const std::size_t size = static_cast<std::size_t>(h.ld) * n;
  h.a.assign(size, 0.0);
  h.v.assign(size, 0.0);
  for (auto* list : {&h.d, &h.e, &h.tau}) list->assign(n, 0.0);
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      const double value = matrix[static_cast<std::size_t>(j) * n + i];
      h.a[static_cast<std::size_t>(j) * h.ld + i] = h.a[static_cast<std::size_t>(i) * h.ld + j] = value;
    }
  }
  reduce(h);
  std::vector<double> squares(n), work;
  for (int i = 0; i + 1 < n; ++i) squares[i] = std::max(h.e[i] * h.e[i], std::numeric_limits<double>::min());
  for (int done = 0; done < count; done += kRow) {
    const int some = std::min(kRow, count - done);
    bisect(h, squares.data(), first + done, some, values + done);
    if (!vectors) continue;
    double* z = vectors + static_cast<std::size_t>(done) * n;
    for (int k = 0; k < some; ++k)
      if (!twistedVector(h, values[done + k], z + static_cast<std::size_t>(k) * n, work)) return false;
  }
  for (int k = 0; k < count; ++k)
    if (!std::isfinite(values[k])) return false;
  if (!vectors) return true;
  if (!orthogonalise(n, count, vectors)) return false;
  for (int done = 0; done < count; done += kRow)
    applyReflectorsTo(h, std::min(kRow, count - done), vectors + static_cast<std::size_t>(done) * n);
  return true;
}

}  // namespace

// Products of the small matrices that Fock matrices are made of. Libraries copy ("pack") both factors into an
// order of their own first, which for these takes as long as half the product; here the left one is read
// where it is, by columns, into registers, and each element of the right one is spread over a register. Every
// element is summed in the order of the inner index: the same digits wherever a matrix lies.
namespace {

constexpr int kRegisters = kLanes == 8 ? 24 : 12;

/// Longest inner dimension: a strip of the left factor stays in the first-level cache.
constexpr int kLongestDepth = 400;

struct LeftFactor {
  const double* data;
  int ld;
};
struct RightFactor {
  const double* data;
  int row, column;  ///< distance from one row, one column to the next
};
struct ProductSum {
  double* data;
  int ld;
};

/// Loads and stores of whole registers.
struct AllLanes {
  static Lanes load(const double* from, int) { return *reinterpret_cast<const Lanes*>(from); }
  static void store(Lanes values, double* to, int) { *reinterpret_cast<Lanes*>(to) = values; }
};

/// Those of the first `count` < kLanes numbers of a register; the others are zero and stay where they are.
struct FirstLanes {
#if defined(__AVX512F__)
  static Lanes load(const double* from, int count) { return _mm512_maskz_loadu_pd(mask(count), from); }
  static void store(Lanes values, double* to, int count) { _mm512_mask_storeu_pd(to, mask(count), values); }
  static __mmask8 mask(int count) { return static_cast<__mmask8>((1u << count) - 1); }
#elif defined(__AVX__)
  static Lanes load(const double* from, int count) { return _mm256_maskload_pd(from, mask(count)); }
  static void store(Lanes values, double* to, int count) { _mm256_maskstore_pd(to, mask(count), values); }
  static __m256i mask(int count) {
    static constexpr std::int64_t kBits[8] = {-1, -1, -1, -1, 0, 0, 0, 0};
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kBits + kLanes - count));
  }
#else
  static Lanes load(const double* from, int) { return Lanes{from[0], 0.0}; }
  static void store(Lanes values, double* to, int) { to[0] = values[0]; }
#endif
};

/// `vectors` registers of rows times `columns` columns; of FirstLanes there are `lanes`.
template <class Access, int vectors, int columns>
void productBlock(LeftFactor a, RightFactor b, ProductSum c, int depth, bool add, int lanes) {
  Lanes sum[columns][vectors];
  for (int j = 0; j < columns; ++j) {
    for (int v = 0; v < vectors; ++v)
      sum[j][v] = add ? Access::load(c.data + j * c.ld + v * kLanes, lanes) : Lanes{};
  }
  for (int p = 0; p < depth; ++p) {
    Lanes left[vectors];
    for (int v = 0; v < vectors; ++v) left[v] = Access::load(a.data + p * a.ld + v * kLanes, lanes);
    for (int j = 0; j < columns; ++j) {
      const double right = b.data[p * b.row + j * b.column];
      for (int v = 0; v < vectors; ++v) sum[j][v] += left[v] * right;
    }
  }
  for (int j = 0; j < columns; ++j) {
    for (int v = 0; v < vectors; ++v) Access::store(sum[j][v], c.data + j * c.ld + v * kLanes, lanes);
  }
}

/// All columns for `vectors` registers of rows: in the widest blocks, then in narrower ones.
template <class Access, int vectors>
void productStrip(LeftFactor a, RightFactor b, ProductSum c, int n, int depth, bool add, int lanes = kLanes) {
  constexpr int kColumns = kRegisters / vectors;
  int j = 0;
  const auto at = [&](int first) { return RightFactor{b.data + first * b.column, b.row, b.column}; };
  const auto to = [&](int first) { return ProductSum{c.data + first * c.ld, c.ld}; };
  for (; j + kColumns <= n; j += kColumns)
    productBlock<Access, vectors, kColumns>(a, at(j), to(j), depth, add, lanes);
  if constexpr (kColumns > 8)
    for (; j + 8 <= n; j += 8) productBlock<Access, vectors, 8>(a, at(j), to(j), depth, add, lanes);
  if constexpr (kColumns > 4)
    for (; j + 4 <= n; j += 4) productBlock<Access, vectors, 4>(a, at(j), to(j), depth, add, lanes);
  for (; j + 2 <= n; j += 2) productBlock<Access, vectors, 2>(a, at(j), to(j), depth, add, lanes);
  for (; j < n; ++j) productBlock<Access, vectors, 1>(a, at(j), to(j), depth, add, lanes);
}

/// c (m x n) = a (m x depth) b (depth x n), or c += a b.
void addSmallProduct(LeftFactor a, RightFactor b, ProductSum c, int m, int n, int depth, bool add) {
  int i = 0;
  const auto from = [&](int first) { return LeftFactor{a.data + first, a.ld}; };
  const auto to = [&](int first) { return ProductSum{c.data + first, c.ld}; };
  // Three registers of rows, and four where just that many are left: the fewest loads for each
  // multiplication.
  for (; m - i >= 3 * kLanes && m - i != 4 * kLanes; i += 3 * kLanes)
    productStrip<AllLanes, 3>(from(i), b, to(i), n, depth, add);
  for (; m - i >= 4 * kLanes; i += 4 * kLanes) productStrip<AllLanes, 4>(from(i), b, to(i), n, depth, add);
  for (; m - i >= 2 * kLanes; i += 2 * kLanes) productStrip<AllLanes, 2>(from(i), b, to(i), n, depth, add);
  for (; m - i >= kLanes; i += kLanes) productStrip<AllLanes, 1>(from(i), b, to(i), n, depth, add);
  if (i < m) productStrip<FirstLanes, 1>(from(i), b, to(i), n, depth, add, m - i);
}

}  // namespace

namespace {

using Matrix = Eigen::MatrixXd;
using In = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;
using Out = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;

void product(bool aTransposed, bool bTransposed, int m, int n, int k, const double* a, int lda,
             const double* b, int ldb, double* c, int ldc, bool add) {
  if (!aTransposed && k <= kLongestDepth) {
    return addSmallProduct({a, lda}, {b, bTransposed ? ldb : 1, bTransposed ? 1 : ldb}, {c, ldc}, m, n, k,
                           add);
  }
  const In left(a, aTransposed ? k : m, aTransposed ? m : k, Eigen::OuterStride<>(lda));
  const In right(b, bTransposed ? n : k, bTransposed ? k : n, Eigen::OuterStride<>(ldb));
  Out out(c, m, n, Eigen::OuterStride<>(ldc));
  if (!add) out.setZero();
  // Eigen computes such small products element by element, in an order of summation that depends on where the
  // matrices lie in memory: the same calculation would not always have the same digits.
  if (m + n + k < 20) {
    for (int j = 0; j < n; ++j) {
      for (int p = 0; p < k; ++p) {
        const double factor = bTransposed ? right(j, p) : right(p, j);
        for (int i = 0; i < m; ++i) out(i, j) += (aTransposed ? left(p, i) : left(i, p)) * factor;
      }
    }
    return;
  }
  if (aTransposed) {
    out.noalias() += left.transpose() * right;
  } else if (bTransposed) {
    out.noalias() += left * right.transpose();
  } else {
    out.noalias() += left * right;
  }
}

void tridiagonalise(int n, double* a, double* d, double* e, double* tau) {
  Eigen::Map<Matrix> matrix(a, n, n);
  const Eigen::Tridiagonalization<Matrix> form(matrix);
  matrix = form.packedMatrix();
  Eigen::Map<Eigen::VectorXd>(d, n) = form.diagonal();
  if (n < 2) return;
  Eigen::Map<Eigen::VectorXd>(e, n - 1) = form.subDiagonal();
  Eigen::Map<Eigen::VectorXd>(tau, n - 1) = form.householderCoefficients();
}

// The matrices that threads allocate lie differently in every run. Copies of Eigen's own are aligned for its
// loops, so that the same calculation has the same digits.
void applyReflectors(int n, const double* a, const double* tau, int columns, double* c) {
  if (n < 2) return;
  const Matrix reflectors = Eigen::Map<const Matrix>(a, n, n);
  const Eigen::VectorXd factors = Eigen::Map<const Eigen::VectorXd>(tau, n - 1);
  Matrix out = Eigen::Map<Matrix>(c, n, columns);
  out.applyOnTheLeft(Eigen::householderSequence(reflectors, factors).setLength(n - 1).setShift(1));
  Eigen::Map<Matrix>(c, n, columns) = out;
}

bool cholesky(int n, double* a) {
  Matrix matrix = Eigen::Map<Matrix>(a, n, n);
  const bool positive = Eigen::LLT<Eigen::Ref<Matrix>>(matrix).info() == Eigen::Success;
  Eigen::Map<Matrix>(a, n, n) = matrix;
  return positive;
}

bool luFactors(int n, double* a, int* rowOf) {
  Matrix matrix = Eigen::Map<Matrix>(a, n, n);
  const Eigen::PartialPivLU<Eigen::Ref<Matrix>> lu(matrix);
  Eigen::Map<Matrix>(a, n, n) = matrix;
  Eigen::Map<Eigen::VectorXi>(rowOf, n) = lu.permutationP().indices();
  return n == 0 || matrix.diagonal().cwiseAbs().minCoeff() > 0;
}

void luSolve(int n, const double* a, const int* rowOf, int columns, double* b) {
  if (columns == 0) return;
  const Matrix factors = Eigen::Map<const Matrix>(a, n, n);
  const Eigen::PermutationMatrix<Eigen::Dynamic> rows(Eigen::Map<const Eigen::VectorXi>(rowOf, n));
  Matrix out = rows * Eigen::Map<const Matrix>(b, n, columns);
  factors.triangularView<Eigen::UnitLower>().solveInPlace(out);
  factors.triangularView<Eigen::Upper>().solveInPlace(out);
  Eigen::Map<Matrix>(b, n, columns) = out;
}

void addElementProducts(int size, int terms, const double* weights, const double* const* matrices,
                        int products, const double* const* sources, double* const* targets) {
  constexpr int kBlock = 256;  // elements, of which everything stays in the nearest cache
  double sum[kBlock];
  for (int first = 0; first < size; first += kBlock) {
    const int count = std::min(kBlock, size - first);
    for (int i = 0; i < count; ++i) sum[i] = 0;
    for (int m = 0; m < terms; ++m) {
      const double weight = weights[m];
      const double* const matrix = matrices[m] + first;
      for (int i = 0; i < count; ++i) sum[i] += weight * matrix[i];
    }
    for (int t = 0; t < products; ++t) {
      const double* const source = sources[t] + first;
      double* const __restrict target = targets[t] + first;
      for (int i = 0; i < count; ++i) target[i] += sum[i] * source[i];
    }
  }
}

}  // namespace

#if PROPHET_LEVEL == 3
#define PROPHET_KERNELS kKernelsV3
constexpr const char* kLevelName = "x86-64-v3";
#elif PROPHET_LEVEL == 4
#define PROPHET_KERNELS kKernelsV4
constexpr const char* kLevelName = "x86-64-v4";
#else
#define PROPHET_KERNELS kBaselineKernels
constexpr const char* kLevelName = "baseline";
#endif
const DenseKernels PROPHET_KERNELS = {kLevelName, product, tridiagonalise, applyReflectors,   cholesky,
                                      luFactors,  luSolve, eigenpairs,     addElementProducts};
#undef PROPHET_KERNELS

#ifndef PROPHET_LEVEL
#if defined(__x86_64__)
bool supportsV3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}
bool supportsV4() {
  return supportsV3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512cd");
}

const DenseKernels& denseKernels() {
  static const DenseKernels& best = supportsV4() ? kKernelsV4 : supportsV3() ? kKernelsV3 : kBaselineKernels;
  return best;
}
#else
bool supportsV3() { return false; }
bool supportsV4() { return false; }
const DenseKernels& denseKernels() { return kBaselineKernels; }
#endif
#endif

}  // namespace prophet
