#include "atoms/default_basis/basis_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/breit/breit.hpp"
#include "atoms/default_basis/default_basis.hpp"
#include "atoms/default_basis/exponent_rule.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "atoms/scf/fock_operator.hpp"
#include "atoms/scf/guess.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {
namespace {

constexpr double kReferenceRatio = 1.6;
/// Relative to the energy: what the reference itself misses, and rounding.
constexpr double kResolution = 2e-10;
/// Rounding of light atoms' spinor energies beside tight functions, hartree.
constexpr double kRoundingOfError = 2e-8;
/// Smallest error of a symmetry whose functions are asked for, of the energy and of the highest spinor's.
constexpr double kWorthAsking = 1e-8, kWorthAskingOfSpinor = 1e-3;

ExponentDemand demandOf(int a, const Nucleus& nucleus, const Configuration& configuration,
                        const SymmetrySpinors& spinors) {
  const Symmetry symmetry = Symmetry::fromIndex(a);
  const double least = leastBinding(a, nucleus, configuration);
  if (spinors.energies.size() == 0) return {symmetry, least, least, 1.0, 1.0};
  Eigen::Index outer = 0;
  const double outermost = std::max(least, -spinors.energies.maxCoeff(&outer));
  return {symmetry,
          std::max(outermost, -spinors.energies.minCoeff()),
          outermost,
          spinors.occupations(0),
          spinors.occupations(outer),
          effectiveQuantumNumber(outermost, nucleus, configuration)};
}

/// One symmetry in the reference: its space, and the spinors of the calculation in it.
struct Expanded {
  SymmetrySpace space;
  Eigen::MatrixXd projected;  ///< the spinors' coefficients; for the corrections of open shells only
  Eigen::MatrixXd small;  ///< overlaps of the orthonormal small functions with the spinors' small components
  Eigen::MatrixXd kinetic;  ///< and with c (d/dr + kappa/r) of their large components
};

Expanded expand(int a, const BasisSet& reference, SymmetrySpace space, const AtomProblem& problem,
                const StartSpinors& start) {
  const SymmetryBasis &functions = reference.symmetries[a], &given = start.basis.symmetries[a];
  const double c = problem.hamiltonian.speedOfLight;
  Expanded e;
  e.space = std::move(space);
  if (problem.configuration.occupationOf(a).occupied() == 0) return e;
  e.projected = projectSpinors(start, a, functions, e.space);
  if (e.projected.rows() != e.space.size())
    throw Error("the error estimate's reference basis does not carry the spinors of " +
                functions.symmetry.label());
  if (e.space.smallSize() == 0) return e;
  const Eigen::MatrixXd overlap = e.space.small.x.transpose() * overlapBetween(functions, given).small;
  const Eigen::VectorXd balance = c * balanceOf(given);
  e.small = overlap * start.small[a];
  e.kinetic = overlap * balance.asDiagonal() * start.large[a];
  return e;
}

/// <q|(epsilon - F_SS)|q> with q the difference between a spinor's small component and the best one for its
/// large component: how far below the maximum over small components the energy lies.
double shortOfMaximum(const Eigen::MatrixXd& fock, const Expanded& e, int spinor, double energy) {
  const int large = e.space.largeSize(), small = e.space.smallSize();
  Eigen::MatrixXd shifted = -fock.bottomRightCorner(small, small);
  shifted.diagonal().array() += energy;
  Eigen::MatrixXd factor = shifted;
  if (!choleskyInPlace(factor)) return 0.0;
  // What couples the components beside the kinetic energy is small and smooth: the projected spinor will do.
  const Eigen::VectorXd coupling =
      e.kinetic.col(spinor) +
      (fock.bottomLeftCorner(small, large) - e.space.kinetic) * e.projected.col(spinor).head(large);
  Eigen::VectorXd best = coupling;
  factor.triangularView<Eigen::Lower>().solveInPlace(best);
  factor.transpose().triangularView<Eigen::Upper>().solveInPlace(best);
  const Eigen::VectorXd difference = e.small.col(spinor) - best;
  return difference.dot(shifted * difference);
}

/// By how much functions that a symmetry lacks would lower the energy, but for the prolapse; and the
/// prolapse.
struct SymmetryError {
  double rise = 0.0, prolapse = 0.0;
  SymmetryLack lack{};
};

/// Energies of the functions `given`, as the reference has them, and those of the reference with exponents
/// from `least` to `most`.
Eigen::VectorXd energiesWith(const Eigen::MatrixXd& fock, const Expanded& e, const SymmetryBasis& functions,
                             const SymmetryBasis& given, double least, double most, int count) {
  std::vector<int> added;
  for (int p = 0; p < functions.size(); ++p)
    if (functions.exponents[p] > least && functions.exponents[p] < most) added.push_back(p);
  const OverlapBlocks own = overlapBetween(functions, given), all = overlapBetween(functions, functions);
  // Orthonormal combinations, over those of the reference. What nearly depends on others is left out: its own
  // direction is rounding, which may point anywhere.
  static constexpr double kNearlyDependent = 1e-4;
  const auto span = [&added](const Eigen::MatrixXd& x, const Eigen::MatrixXd& first,
                             const Eigen::MatrixXd& second) -> Eigen::MatrixXd {
    Eigen::MatrixXd both(x.rows(), first.cols() + static_cast<Eigen::Index>(added.size()));
    both << first, second(Eigen::all, added);
    return columnSpan(x.transpose() * both, kNearlyDependent);
  };
  const Eigen::MatrixXd large = span(e.space.large.x, own.large, all.large);
  // Without relativity there are no small functions.
  const Eigen::MatrixXd small =
      e.space.smallSize() > 0 ? span(e.space.small.x, own.small, all.small) : Eigen::MatrixXd(0, 0);
  Eigen::MatrixXd basis = Eigen::MatrixXd::Zero(e.space.size(), large.cols() + small.cols());
  basis.topLeftCorner(large.rows(), large.cols()) = large;
  basis.bottomRightCorner(small.rows(), small.cols()) = small;
  const Eigen::MatrixXd whole = fock.selfadjointView<Eigen::Lower>();
  return EigenSolver().values(basis.transpose() * whole * basis, static_cast<int>(small.cols()), count);
}

/// Where functions are missing. `given`: those of the set.
void findMissing(const Eigen::MatrixXd& fock, const Expanded& e, const SymmetryBasis& functions,
                 const SymmetryBasis& given, const SymmetryOccupation& occupation,
                 const SymmetrySpinors& spinors, SymmetryLack& lack) {
  const double margin = std::sqrt(kReferenceRatio), infinity = std::numeric_limits<double>::infinity();
  const auto [least, most] = std::minmax_element(given.exponents.begin(), given.exponents.end());
  const double low = *least / margin, high = *most * margin, middle = std::sqrt(*least * *most);
  const auto with = [&](double from, double to) {
    return energiesWith(fock, e, functions, given, from, to, occupation.needed());
  };
  const Eigen::VectorXd own = with(0, 0), diffuse = with(0, middle), tight = with(middle, infinity),
                        moreDiffuse = with(0, low), tighter = with(high, infinity);
  Eigen::Index outer = 0;
  spinors.energies.maxCoeff(&outer);
  for (Eigen::Index i = 0; i < occupation.occupied(); ++i) {
    const int number = occupation.spinors[usize(i)].number;
    const auto gain = [&](const Eigen::VectorXd& energies) {
      return spinors.occupations(i) * (own(number) - energies(number));
    };
    const MissingFunctions missing{gain(diffuse), gain(tight), gain(moreDiffuse), gain(tighter)};
    lack.all.diffuse += missing.diffuse;
    lack.all.tight += missing.tight;
    lack.all.moreDiffuse += missing.moreDiffuse;
    lack.all.tighter += missing.tighter;
    if (i == outer) lack.outermost = missing;
  }
}

/// `fock`: the effective Fock matrix of the symmetry. `functions`, `given`: those of the reference and of the
/// set; `energy`: of the atom.
SymmetryError symmetryError(const Eigen::MatrixXd& fock, const Expanded& e, const SymmetryBasis& functions,
                            const SymmetryBasis& given, const SymmetryOccupation& occupation,
                            const SymmetrySpinors& spinors, double energy) {
  const int count = occupation.occupied();
  SymmetryError error;
  if (count == 0) return error;
  for (int i = 0; i < count && e.space.smallSize() > 0; ++i)
    error.prolapse += spinors.occupations(i) * shortOfMaximum(fock, e, i, spinors.energies(i));
  const Eigen::VectorXd energies = EigenSolver().values(fock, e.space.smallSize(), occupation.needed());
  const auto riseOf = [&](Eigen::Index i) {
    return spinors.occupations(i) * (spinors.energies(i) - energies(occupation.spinors[usize(i)].number));
  };
  for (int i = 0; i < count; ++i) error.rise += riseOf(i);
  Eigen::Index outer = 0;
  const double binding = std::abs(spinors.energies.maxCoeff(&outer)) * spinors.occupations(outer);
  error.lack.outermostError = riseOf(outer);
  if (error.rise > kWorthAsking * std::abs(energy) ||
      error.lack.outermostError > kWorthAskingOfSpinor * binding)
    findMissing(fock, e, functions, given, occupation, spinors, error.lack);
  return error;
}

}  // namespace

