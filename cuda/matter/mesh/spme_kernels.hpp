#pragma once
#include <cufft.h>

#include <limits>

#include "core/mesh/bspline.hpp"

namespace prophet::cuda {

/// A vector and a number, read in two loads.
struct alignas(32) Quad {
  double x, y, z, w;
};

/// Sums over charges, of a thread, a block or all.
struct ChargeTotals {
  double sums[7] = {};                                       ///< energy; xx, yy, zz, xy, xz, yz of the virial
  double squared = std::numeric_limits<double>::infinity();  ///< of the smallest distance
};
/// Blocks of the kernels that have as many for any size.
inline constexpr int kTotalBlocks = 1024;
/// Adds up those of blocks, always in the same order.
void launchTotals(const ChargeTotals* blocks, int count, ChargeTotals* all, cudaStream_t stream);

/// A cell with its bins and its mesh.
struct CellFrame {
  double3 a, b, c;     ///< its vectors
  double3 ra, rb, rc;  ///< rows of the inverse of the matrix whose columns they are
  int3 bins, range;    ///< as CellBins
  int3 n;              ///< points of the mesh

  int binCount() const { return bins.x * bins.y * bins.z; }
};

/// Bin of each site, and the sites' numbers 0, 1, ..., both to be sorted by the bins.
void launchBins(const CellFrame& cell, const double3* positions, int count, int* bins, int* numbers,
                cudaStream_t stream);
/// Sites in the order of `numbers`: place in the cell and charge, and the place on the mesh in units of the
/// spacings, in [0, n), with the charge.
void launchArrange(const CellFrame& cell, const double3* positions, const double* charges, const int* numbers,
                   int count, Quad* sites, Quad* onMesh, cudaStream_t stream);
/// The first site of each of binCount() bins, and their number behind it. `bins`: of each site, sorted.
void launchStarts(const int* bins, int count, int binCount, int* start, cudaStream_t stream);

/// Particles on a periodic mesh of n points: places in units of the spacings, in [0, n), and charges.
struct MeshParticles {
  const Quad* places;
  int count;
  int3 n;
};

/// One particle a cell, or -1, and a list of those whose cell was taken.
struct CellOwners {
  const int* owner;
  const int* rest;
  const int* restCount;
};

/// One thread for a line of order points, with atomic additions; the mesh is cleared first.
void launchSpread(const MeshParticles& p, int order, double* mesh, cudaStream_t stream);
/// One thread for each point of the mesh, and the particles of the list by atomic additions: the hybrid of
/// P. Mühlbauer's thesis (2014), section 4.2. `splines`: room for 3 * order numbers for each particle.
void launchGather(const MeshParticles& p, const CellOwners& cells, int order, double* splines, double* mesh,
                  cudaStream_t stream);
/// Along the three axes, from `mesh` by `other` and back into `mesh`. `weights`: on the device, g_0 ...
/// g_reach.
void launchFilter(int3 n, const double* weights, int reach, double* mesh, double* other, cudaStream_t stream);
/// `owner`: each cell's, -1 before; `restCount`: 0 before.
void launchOwners(const MeshParticles& p, int* owner, int* rest, int* restCount, cudaStream_t stream);
/// Gradients for each spacing, and potentials.
void launchInterpolate(const MeshParticles& p, int order, const double* mesh, Quad* gradients,
                       cudaStream_t stream);

/// What the sum over pairs needs.
struct PairSites {
  CellFrame cell;
  const Quad* sites;  ///< by bins
  const int* bins;    ///< of each site
  const int* start;   ///< of each bin
  int count;
  int parts;  ///< threads that share the neighbours of a site
};
/// Images along each vector that launchPairs can tell apart.
inline constexpr int kMostPairImages = 511;
inline constexpr int kMostPairParts = 16;
/// Threads of a block, one for each site.
inline constexpr int kPairThreads = 128;
inline int pairBlocks(int sites) { return (sites + kPairThreads - 1) / kPairThreads; }
/// Fields and potentials of the pairs within the cutoff, `count` of each part after the other. `totals`: of
/// pairBlocks() * parts blocks; without energies.
void launchPairs(const PairSites& s, double beta, double cutoff, Quad* fields, ChargeTotals* totals,
                 cudaStream_t stream);

/// Modes of a mesh of n points: k = m_x kx + m_y ky + m_z kz.
struct ModeFactors {
  int3 n;
  double3 kx, ky, kz;
  double scale;                ///< 4 pi/V
  double damping;              ///< 1/(4 beta^2)
  const double *wx, *wy, *wz;  ///< inverseSpectrum along each axis
};
/// Turns the charges' modes into those of the potential. `totals`: of kTotalBlocks blocks, virials alone.
void launchInfluence(const ModeFactors& f, double2* modes, ChargeTotals* totals, cudaStream_t stream);

/// What makes the sums at the sites of those of mesh and pairs.
struct SiteSums {
  double3 rx, ry, rz;  ///< rows of the matrix that makes gradients in space of those for each spacing
  double self, background;
  const Quad* sites;
  const int* numbers;  ///< the sites' in the caller's order
  int count;
  const Quad* gradients;
  const Quad* pairs;  ///< of launchPairs
  int parts;
};
/// `totals`: of kTotalBlocks blocks, energies alone.
void launchSites(const SiteSums& s, double* potentials, double3* fields, ChargeTotals* totals,
                 cudaStream_t stream);

}  // namespace prophet::cuda
