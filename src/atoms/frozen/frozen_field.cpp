#include "atoms/frozen/frozen_field.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "atoms/fock/grid_builder.hpp"
#include "atoms/fock/toeplitz_product.hpp"
#include "atoms/frozen/occupied_solutions.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "atoms/scf/fock_operator.hpp"
#include "atoms/scf/symmetry_space.hpp"
#include "core/common/error.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// How far beyond the reference's exponents the grid still resolves functions.
constexpr double kMargin = 100.0;

/// element(i, j) -= kernel[i - j] * density(i, j)
void subtractKernel(const double* kernel, const Eigen::MatrixXd& density, Eigen::MatrixXd& element) {
  for (Eigen::Index j = 0; j < element.cols(); ++j)
    addKernelTimesDensity(kernel - j, -1.0, density.col(j).data(), static_cast<int>(element.rows()),
                          element.col(j).data());
}

}  // namespace

FrozenField::FrozenField(const BasisSet& reference, const Nucleus& nucleus,
                         const Configuration& configuration, double c)
    : nucleus_(nucleus), configuration_(configuration), c_(c) {
  if (reference.symmetries.size() != configuration.symmetries.size())
    throw Error("the reference basis must have as many symmetries as the configuration");
  if (!configuration.isAufbau())
    throw Error(
        "the frozen field measures basis sets for configurations that are filled from the bottom only: a "
        "hole or "
        "an excited state is not a minimum of the energy");
  const ScfOptions options;
  dependencyThreshold_ = options.dependencyThreshold;
  ThreadPool alone(1);
  GridFockBuilder builder(reference, fockGrid(reference), alone);
  const ScfResult result = runScf({reference, nucleus, configuration, c}, builder, options, alone);
  if (!result.converged) throw Error("the SCF in the reference basis did not converge");
  energy_ = result.energy.total;

  smallestExponent_ = kInfinite;
  for (const SymmetryBasis& s : reference.symmetries) {
    for (const double zeta : s.exponents) {
      smallestExponent_ = std::min(smallestExponent_, zeta / kMargin);
      largestExponent_ = std::max(largestExponent_, zeta * kMargin);
    }
  }
  grid_ = makeGrid({{{Symmetry{}, {smallestExponent_, largestExponent_}}}, ""}, builder.grid().h);
  scale_ = grid_.radii().array().pow(-0.25);
  makeFields(reference, result);
  addCorrections(reference, result, builder);
  for (int a = 0; a < symmetries(); ++a) solveReference(a, reference.symmetries[a].exponents);
}

void FrozenField::makeFields(const BasisSet& reference, const ScfResult& result) {
  const int count = static_cast<int>(reference.symmetries.size()), points = grid_.points;
  std::vector<Symmetry> symmetries;
  for (const SymmetryBasis& s : reference.symmetries) symmetries.push_back(s.symmetry);
  const ExchangeKernels kernels(symmetries, grid_.h, points);

  std::vector<Eigen::MatrixXd> ll(count), ls(count), ss(count);
  Eigen::VectorXd density = Eigen::VectorXd::Zero(points), potential(points);
  for (int b = 0; b < count; ++b) {
    const GridFunctions f = evaluateOnGrid(reference.symmetries[b], grid_);
    const SymmetrySpinors& s = result.symmetries[b];
    const Eigen::MatrixXd large = scale_.asDiagonal() * (f.large * s.large);
    const Eigen::MatrixXd small = scale_.asDiagonal() * (f.small * s.small);
    ll[b] = large * s.occupations.asDiagonal() * large.transpose();
    ls[b] = large * s.occupations.asDiagonal() * small.transpose();
    ss[b] = small * s.occupations.asDiagonal() * small.transpose();
    density += ll[b].diagonal() + ss[b].diagonal();
  }
  toeplitzVector(kernels.coulomb(), density.data(), points, potential.data());

  fields_.resize(count);
  for (int a = 0; a < count; ++a) {
    Field& f = fields_[a];
    f.symmetry = symmetries[a];
    f.occupation = result.symmetries[a].occupations;
    f.LL = f.SS = potential.asDiagonal();
    f.LS = Eigen::MatrixXd::Zero(points, points);
    for (int b = 0; b < count; ++b) {
      subtractKernel(kernels.centre(a, b), ll[b], f.LL);
      subtractKernel(kernels.centre(a, b), ls[b], f.LS);
      subtractKernel(kernels.centre(a, b), ss[b], f.SS);
    }
  }
}

/// The correction of scf/fock_operator.hpp on the grid.
void FrozenField::addCorrections(const BasisSet& reference, const ScfResult& result, FockBuilder& builder) {
  if (!configuration_.hasOpenShells()) return;
  const auto spinors = occupiedSpinors(result);
  std::vector<BlockMatrix> p, q;
  builder.build(spinors, configuration_.openReduction(), p, q);
  for (int a = 0; a < symmetries(); ++a) {
    if (spinors[a].open.empty()) continue;
    const SymmetryBasis& basis = reference.symmetries[a];
    const auto space =
        makeSymmetrySpace(oneElectronMatrices({{basis}, ""}, nucleus_).front(), c_, dependencyThreshold_);
    const int n = space.largeSize(), m = space.smallSize();
    Eigen::MatrixXd orbitals(n + m, spinors[a].large.cols()), work, field;
    orbitals.topRows(n) = space.large.dual * spinors[a].large;
    orbitals.bottomRows(m) = space.small.dual * spinors[a].small;
    transformToSpace(space, p[a], work, field);
    const Eigen::MatrixXd base = (space.core + field) * orbitals;
    Eigen::MatrixXd own = base;
    transformToSpace(space, q[configuration_.firstOpen(a)], work, field);
    own.rightCols(1) -= field * orbitals.rightCols(1);
    const SpinorCorrection correction =
        spinorCorrection(configuration_.symmetries[a], false, orbitals, base, own);
    const GridFunctions f = evaluateOnGrid(basis, grid_);
    const auto onGrid = [&](const Eigen::VectorXd& v) {
      Eigen::MatrixXd values(grid_.points, 2);
      values.col(0) = f.large * (space.large.x * v.head(n));
      values.col(1) = f.small * (space.small.x * v.tail(m));
      return values;
    };
    fields_[a].o = onGrid(correction.c.col(0));
    fields_[a].u = onGrid(correction.u.col(0));
  }
}

