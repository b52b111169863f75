#pragma once
#include <cuda_runtime_api.h>

#include "core/mesh/nufft.hpp"
#include "matter/shape/q_grid.hpp"

namespace prophet::cuda {

template <class T>
struct ComplexOf;
template <>
struct ComplexOf<float> {
  using Type = float2;
};
template <>
struct ComplexOf<double> {
  using Type = double2;
};
/// Complex numbers of the precision T.
template <class T>
using Complex = typename ComplexOf<T>::Type;

/// A triangle of a surface: its centre, and area times normal; angstrom.
template <class T>
struct Element {
  T x, y, z, nx, ny, nz;
};

/// Equidistant momenta, 1/angstrom.
struct DeviceAxis {
  double start, step;
  int count;
  __host__ __device__ double operator[](int i) const { return start + i * step; }
};
struct DeviceGrid {
  DeviceAxis x, y, z;
  __host__ __device__ long long size() const { return 1LL * x.count * y.count * z.count; }
};

/// Momenta number 0, 1, ...: points of a grid from number `first` on, or where `list` is set those.
struct Momenta {
  DeviceGrid grid;
  long long first;
  const double3* list;
  int count;

  __device__ double3 operator[](long long i) const {
    if (list) return list[i];
    i += first;
    const int z = static_cast<int>(i % grid.z.count);
    i /= grid.z.count;
    return {grid.x[static_cast<int>(i / grid.y.count)], grid.y[static_cast<int>(i % grid.y.count)],
            grid.z[z]};
  }
};

/// sums[i] += sum over triangles of (q_i.n) s exp(i q_i.r): terms in the precision T, added up in double
/// precision for each tile of triangles in shared memory. `elements`: centres over 2 pi.
template <class T>
void launchSum(const Element<T>* elements, int count, const Momenta& q, double2* sums, cudaStream_t stream);

/// What turns the sums into F: for each q 1/(i q^2) and the phase of the `centre` that triangles were taken
/// from. Momenta with |q| radius < 2 lose digits that way: their numbers go into `longWaves`, how many those
/// are into *found (cleared before).
void launchFinish(const Momenta& q, double3 centre, double radius, double2* sums, int* longWaves, int* found,
                  cudaStream_t stream);
/// Sums these anew with exp - 1 instead of exp, in double precision. `elements`: centres in angstrom from
/// `centre`.
void launchLongWaves(const Element<double>* elements, int count, const Momenta& q, double3 centre,
                     const int* longWaves, const int* found, double2* sums, cudaStream_t stream);

/// Numbers of a triangle on the host: area, normal, centre.
inline constexpr int kSurfaceNumbers = 7;
/// Triangles as the host has them to what the kernels take.
void launchCentring(const double* given, int count, double3 centre, Element<double>* elements,
                    cudaStream_t stream);
/// Centres over 2 pi.
template <class T>
void launchTurns(const Element<double>* elements, int count, Element<T>* turns, cudaStream_t stream);

/// A sum over triangles at the points of a grid as products of real matrices. The axis `a` of the grid with
/// the most points makes the rows: around its middle q = middle + kappa, with kappa and -kappa in pairs. With
/// c = cos(kappa r_a), s = sin(kappa r_a), R = exp(i middle r_a) exp(i q_b r_b) exp(i q_c r_c), A = (middle
/// n_a + q_b n_b + q_c n_c) R and B = n_a R the sums at both are even + i odd and even - i odd,
///   even = sum c A + kappa s (i B),   odd = sum s A - kappa c (i B),
/// so that for every point and triangle eight operations are left, which real products of matrices do.
struct GridAxes {
  DeviceAxis a, b, c;
  int along[3];  ///< which of x, y, z each of them is

