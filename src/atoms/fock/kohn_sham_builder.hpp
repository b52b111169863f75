#pragma once
#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "atoms/fock/fock_builder.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/functional/functional.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// The grid on which Kohn-Sham matrices are formed: closer than fockGrid's, because a functional is no sum of
/// products of Gaussians, and closer still for functionals of the gradient and of the kinetic-energy density.
RadialGrid kohnShamGrid(const BasisSet& basis, bool gradient, bool kinetic);

/// Fock matrices with a density functional in place of exchange (docs/theory/kohn-sham.md): the Coulomb
/// repulsion and the functional's potential of all electrons, the same for every spinor, closed or open, and
/// the functional's share of the exact exchange, also of the density of all electrons. Q vanishes, or is the
/// part of the spins where the functional is one of spin densities. Densities and potentials are values on
/// the radial grid, matrices are sums over it.
class KohnShamBuilder : public FockBuilder {
 public:
  /// `spinShares`: of each open spinor, as openSpinShares (atom/spin_shares.hpp) has them; for functionals of
  /// spin densities only.
  KohnShamBuilder(const BasisSet& basis, std::shared_ptr<const Functional> functional, ThreadPool& pool,
                  Eigen::VectorXd spinShares = {});

  /// `openReduction` is without effect: how open spinors differ is the functional's business.
  void build(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd& openReduction,
             std::vector<BlockMatrix>& p, std::vector<BlockMatrix>& q) override;
  const RadialExchangeCorrelation* exchangeCorrelation() const override { return &last_; }
  std::string name() const override { return "grid"; }
  const RadialGrid& grid() const { return grid_; }

 private:
  /// Functions of one symmetry on the grid, times sqrt(r h), and their derivatives with respect to ln r; the
  /// latter are empty where the functional needs no gradient.
  struct SymmetryFunctions {
    Symmetry symmetry;
    GridFunctions values, slopes;
  };

  DensityOnGrid densityOf(const std::vector<OccupiedSpinors>& spinors) const;
  void addDensity(const SymmetryFunctions& s, const OccupiedSpinors& spinors,
                  const Eigen::VectorXd& occupation, DensityParts& density) const;
  Eigen::VectorXd coulombPotential(const Eigen::VectorXd& density) const;
  void addLocal(const SymmetryFunctions& s, const RadialPotential& potential, BlockMatrix& p) const;
  void addSpin(const std::vector<OccupiedSpinors>& spinors, const DensityOnGrid& density,
               std::vector<BlockMatrix>& q) const;

  RadialGrid grid_;
  Eigen::VectorXd radii_;
  std::shared_ptr<const Functional> functional_;
  ThreadPool& pool_;
  Eigen::VectorXd spinShares_;
  Eigen::VectorXd coulombKernel_;
  std::vector<SymmetryFunctions> symmetries_;
  std::unique_ptr<GridFockBuilder> exact_;  ///< of hybrids: Coulomb less exact exchange
  RadialExchangeCorrelation last_;
};

}  // namespace prophet
