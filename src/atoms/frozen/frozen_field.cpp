#include "atoms/frozen/frozen_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "atoms/fock/grid_builder.hpp"
#include "atoms/fock/toeplitz_product.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "atoms/scf/fock_operator.hpp"
#include "core/common/error.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {

void occupiedSolutions(const Eigen::MatrixXd& fock, int first, int count, Eigen::VectorXd& energies,
                       Eigen::MatrixXd& vectors) {
  Eigen::MatrixXd destroyed = fock;
  EigenSolver().solve(destroyed, first, count, energies, vectors);
  energies = vectors.cwiseProduct(multiply(fock, false, vectors, false)).colwise().sum().transpose();
}

namespace {

/// Small functions whose part outside the reference's is less than this (its square) are left out. A defect
/// jumps where one is, in proportion to this: with 1e-10 by 1.6e-8 hartree for Cs, two thousandths of what a
/// set lacks that weighs it a hundredfold. Rounding of what stays grows as this falls: 1e-10 hartree here.
constexpr double kInside = 1e-12;

}  // namespace

FrozenSpinors solveInTrial(const SymmetrySpace& space, const Eigen::MatrixXd& fock, int occupied) {
  Eigen::MatrixXd vectors;
  FrozenSpinors s;
  occupiedSolutions(fock, space.smallSize(), occupied, s.energies, vectors);
  s.large = multiply(space.large.x, false, vectors.topRows(space.largeSize()), false);
  s.small = multiply(space.small.x, false, vectors.bottomRows(space.smallSize()), false);
  return s;
}

/// Blocks: large functions of the trial; small ones of the reference; what those of the trial add to these.
FrozenSpinors solveWithReferenceSmall(const SymmetrySpace& space, const Eigen::MatrixXd& fock,
                                      const ReferenceSmall& reference, const Eigen::VectorXd& balance,
                                      double c, int occupied) {
  const Eigen::MatrixXd &x = space.large.x, &y = space.small.x;
  const Eigen::MatrixXd inside = multiply(reference.overlap, false, y, false);
  const OrthonormalBasis added = orthonormalise(
      Eigen::MatrixXd::Identity(y.cols(), y.cols()) - multiply(inside, true, inside, false), kInside);
  // The added functions: trial functions times `own` minus reference functions times `taken`.
  const Eigen::MatrixXd own = multiply(y, false, added.x, false),
                        taken = multiply(inside, false, added.x, false);
  const Eigen::Index n = x.cols(), m = reference.fock.cols(), k = added.x.cols();
  const Eigen::MatrixXd couplingReference =
      multiply(reference.overlap * balance.asDiagonal() + reference.toLarge, false, x, false);
  // Without the rest mass, which is diagonal.
  const double rest = -2.0 * c * c;
  const Eigen::MatrixXd between = multiply(reference.toSmall, false, own, false);
  Eigen::MatrixXd ownFock = fock.bottomRightCorner(y.cols(), y.cols());
  ownFock.diagonal().array() -= rest;
  Eigen::MatrixXd onTaken = multiply(reference.fock, false, taken, false);
  onTaken -= rest * taken;
  const Eigen::MatrixXd mixed = multiply(taken, true, between, false);
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n + m + k, n + m + k), vectors;
  all.topLeftCorner(n, n) = fock.topLeftCorner(n, n);
  all.block(n, n, m, m) = reference.fock;
  all.block(n, 0, m, n) = couplingReference;
  all.bottomLeftCorner(k, n) = multiply(added.x, true, fock.bottomLeftCorner(y.cols(), n), false) -
                               multiply(taken, true, couplingReference, false);
  all.block(n + m, n, k, m) = (between - onTaken).transpose();
  all.bottomRightCorner(k, k) = multiply(added.x, true, multiply(ownFock, false, added.x, false), false) -
                                mixed - mixed.transpose() + multiply(taken, true, onTaken, false);
  all.bottomRightCorner(k, k).diagonal().array() += rest;
  all.triangularView<Eigen::StrictlyUpper>() = all.transpose();
  FrozenSpinors s;
  occupiedSolutions(all, static_cast<int>(m + k), occupied, s.energies, vectors);
  s.large = multiply(x, false, vectors.topRows(n), false);
  s.small = multiply(own, false, vectors.bottomRows(k), false);
  s.reference = vectors.middleRows(n, m) - multiply(taken, false, vectors.bottomRows(k), false);
  return s;
}

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
  if (!result.converged) throw NotConvergedError("the SCF in the reference basis did not converge");
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
  const SymmetricEigen all(trial.fock);
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

