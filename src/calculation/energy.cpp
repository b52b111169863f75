#include <fmt/format.h>
#include <unistd.h>

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
    auto builder = std::make_unique<GridFockBuilder>(c.basis, fockGrid(c.basis), pool);
    result.grid = builder->grid();
    return builder;
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

ScfResult scfWith(FockBuilder& builder, const Calculation& c, ThreadPool& pool, const ScfObserver& observer) {
  return runScf(c.basis, c.nucleus, c.configuration, c.job.speedOfLight, builder, c.job.scf, pool, observer);
}

}  // namespace

EnergyResult calculateEnergy(const Calculation& calculation, const RunOptions& options,
                             const ScfObserver& observer) {
  const Stopwatch total;
  EnergyResult result;
  result.threads = options.threads;
  ThreadPool pool(options.threads);
  const Stopwatch build;
  const auto builder = makeBuilder(calculation, options, pool, result);
  result.builder = builder->name();
  result.timings.builder = build.seconds();
  result.scf = scfWith(*builder, calculation, pool, observer);
  result.timings.total = total.seconds();
  return result;
}

GridCheck verifyGrid(const Calculation& c, const RunOptions& options) {
  ThreadPool pool(options.threads);
  GridCheck check;
  check.grid = fockGrid(c.basis);
  check.finerGrid = makeGrid(c.basis, check.grid.h * 2.0 / 3.0);
  GridFockBuilder coarse(c.basis, check.grid, pool), fine(c.basis, check.finerGrid, pool);
  check.energy = scfWith(coarse, c, pool, {}).energy.total;
  check.finerEnergy = scfWith(fine, c, pool, {}).energy.total;
  if (storedFits(c.basis)) {
    StoredFockBuilder stored(c.basis, options.threads);
    check.analyticEnergy = scfWith(stored, c, pool, {}).energy.total;
  }
  return check;
}

}  // namespace prophet
