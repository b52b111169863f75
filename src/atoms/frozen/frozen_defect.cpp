#include <cmath>

#include "atoms/frozen/frozen_field.hpp"
#include "atoms/frozen/occupied_solutions.hpp"
#include "atoms/integrals/exponent_derivatives.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "core/common/error.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Small functions whose part outside the reference's is less than this (its square) add nothing.
constexpr double kInside = 1e-10;

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

/// Spinors in the frozen field, a column each: coefficients over the trial's primitives, and over the
/// reference's small functions where these are there too.
struct FrozenField::Solution {
  Eigen::VectorXd energies;
  Eigen::MatrixXd large, small, reference;
};

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

FrozenField::Solution FrozenField::solveIn(int symmetry, const BasisInField& trial) const {
  const SymmetrySpace& space = trial.space;
  Eigen::MatrixXd vectors;
  Solution s;
  occupiedSolutions(trial.fock, space.smallSize(), occupied(symmetry), s.energies, vectors);
  s.large = space.large.x * vectors.topRows(space.largeSize());
  s.small = space.small.x * vectors.bottomRows(space.smallSize());
  return s;
}

/// Blocks: large functions of the trial; small ones of the reference; what those of the trial add to these.
FrozenField::Solution FrozenField::solveWithReferenceSmall(int symmetry, const SymmetryBasis& basis,
                                                           const BasisInField& trial) const {
  const Field& f = fields_[symmetry];
  const Eigen::MatrixXd &x = trial.space.large.x, &y = trial.space.small.x;
  const Eigen::MatrixXd overlap = f.smallX.transpose() * overlapBetween(f.reference, basis).small;
  const Eigen::MatrixXd inside = overlap * y;
  const OrthonormalBasis added =
      orthonormalise(Eigen::MatrixXd::Identity(y.cols(), y.cols()) - inside.transpose() * inside, kInside);
  // The added functions: trial functions times `own` minus reference functions times `taken`.
  const Eigen::MatrixXd own = y * added.x, taken = inside * added.x;
  const Eigen::Index n = x.cols(), m = f.smallX.cols(), k = added.x.cols();
  Eigen::MatrixXd fock = Eigen::MatrixXd::Zero(n + m + k, n + m + k), vectors;
  fock.topLeftCorner(n, n) = trial.fock.topLeftCorner(n, n);
  fock.block(n, n, m, m) = f.smallFock;
  const Eigen::MatrixXd couplingReference = (overlap * (c_ * balanceOf(basis)).asDiagonal() +
                                             multiply(f.onLarge, true, trial.functions.large, false)) *
                                            x;
  const Eigen::MatrixXd couplingOwn = trial.fock.bottomLeftCorner(y.cols(), n);
  // Without the rest mass, which is diagonal.
  const double rest = -2.0 * c_ * c_;
  Eigen::MatrixXd between =
      multiply(f.onSmall, true, multiply(trial.functions.small, false, own, false), false);
  Eigen::MatrixXd ownFock = trial.fock.bottomRightCorner(y.cols(), y.cols());
  ownFock.diagonal().array() -= rest;
  Eigen::MatrixXd referenceFock = f.smallFock;
  referenceFock.diagonal().array() -= rest;
  const Eigen::MatrixXd mixed = taken.transpose() * between;
  fock.bottomLeftCorner(k, n) = added.x.transpose() * couplingOwn - taken.transpose() * couplingReference;
  fock.block(n, 0, m, n) = couplingReference;
  fock.block(n + m, n, k, m) = (between - referenceFock * taken).transpose();
  fock.bottomRightCorner(k, k) = added.x.transpose() * ownFock * added.x - mixed - mixed.transpose() +
                                 taken.transpose() * referenceFock * taken;
  fock.bottomRightCorner(k, k).diagonal().array() += rest;
  const Eigen::MatrixXd whole = fock.selfadjointView<Eigen::Lower>();
  fock = whole;
  Solution s;
  occupiedSolutions(fock, static_cast<int>(m + k), occupied(symmetry), s.energies, vectors);
  s.large = x * vectors.topRows(n);
  s.small = own * vectors.bottomRows(k);
  s.reference = vectors.middleRows(n, m) - taken * vectors.bottomRows(k);
  return s;
}

/// sum n_i d epsilon_i/d ln zeta_p = 2 sum n_i <d psi_i/d ln zeta_p|F - epsilon_i|psi_i>.
Eigen::VectorXd FrozenField::energySlope(int symmetry, const SymmetryBasis& basis, const BasisInField& trial,
                                         const Solution& s) const {
  const Field& f = fields_[symmetry];
  const Eigen::VectorXd& n = f.occupation;
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
  return 2.0 * (s.large.cwiseProduct(rows) + s.small.cwiseProduct(smallRows)) * n;
}

DefectSlopes FrozenField::defectSlopes(int symmetry, const std::vector<double>& exponents) const {
  for (const double zeta : exponents) {
    if (!(zeta > smallestExponent_) || !(zeta < largestExponent_))
      throw Error("an exponent is out of the range that the frozen field resolves");
  }
  const SymmetryBasis basis{fields_[symmetry].symmetry, exponents};
  const BasisInField trial = placeInField(symmetry, exponents);
  if (trial.space.largeSize() < occupied(symmetry)) throw Error("too few functions for the spinors");
  const Solution own = solveIn(symmetry, trial), best = solveWithReferenceSmall(symmetry, basis, trial);
  const Eigen::VectorXd& n = fields_[symmetry].occupation;
  DefectSlopes s;
  s.rise = n.dot(own.energies) - fields_[symmetry].referenceSum;
  s.defect = n.dot(best.energies - own.energies);
  s.ofRise = energySlope(symmetry, basis, trial, own);
  s.ofDefect = energySlope(symmetry, basis, trial, best) - s.ofRise;
  return s;
}

}  // namespace prophet