namespace {

/// Between nodes, in ln zeta: interpolation is then good to 2e-15 for s and 1e-13 for f.
constexpr double kSpacing = 0.1;
/// How far beyond the reference's exponents the table reaches: searches hardly ever go there.
constexpr double kBeyond = 4.0;

}  // namespace

FieldTable FrozenField::table(int symmetry, bool defects) const {
  const Field& f = fields_[symmetry];
  const std::vector<double>& reference = f.reference.exponents;
  const auto [least, most] = std::minmax_element(reference.begin(), reference.end());
  FieldTable t;
  t.symmetry = f.symmetry;
  t.nucleus = nucleus_;
  t.c = c_;
  t.dependencyThreshold = dependencyThreshold_;
  const int margin = ExponentNodes::kPoints / 2;
  t.nodes.spacing = kSpacing;
  t.nodes.first = std::log(*least / kBeyond) - margin * kSpacing;
  t.nodes.count =
      2 * margin + 1 + static_cast<int>(std::ceil(std::log(*most / *least * kBeyond * kBeyond) / kSpacing));
  SymmetryBasis nodes{f.symmetry, {}};
  for (int k = 0; k < t.nodes.count; ++k) nodes.exponents.push_back(std::exp(t.nodes.first + k * kSpacing));

  const GridFunctions g = evaluateOnGrid(nodes, grid_);
  const Eigen::MatrixXd large = scale_.asDiagonal() * g.large, small = scale_.asDiagonal() * g.small;
  t.LL = multiply(large, true, multiply(f.LL, false, large, false), false);
  t.SS = multiply(small, true, multiply(f.SS, false, small, false), false);
  t.LS = multiply(large, true, multiply(f.LS, false, small, false), false);
  if (f.o.size() > 0) {
    const Eigen::VectorXd oLarge = g.large.transpose() * f.o.col(0),
                          oSmall = g.small.transpose() * f.o.col(1),
                          uLarge = g.large.transpose() * f.u.col(0),
                          uSmall = g.small.transpose() * f.u.col(1);
    t.LL += oLarge * uLarge.transpose() + uLarge * oLarge.transpose();
    t.SS += oSmall * uSmall.transpose() + uSmall * oSmall.transpose();
    t.LS += oLarge * uSmall.transpose() + uLarge * oSmall.transpose();
  }
  t.occupation = f.occupation;
  t.energies = f.energies;
  t.negativeEnergies = f.negativeEnergies;
  t.negativeLarge = multiply(f.negativeLarge, true, g.large, false);
  t.negativeSmall = multiply(f.negativeSmall, true, g.small, false);
  if (!defects) return t;
  t.smallFock = f.smallFock;
  t.smallOverlap = f.smallX.transpose() * overlapBetween(f.reference, nodes).small;
  t.smallToLarge = multiply(f.onLarge, true, g.large, false);
  t.smallToSmall = multiply(f.onSmall, true, g.small, false);
  return t;
}

namespace {

/// Derivatives of overlapBetween(rows, columns).small with respect to ln zeta of the rows.
Eigen::MatrixXd overlapSlope(const SymmetryBasis& rows, const SymmetryBasis& columns) {
  Eigen::MatrixXd d = overlapBetween(rows, columns).small;
  const double power = rows.symmetry.l() + 2.5;
  for (int p = 0; p < rows.size(); ++p) {
    for (int q = 0; q < columns.size(); ++q) {
      const double a = rows.exponents[p], b = columns.exponents[q];
      d(p, q) *= power * 0.5 * (b - a) / (a + b);
    }
  }
  return d;
}

}  // namespace

void FrozenField::keepSmallFunctions(int symmetry, const std::vector<double>& exponents,
                                     const BasisInField& trial) {
  Field& f = fields_[symmetry];
  const int m = trial.space.smallSize();
  f.reference = {f.symmetry, exponents};
  f.smallX = trial.space.small.x;
  f.smallFock = trial.fock.bottomRightCorner(m, m);
  f.functions = trial.functions.small * f.smallX;
  const Eigen::MatrixXd scaled = scale_.asDiagonal() * f.functions;
  f.onLarge = scale_.asDiagonal() * (f.LS * scaled);
  f.onSmall = scale_.asDiagonal() * (f.SS * scaled);
  const Eigen::VectorXd r = grid_.radii();
  for (int i = 0; i < grid_.points; ++i) f.onSmall.row(i) += nucleus_.potential(r(i)) * f.functions.row(i);
  if (f.o.size() == 0) return;
  const auto add = [&](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    const Eigen::RowVectorXd overlap = b.col(1).transpose() * f.functions;
    f.onLarge += a.col(0) * overlap;
    f.onSmall += a.col(1) * overlap;
  };
  add(f.o, f.u);
  add(f.u, f.o);
}

