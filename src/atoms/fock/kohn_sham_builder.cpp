#include "atoms/fock/kohn_sham_builder.hpp"

#include <cmath>

#include "atoms/fock/slater_kernel.hpp"
#include "atoms/fock/toeplitz_product.hpp"
#include "atoms/integrals/primitives.hpp"

namespace prophet {
namespace {

constexpr double kSpacing = 0.04;             // in ln r
constexpr double kStart = 2e-5, kEnd = 40.0;  // of the grid, see makeGrid

/// Derivatives with respect to ln r of functions that evaluateOnGrid gives.
GridFunctions slopesOf(const SymmetryBasis& basis, const GridFunctions& f, const Eigen::ArrayXd& r) {
  const int l = basis.symmetry.l();
  const Eigen::ArrayXd square = r.square();
  GridFunctions slopes{Eigen::MatrixXd(f.large.rows(), f.large.cols()),
                       Eigen::MatrixXd(f.small.rows(), f.small.cols())};
  for (int p = 0; p < basis.size(); ++p) {
    const Primitive g = makePrimitive(basis.symmetry, basis.exponents[static_cast<std::size_t>(p)]);
    // The square root of r that functions carry on the grid adds 1/2 to every power of r.
    const Eigen::ArrayXd large = f.large.col(p).array();
    slopes.large.col(p) = (l + 1.5 - 2 * g.zeta * square) * large;
    slopes.small.col(p) =
        (l + 0.5 - 2 * g.zeta * square) * f.small.col(p).array() + 2 * g.small2 / g.norm * r * large;
  }
  return slopes;
}

/// sum over points of local_i a_i b_i + gradient_i (a_i' b_i + a_i b_i'), an empty `gradient` being zero.
Eigen::MatrixXd localMatrix(const Eigen::MatrixXd& values, const Eigen::MatrixXd& slopes,
                            const Eigen::VectorXd& local, const Eigen::VectorXd& gradient) {
  Eigen::MatrixXd image = (0.5 * local).asDiagonal() * values;
  if (gradient.size() > 0) image += gradient.asDiagonal() * slopes;
  const Eigen::MatrixXd half = values.transpose() * image;
  return half + half.transpose();
}

}  // namespace

RadialGrid kohnShamGrid(const BasisSet& basis) { return makeGrid(basis, kSpacing, kStart, kEnd); }

KohnShamBuilder::KohnShamBuilder(const BasisSet& basis, std::shared_ptr<const Functional> functional,
                                 ThreadPool& pool)
    : grid_(kohnShamGrid(basis)),
      radii_(grid_.radii()),
      functional_(std::move(functional)),
      pool_(pool),
      coulombKernel_(slaterKernel(0, grid_.h, grid_.points)),
      symmetries_(basis.symmetries.size()) {
  pool_.forEach(static_cast<int>(symmetries_.size()), [&](int a, int) {
    SymmetryFunctions& s = symmetries_[a];
    s.values = evaluateOnGrid(basis.symmetries[a], grid_);
    if (functional_->needsGradient()) s.slopes = slopesOf(basis.symmetries[a], s.values, radii_);
  });
  if (functional_->exactExchange() != 0)
    exact_ = std::make_unique<GridFockBuilder>(basis, fockGrid(basis), pool_);
}

DensityOnGrid KohnShamBuilder::densityOf(const std::vector<OccupiedSpinors>& spinors) const {
  DensityOnGrid density{
      radii_, Eigen::VectorXd::Constant(grid_.points, grid_.h), Eigen::VectorXd::Zero(grid_.points), {}};
  const bool gradient = functional_->needsGradient();
  if (gradient) density.slope = Eigen::VectorXd::Zero(grid_.points);
  const auto add = [&](const Eigen::MatrixXd& values, const Eigen::MatrixXd& slopes,
                       const Eigen::MatrixXd& coefficients, const Eigen::VectorXd& occupation) {
    const Eigen::MatrixXd orbitals = values * coefficients;
    density.value += orbitals.cwiseAbs2() * occupation / grid_.h;
    if (gradient) density.slope += 2 * orbitals.cwiseProduct(slopes * coefficients) * occupation / grid_.h;
  };
  for (std::size_t a = 0; a < symmetries_.size(); ++a) {
    const OccupiedSpinors& s = spinors[a];
    if (s.occupation.size() == 0) continue;
    add(symmetries_[a].values.large, symmetries_[a].slopes.large, s.large, s.occupation);
    add(symmetries_[a].values.small, symmetries_[a].slopes.small, s.small, s.occupation);
  }
  return density;
}

/// integral n(r') 4 pi r'^2 / max(r, r') dr' by sinc convolution: densities and potentials are scaled by
/// sqrt(r), so that the kernel depends on the ratio of the radii alone.
Eigen::VectorXd KohnShamBuilder::coulombPotential(const Eigen::VectorXd& density) const {
  const Eigen::VectorXd scaled = grid_.h * density.cwiseQuotient(radii_.cwiseSqrt());
  Eigen::VectorXd potential(grid_.points);
  toeplitzVector(coulombKernel_.data() + grid_.points - 1, scaled.data(), grid_.points, potential.data());
  return potential.cwiseQuotient(radii_.cwiseSqrt());
}

void KohnShamBuilder::addLocal(int symmetry, double share, const Eigen::VectorXd& coulomb,
                               BlockMatrix& p) const {
  const SymmetryFunctions& s = symmetries_[symmetry];
  // Of a hybrid the share of the exact exchange brought the same share of the repulsion with it.
  const Eigen::VectorXd local = last_.local + (1 - share) * coulomb;
  p.LL += localMatrix(s.values.large, s.slopes.large, local, last_.gradient);
  p.SS += localMatrix(s.values.small, s.slopes.small, local, last_.gradient);
}

void KohnShamBuilder::build(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd&,
                            std::vector<BlockMatrix>& p, std::vector<BlockMatrix>& q) {
  const DensityOnGrid density = densityOf(spinors);
  last_ = radialExchangeCorrelation(*functional_, density);
  const Eigen::VectorXd coulomb = coulombPotential(density.value);
  const double share = functional_->exactExchange();
  p.resize(symmetries_.size());
  if (exact_) {
    std::vector<OccupiedSpinors> closed = spinors;
    for (OccupiedSpinors& s : closed) s.open.clear();
    exact_->build(closed, Eigen::MatrixXd(), p, q);
  }
  pool_.forEach(static_cast<int>(symmetries_.size()), [&](int a, int) {
    const int n = static_cast<int>(symmetries_[a].values.large.cols());
    if (exact_) {
      for (Eigen::MatrixXd* block : {&p[a].LL, &p[a].LS, &p[a].SS}) *block *= share;
    } else {
      p[a].resize(n, n);
      p[a].setZero();
    }
    addLocal(a, exact_ ? share : 0.0, coulomb, p[a]);
  });
  const std::vector<OpenSpinor> open = openSpinors(spinors);
  q.resize(open.size());
  for (std::size_t i = 0; i < open.size(); ++i) {
    const int n = static_cast<int>(symmetries_[open[i].symmetry].values.large.cols());
    q[i].resize(n, n);
    q[i].setZero();
  }
}

}  // namespace prophet
