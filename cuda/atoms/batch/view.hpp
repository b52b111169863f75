#pragma once
#include "atoms/scf/convergence.hpp"

/// Plain data that host and kernels share. One "slot" holds one calculation; all slots of a batch have one
/// shape. Arrays are row-major; `n` is padded to a multiple of 8, `points` to a multiple of 16, and what
/// padding adds is zero.
namespace prophet::cuda::batch {

constexpr int kMaxSymmetries = 9;

enum class SlotStatus : int {
  Active = 0,
  Converged = 1,
  OutOfIterations = 2,
  NotANumber = 3,
  Dependent = 4,    ///< Cholesky orthonormalisation does not suffice: the host's canonical one is needed
  EigenFailed = 5,  ///< an eigenvector could not be isolated: left to the host
  StartUnfit = 6    ///< the functions cannot represent the spinors to start from: taken again without
};

/// What a calculation reports after every iteration. Energies in hartree.
struct SlotState {
  int iteration, status, newest, stored;
  double energy, change, kinetic, nuclear, twoElectron, virialRatio, densityLL, densitySL, densitySS;
  double gaunt, gauge;  ///< Breit energies of the last orbitals; only of slots that are finished
  /// RadialExchangeCorrelation's energy, potential and virial; 0 without a functional.
  double exchangeCorrelation, exchangePotential, exchangeVirial;
};

/// Sizes and offsets (in doubles) that all slots of a batch share.
struct Shape {
  int symmetries, points;
  int breitParts;  ///< of the energy: 0 none, 1 Gaunt, 2 Gaunt and gauge
  int breitInScf;  ///< whether the Fock matrices have them too
  int functional;  ///< ClosedForm in place of exchange
  int components;  ///< of functions on the grid: large, small, and for functionals of the gradient both
                   ///< slopes
  double h;
  int n[kMaxSymmetries];  ///< functions, padded
  int m[kMaxSymmetries];  ///< occupied spinors
  int firstOrbital[kMaxSymmetries + 1];
  int phi[kMaxSymmetries];           ///< components x points x n
  int matrix[kMaxSymmetries];        ///< 2n x 2n matrices: large first
  int blocks[kMaxSymmetries];        ///< two n x n blocks: large, small
  int coefficients[kMaxSymmetries];  ///< m x 2n
  int vectors[kMaxSymmetries];       ///< 2n
  int exponents[kMaxSymmetries];
  int phiSize, matrixSize, blockSize, coefficientSize, vectorSize, exponentCount;
  int bracketSize;    ///< of one symmetry in View::w
  int potentialSize;  ///< View::potential
  // Offsets in a slot's input. What a start takes comes last: a calculation without one ends at
  // inStartExponents.
  int inSymmetry, inReduction, inOccupation, inExponents, inScreening, inTable, inStartExponents,
      inStartSpinors, inputSize;
};

/// Scalars at the front of a slot's input.
enum InputScalar {
  kC,
  kAttraction,  ///< AttractionForm, to which what is in the table is added
  kCharge,
  kNuclearSize,
  kMaxIterations,
  kThresholdLL,
  kThresholdSL,
  kThresholdSS,
  kEnergyThreshold,
  kDependency,
  kTableFirst,  ///< j of the first point (nuclear_table.hpp) and number of points; 0: no table
  kTableCount,
  kFirstRadius,
  kElectrons,
  kInputScalars
};
/// Numbers per symmetry from inSymmetry on.
/// kTabulated: whether the screening has charges for it, else it is Thomas and Fermi's; kStartFunctions: of
/// the basis that the start's spinors are over.
enum InputSymmetry {
  kFunctions,
  kClosed,
  kOpen,
  kOpenElectrons,
  kTabulated,
  kStartFunctions,
  kInputPerSymmetry
};

/// Breit kernels of two symmetries (a, b), entry [i - j]; fock/cross_kernels.hpp has their meaning. Those of
/// (b, a) are the same with LL and SS exchanged, and mixed and transposed.
enum CrossKernel { kCrossLL, kCrossSS, kCrossMixed, kCrossTransposed, kCrossKernels };
enum BreitPartIndex { kGauntPart, kGaugePart, kWholeBreit, kBreitSets };

/// Sums of one symmetry for energy and convergence.
enum Partial {
  kCoreSum,
  kNuclearSum,
  kFockSum,
  kOpenSum,
  kMomentumSum,
  kChangeLL,
  kChangeSL,
  kChangeSS,
  kGradient,  ///< largest element
  kPartials
};

/// Device pointers; slot s of an array of `size` doubles a slot starts at s * size.
struct View {
  Shape shape;
  double* input;
  double* tableNuclear;  ///< blockSize: matrices of the table over primitives; only where there is one
  double* x;  ///< blockSize: orthonormal functions over primitives, upper triangles, large and small
  /// Orthonormal functions on the grid, scaled by r^(1/4) sqrt(h). Slopes are those with respect to ln r of
  /// functions that are scaled by sqrt(r), in the same scale.
  double* phi;
  /// Symmetries x (LL, SS, LS) x points x points: bracket of the Fock matrix on the grid. With a functional
  /// there is none, and this is the scratch of the set-up alone.
  double* w;
  double *core, *closedFock, *mixed;  ///< matrixSize
  double* nuclear;                    ///< blockSize
  double *focks, *errors;             ///< kDiisDepth x matrixSize
  double* products;                   ///< kDiisDepth^2 scalar products of errors
  double* weights;                    ///< kDiisDepth
  double* coefficients[2];            ///< of this iteration ([current]) and of the other one
  double* orbitals;                   ///< components x orbitals x points
  double* potential;  ///< points; with a functional also the factor of the derivative of products, points
  double* openFock;   ///< vectorSize: Q times the open spinor
  double* energies;   ///< of the orbitals: expectation values
  double* partials;   ///< symmetries x kPartials
  SlotState* state;
  /// Vectors of 2 points - 1: without a functional exchange kernels of all pairs of symmetries b <= a; the
  /// Coulomb kernel; and
  /// where shape.breitParts > 0 Breit kernels: (part) x (CrossKernel) x (pairs b <= a).
  const double* kernels;
  const int* list;  ///< slots to work on
  int count, current;
};

}  // namespace prophet::cuda::batch
