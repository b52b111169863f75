#pragma once
#include <Eigen/Core>
#include <array>
#include <memory>
#include <vector>

#include "atoms/fock/exchange_tile.hpp"
#include "atoms/fock/fock_builder.hpp"
#include "atoms/fock/slater_kernel.hpp"
#include "atoms/fock/toeplitz_product.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// Grid on which the two-electron part is exact to `tolerance` relative (docs/theory/dirac-hartree-fock.md
/// has the error model): spacing from the highest angular momentum, limits from the extreme exponents.
RadialGrid fockGrid(const BasisSet& basis, double tolerance = 1e-12);

/// Functions of one symmetry on a grid, as evaluateOnGrid or evaluateDerivativesOnGrid gives them, in the
/// builder's scale: times r^(-1/4), the first point carrying what lies below it.
GridFunctions fieldFunctions(GridFunctions functions, Symmetry symmetry, const RadialGrid& grid);

/// Derivatives of such functions with respect to ln zeta, from the functions themselves: no exponentials.
GridFunctions fieldDerivatives(const GridFunctions& functions, const SymmetryBasis& basis,
                               const RadialGrid& grid);

/// Fock matrices without four-index integrals (docs/theory/dirac-hartree-fock.md, "Two-electron integrals").
/// With orbitals psi_b on the grid,
///   K_kappa = Phi^T [ sum_kappa' G_kappa,kappa' o D_kappa' ] Phi,
/// where D are the density blocks on pairs of grid points, G Toeplitz exchange kernels, o the
/// element-by-element product, and Phi the basis functions; the Coulomb potential is added to the diagonal of
/// the bracket. Work is split into tiles of grid points; LL and SS are symmetric and use tiles on and below
/// the diagonal only. Every symmetry has part of the grid only: where its functions have values.
class GridFockBuilder : public FockBuilder {
 public:
  /// `cross`: kernels of the Breit interaction, made for at least these symmetries and this grid; none for
  /// Coulomb alone. `coulomb` false leaves the Coulomb interaction out (first-order Breit energies).
  GridFockBuilder(const BasisSet& basis, const RadialGrid& grid, ThreadPool& pool,
                  std::shared_ptr<const CrossKernels> cross = nullptr, bool coulomb = true);
  ~GridFockBuilder() override;
  /// From now on the coefficients of the spinors that `build` gets are over the functions of `orbitals` (as
  /// many symmetries as the basis), while the matrices stay over the basis: the field of one calculation in
  /// another basis. The grid must resolve both.
  void setOrbitalBasis(const BasisSet& orbitals);
  void build(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd& openReduction,
             std::vector<BlockMatrix>& p, std::vector<BlockMatrix>& q) override;
  /// (J - K) psi_i on the grid (points x spinors of each symmetry) for every occupied spinor, each in the
  /// field that it feels: P, or P - Q_i of an open one. Values are scaled as those of fieldFunctions, so that
  /// the matrix element with a function f is f^T field. Costs what the element-by-element products of `build`
  /// do.
  void applyField(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd& openReduction,
                  std::vector<GridFunctions>& field);
  std::string name() const override { return "grid"; }
  const RadialGrid& grid() const { return grid_; }
  /// The basis functions of one symmetry as fieldFunctions gives them, points x functions.
  GridFunctions functions(int symmetry) const;

 private:
  /// What belongs to one symmetry: basis functions and occupied orbitals on the grid (points x n and points x
  /// m), scaled by r^(1/4) sqrt(h), and local potentials. Functions and orbitals are zero outside their rows.
  struct SymmetryData {
    int size = 0;                ///< number of basis functions
    GridSpan rows, orbitalRows;  ///< where functions and where orbitals have values
    GridFunctions functions;     ///< with columns of zeros up to a multiple of what products like
    Eigen::MatrixXd largeByRows, smallByRows;  ///< functions transposed: what products read fastest
    GridFunctions orbitalFunctions;            ///< those of setOrbitalBasis; empty: the functions
    Eigen::MatrixXd largeOrbitals, smallOrbitals;
    Eigen::MatrixXd weightedLarge, weightedSmall;  ///< orbitals times occupation
    Eigen::VectorXd density;                       ///< on the grid
    bool occupied = false;
  };

  /// What belongs to one open spinor.
  struct OpenData {
    int symmetry = 0, column = 0;
    Eigen::VectorXd density;    ///< on the grid, times occupation
    Eigen::VectorXd potential;  ///< local part of Q
  };

  /// What one thread needs.
  struct Worker {
    std::vector<TileBlocks> density, bracket;        ///< of each symmetry
    std::vector<TileBlocks> openDensity;             ///< of each open spinor
    TileBlocks openBracket;                          ///< of one open spinor
    std::array<std::vector<ToeplitzTerm>, 3> terms;  ///< of one column: LL, SS, LS
    Eigen::MatrixXd work;
    std::vector<BlockMatrix> p, q;  ///< of each symmetry, of each open spinor; LL and SS halves: the whole is
                                    ///< half + half^T; LS transposed
    std::vector<GridFunctions> field;  ///< of the spinors of each symmetry
    Eigen::VectorXd potential;
  };

  const double* coulombKernel() const;
  const double* exchangeKernel(int a, int b) const;
  void evaluateOrbitals(const std::vector<OccupiedSpinors>& spinors);
  void coulombPotentials(const Eigen::MatrixXd& openReduction);
  KernelCentres centres(int a, int b) const;
  void gather(GridSpan tile, Worker& worker) const;
  void gatherOpen(int open, GridSpan tile, const Eigen::MatrixXd& openReduction, Worker& worker) const;
  void addPotential(GridSpan tile, const Eigen::VectorXd& potential, TileBlocks& bracket) const;
  void densities(GridSpan tile, Worker& worker) const;
  void projectTile(GridSpan tile, const Eigen::MatrixXd& openReduction, Worker& worker) const;
  void fieldTile(GridSpan tile, const Eigen::MatrixXd& openReduction, Worker& worker) const;
  void act(int a, int firstColumn, int columns, double factor, GridSpan tile, const TileBlocks& bracket,
           Worker& worker) const;
  std::vector<std::vector<GridSpan>> dealTiles() const;
  template <class Begin, class Work>
  void overTiles(const Begin& begin, const Work& work);
  void densityTile(GridSpan tile, const SymmetryData& s, int firstColumn, int columns, TileBlocks& d) const;
  void project(int a, GridSpan tile, const TileBlocks& bracket, Eigen::MatrixXd& work,
               BlockMatrix& sum) const;
  void clear(Worker& worker) const;
  void collect(std::vector<BlockMatrix> Worker::*halves, std::size_t i, int symmetry,
               BlockMatrix& result) const;

  RadialGrid grid_;
  int points_;  ///< of the grid, and more up to a multiple of kRowGroup where all functions are zero
  ThreadPool& pool_;
  ExchangeKernels kernels_;
  std::shared_ptr<const CrossKernels> cross_;
  Eigen::VectorXd zeroKernel_;  ///< stands for the Coulomb kernels where these are left out; else empty
  std::vector<SymmetryData> symmetries_;
  std::vector<OpenData> open_;
  std::vector<Worker> workers_;
};

}  // namespace prophet