BasisSet errorReference(const BasisSet& basis, const AtomProblem& problem, const ScfResult& scf) {
  const Configuration& configuration = problem.configuration;
  ExponentRule rule;
  rule.bothJ = problem.hamiltonian.isSpinFree();
  rule.ratio = kReferenceRatio;
  rule.widening = 0.8;
  rule.reach = 2.0;
  rule.tolerance = 1e-11 * std::max(1.0, std::abs(scf.energy.total));
  const int count = configuration.occupiedSymmetries();
  std::vector<ExponentDemand> demands;
  for (int a = 0; a < count; ++a)
    demands.push_back(demandOf(a, problem.nucleus, configuration, scf.symmetries[a]));
  BasisSet reference = fittedSet(demands, problem.nucleus, lightSpeedOf(problem.hamiltonian), rule);
  for (int a = 0; a < count; ++a) {
    std::vector<double>& exponents = reference.symmetries[a].exponents;
    const std::vector<double>& given = basis.symmetries[a].exponents;
    if (!given.empty()) {
      const auto [least, most] = std::minmax_element(given.begin(), given.end());
      std::vector<double> below;
      for (double zeta = exponents.front(); zeta > *least;) below.push_back(zeta /= kReferenceRatio);
      exponents.insert(exponents.begin(), below.rbegin(), below.rend());
      while (exponents.back() < *most) exponents.push_back(exponents.back() * kReferenceRatio);
    }
  }
  return reference;
}