/// d epsilon_i/d ln zeta_p = 2 <d psi_i/d ln zeta_p|F - epsilon_i|psi_i>: functions x spinors.
Eigen::MatrixXd FrozenField::energySlopes(int symmetry, const SymmetryBasis& basis, const BasisInField& trial,
                                          const FrozenSpinors& s) const {
  const Field& f = fields_[symmetry];
  const ExponentDerivatives d = exponentDerivatives(basis, nucleus_);
  const GridFunctions df = evaluateDerivativesOnGrid(basis, grid_);
  const Eigen::VectorXd balance = c_ * balanceOf(basis);
  const Eigen::MatrixXd large = multiply(trial.functions.large, false, s.large, false),
                        small = multiply(trial.functions.small, false, s.small, false);
  Eigen::MatrixXd onLarge = scale_.asDiagonal() * (multiply(trial.fieldLarge, false, s.large, false) +
                                                   multiply(trial.fieldCross, false, s.small, false));
  Eigen::MatrixXd onSmall = scale_.asDiagonal() * (multiply(f.LS, true, scale_.asDiagonal() * large, false) +
                                                   multiply(trial.fieldSmall, false, s.small, false));
  if (f.o.size() > 0) {
    const auto add = [&](const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
      const Eigen::RowVectorXd overlap = b.col(0).transpose() * large + b.col(1).transpose() * small;
      onLarge += a.col(0) * overlap;
      onSmall += a.col(1) * overlap;
    };
    add(f.o, f.u);
    add(f.u, f.o);
  }
  // Overlaps of the derivatives of the small functions with the small components, and of the functions.
  Eigen::MatrixXd slope = d.overlapSmall * s.small, plain = overlapBetween(basis, basis).small * s.small;
  if (s.reference.size() > 0) {
    onLarge += multiply(f.onLarge, false, s.reference, false);
    onSmall += multiply(f.onSmall, false, s.reference, false);
    const Eigen::MatrixXd primitives = f.smallX * s.reference;
    slope += overlapSlope(basis, f.reference) * primitives;
    plain += overlapBetween(basis, f.reference).small * primitives;
  }
  const Eigen::MatrixXd rows = d.nuclearLarge * s.large + multiply(df.large, true, onLarge, false) +
                               balance.asDiagonal() * (slope + 0.5 * plain) -
                               d.overlapLarge * s.large * s.energies.asDiagonal();
  const Eigen::VectorXd shift = s.energies.array() + 2.0 * c_ * c_;
  const Eigen::MatrixXd smallRows = d.nuclearSmall * s.small + multiply(df.small, true, onSmall, false) +
                                    d.overlapSmall * (balance.asDiagonal() * s.large) -
                                    slope * shift.asDiagonal();
  return 2.0 * (s.large.cwiseProduct(rows) + s.small.cwiseProduct(smallRows));
}

DefectSlopes FrozenField::defectSlopes(int symmetry, const std::vector<double>& exponents,
                                       const Eigen::VectorXd& weights) const {
  for (const double zeta : exponents) {
    if (!(zeta > smallestExponent_) || !(zeta < largestExponent_))
      throw Error("an exponent is out of the range that the frozen field resolves");
  }
  const SymmetryBasis basis{fields_[symmetry].symmetry, exponents};
  const BasisInField trial = placeInField(symmetry, exponents);
  if (trial.space.largeSize() < occupied(symmetry)) throw Error("too few functions for the spinors");
  const Field& f = fields_[symmetry];
  const ReferenceSmall reference{f.smallFock, f.smallX.transpose() * overlapBetween(f.reference, basis).small,
                                 multiply(f.onLarge, true, trial.functions.large, false),
                                 multiply(f.onSmall, true, trial.functions.small, false)};
  const FrozenSpinors own = solveInTrial(trial.space, trial.fock, occupied(symmetry)),
                      best = solveWithReferenceSmall(trial.space, trial.fock, reference,
                                                     c_ * balanceOf(basis), c_, occupied(symmetry));
  const Eigen::VectorXd& n = f.occupation;
  DefectSlopes s;
  s.rise = n.dot(own.energies) - f.referenceSum;
  s.defect = n.dot(best.energies - own.energies);
  const Eigen::MatrixXd slopes = energySlopes(symmetry, basis, trial, own);
  s.ofRise = slopes * n;
  s.ofDefect = energySlopes(symmetry, basis, trial, best) * n - s.ofRise;
  if (weights.size() == 0) return s;
  const Eigen::VectorXd weighted = weights.cwiseProduct(n);
  s.weighted = weighted.dot(own.energies - f.energies);
  s.ofWeighted = slopes * weighted;
  return s;
}

}  // namespace prophet
