#pragma once
#include <cufft.h>

#include "core/mesh/bspline.hpp"

namespace prophet::cuda {

/// Particles on a periodic mesh of n points: u in units of the spacings, in [0, n).
struct MeshParticles {
  const double3* u;
  const double* charges;
  int count;
  int3 n;
};

/// Particles by mesh cells, for gathering: those of cell c are order[start[c]] ... order[start[c+1] - 1].
struct CellLists {
  const int* start;
  const int* order;
};

/// One thread for a line of order points, with atomic additions; the mesh is cleared first.
void launchSpread(const MeshParticles& p, int order, double* mesh, cudaStream_t stream);
/// One thread for each point of the mesh.
void launchGather(const MeshParticles& p, const CellLists& cells, int order, double* mesh,
                  cudaStream_t stream);
/// Along the three axes, from `mesh` by `other` and back into `mesh`. `weights`: on the device, g_0 ...
/// g_reach.
void launchFilter(int3 n, const double* weights, int reach, double* mesh, double* other, cudaStream_t stream);
/// Cell of each particle, and how many there are in each (cleared before).
void launchCells(const MeshParticles& p, int* cellOf, int* counts, cudaStream_t stream);
/// Potentials, and gradients for each spacing.
void launchInterpolate(const MeshParticles& p, int order, const double* mesh, double* potentials,
                       double3* gradients, cudaStream_t stream);

struct alignas(32) Site {
  double x, y, z, w;  ///< bohr, and the charge
};

/// Sites by bins of a cell, in the order of the bins.
struct PairSites {
  const Site* sites;
  const int* start;   ///< of each bin
  const int* number;  ///< of each site in the caller's order
  int count;
  int3 bins, range;
  double3 a, b, c;  ///< the cell's vectors
};
/// Blocks of launchPairs.
int pairBlocks(int sites);
/// Adds the sum over pairs within the cutoff to potentials and fields (in the caller's order). `virial`: xx,
/// yy, zz, xy, xz, yz of each block.
void launchPairs(const PairSites& s, double beta, double cutoff, double* potentials, double3* fields,
                 double* virial, cudaStream_t stream);

/// Modes of a mesh of n points: k = m_x kx + m_y ky + m_z kz.
struct ModeFactors {
  int3 n;
  double3 kx, ky, kz;
  double scale;                ///< 4 pi/V
  double damping;              ///< 1/(4 beta^2)
  const double *wx, *wy, *wz;  ///< inverseSpectrum along each axis
};
inline constexpr int kModeBlocks = 1024;
/// Turns the charges' modes into those of the potential. `sums`: energy and the six of the virial (as above)
/// of each of kModeBlocks blocks.
void launchInfluence(const ModeFactors& f, double2* modes, double* sums, cudaStream_t stream);

}  // namespace prophet::cuda
