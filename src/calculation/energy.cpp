#include <fmt/format.h>

#include "backend/cuda_plugin.hpp"
#include "calculation/calculation.hpp"
#include "common/error.hpp"
#include "common/memory.hpp"
#include "common/stopwatch.hpp"
#include "fock/stored_builder.hpp"

namespace prophet {
namespace {

PairIndex pairIndexOf(const BasisSet& basis) {
  std::vector<int> sizes;
  for (const SymmetryBasis& s : basis.symmetries) sizes.push_back(s.size());
  return PairIndex(sizes);
}

bool storedFits(const BasisSet& basis) {
  return superMatrixBytes(pairIndexOf(basis)) < 0.8 * availableMemory();
}

std::unique_ptr<FockBuilder> gridBuilder(const Calculation& c, const BeyondCoulombTerms& terms,
                                         ThreadPool& pool) {
  const bool withBreit = scfOperator(c.job.beyondCoulomb) != TwoElectronOperator::Coulomb;
  return std::make_unique<GridFockBuilder>(c.basis, terms.grid, pool,
                                           withBreit ? terms.breit.whole() : nullptr);
}

std::unique_ptr<FockBuilder> makeBuilder(const Calculation& c, const RunOptions& options,
                                         const BeyondCoulombTerms& terms, ThreadPool& pool,
                                         EnergyResult& result) {
  if (c.fock == FockKind::Grid) {
    result.grid = terms.grid;
    return gridBuilder(c, terms, pool);
  }
  if (c.job.beyondCoulomb.breitSelfConsistent) {
    throw Error(
        "stored integrals have no self-consistent Breit interaction; use fock='grid', or "
        "breitscf=.false. for first order");
  }
  result.storedBytes = superMatrixBytes(pairIndexOf(c.basis));
  if (!storedFits(c.basis)) {
    throw Error(fmt::format(
        "the stored two-electron integrals need {:.1f} GB and this process may have {:.1f} GB of memory; "
        "use fock='grid', which needs a few MB, or a smaller basis",
        result.storedBytes * 1e-9, availableMemory() * 1e-9));
  }
  return std::make_unique<StoredFockBuilder>(c.basis, options.threads);
}

ScfResult scfWith(FockBuilder& builder, const Calculation& c, const BeyondCoulombTerms& terms,
                  ThreadPool& pool, const ScfObserver& observer) {
  return runScf(c.basis, c.nucleus, c.configuration, c.job.speedOfLight, builder, c.job.scf, pool, observer,
                c.job.beyondCoulomb.qedSelfConsistent ? terms.qed : std::vector<OneElectronTerm>{});
}

/// SCF and corrections with one builder.
double wholeEnergy(FockBuilder& builder, const Calculation& c, const BeyondCoulombTerms& terms,
                   ThreadPool& pool) {
  const ScfResult scf = scfWith(builder, c, terms, pool, {});
  return totalWithCorrections(scf, energyCorrections(c, terms, scf, pool));
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
  Stopwatch stage;
  const BeyondCoulombTerms terms(calculation, fockGrid(calculation.basis));
  result.timings.corrections = stage.seconds();
  stage = Stopwatch();
  const auto builder = makeBuilder(calculation, options, terms, pool, result);
  result.builder = builder->name();
  result.timings.builder = stage.seconds();
  result.scf = scfWith(*builder, calculation, terms, pool, observer);
  stage = Stopwatch();
  result.corrections = energyCorrections(calculation, terms, result.scf, pool);
  result.timings.corrections += stage.seconds();
  result.timings.total = total.seconds();
  return result;
}

GridCheck verifyGrid(const Calculation& c, const RunOptions& options) {
  ThreadPool pool(options.threads);
  GridCheck check;
  check.grid = fockGrid(c.basis);
  check.finerGrid = makeGrid(c.basis, check.grid.h * 2.0 / 3.0);
  const auto energyOn = [&](const RadialGrid& grid) {
    const BeyondCoulombTerms terms(c, grid);
    return wholeEnergy(*gridBuilder(c, terms, pool), c, terms, pool);
  };
  check.energy = energyOn(check.grid);
  check.finerEnergy = energyOn(check.finerGrid);
  if (c.job.beyondCoulomb.breit()) {
    check.whyNotAnalytic = "they have no Breit interaction";
  } else if (!storedFits(c.basis)) {
    check.whyNotAnalytic = "they do not fit into this machine's memory";
  } else {
    StoredFockBuilder stored(c.basis, options.threads);
    check.analyticEnergy = wholeEnergy(stored, c, BeyondCoulombTerms(c, check.grid), pool);
  }
  return check;
}

}  // namespace prophet