BasisErrorEstimate estimateBasisError(const BasisSet& basis, const AtomProblem& problem, const ScfResult& scf,
                                      ThreadPool& pool, const ExtraTerms& extra) {
  const Configuration& configuration = problem.configuration;
  const Hamiltonian& h = problem.hamiltonian;
  BasisErrorEstimate estimate;
  estimate.resolution = std::max(kResolution * std::abs(scf.energy.total), kRoundingOfError);
  const BasisSet reference = errorReference(basis, problem, scf);
  const StartSpinors start = startSpinors(basis, scf);
  const int count = static_cast<int>(reference.symmetries.size());
  std::vector<SymmetrySpace> spaces = hamiltonianSpaces(
      reference, problem.nucleus, h.oneElectron, h.speedOfLight, ScfOptions().dependencyThreshold, pool);
  std::vector<Expanded> expanded(count);
  pool.forEach(count,
               [&](int a, int) { expanded[a] = expand(a, reference, std::move(spaces[a]), problem, start); });
  if (extra) {
    Eigen::MatrixXd work, matrix;
    for (const OneElectronTerm& term : extra(reference)) {
      for (int a = 0; a < count; ++a) {
        transformToSpace(expanded[a].space, term.blocks[a], work, matrix);
        expanded[a].space.core += matrix;
      }
    }
  }
  std::vector<OccupiedSpinors> spinors = occupiedSpinors(scf);
  spinors.resize(count);
  std::vector<BlockMatrix> p, q;
  const auto builder = makeGridBuilder(reference, fockGrid(reference, 1e-11), h.scfRepulsion(), pool);
  builder->setOrbitalBasis(basis);
  builder->build(spinors, configuration.openReduction(), p, q);
  std::vector<SymmetryError> errors(count);
  pool.forEach(count, [&](int a, int) {
    const SymmetryOccupation& occupation = configuration.occupationOf(a);
    const int open = configuration.firstOpen(a);
    SymmetryFock fock;
    effectiveFock(expanded[a].space, occupation, p[a], open < 0 ? nullptr : &q[open], expanded[a].projected,
                  fock);
    errors[a] = symmetryError(fock.effective, expanded[a], reference.symmetries[a], basis.symmetries[a],
                              occupation, scf.symmetries[a], scf.energy.total);
  });
  for (const SymmetryError& e : errors) {
    estimate.symmetryErrors.push_back(e.rise);
    estimate.symmetryProlapses.push_back(e.prolapse);
    estimate.symmetryLacks.push_back(e.lack);
    estimate.prolapse += e.prolapse;
    estimate.lack += e.rise + e.prolapse;
  }
  if (problem.nucleus.isPoint()) {
    for (int a = 0; a < count; ++a) {
      const ExponentDemand demand = demandOf(a, problem.nucleus, configuration, scf.symmetries[a]);
      if (configuration.occupationOf(a).occupied() == 0) continue;
      const double missing = missingAtPoint(demand, problem.nucleus.charge, lightSpeedOf(h),
                                            reference.symmetries[a].exponents.back(), h.isSpinFree());
      estimate.lack += missing;
      estimate.symmetryErrors[a] += missing;
    }
  }
  return estimate;
}