  __host__ __device__ double middle() const { return a.start + 0.5 * (a.count - 1) * a.step; }
  __host__ __device__ int evenRows() const { return (a.count + 1) / 2; }
  /// kappa of a pair of rows.
  __host__ __device__ double kappa(int pair) const { return (pair + 0.5 * (1 - a.count % 2)) * a.step; }
};
/// exp(i q r) of each value of an axis, and each of `count` elements: table[value * count + element], times
/// exp(i middle r) of the axis `other`.
void launchPhases(const Element<double>* elements, int count, const DeviceAxis& axis, int along,
                  double middle, int other, double2* table, cudaStream_t stream);
/// The rows: left[row * 2 count + k], all even ones first, then the odd ones; k: cosines, then sines.
void launchLeft(const Element<double>* elements, int count, const GridAxes& grid, double* left,
                cudaStream_t stream);
/// Columns number `first` ... (b is the slower one of b, c): right[column * 4 count + ...], the real parts of
/// A and i B, then the imaginary ones. `pb`, `pc`: tables of launchPhases.
void launchRight(const Element<double>* elements, int count, const GridAxes& grid, const double2* pb,
                 const double2* pc, long long first, int columns, double* right, cudaStream_t stream);
/// From products[column * 2 rows + ...], real, then imaginary parts, to the sums at the points in the order
/// of the grid.
void launchUnpair(const double* products, const GridAxes& grid, double2* sums, cudaStream_t stream);

/// Pixels of a tile of rows.
inline constexpr int kRowPixels = 64;
/// Numbers of partial sums for a tile.
inline constexpr int kRowNumbers = kRowPixels * 2 * QRows::kMostWaves;
/// Momenta of pixels in rows (QRows): `tiles` of up to kRowPixels, qx and qy of each pixel, and q_z of each
/// row with its waves, one after the other.
struct RowMomenta {
  const RowTile* tiles;
  int tileCount;
  const double2* along;
  const double2* z;
  int waves;
};
/// How many shares triangles are cut into, so that the device is full, however few tiles there are.
int rowSlices(int count, int tiles);
/// partial[(slice * tiles + tile) * kRowNumbers + ...], written: sums of exp(i q_par.r) (a U + V), pixel by
/// pixel with its waves.
void launchRows(const Element<double>* elements, int count, const RowMomenta& q, int slices, double* partial,
                cudaStream_t stream);
/// F of each pixel with its waves from these. `area`: the sum of area times normal.
void launchFinishRows(const RowMomenta& q, int slices, double3 centre, double3 area, const double* partial,
                      double2* f, cudaStream_t stream);

/// A transform to the modes of a grid: number k of an axis is q = middle + k step.
struct TransformPlan {
  ExpSqrtKernel kernel;
  int3 mesh;
  double3 middle, step;
  const double *cx, *cy, *cz;  ///< kernelCorrection along each axis
};
/// Places on the mesh, and for each component of the normal strengths: `strengths` + count for y, + 2 count
/// for z; of the elements order[0], order[1], ..., or where there is no order in theirs.
template <class T>
void launchPlaces(const Element<double>* elements, const int* order, int count, const TransformPlan& plan,
                  double3* places, Complex<T>* strengths, cudaStream_t stream);
/// Onto a mesh that is clear, the simple kernel: one thread for a line of points, atomic additions.
template <class T>
void launchSpreadKernel(const double3* places, const Complex<T>* strengths, int count,
                        const TransformPlan& plan, Complex<T>* mesh, cudaStream_t stream);

/// Mesh points one after the other that a thread of launchSpreadBins owns, and points that it does at a time.
inline constexpr int kBinRun = 4, kBinBatch = 32;
/// The number of a bin, z fastest.
using BinKey = unsigned long long;
/// The mesh in bins: the kernels of all points that begin in one of them (their first mesh points lie there)
/// touch `reach` mesh points along each axis, a multiple of kBinRun along z.
struct SpreadBins {
  int3 edge, count, reach;
};
SpreadBins binsOf(const TransformPlan& plan);
/// The bin of each element, and its number.
void launchBins(const Element<double>* elements, int count, const TransformPlan& plan, const SpreadBins& bins,
                BinKey* keys, int* numbers, cudaStream_t stream);
/// Sorts them; returns how many bytes of room that takes, and without room does nothing else.
std::size_t sortByBin(void* room, std::size_t bytes, const BinKey* keys, BinKey* sortedKeys,
                      const int* numbers, int* order, int count, const SpreadBins& bins, cudaStream_t stream);
/// Onto a mesh that is clear, points sorted by bins: what the points of a bin give is summed in registers,
/// and added to the mesh once. (cuFINUFFT sums in shared memory: Y.-h. Shih et al., IPDPSW 2021,
/// arXiv:2102.08463.)
template <class T>
void launchSpreadBins(const double3* places, const Complex<T>* strengths, const BinKey* keys, int count,
                      const TransformPlan& plan, const SpreadBins& bins, Complex<T>* mesh,
                      cudaStream_t stream);
/// sums += q_axis times the corrected modes.
template <class T>
void launchCollect(const Complex<T>* mesh, const TransformPlan& plan, const DeviceGrid& grid, int axis,
                   double2* sums, cudaStream_t stream);

}  // namespace prophet::cuda