FrozenField::BasisInField FrozenField::placeInField(int symmetry,
                                                    const std::vector<double>& exponents) const {
  const Field& field = fields_[symmetry];
  const SymmetryBasis basis{field.symmetry, exponents};
  BasisInField trial{
      makeSymmetrySpace(oneElectronMatrices({{basis}, ""}, nucleus_).front(), c_, dependencyThreshold_),
      evaluateOnGrid(basis, grid_),
      {},
      {},
      {},
      {}};
  const GridFunctions& f = trial.functions;
  const Eigen::MatrixXd large = scale_.asDiagonal() * f.large, small = scale_.asDiagonal() * f.small;
  BlockMatrix block;
  const Eigen::Index n = large.cols(), m = small.cols();
  block.resize(static_cast<int>(n), static_cast<int>(m));
  trial.fieldLarge.resize(large.rows(), n);
  trial.fieldSmall.resize(large.rows(), m);
  trial.fieldCross.resize(large.rows(), m);
  product(field.LL, large, trial.fieldLarge);
  product(field.SS, small, trial.fieldSmall);
  product(field.LS, small, trial.fieldCross);
  productTN(large, trial.fieldLarge, block.LL);
  productTN(small, trial.fieldSmall, block.SS);
  productTN(large, trial.fieldCross, block.LS);
  Eigen::MatrixXd work;
  transformToSpace(trial.space, block, work, trial.fock);
  trial.fock += trial.space.core;
  if (field.o.size() == 0) return trial;
  const auto inSpace = [&](const Eigen::MatrixXd& v) {
    Eigen::VectorXd result(trial.space.size());
    result.head(trial.space.largeSize()) = trial.space.large.x.transpose() * (f.large.transpose() * v.col(0));
    result.tail(trial.space.smallSize()) = trial.space.small.x.transpose() * (f.small.transpose() * v.col(1));
    return result;
  };
  const Eigen::VectorXd o = inSpace(field.o), u = inSpace(field.u);
  trial.fock.noalias() += o * u.transpose() + u * o.transpose();
  return trial;
}

void FrozenField::solveReference(int symmetry, const std::vector<double>& exponents) {
  Field& field = fields_[symmetry];
  const BasisInField trial = placeInField(symmetry, exponents);
  const SymmetrySpace& space = trial.space;
  keepSmallFunctions(symmetry, exponents, trial);
  // All negative-energy solutions at once span too many orders of magnitude for dstemr; QR always works.
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> all(trial.fock);
  const auto negative = all.eigenvectors().leftCols(space.smallSize());
  field.negativeEnergies = all.eigenvalues().head(space.smallSize());
  field.negativeLarge = trial.functions.large * (space.large.x * negative.topRows(space.largeSize()));
  field.negativeSmall = trial.functions.small * (space.small.x * negative.bottomRows(space.smallSize()));
  Eigen::MatrixXd vectors;
  occupiedSolutions(trial.fock, space.smallSize(), occupied(symmetry), field.energies, vectors);
  field.referenceSum = field.energies.dot(field.occupation);
}

BasisShortfall FrozenField::measure(int symmetry, const std::vector<double>& exponents) const {
  const Field& field = fields_[symmetry];
  const BasisInField trial = placeInField(symmetry, exponents);
  const SymmetrySpace& space = trial.space;
  BasisShortfall shortfall{kInfinite, 0.0};
  if (space.largeSize() < occupied(symmetry)) return shortfall;
  Eigen::VectorXd energies;
  Eigen::MatrixXd vectors;
  occupiedSolutions(trial.fock, space.smallSize(), occupied(symmetry), energies, vectors);
  shortfall.rise = energies.dot(field.occupation) - field.referenceSum;

  const Eigen::MatrixXd large = trial.functions.large * (space.large.x * vectors.topRows(space.largeSize()));
  const Eigen::MatrixXd small =
      trial.functions.small * (space.small.x * vectors.bottomRows(space.smallSize()));
  const Eigen::MatrixXd overlap =
      field.negativeLarge.transpose() * large + field.negativeSmall.transpose() * small;
  for (Eigen::Index i = 0; i < energies.size(); ++i) {
    const auto depth = energies(i) - field.negativeEnergies.array();
    shortfall.prolapse += field.occupation(i) * (overlap.col(i).array().square() * depth).sum();
  }
  if (!std::isfinite(shortfall.rise + shortfall.prolapse)) shortfall.rise = kInfinite;
  return shortfall;
}

BasisShortfall FrozenField::shortfall(int symmetry, const std::vector<double>& exponents) const {
  for (const double zeta : exponents) {
    if (!(zeta > smallestExponent_) || !(zeta < largestExponent_)) return {kInfinite, 0.0};
  }
  try {
    return measure(symmetry, exponents);
  } catch (const Error&) {
    return {kInfinite, 0.0};  // near-dependent beyond what LAPACK can handle
  }
}

}  // namespace prophet