namespace {

/// Share of its binding energy that an outermost spinor may be off by.
constexpr double kBindingShare = 0.01;

/// At which end of the exponents most is missing: "tight functions are missing (exponents above 1.2e+06)".
std::string endOf(const MissingFunctions& missing, const SymmetryBasis& given) {
  constexpr double kMostOfIt = 0.5;
  const auto [least, most] = std::minmax_element(given.exponents.begin(), given.exponents.end());
  const double middle = std::sqrt(*least * *most);
  if (missing.tight > missing.diffuse) {
    return missing.tighter > kMostOfIt * missing.tight
               ? fmt::format("tight functions are missing (exponents above {:.2g})", *most)
               : fmt::format("tight functions are missing (among exponents above {:.2g})", middle);
  }
  return missing.moreDiffuse > kMostOfIt * missing.diffuse
             ? fmt::format("diffuse functions are missing (exponents below {:.2g})", *least)
             : fmt::format("diffuse functions are missing (among exponents below {:.2g})", middle);
}

void warnOfSpinors(const Configuration& configuration, const BasisSet& basis, const ScfResult& scf,
                   const BasisErrorEstimate& estimate, std::vector<BasisWarning>& warnings) {
  for (std::size_t a = 0; a < estimate.symmetryLacks.size(); ++a) {
    const SymmetrySpinors& s = scf.symmetries[a];
    if (s.energies.size() == 0) continue;
    Eigen::Index outer = 0;
    const double highest = s.energies.maxCoeff(&outer);
    const double binding = std::max(0.0, -highest) * s.occupations(outer);
    const SymmetryLack& lack = estimate.symmetryLacks[a];
    if (lack.outermostError <= std::max(kBindingShare * binding, estimate.resolution)) continue;
    const int place = configuration.occupationOf(static_cast<int>(a)).spinors[outer].number;
    warnings.push_back(
        {"outermost_spinor_not_represented",
         fmt::format(
             "the basis does not represent {}: it raises the energy of its electrons by about {:.1e} of the "
             "{:.1e} hartree that bind them; {}; add some, or let the program choose the basis",
             spinorLabel(Symmetry::fromIndex(static_cast<int>(a)), place + 1), lack.outermostError, binding,
             endOf(lack.outermost, basis.symmetries[a]))});
  }
}

/// Warns of the symmetry that lacks most.
void warnOfMissing(const BasisSet& basis, const BasisErrorEstimate& estimate,
                   std::vector<BasisWarning>& warnings) {
  const auto worst = std::max_element(estimate.symmetryErrors.begin(), estimate.symmetryErrors.end());
  const auto a = usize(worst - estimate.symmetryErrors.begin());
  if (a >= estimate.symmetryLacks.size()) return;
  warnings.push_back(
      {"missing_functions",
       fmt::format("the basis is weakest in {}, {:.1e} hartree: {}", basis.symmetries[a].symmetry.label(),
                   *worst, endOf(estimate.symmetryLacks[a].all, basis.symmetries[a]))});
}

void warnOfError(double energy, const BasisSet& basis, const BasisErrorEstimate& estimate,
                 std::vector<BasisWarning>& warnings) {
  const double error = estimate.total(), scale = std::abs(energy);
  if (error > std::max(5e-7 * scale, 5e-5)) {
    warnings.push_back(
        {"basis_poor", fmt::format("the basis is poor for this calculation: about {:.1e} hartree "
                                   "above the complete-basis limit",
                                   error)});
    warnOfMissing(basis, estimate, warnings);
  }
  if (error < -std::max({5e-9 * scale, 1e-6, estimate.resolution})) {
    warnings.push_back(
        {"prolapse", fmt::format("the energy lies about {:.1e} hartree below the complete-basis limit: small "
                                 "components cannot follow the large ones (prolapse)",
                                 -error)});
  }
}

}  // namespace

std::vector<BasisWarning> basisWarnings(const LibraryEntry* named, const Nucleus& nucleus,
                                        const Configuration& configuration, double c, const BasisSet& basis,
                                        const ScfResult& scf, const BasisErrorEstimate* estimate) {
  std::vector<BasisWarning> warnings;
  if (named) {
    if (const auto mismatch = purposeMismatch(*named, nucleus, configuration, c))
      warnings.push_back({"basis_made_for_something_else", *mismatch});
  }
  if (estimate) {
    warnOfError(scf.energy.total, basis, *estimate, warnings);
    warnOfSpinors(configuration, basis, scf, *estimate, warnings);
  }
  return warnings;
}

}  // namespace prophet
