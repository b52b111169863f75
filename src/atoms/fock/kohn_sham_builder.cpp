#include "atoms/fock/kohn_sham_builder.hpp"

#include <cmath>

#include "atoms/fock/slater_kernel.hpp"
#include "atoms/fock/toeplitz_product.hpp"
#include "atoms/integrals/primitives.hpp"

namespace prophet {
namespace {

/// In ln r; docs/engineering/kohn-sham.md has the errors of the energy that other spacings make.
constexpr double kSpacingOfDensity = 0.08, kSpacingOfGradient = 0.07, kSpacingOfKinetic = 0.01;
/// Ends of the grid, see makeGrid. With meta-GGAs the polarised field of Li does not converge on the shorter
/// one.
constexpr double kStart = 1e-3, kEnd = 30.0, kStartOfKinetic = 2e-5, kEndOfKinetic = 40.0;

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

/// sum over points of local_i a_i b_i + gradient_i (a_i' b_i + a_i b_i') + kinetic_i a_i' b_i', an empty
/// vector being zero.
Eigen::MatrixXd localMatrix(const Eigen::MatrixXd& values, const Eigen::MatrixXd& slopes,
                            const RadialPotential& potential) {
  Eigen::MatrixXd image = (0.5 * potential.local).asDiagonal() * values;
  if (potential.gradient.size() > 0) image += potential.gradient.asDiagonal() * slopes;
  Eigen::MatrixXd half = values.transpose() * image;
  if (potential.kinetic.size() > 0)
    half += slopes.transpose() * ((0.5 * potential.kinetic).asDiagonal() * slopes);
  return half + half.transpose();
}

}  // namespace

RadialGrid kohnShamGrid(const BasisSet& basis, bool gradient, bool kinetic) {
  const double spacing = kinetic ? kSpacingOfKinetic : gradient ? kSpacingOfGradient : kSpacingOfDensity;
  return makeGrid(basis, spacing, kinetic ? kStartOfKinetic : kStart, kinetic ? kEndOfKinetic : kEnd);
}

KohnShamBuilder::KohnShamBuilder(const BasisSet& basis, std::shared_ptr<const Functional> functional,
                                 ThreadPool& pool, Eigen::VectorXd spinShares)
    : grid_(kohnShamGrid(basis, functional->needsGradient(), functional->needsKinetic())),
      radii_(grid_.radii()),
      functional_(std::move(functional)),
      pool_(pool),
      spinShares_(std::move(spinShares)),
      coulombKernel_(slaterKernel(0, grid_.h, grid_.points)),
      symmetries_(basis.symmetries.size()) {
  pool_.forEach(static_cast<int>(symmetries_.size()), [&](int a, int) {
    SymmetryFunctions& s = symmetries_[a];
    s.symmetry = basis.symmetries[a].symmetry;
    s.values = evaluateOnGrid(basis.symmetries[a], grid_);
    if (functional_->needsGradient()) s.slopes = slopesOf(basis.symmetries[a], s.values, radii_);
  });
  if (functional_->exactExchange() != 0)
    exact_ = std::make_unique<GridFockBuilder>(basis, fockGrid(basis), pool_);
}

void KohnShamBuilder::addDensity(const SymmetryFunctions& s, const OccupiedSpinors& spinors,
                                 const Eigen::VectorXd& occupation, DensityParts& density) const {
  const auto add = [&](const Eigen::MatrixXd& values, const Eigen::MatrixXd& slopes,
                       const Eigen::MatrixXd& coefficients, int l) {
    const Eigen::MatrixXd orbitals = values * coefficients;
    const Eigen::VectorXd own = orbitals.cwiseAbs2() * occupation / grid_.h;
    density.value += own;
    if (!functional_->needsGradient()) return;
    const Eigen::MatrixXd rise = slopes * coefficients;
    density.slope += 2 * orbitals.cwiseProduct(rise) * occupation / grid_.h;
    if (!functional_->needsKinetic()) return;
    const Eigen::VectorXd radial = (rise - 1.5 * orbitals).cwiseAbs2() * occupation / grid_.h;
    density.kinetic += (0.5 * (radial + l * (l + 1) * own).array() / radii_.array().square()).matrix();
  };
  add(s.values.large, s.slopes.large, spinors.large, s.symmetry.l());
  add(s.values.small, s.slopes.small, spinors.small, s.symmetry.lSmall());
}

DensityOnGrid KohnShamBuilder::densityOf(const std::vector<OccupiedSpinors>& spinors) const {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(grid_.points);
  DensityParts all{zero, zero, zero}, down = all;
  Eigen::Index open = 0;
  for (std::size_t a = 0; a < symmetries_.size(); ++a) {
    const OccupiedSpinors& s = spinors[a];
    if (s.occupation.size() == 0) continue;
    addDensity(symmetries_[a], s, s.occupation, all);
    if (!functional_->isPolarised()) continue;
    Eigen::VectorXd ofDown = 0.5 * s.occupation;
    for (const int column : s.open) ofDown[column] *= 1 - spinShares_[open++];
    addDensity(symmetries_[a], s, ofDown, down);
  }
  DensityOnGrid density{
      radii_, Eigen::VectorXd::Constant(grid_.points, grid_.h), all.value, all.slope, all.kinetic, {}};
  if (functional_->isPolarised()) density.down = std::move(down);
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

void KohnShamBuilder::addLocal(const SymmetryFunctions& s, const RadialPotential& potential,
                               BlockMatrix& p) const {
  p.LL += localMatrix(s.values.large, s.slopes.large, expandedFor(s.symmetry.l(), potential));
  p.SS += localMatrix(s.values.small, s.slopes.small, expandedFor(s.symmetry.lSmall(), potential));
}

/// Q of an open spinor is minus its spin share of dE/dm. A hybrid's part of that is the exchange of the
/// difference of both spin densities, which `q` holds already, with a repulsion that is taken away here.
void KohnShamBuilder::addSpin(const std::vector<OccupiedSpinors>& spinors, const DensityOnGrid& density,
                              std::vector<BlockMatrix>& q) const {
  Eigen::VectorXd repulsion = Eigen::VectorXd::Zero(grid_.points);
  if (exact_)
    repulsion = functional_->exactExchange() * coulombPotential(density.value - 2 * density.down.value);
  const std::vector<OpenSpinor> open = openSpinors(spinors);
  for (std::size_t i = 0; i < open.size(); ++i) {
    const double share = spinShares_[static_cast<Eigen::Index>(i)];
    RadialPotential potential{share * (repulsion - last_.spin.local), -share * last_.spin.gradient,
                              -share * last_.spin.kinetic};
    addLocal(symmetries_[open[i].symmetry], potential, q[i]);
  }
}

void KohnShamBuilder::build(const std::vector<OccupiedSpinors>& spinors, const Eigen::MatrixXd&,
                            std::vector<BlockMatrix>& p, std::vector<BlockMatrix>& q) {
  const DensityOnGrid density = densityOf(spinors);
  last_ = radialExchangeCorrelation(*functional_, density);
  const double share = functional_->exactExchange();
  const bool polarised = functional_->isPolarised();
  p.resize(symmetries_.size());
  if (exact_) {
    std::vector<OccupiedSpinors> sources = spinors;
    if (!polarised)
      for (OccupiedSpinors& s : sources) s.open.clear();
    exact_->build(sources, polarised ? -share * spinShares_ * spinShares_.transpose() : Eigen::MatrixXd(), p,
                  q);
  }
  // In a hybrid the share of the exact exchange brought the same share of the repulsion with it.
  RadialPotential potential = last_;
  potential.local += (1 - share) * coulombPotential(density.value);
  pool_.forEach(static_cast<int>(symmetries_.size()), [&](int a, int) {
    const int n = static_cast<int>(symmetries_[a].values.large.cols());
    if (exact_) {
      for (Eigen::MatrixXd* block : {&p[a].LL, &p[a].LS, &p[a].SS}) *block *= share;
    } else {
      p[a].resize(n, n);
      p[a].setZero();
    }
    addLocal(symmetries_[a], potential, p[a]);
  });
  if (!polarised || !exact_) {
    const std::vector<OpenSpinor> open = openSpinors(spinors);
    q.resize(open.size());
    for (std::size_t i = 0; i < open.size(); ++i) {
      const int n = static_cast<int>(symmetries_[open[i].symmetry].values.large.cols());
      q[i].resize(n, n);
      q[i].setZero();
    }
  }
  if (polarised) addSpin(spinors, density, q);
}

}  // namespace prophet
