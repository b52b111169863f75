#include "atoms/integrals/radial.hpp"
#include "cuda/atoms/batch/device_helpers.cuh"
#include "cuda/atoms/batch/primitive_functions.cuh"
#include "cuda/atoms/batch/shared_memory.hpp"
#include "cuda/atoms/frozen/trial_view.hpp"
#include "cuda/core/common/check.hpp"

/// The Fock matrix of a trial in its orthonormal basis, one block for each trial: FieldTable::measure up to
/// the eigenproblem.
namespace prophet::cuda::frozen {
namespace {

using batch::primitiveOf;

constexpr int kThreads = 256, kHalf = kThreads / 2;
constexpr int kPoints = ExponentNodes::kPoints;
constexpr int kStrip = 8;  ///< columns of a table that are interpolated together

/// Shared memory of a block: matrices n x n by rows, and strips of interpolated columns.
struct Space {
  double *xLarge, *xSmall, *uSmall, *block, *work, *weights, *slopes, *strip;

  __device__ Space(double* base, int n) {
    const int square = n * n;
    xLarge = base;
    xSmall = xLarge + square;
    uSmall = xSmall + square;
    block = uSmall + square;
    work = block + square;
    weights = work + square;
    slopes = weights + kPoints * n;
    strip = slopes + kPoints * n;
  }
  static std::size_t bytes(int n, int nodes) {
    return sizeof(double) *
           (5 * static_cast<std::size_t>(n) * n + 2 * kPoints * n + kStrip * static_cast<std::size_t>(nodes));
  }
};

/// Cholesky factors U, U^T U = u, of two n x n matrices (upper triangles), each by half of the block. False
/// (in every thread) unless both are positive definite.
__device__ bool choleskyOfBoth(double* first, double* second, int n) {
  double* u = threadIdx.x < kHalf ? first : second;
  const int lane = threadIdx.x % kHalf;
  for (int k = 0; k < n; ++k) {
    const double pivot = u[k * n + k];
    if (!__syncthreads_and(pivot > 0.0)) return false;
    const double root = sqrt(pivot);
    for (int j = k + lane; j < n; j += kHalf) u[k * n + j] = j == k ? root : u[k * n + j] / root;
    __syncthreads();
    const int rest = n - k - 1;
    for (int e = lane; e < rest * rest; e += kHalf) {
      const int i = k + 1 + e / rest, j = k + 1 + e % rest;
      if (j >= i) u[i * n + j] -= u[k * n + i] * u[k * n + j];
    }
    __syncthreads();
  }
  return true;
}

/// x = u^-1 (both upper triangular) of two matrices, a column for each thread of a half; returns the larger
/// squared norm of the two inverses.
__device__ double invertBoth(const double* firstU, const double* secondU, int n, double* firstX,
                             double* secondX, double* scratch) {
  const bool isFirst = threadIdx.x < kHalf;
  const double* u = isFirst ? firstU : secondU;
  double* x = isFirst ? firstX : secondX;
  double norm = 0.0;
  for (int j = threadIdx.x % kHalf; j < n; j += kHalf) {
    for (int i = n - 1; i >= 0; --i) {
      double sum = i == j ? 1.0 : 0.0;
      for (int k = i + 1; k <= j; ++k) sum -= u[i * n + k] * x[k * n + j];
      const double value = i > j ? 0.0 : sum / u[i * n + i];
      x[i * n + j] = value;
      norm += value * value;
    }
  }
  const double first = blockSum(isFirst ? norm : 0.0, scratch);
  return fmax(first, blockSum(isFirst ? 0.0 : norm, scratch));
}

/// matrix over the functions (n x n by rows) from a table over the nodes, of which they use `rows` from
/// `first` on, and unless `moved` is nullptr that between the derivatives of the functions (rows) and the
/// functions, by columns. `matrix` may be nullptr.
__device__ void interpolate(const double* __restrict__ table, int nodes, const Space& s, const int* start,
                            int n, int first, int rows, double* matrix, double* moved) {
  for (int q0 = 0; q0 < n; q0 += kStrip) {
    const int columns = min(kStrip, n - q0);
    __syncthreads();
    for (int e = threadIdx.x; e < rows * columns; e += kThreads) {
      const int row = e % rows, q = q0 + e / rows;
      const double* from = table + static_cast<long long>(start[q]) * nodes + first + row;
      double sum = 0.0;
#pragma unroll
      for (int j = 0; j < kPoints; ++j)
        sum += s.weights[q * kPoints + j] * from[static_cast<long long>(j) * nodes];
      s.strip[e] = sum;
    }
    __syncthreads();
    for (int e = threadIdx.x; e < n * columns; e += kThreads) {
      const int column = e / n, p = e % n;
      const double* from = s.strip + column * rows + start[p] - first;
      if (matrix) {
        double sum = 0.0;
#pragma unroll
        for (int j = 0; j < kPoints; ++j) sum += s.weights[p * kPoints + j] * from[j];
        matrix[p * n + q0 + column] = sum;
      }
      if (moved) {
        double sum = 0.0;
#pragma unroll
        for (int j = 0; j < kPoints; ++j) sum += s.slopes[p * kPoints + j] * from[j];
        moved[(q0 + column) * n + p] = sum;
      }
    }
  }
  __syncthreads();
}

__device__ double attraction(const TableView& t, const PairDistribution& d) {
  double sum = 0.0;
  for (int i = 0; i < d.count; ++i)
    sum += d.coefficient[i] * radial::attraction(t.attraction, d.power + 2 * i, d.zeta);
  return -t.charge * sum;
}

/// sum_(i < count) c_i r^(power + 2 i) exp(-zeta r^2), a component of a function or of its derivative.
struct Terms {
  int power, count;
  double c[3];
};

__device__ Terms functionTerms(const Primitive& f, int l, bool large) {
  if (large) return {l + 1, 1, {f.norm, 0.0, 0.0}};
  if (f.small0 == 0.0) return {l + 2, 1, {f.small2, 0.0, 0.0}};
  return {l, 2, {f.small0, f.small2, 0.0}};
}

/// With respect to ln zeta: integrals/exponent_derivatives.cpp.
__device__ Terms derivativeTerms(const Primitive& f, int l, bool large) {
  if (large) return {l + 1, 2, {0.25 * (2 * l + 3) * f.norm, -f.zeta * f.norm, 0.0}};
  const double rise = 0.25 * (2 * l + 5) * f.small2;
  if (f.small0 == 0.0) return {l + 2, 2, {rise, -f.zeta * f.small2, 0.0}};
  return {l, 3, {0.25 * (2 * l + 1) * f.small0, rise - f.zeta * f.small0, -f.zeta * f.small2}};
}

__device__ double attractionBetween(const TableView& t, const Terms& f, const Terms& g, double zeta) {
  double sum = 0.0;
  for (int i = 0; i < f.count; ++i) {
    for (int j = 0; j < g.count; ++j) {
      const PairDistribution d{zeta, f.power + g.power + 2 * (i + j), 1, {f.c[i] * g.c[j], 0.0, 0.0}};
      sum += attraction(t, d);
    }
  }
  return sum;
}

/// What slopes need beside the field: the nucleus, kinetic energy, rest mass and overlaps, between the
/// derivative of function p and function q.
__device__ void completeMoved(const TableView& t, const double* exponents, int n, double* moved) {
  const int l = t.symmetry.l(), square = n * n;
  for (int e = threadIdx.x; e < square; e += kThreads) {
    const int q = e / n, p = e % n;
    const double a = exponents[p], b = exponents[q], ratio = 2.0 * sqrt(a * b) / (a + b),
                 slope = 0.5 * (b - a) / (a + b);
    const double small = radial::halfPower(ratio, 2 * l + 5), ofSmall = small * (l + 2.5) * slope,
                 ofLarge = radial::halfPower(ratio, 2 * l + 3) * (l + 1.5) * slope;
    const Primitive f = primitiveOf(t.symmetry, a), g = primitiveOf(t.symmetry, b);
    moved[kMovedLL * square + e] +=
        attractionBetween(t, derivativeTerms(f, l, true), functionTerms(g, l, true), a + b);
    moved[kMovedSS * square + e] +=
        attractionBetween(t, derivativeTerms(f, l, false), functionTerms(g, l, false), a + b) -
        2.0 * t.c * t.c * ofSmall;
    moved[kMovedLS * square + e] += t.c * sqrt((2 * l + 3) * a) * (ofSmall + 0.5 * small);
    moved[kMovedSL * square + e] += t.c * sqrt((2 * l + 3) * b) * ofSmall;
    moved[kMovedLarge * square + e] = ofLarge;
    moved[kMovedSmall * square + e] = ofSmall;
  }
}

/// Adds the attraction by the nucleus.
__device__ void addNuclear(const TableView& t, const double* exponents, int component, int n,
                           double* matrix) {
  const int l = t.symmetry.l();
  for (int e = threadIdx.x; e < n * n; e += kThreads) {
    const Primitive f = primitiveOf(t.symmetry, exponents[e / n]),
                    g = primitiveOf(t.symmetry, exponents[e % n]);
    matrix[e] += attraction(t, component == 0 ? largePair(f, l, g, l) : smallPair(f, l, g, l));
  }
  __syncthreads();
}

/// work = matrix right, right upper triangular.
__device__ void timesUpper(const double* matrix, const double* right, int n, double* work) {
  for (int e = threadIdx.x; e < n * n; e += kThreads) {
    const int p = e / n, q = e % n;
    double sum = 0.0;
    for (int k = 0; k <= q; ++k) sum += matrix[p * n + k] * right[k * n + q];
    work[e] = sum;
  }
  __syncthreads();
}

/// Element (p, q) of left^T work, left upper triangular.
__device__ double fromLeft(const double* left, const double* work, int n, int p, int q) {
  double sum = 0.0;
  for (int k = 0; k <= p; ++k) sum += left[k * n + p] * work[k * n + q];
  return sum;
}

/// c (d/dr + kappa/r) between small function q and large function p.
__device__ double kinetic(const TableView& t, const double* exponents, const Space& s, int n, int q, int p) {
  double sum = 0.0;
  for (int r = q; r <= p; ++r)
    sum += s.uSmall[q * n + r] * sqrt((2 * t.symmetry.l() + 3) * exponents[r]) * s.xLarge[r * n + p];
  return t.c * sum;
}

__global__ void __launch_bounds__(kThreads) placeTrials(BatchView v) {
  extern __shared__ double shared[];
  __shared__ double scratch[33];
  __shared__ int start[kMostFunctions];
  __shared__ double exponents[kMostFunctions];
  const TrialInput& input = v.trials[blockIdx.x];
  const TableView& t = input.table;
  const int n = input.functions, size = 2 * n;
  for (int p = threadIdx.x; p < n; p += kThreads) exponents[p] = input.exponents[p];
  __syncthreads();
  const Space s(shared, n);
  for (int p = threadIdx.x; p < n; p += kThreads)
    start[p] =
        t.nodes.stencil(exponents[p], s.weights + p * kPoints, v.slopes ? s.slopes + p * kPoints : nullptr);

  // Overlaps into `block` (large) and uSmall.
  const int l = t.symmetry.l();
  for (int e = threadIdx.x; e < n * n; e += kThreads) {
    const double f = exponents[e / n], g = exponents[e % n], overlap = 2.0 * sqrt(f * g) / (f + g);
    s.block[e] = radial::halfPower(overlap, 2 * l + 3);
    s.uSmall[e] = radial::halfPower(overlap, 2 * l + 5);
  }
  __syncthreads();
  bool good = choleskyOfBoth(s.block, s.uSmall, n);
  good = good && invertBoth(s.block, s.uSmall, n, s.xLarge, s.xSmall, scratch) < 1.0 / t.dependencyThreshold;
  if (threadIdx.x == 0)
    v.status[blockIdx.x] = static_cast<int>(good ? TrialStatus::Measured : TrialStatus::Dependent);
  if (!good) return;
  __syncthreads();

  int first = start[0], last = start[0];
  for (int p = 1; p < n; ++p) {
    first = min(first, start[p]);
    last = max(last, start[p]);
  }
  const int rows = last + kPoints - first;
  double* fock = v.fock + blockIdx.x * v.fockSize();
  double* x = v.x + blockIdx.x * v.xSize();
  double* moved = v.slopes ? v.s.moved + blockIdx.x * v.movedSize() : nullptr;
  for (int e = threadIdx.x; e < n * n; e += kThreads) {
    x[e] = s.xLarge[e];
    x[n * n + e] = s.xSmall[e];
  }
  for (int component = 0; component < 2; ++component) {
    interpolate(component == 0 ? t.LL : t.SS, t.nodes.count, s, start, n, first, rows, s.block,
                moved ? moved + (component == 0 ? kMovedLL : kMovedSS) * n * n : nullptr);
    addNuclear(t, exponents, component, n, s.block);
    const double* own = component == 0 ? s.xLarge : s.xSmall;
    timesUpper(s.block, own, n, s.work);
    const int offset = component == 0 ? n : 0;
    for (int e = threadIdx.x; e < n * n; e += kThreads) {
      const int p = e / n, q = e % n;
      const double rest = component == 1 && p == q ? -2.0 * t.c * t.c : 0.0;
      fock[(offset + p) * size + offset + q] = fromLeft(own, s.work, n, p, q) + rest;
    }
    __syncthreads();
  }
  interpolate(t.LS, t.nodes.count, s, start, n, first, rows, s.block,
              moved ? moved + kMovedLS * n * n : nullptr);
  timesUpper(s.block, s.xSmall, n, s.work);
  for (int e = threadIdx.x; e < n * n; e += kThreads) {
    const int p = e / n, q = e % n;  // large, small
    const double element = fromLeft(s.xLarge, s.work, n, p, q) + kinetic(t, exponents, s, n, q, p);
    fock[(n + p) * size + q] = element;
    fock[q * size + n + p] = element;
  }
  if (!moved) return;
  interpolate(t.SL, t.nodes.count, s, start, n, first, rows, nullptr, moved + kMovedSL * n * n);
  completeMoved(t, exponents, n, moved);
}

}  // namespace

std::size_t sharedBytesFor(int functions, int nodes) {
  // What the kernel declares itself.
  constexpr std::size_t kDeclared = 33 * sizeof(double) + kMostFunctions * (sizeof(int) + sizeof(double));
  return Space::bytes(functions, nodes) + kDeclared;
}

void launchPlace(const BatchView& v, cudaStream_t stream) {
  const std::size_t bytes = Space::bytes(v.mostFunctions, v.mostNodes);
  batch::allowSharedMemory(placeTrials, static_cast<int>(bytes));
  placeTrials<<<static_cast<unsigned>(v.count), kThreads, bytes, stream>>>(v);
  PROPHET_CUDA_CHECK_LAUNCH();
}

}  // namespace prophet::cuda::frozen
