#include "atoms/calculation/compute.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <new>
#include <vector>

#include "atoms/atom/configuration.hpp"
#include "atoms/breit/breit.hpp"
#include "atoms/breit/retarded.hpp"
#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/judge_basis.hpp"
#include "atoms/fock/kohn_sham_builder.hpp"
#include "atoms/fock/stored_builder.hpp"
#include "atoms/functional/functional.hpp"
#include "atoms/gradient/energy_gradient.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "atoms/limit/wavefunction.hpp"
#include "atoms/qed/qed.hpp"
#include "atoms/scf/gaussian_wavefunction.hpp"
#include "core/common/error.hpp"
#include "core/common/memory.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"

namespace prophet {

/// What a calculation in a basis set has beside the Dirac-Coulomb Hamiltonian of a free atom: kernels of its
/// Breit interaction on a grid (without frequency), matrices of its QED potentials and of a charged shell.
class Corrections {
 public:
  Corrections(const AtomProblem& problem, const BasisSet& basis, const RadialGrid& grid);

  const RadialGrid& grid() const { return grid_; }
  /// Kernels for the Fock builder; null if the Breit interaction is not self-consistent.
  std::shared_ptr<const CrossKernels> scfKernels() const;
  /// Operators for the SCF: QED, if it is not of first order, and a charged shell.
  std::vector<OneElectronTerm> scfTerms() const;
  /// The same operators in another basis.
  std::vector<OneElectronTerm> scfTermsIn(const BasisSet& basis) const;
  /// Adds the parts that the SCF did not list: the Breit parts, and QED in first order.
  void addTo(EnergyBreakdown& energy, const ScfResult& scf, ThreadPool& pool) const;

