#include "atoms/calculation/judge_basis.hpp"

#include <algorithm>
#include <cmath>

#include "atoms/default_basis/basis_error.hpp"
#include "atoms/integrals/one_electron.hpp"
#include "atoms/qed/qed.hpp"
#include "atoms/scf/fock_operator.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"

namespace prophet {
namespace {

/// Spinors over primitives. Throws Error where the coefficients do not give the result's one-electron energy:
/// then they are over other functions than these.
ScfResult scfOf(const Calculation& calculation, const std::vector<Eigen::MatrixXd>& coefficients,
                const Result& result) {
  constexpr double kSameEnergy = 1e-8;
  const AtomProblem& problem = calculation.problem;
  const BasisSet& basis = calculation.inBasis().basis;
  ScfResult scf;
  scf.converged = true;
  scf.energy = result.energy;
  scf.symmetries.resize(basis.symmetries.size());
  double oneElectron = 0.0;
  std::size_t next = 0;  // of result.spinors
  for (std::size_t a = 0; a < basis.symmetries.size(); ++a) {
    SymmetrySpinors& s = scf.symmetries[a];
    const int size = basis.symmetries[a].size();
    s.places = problem.configuration.occupationOf(static_cast<int>(a)).spinors;
    const auto count = static_cast<Eigen::Index>(s.places.size());
    s.energies.resize(count);
    s.occupations.resize(count);
    s.large.resize(size, count);
    s.small.resize(size, count);
    if (count == 0) continue;
    const SymmetrySpace space =
        makeSymmetrySpace(oneElectronMatrices({{basis.symmetries[a]}, ""}, problem.nucleus).front(),
                          problem.hamiltonian.speedOfLight, calculation.inBasis().scf.dependencyThreshold);
    if (a >= coefficients.size() || coefficients[a].rows() != space.size() ||
        coefficients[a].cols() != count || next + count > result.spinors.size())
      throw Error("the spinors do not fit the basis");
    for (Eigen::Index i = 0; i < count; ++i, ++next) {
      s.energies(i) = result.spinors[next].energy;
      s.occupations(i) = result.spinors[next].occupation;
      oneElectron += s.occupations(i) * coefficients[a].col(i).dot(space.core * coefficients[a].col(i));
    }
    s.large = space.large.x * coefficients[a].topRows(space.largeSize());
    s.small = space.small.x * coefficients[a].bottomRows(space.smallSize());
  }
  const double expected =
      result.energy.value(EnergyPartId::Kinetic) + result.energy.value(EnergyPartId::NuclearAttraction);
  if (!(std::abs(oneElectron - expected) < kSameEnergy * std::abs(expected)))
    throw Error("the spinors do not have the energy of the result");
  return scf;
}

/// What the estimate's own Gaussians miss at the edge of a charged shell's potential, hartree (O2- in MgO:
/// 6.5e-6).
constexpr double kEdge = 1e-5;

}  // namespace

void judgeBasis(const AtomProblem& problem, const BasisMethod& method, const ExtraTerms& extra,
                const ScfResult& scf, ThreadPool& pool, Result& result) {
  const double c = problem.hamiltonian.speedOfLight;
  const auto warn = [&](const LibraryEntry* named, const BasisErrorEstimate* estimate) {
    for (const BasisWarning& w :
         basisWarnings(named, problem.nucleus, problem.configuration, c, method.basis, scf, estimate))
      result.warnings.push_back({w.id, w.text});
  };
  warn(method.named.get(), nullptr);
  if (!result.ok()) return;
  // The limits and their estimates are those of uncontracted functions.
  if (method.basis.contracted()) return;
  if (method.knownError) result.basisError = BasisError{*method.knownError, true, 0};
  // The frozen field of the estimate is that of exact exchange.
  if (!method.estimateError || method.knownError || problem.hamiltonian.isKohnSham()) return;
  try {
    BasisErrorEstimate estimate = estimateBasisError(method.basis, problem, scf, pool, extra);
    if (problem.hamiltonian.shell.any()) estimate.resolution = std::max(estimate.resolution, kEdge);
    result.basisError = BasisError{estimate.total(),           false,
                                   estimate.prolapse,          estimate.symmetryErrors,
                                   estimate.symmetryProlapses, estimate.resolution};
    warn(nullptr, &estimate);
  } catch (const Error& error) {
    result.warnings.push_back({"no_error_estimate", error.what()});
  }
}

bool asksForSpinors(const Calculation& calculation, const Result& result) {
  const BasisMethod& method = calculation.inBasis();
  return calculation.problem.hamiltonian.isFourComponent() && result.ok() && method.estimateError &&
         !method.knownError;
}

bool asksForJudgement(const Calculation& calculation, const Result& result) {
  if (!calculation.problem.hamiltonian.isFourComponent()) return false;
  return calculation.inBasis().named || asksForSpinors(calculation, result);
}

void judgeSpinors(const Calculation& calculation, const std::vector<Eigen::MatrixXd>& coefficients,
                  Result& result) noexcept {
  try {
    ThreadPool alone(1);
    const BasisMethod& method = calculation.inBasis();
    const ScfResult scf =
        asksForSpinors(calculation, result) ? scfOf(calculation, coefficients, result) : ScfResult{};
    const AtomProblem& problem = calculation.problem;
    const Hamiltonian& h = problem.hamiltonian;
    ExtraTerms extra;
    if (h.qedInScf())
      extra = [&](const BasisSet& basis) { return qedTerms(basis, problem.nucleus, h.speedOfLight, h.qed); };
    judgeBasis(problem, method, extra, scf, alone, result);
  } catch (const std::exception& error) {
    result.warnings.push_back({"no_error_estimate", error.what()});
  }
}

Calculation inErrorReference(const Calculation& calculation, const Result& result) {
  ScfResult scf;
  scf.energy = result.energy;
  std::vector<std::vector<Spinor>> bySymmetry(calculation.inBasis().basis.symmetries.size());
  for (const Spinor& s : result.spinors) bySymmetry[usize(s.symmetry.index())].push_back(s);
  for (const std::vector<Spinor>& spinors : bySymmetry) {
    SymmetrySpinors& s = scf.symmetries.emplace_back();
    const auto count = static_cast<Eigen::Index>(spinors.size());
    s.energies = s.occupations = Eigen::VectorXd(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      s.energies(i) = spinors[usize(i)].energy;
      s.occupations(i) = spinors[usize(i)].occupation;
    }
  }
  Calculation finer = calculation;
  BasisMethod& method = finer.inBasis();
  method.basis = errorReference(method.basis, calculation.problem, scf);
  method.estimateError = false;
  method.named.reset();
  method.start = result.coefficients;
  return finer;
}

}  // namespace prophet
