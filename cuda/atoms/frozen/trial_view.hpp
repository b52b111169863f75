#pragma once
#include <cuda_runtime_api.h>

#include "atoms/atom/nucleus.hpp"
#include "atoms/atom/symmetry.hpp"
#include "atoms/frozen/exponent_stencil.hpp"

namespace prophet::cuda::frozen {

constexpr int kMostFunctions = 64, kMostOccupied = 8, kMostNegatives = 128;

/// A FieldTable in device memory. Matrices by columns.
struct TableView {
  Symmetry symmetry;
  ExponentNodes nodes;
  int negatives, occupied;
  double c, dependencyThreshold, charge;
  NuclearAttraction attraction;
  const double *LL, *SS, *LS, *SL;              ///< nodes x nodes; SL: the transpose of LS
  const double *negativeLarge, *negativeSmall;  ///< negatives x nodes
  const double *negativeEnergies, *occupation, *energies;
};

struct TrialInput {
  TableView table;
  int functions;
  double exponents[kMostFunctions];
};

/// Measured, or left to the host: functions near dependence; an eigenvector not found at once.
enum class TrialStatus : int { Measured, Dependent, NotFound };

struct TrialResult {
  double rise, prolapse;
  int status;
};

/// Derivatives with respect to ln zeta of each exponent.
struct TrialSlopes {
  double ofRise[kMostFunctions], ofProlapse[kMostFunctions];
};

/// What slopes need of a trial, in device memory; components: small, large.
struct SlopesView {
  /// [trial][matrix]: matrices of derivatives of functions p (kMoved...) by columns q n + p: with a function
  /// of the same component or the other one, of F and, last, of the overlap.
  double* moved;
  double* overlaps;  ///< [trial][occupied][kMostNegatives]: with negative-energy solutions
  double* pulls;     ///< [trial][value, slope][component][occupied][function]: <g_p|a_i>, and its derivative
  double* lambda;    ///< [trial][occupied]: as the vectors
  double* along;     ///< [trial][occupied]: <a_i|i>
  TrialSlopes* results;
};
enum Moved { kMovedLL, kMovedLS, kMovedSL, kMovedSS, kMovedLarge, kMovedSmall, kMovedMatrices };

/// A batch of trials of one kind in device memory. With n the functions of a trial:
struct BatchView {
  const TrialInput* trials;
  int count;          ///< trials
  int mostFunctions;  ///< of any of them
  int mostNodes;      ///< of any table
  double* fock;       ///< [trial]: F in the orthonormal basis, 2n x 2n, small functions first
  double* x;        ///< [trial]: orthonormal large functions over primitives, n x n by rows, then small ones
  double* vectors;  ///< [trial][occupied]: the small components, then the large ones, in that basis
  double* values;   ///< [trial][occupied]: their eigenvalues
  int* status;      ///< [trial]: TrialStatus
  TrialResult* results;  ///< [trial]
  bool slopes;           ///< whether what follows is there and wanted
  SlopesView s;

  __host__ __device__ long long movedSize() const {
    return static_cast<long long>(kMovedMatrices) * mostFunctions * mostFunctions;
  }
  __host__ __device__ long long pullSize() const { return 4LL * kMostOccupied * mostFunctions; }
  __host__ __device__ long long fockSize() const { return 4LL * mostFunctions * mostFunctions; }
  __host__ __device__ long long xSize() const { return 2LL * mostFunctions * mostFunctions; }
  __host__ __device__ long long vectorSize() const { return 2LL * mostFunctions * kMostOccupied; }
};

/// Shared memory that the largest of the kernels takes of a block, for trials of so many functions in tables
/// of so many nodes, bytes.
std::size_t sharedBytesFor(int functions, int nodes);

/// The Fock matrix of every trial; sets its status.
void launchPlace(const BatchView& v, cudaStream_t stream);
/// Its occupied eigenvectors. `slices`: (2n + 31)/32, the same for all trials.
void launchEigenvectors(const BatchView& v, int slices, cudaStream_t stream);
/// What remains: rise and prolapse.
void launchProlapse(const BatchView& v, cudaStream_t stream);
/// And then the slopes.
void launchSlopes(const BatchView& v, int slices, cudaStream_t stream);

}  // namespace prophet::cuda::frozen