 private:
  const AtomProblem& problem_;
  const BasisSet& basis_;
  RadialGrid grid_;
  BreitInteraction breit_;
  std::vector<OneElectronTerm> qed_;
};

namespace {

std::vector<OneElectronTerm> withShell(const BasisSet& basis, const ChargedShell& shell,
                                       std::vector<OneElectronTerm> terms) {
  if (!shell.any()) return terms;
  OneElectronTerm& term = terms.emplace_back();
  term.part = EnergyPartId::External;
  term.blocks = shellMatrices(basis, shell);
  return terms;
}

}  // namespace

Corrections::Corrections(const AtomProblem& problem, const BasisSet& basis, const RadialGrid& grid)
    : problem_(problem),
      basis_(basis),
      grid_(grid),
      breit_(
          basis, grid,
          problem.hamiltonian.breitFrequency ? TwoElectronOperator::Coulomb : problem.hamiltonian.repulsion),
      qed_(qedTerms(basis, problem.nucleus, problem.hamiltonian.speedOfLight, problem.hamiltonian.qed)) {}

std::shared_ptr<const CrossKernels> Corrections::scfKernels() const {
  if (problem_.hamiltonian.scfRepulsion() == TwoElectronOperator::Coulomb) return nullptr;
  return breit_.whole();
}

std::vector<OneElectronTerm> Corrections::scfTerms() const {
  std::vector<OneElectronTerm> terms;
  if (problem_.hamiltonian.qedInScf()) terms = qed_;
  return withShell(basis_, problem_.hamiltonian.shell, std::move(terms));
}

std::vector<OneElectronTerm> Corrections::scfTermsIn(const BasisSet& basis) const {
  const Hamiltonian& h = problem_.hamiltonian;
  std::vector<OneElectronTerm> terms;
  if (h.qedInScf()) terms = qedTerms(basis, problem_.nucleus, h.speedOfLight, h.qed);
  return withShell(basis, h.shell, std::move(terms));
}

void Corrections::addTo(EnergyBreakdown& energy, const ScfResult& scf, ThreadPool& pool) const {
  if (!std::isfinite(energy.total)) return;
  const Hamiltonian& h = problem_.hamiltonian;
  if (h.hasBreit()) {
    const BreitEnergy breit =
        h.breitFrequency
            ? retardedBreitEnergy(basis_, grid_, problem_.configuration, scf, h.speedOfLight, pool)
            : breitEnergy(basis_, grid_, problem_.configuration, scf, breit_, pool);
    energy.addBreit(breitParts(h.repulsion, breit, h.breitTreatment));
  }
  if (h.qedInScf()) return;
  for (const EnergyPart& part : firstOrderParts(qed_, scf)) energy.parts.push_back(part);
}

namespace {

double storedBytes(const BasisSet& basis) {
  std::vector<int> sizes;
  for (const SymmetryBasis& s : basis.symmetries) sizes.push_back(s.size());
  return superMatrixBytes(PairIndex(sizes));
}

/// The Dirac Hamiltonian of a free atom in uncontracted functions: what gradients and stored integrals on a
/// GPU have.
bool isPlainDirac(const AtomProblem& problem, const BasisMethod& method) {
  return problem.hamiltonian.isFourComponent() && !problem.hamiltonian.isKohnSham() &&
         !problem.hamiltonian.shell.any() && !method.basis.contracted();
}

bool storedFits(const BasisSet& basis) { return storedBytes(basis) < 0.8 * availableMemory(); }

std::unique_ptr<FockBuilder> gridBuilder(const AtomProblem& problem, const BasisSet& basis,
                                         const Corrections& corrections, ThreadPool& pool) {
  const Hamiltonian& h = problem.hamiltonian;
  if (h.isKohnSham())
    return std::make_unique<KohnShamBuilder>(basis, functionalOf(h), pool,
                                             openSpinShares(problem.configuration));
  return std::make_unique<GridFockBuilder>(basis, corrections.grid(), pool, corrections.scfKernels());
}

/// Throws Error where the method has no builder for the problem.
std::unique_ptr<FockBuilder> storedBuilder(const AtomProblem& problem, const BasisSet& basis, int threads) {
  if (problem.hamiltonian.scfRepulsion() != TwoElectronOperator::Coulomb) {
    throw Error(
        "stored integrals have no self-consistent Breit interaction; use fock='grid', or "
        "breitscf=.false. for first order");
  }
  if (!storedFits(basis)) {
    throw Error(fmt::format(
        "the stored two-electron integrals need {:.3g} GB and this process may have {:.3g} GB of memory; "
        "use fock='grid', which needs a few MB, or a smaller basis",
        storedBytes(basis) * 1e-9, availableMemory() * 1e-9));
  }
  return std::make_unique<StoredFockBuilder>(basis, threads);
}

/// The small components of a contracted set are fewer than those that inner electrons need.
void warnOfBalance(const AtomProblem& problem, const BasisMethod& method, Result& result) {
  if (!problem.hamiltonian.isFourComponent() || !method.basis.contracted()) return;
  result.warnings.push_back(
      {"contracted_kinetic_balance",
       "restricted kinetic balance of contracted functions has too few small functions for the electrons "
       "near "
       "the nucleus: the energy may lie below that of the primitives; uncontract the inner functions, or use "
       "hamiltonian='x2c1e', whose contraction is exact for the atom"});
}

ScfResult scfWith(FockBuilder& builder, const AtomProblem& p, const BasisMethod& method,
                  const Corrections& corrections, ThreadPool& pool, const ScfObserver& observer) {
  const std::vector<OneElectronTerm> terms = corrections.scfTerms();
  const auto from = [&](const StartSpinors* start) {
    return runScf({method.basis, p.nucleus, p.configuration, p.hamiltonian.speedOfLight, terms, start,
                   p.hamiltonian.oneElectron},
                  builder, method.scf, pool, observer);
  };
  if (method.start) {
    try {
      ScfResult result = from(method.start.get());
      if (result.converged) return result;
    } catch (const Error&) {
      // If the calculation itself is wrong, the default guess fails as well and says why.
    }
  }
  return from(nullptr);
}

/// SCF and corrections with one builder, hartree.
double wholeEnergy(FockBuilder& builder, const AtomProblem& problem, const BasisMethod& method,
                   const Corrections& corrections, ThreadPool& pool) {
  const ScfResult scf = scfWith(builder, problem, method, corrections, pool, {});
  EnergyBreakdown energy = scf.energy;
  corrections.addTo(energy, scf, pool);
  return energy.withCorrections();
}

StoredKernel kernelOf(FockKind fock) {
  if (fock == FockKind::Stse) return StoredKernel::Stse;
  return fock == FockKind::Mtse ? StoredKernel::Mtse : StoredKernel::Stored;
}

/// Unbound spinors are worth looking at too; those of a field that did not converge would mislead.
void keepSpinors(const AtomProblem& problem, const BasisMethod& method, const ScfResult& scf,
                 Result& result) {
  if (!method.keepSpinors || !scf.converged) return;
  result.coefficients = std::make_shared<StartSpinors>(startSpinors(method.basis, scf));
  result.wavefunction = std::make_shared<GaussianWavefunction>(result.coefficients);
  warnOfPicture(problem, result);
}

void addGradient(const AtomProblem& p, const BasisMethod& method, const ScfResult& scf, FockBuilder& builder,
                 Result& result) {
  auto* grid = dynamic_cast<GridFockBuilder*>(&builder);
  const bool known = isPlainDirac(p, method) && !p.hamiltonian.qedInScf();
  if (!method.exponentGradient || !scf.converged || !grid || !known) return;
  const ScfProblem problem{method.basis, p.nucleus, p.configuration, p.hamiltonian.speedOfLight};
  result.exponentGradient = energyGradient(problem, scf, *grid);
}

Result computeOnGpu(const AtomProblem& problem, const BasisMethod& method, const Resources& resources,
                    const ScfObserver& observer) {
  const Stopwatch total;
  StoredReport report;
  StoredSettings settings;
  settings.kernel = kernelOf(method.fock);
  settings.mapping = method.mapping;
  const ScfResult scf = resources.gpu->runStoredScf(problem, method, settings, observer, &report);
  // With so many iterations the CPU has time for damping and level shifts.
  constexpr int kIterationsForFallbacks = 30;
  if (!scf.converged && resources.hostIfGpuFails && method.scf.extrapolation == Extrapolation::Diis &&
      method.scf.maxIterations >= kIterationsForFallbacks)
    throw DeviceError("DIIS alone did not converge there");
  Result result = resultOf(method.basis, scf, method.scf);
  warnOfNucleus(problem, result);
  ThreadPool pool(resources.threads);
  const Stopwatch estimate;
  judgeBasis(problem, method, {}, scf, pool, result);
  result.timings.push_back({"error_estimate", estimate.seconds()});
  keepSpinors(problem, method, scf, result);
  result.timings.push_back({"builder", report.integralSeconds});
  result.timings.push_back({"total", total.seconds()});
  result.provenance = {nameOf(method.fock), "cuda", report.device, resources.threads, {}, {}, 0, report};
  return result;
}

RadialGrid gridOf(const FockBuilder& builder, const Corrections& corrections) {
  const auto* kohnSham = dynamic_cast<const KohnShamBuilder*>(&builder);
  return kohnSham ? kohnSham->grid() : corrections.grid();
}

Result computeInBasis(const AtomProblem& problem, const BasisMethod& method, const Resources& resources,
                      const ScfObserver& listener) {
  const ScfObserver observer = [&](const ScfIteration& step) {
    if (listener) listener(step);
    pass(resources.checkpoint);
  };
  const bool onGrid = method.fock == FockKind::Grid || method.fock == FockKind::Automatic;
  std::string gpuFailure;
  if (resources.gpu && !onGrid && isPlainDirac(problem, method)) {
    try {
      return computeOnGpu(problem, method, resources, observer);
    } catch (const DeviceError& error) {
      if (!resources.hostIfGpuFails) throw;
      gpuFailure = error.what();
    }
  }
  const Stopwatch total;
  ThreadPool pool(resources.threads);
  Stopwatch stage;
  const Corrections corrections(problem, method.basis, fockGrid(method.basis));
  double correctionSeconds = stage.seconds();
  stage = Stopwatch();
  const auto builder = onGrid ? gridBuilder(problem, method.basis, corrections, pool)
                              : storedBuilder(problem, method.basis, resources.threads);
  const double builderSeconds = stage.seconds();
  const ScfResult scf = scfWith(*builder, problem, method, corrections, pool, observer);
  stage = Stopwatch();
  Result result = resultOf(method.basis, scf, method.scf);
  if (!gpuFailure.empty())
    result.warnings.push_back({"gpu_failed", "the CPU computed this because the GPU failed: " + gpuFailure});
  warnOfNucleus(problem, result);
  warnOfBalance(problem, method, result);
  corrections.addTo(result.energy, scf, pool);
  correctionSeconds += stage.seconds();
  stage = Stopwatch();
  judgeBasis(
      problem, method, [&](const BasisSet& basis) { return corrections.scfTermsIn(basis); }, scf, pool,
      result);
  result.timings.push_back({"error_estimate", stage.seconds()});
  stage = Stopwatch();
  addGradient(problem, method, scf, *builder, result);
  if (!result.exponentGradient.empty()) result.timings.push_back({"exponent_gradient", stage.seconds()});
  keepSpinors(problem, method, scf, result);
  result.provenance.method = builder->name();
  result.provenance.threads = resources.threads;
  if (onGrid) result.provenance.grid = gridOf(*builder, corrections);
  if (!onGrid) result.provenance.storedBytes = storedBytes(method.basis);
  result.timings.push_back({"builder", builderSeconds});
  result.timings.push_back({"corrections", correctionSeconds});
  result.timings.push_back({"total", total.seconds()});
  return result;
}

}  // namespace

GridCheck verifyGrid(const Calculation& calculation, int threads) {
  const AtomProblem& problem = calculation.problem;
  if (problem.hamiltonian.isKohnSham())
    throw Error(fmt::format("verify_grid is for exact exchange; leave it out with functional='{}'",
                            problem.hamiltonian.functional));
  const BasisMethod& method = calculation.inBasis();
  ThreadPool pool(threads);
  GridCheck check;
  check.grid = fockGrid(method.basis);
  check.finerGrid = makeGrid(method.basis, check.grid.h * 2.0 / 3.0);
  const auto energyOn = [&](const RadialGrid& grid) {
    const Corrections corrections(problem, method.basis, grid);
    return wholeEnergy(*gridBuilder(problem, method.basis, corrections, pool), problem, method, corrections,
                       pool);
  };
  check.energy = energyOn(check.grid);
  check.finerEnergy = energyOn(check.finerGrid);
  if (problem.hamiltonian.hasBreit()) {
    check.whyNotAnalytic = "they have no Breit interaction";
  } else if (!storedFits(method.basis)) {
    check.whyNotAnalytic = "they do not fit into this machine's memory";
  } else {
    StoredFockBuilder stored(method.basis, threads);
    check.analyticEnergy =
        wholeEnergy(stored, problem, method, Corrections(problem, method.basis, check.grid), pool);
  }
  return check;
}

namespace {

std::vector<Spinor> spinorsOf(const LimitResult& limit, bool firstOrderBreit) {
  std::vector<Spinor> list;
  for (const LimitSpinor& s : limit.spinors) {
    Spinor& spinor = list.emplace_back();
    spinor.symmetry = Symmetry{s.kappa};
    spinor.n = s.n;
    spinor.occupation = s.occupation;
    spinor.energy = s.energy;
    spinor.bound = s.bound;
    spinor.meanRadius = s.meanRadius;
    spinor.meanSquareRadius = s.meanSquareRadius;
    spinor.meanInverseRadius = s.meanInverseRadius;
    if (firstOrderBreit) spinor.breit = s.breit;
  }
  return list;
}

Result computeLimit(const AtomProblem& problem, const LimitMethod& method, const Resources& resources) {
  const Stopwatch watch;
  const Hamiltonian& h = problem.hamiltonian;
  LimitOptions options;
  options.speedOfLight = h.speedOfLight;
  options.oneElectron = h.oneElectron;
  options.maxIterations = method.maxIterations;
  options.residualThreshold = method.residualThreshold;
  options.density = method.density;
  options.largestRadius = method.largestRadius;
  options.start = method.start;
  options.threads = resources.threads;
  options.checkpoint = resources.checkpoint;
  options.observer = resources.limitObserver;
  options.twoElectronOperator = h.repulsion;
  options.breitSelfConsistent = h.breitTreatment == Treatment::SelfConsistent;
  options.extra = qedOperators(problem.nucleus, h.speedOfLight, h.qed);
  options.extraSelfConsistent = h.qedTreatment == Treatment::SelfConsistent;
  options.shell = h.shell;
  options.functional = h.functional;
  options.spin = h.spin;
  const LimitResult limit = numericalLimit(problem.nucleus, problem.configuration, options);

  Result result;
  result.status = Status::Converged;
  if (!limit.converged)
    markNotConverged(result, "the numerical limit did not converge in " +
                                 std::to_string(method.maxIterations) + " iterations");
  result.energy = limit.parts;
  result.virialRatio = limit.virialRatio;
  result.spinors = spinorsOf(limit, h.hasBreit() && !options.breitSelfConsistent);
  result.wavefunction = limit.wavefunction;
  result.limit = LimitDetails{limit.estimatedError, limit.resolutions};
  if (!limit.resolutions.empty()) result.iterations = limit.resolutions.back().iterations;
  if (!limit.remark.empty()) result.warnings.push_back({"limit_other_start", limit.remark});
  warnOfNucleus(problem, result);
  judgeBinding(result);
  result.provenance.method = "limit";
  result.provenance.threads = resources.threads;
  result.timings = {{"total", watch.seconds()}};
  return result;
}

}  // namespace

namespace {

/// The same atom in a nearly complete basis or, with gradients, for which no Gaussian basis is complete
/// enough, at the numerical limit.
Result finerKohnSham(const Calculation& calculation, const Resources& resources, const Result& result) {
  const Hamiltonian& h = calculation.problem.hamiltonian;
  if (!functionalOf(h)->needsGradient())
    return computeInBasis(calculation.problem, inErrorReference(calculation, result).inBasis(), resources,
                          {});
  if (!kindOf(h.oneElectron).hasLimit)
    return failedResult(fmt::format(
        "with functional='{}' the error of the basis set is estimated from the numerical limit, which "
        "hamiltonian='{}' does not have; compare with a larger set",
        h.functional, nameOf(h.oneElectron)));
  Resources own = resources;
  own.limitObserver = {};
  return computeLimit(calculation.problem, {}, own);
}

/// The error of the basis set as the difference from a better calculation, where nothing is known of it: the
/// field of a functional takes little time.
void addKohnShamError(const Calculation& calculation, const Resources& resources, Result& result) {
  if (!calculation.inBasis().estimateError || !result.ok() || calculation.inBasis().basis.contracted())
    return;
  const Stopwatch watch;
  try {
    const Result finer = finerKohnSham(calculation, resources, result);
    if (finer.ok())
      result.basisError = BasisError{result.energy.total - finer.energy.total, false, 0};
    else
      result.warnings.push_back({"no_error_estimate", finer.reason});
  } catch (const Error& error) {
    result.warnings.push_back({"no_error_estimate", error.what()});
  }
  for (auto& timing : result.timings) {
    if (timing.id == "error_estimate") timing.seconds += watch.seconds();
  }
}

}  // namespace

namespace {

/// Fields of meta-GGAs whose potentials have poles fail in ways that do not show it: not-a-number, states
/// that are lost, no convergence.
std::string becauseOfPoles(const std::string& functional, const std::string& reason) {
  return fmt::format(
      "functional='{}', a meta-GGA, has no self-consistent field here: {}. The potentials of some, such as "
      "SCAN "
      "and M06-L, have poles in the tails of atoms; choose functional='r2scan' or 'tpss'",
      functional, reason);
}

Result computeField(const Calculation& calculation, const Resources& resources, const ScfObserver& observer) {
  if (calculation.isLimit()) return computeLimit(calculation.problem, calculation.limit(), resources);
  return computeInBasis(calculation.problem, calculation.inBasis(), resources, observer);
}

Result computeMetaGga(const Calculation& calculation, const Resources& resources,
                      const ScfObserver& observer) {
  const std::string& functional = calculation.problem.hamiltonian.functional;
  try {
    Result result = computeField(calculation, resources, observer);
    if (result.status != Status::NotConverged) return result;
    const std::string before = result.reason;
    result.reason = becauseOfPoles(functional, before);
    for (Warning& w : result.warnings)
      if (w.text == before) w.text = result.reason;
    return result;
  } catch (const DeviceError&) {
    throw;
  } catch (const Error& error) {
    throw NotConvergedError(becauseOfPoles(functional, error.what()));
  }
}

}  // namespace

Result compute(const Calculation& calculation, const Resources& resources, const ScfObserver& observer) {
  pass(resources.checkpoint);
  requireSound(calculation);
  const Hamiltonian& h = calculation.problem.hamiltonian;
  if (!h.isKohnSham()) return computeField(calculation, resources, observer);
  Result result = functionalOf(h)->needsKinetic() ? computeMetaGga(calculation, resources, observer)
                                                  : computeField(calculation, resources, observer);
  if (!calculation.isLimit()) addKohnShamError(calculation, resources, result);
  return result;
}

Result computeOrReason(const Calculation& calculation, const Resources& resources) noexcept {
  try {
    return compute(calculation, resources);
  } catch (const std::bad_alloc&) {
    return failedResult("not enough memory for this calculation; use a smaller basis or fewer threads");
  } catch (const std::exception& error) {
    return failedResult(error.what());
  }
}

}  // namespace prophet
