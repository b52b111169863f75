#include <fmt/format.h>

#include <cstdlib>
#include <random>

#include "atoms/atom/elements.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/basis/well_tempered.hpp"
#include "atoms/frozen/frozen_field.hpp"
#include "atoms/frozen/trial_gatherer.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"
#include "cuda/atoms/frozen/cuda_trial_device.hpp"

/// Trials a second in the frozen field of one element on a GPU and on one thread of the host:
/// docs/engineering/basis-searches.md. Usage: frozen_bench BASIS_SETS [Z]
namespace prophet {
namespace {

/// Ladders about one of the library.
std::vector<std::vector<double>> ladders(const FieldTable& table, const WellTemperedParameters& about, int n,
                                         int count) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0.0, 0.05);
  std::vector<std::vector<double>> list;
  while (static_cast<int>(list.size()) < count) {
    WellTemperedParameters p = about;
    p.alpha *= std::exp(normal(random));
    p.beta = 1 + (p.beta - 1) * std::exp(normal(random));
    const auto exponents = wellTemperedExponents(p, 1, n, n);
    if (table.contains(exponents)) list.push_back(exponents);
  }
  return list;
}

double hostSeconds(const FieldTable& table, const std::vector<std::vector<double>>& list) {
  const Stopwatch watch;
  for (const auto& exponents : list) table.shortfall(exponents);
  return watch.seconds() / static_cast<double>(list.size());
}

double batchSeconds(cuda::CudaTrialDevice& device, int kept, const std::vector<std::vector<double>>& list,
                    std::size_t size) {
  std::vector<Trial> trials;
  for (std::size_t i = 0; i < size; ++i) trials.push_back({kept, list[i % list.size()]});
  device.measure(0, trials);
  constexpr int kRepeats = 20;
  const Stopwatch watch;
  for (int i = 0; i < kRepeats; ++i) device.measure(0, trials);
  return watch.seconds() / kRepeats;
}

/// Trials a second where each of many threads waits for its own.
double gatheredRate(const FieldTable& table, const std::vector<std::vector<double>>& list, int threads) {
  TrialGatherer gatherer(std::make_unique<cuda::CudaTrialDevice>());
  const int kept = gatherer.keep(table);
  constexpr int kEach = 100;
  const auto search = [&](int i) {
    for (int k = 0; k < kEach; ++k)
      gatherer.measure(kept, list[static_cast<std::size_t>(i + k) % list.size()]);
  };
  search(0);
  const Stopwatch watch;
  WorkerThreads searches;
  searches.start(threads, search);
  searches.join();
  return threads * kEach / watch.seconds();
}

void run(const std::string& basisSets, int z) {
  NucleusRequest request;
  request.model = NuclearModel::Gaussian;
  request.charge = z;
  const Nucleus nucleus = makeNucleus(request);
  const Configuration configuration = parseConfiguration(groundConfiguration(z));
  const BasisSet reference = makeWellTempered(universalSpec(nucleus, configuration, 1.6));
  const Stopwatch watch;
  const FrozenField field(reference, nucleus, configuration, constants::kSpeedOfLight);
  fmt::print("{}: field {:.3f} s\n", symbolOf(z), watch.seconds());
  const auto spec = readLibraryEntry(z, "prophet-1", basisSets)->spec;
  cuda::CudaTrialDevice device;
  for (int a = 0; a < field.symmetries(); ++a) {
    const Stopwatch tableWatch;
    const FieldTable table = field.table(a);
    const double tableSeconds = tableWatch.seconds();
    const auto at = static_cast<std::size_t>(a);
    const auto list = ladders(table, spec.groups[at], spec.functions[at], 64);
    const int kept = device.keep(table);
    fmt::print("{:3} {} functions, {} occupied: table {:.3f} s, host {:.3f} ms a trial; batches of",
               Symmetry::fromIndex(a).label(), spec.functions[at], table.occupied(), tableSeconds,
               1e3 * hostSeconds(table, list));
    for (const std::size_t size : {1, 64, 256})
      fmt::print(" {}: {:.3f} ms", size, 1e3 * batchSeconds(device, kept, list, size));
    fmt::print("\n");
    if (a > 0) continue;
    for (const int threads : {1, 100, 800})
      fmt::print("    {} searches: {:.0f} trials a second\n", threads, gatheredRate(table, list, threads));
  }
}

}  // namespace
}  // namespace prophet

int main(int count, char** arguments) {
  try {
    prophet::run(count > 1 ? arguments[1] : "", count > 2 ? std::atoi(arguments[2]) : 86);
  } catch (const std::exception& error) {
    fmt::print(stderr, "frozen_bench: {}\n", error.what());
    return 1;
  }
}
