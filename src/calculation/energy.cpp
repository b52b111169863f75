#include <fmt/format.h>
#include <unistd.h>

#include "backend/cuda_plugin.hpp"
#include "calculation/calculation.hpp"
#include "common/error.hpp"
#include "common/stopwatch.hpp"
#include "fock/stored_builder.hpp"

namespace prophet {
namespace {

double physicalMemory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

PairIndex pairIndexOf(const BasisSet& basis) {
  std::vector<int> sizes;
  for (const SymmetryBasis& s : basis.symmetries) sizes.push_back(s.size());
  return PairIndex(sizes);
}

bool storedFits(const BasisSet& basis) {
  return superMatrixBytes(pairIndexOf(basis)) < 0.8 * physicalMemory();
}

std::unique_ptr<FockBuilder> makeBuilder(const Calculation& c, const RunOptions& options, ThreadPool& pool,
                                         EnergyResult& result) {
  if (c.fock == FockKind::Grid) {
    auto builder = makeGridBuilder(c.basis, fockGrid(c.basis), scfOperator(c.job.beyondCoulomb), pool);
    result.grid = builder->grid();
    return builder;
  }
  if (c.job.beyondCoulomb.breitSelfConsistent) {
    throw Error(
        "stored integrals have no self-consistent Breit interaction; use fock='grid', or "
        "breitscf=.false. for first order");
  }
  result.storedBytes = superMatrixBytes(pairIndexOf(c.basis));
  if (!storedFits(c.basis)) {
    throw Error(fmt::format(
        "the stored two-electron integrals need {:.1f} GB and this machine has {:.1f} GB of memory; "
        "use fock='grid', which needs a few MB, or a smaller basis",
        result.storedBytes * 1e-9, physicalMemory() * 1e-9));
  }
  return std::make_unique<StoredFockBuilder>(c.basis, options.threads);
}

std::vector<OneElectronTerm> qedTermsOf(const Calculation& c) {
  return qedTerms(c.basis, c.nucleus, c.job.speedOfLight, c.job.beyondCoulomb.qed);
}

ScfResult scfWith(FockBuilder& builder, const Calculation& c, const std::vector<OneElectronTerm>& qed,
                  ThreadPool& pool, const ScfObserver& observer) {
  return runScf(c.basis, c.nucleus, c.configuration, c.job.speedOfLight, builder, c.job.scf, pool, observer,
                c.job.beyondCoulomb.qedSelfConsistent ? qed : std::vector<OneElectronTerm>{});
}

/// SCF and corrections with one builder; `grid` for the Breit interaction.
double wholeEnergy(FockBuilder& builder, const RadialGrid& grid, const Calculation& c, ThreadPool& pool) {
  const std::vector<OneElectronTerm> qed = qedTermsOf(c);
  const ScfResult scf = scfWith(builder, c, qed, pool, {});
  return totalWithCorrections(scf, energyCorrections(c, grid, scf, qed, pool));
}

StoredKernel kernelOf(FockKind fock) {
  if (fock == FockKind::Stse) return StoredKernel::Stse;
  return fock == FockKind::Mtse ? StoredKernel::Mtse : StoredKernel::Stored;
}

EnergyResult calculateOnGpu(const Calculation& c, const RunOptions& options, const ScfObserver& observer) {
  const Stopwatch total;
  EnergyResult result;
  result.threads = options.threads;
  result.gpu.emplace();
  StoredSettings settings;
  settings.kernel = kernelOf(c.fock);
  result.builder = c.fock == FockKind::Stse ? "stse" : c.fock == FockKind::Mtse ? "mtse" : "stored";
  result.scf = options.gpu->runStoredScf(c.basis, c.nucleus, c.configuration, c.job.speedOfLight, c.job.scf,
                                         settings, observer, &*result.gpu);
  result.timings.builder = result.gpu->integralSeconds;
  result.timings.total = total.seconds();
  return result;
}

}  // namespace

EnergyResult calculateEnergy(const Calculation& calculation, const RunOptions& options,
                             const ScfObserver& observer) {
  if (options.gpu) return calculateOnGpu(calculation, options, observer);
  const Stopwatch total;
  EnergyResult result;
  result.threads = options.threads;
  ThreadPool pool(options.threads);
  const Stopwatch build;
  const auto builder = makeBuilder(calculation, options, pool, result);
  result.builder = builder->name();
  result.timings.builder = build.seconds();
  Stopwatch corrections;
  const std::vector<OneElectronTerm> qed = qedTermsOf(calculation);
  result.timings.corrections = corrections.seconds();
  result.scf = scfWith(*builder, calculation, qed, pool, observer);
  corrections = Stopwatch();
  result.corrections = energyCorrections(
      calculation, result.grid ? *result.grid : fockGrid(calculation.basis), result.scf, qed, pool);
  result.timings.corrections += corrections.seconds();
  result.timings.total = total.seconds();
  return result;
}

GridCheck verifyGrid(const Calculation& c, const RunOptions& options) {
  ThreadPool pool(options.threads);
  GridCheck check;
  check.grid = fockGrid(c.basis);
  check.finerGrid = makeGrid(c.basis, check.grid.h * 2.0 / 3.0);
  const auto energyOn = [&](const RadialGrid& grid) {
    const auto builder = makeGridBuilder(c.basis, grid, scfOperator(c.job.beyondCoulomb), pool);
    return wholeEnergy(*builder, grid, c, pool);
  };
  check.energy = energyOn(check.grid);
  check.finerEnergy = energyOn(check.finerGrid);
  if (c.job.beyondCoulomb.breit()) {
    check.whyNotAnalytic = "they have no Breit interaction";
  } else if (!storedFits(c.basis)) {
    check.whyNotAnalytic = "they do not fit into this machine's memory";
  } else {
    StoredFockBuilder stored(c.basis, options.threads);
    check.analyticEnergy = wholeEnergy(stored, check.grid, c, pool);
  }
  return check;
}

}  // namespace prophet
