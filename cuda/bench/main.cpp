#include <fmt/format.h>

#include <random>

#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
#include "cuda/atoms/fock/contraction.hpp"
#include "cuda/atoms/scf/stored_scf.hpp"
#include "cuda/bench/device_rates.hpp"
#include "cuda/bench/thesis_case.hpp"

/// Tables 3.2-3.6 of Hennessey (2018) on this machine's GPU, as Markdown on standard output.
namespace prophet::cuda {
namespace {

struct Row {
  int functions;
  std::int64_t integrals;
  double search, stored, onTheFly, operations;  ///< seconds, but operations
  double stse, mtse, tiles, tilesOpen;
  double first;               ///< the first calculation of this size
  std::vector<double> whole;  ///< later ones, ascending
  ScfResult scf;
  StoredReport report;
};

DeviceBuffer<double> randomVector(std::int64_t count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> values(count);
  for (double& v : values) v = uniform(random);
  return DeviceBuffer<double>(values);
}

double contractionSeconds(const StoredBasis& basis, const SuperMatrixSlab& slab, ContractionKernel kernel,
                          const std::vector<bool>& open, const Stream& stream, Workspace& workspace) {
  const std::int64_t pairs = basis.index().pairs(), count = kPairComponents * pairs;
  const DeviceBuffer<double> density = randomVector(count);
  DeviceBuffer<double> p(count), q(count);
  Contraction contraction(basis, open, Eigen::MatrixXd::Constant(7, 7, 0.5), kernel, workspace);
  p.fill(0, stream.get());
  q.fill(0, stream.get());
  return medianSeconds(stream, kernel == ContractionKernel::Stored ? 25 : 7, [&] {
    contraction.add(slab, 0, pairs, density.data(), density.data(), p.data(), q.data(), stream.get());
  });
}

Row measure(int functions, const Stream& stream, Workspace& workspace) {
  const StoredBasis basis(makePrimitiveTable(thesisBasis(functions)), workspace);
  const std::int64_t elements = basis.index().elements(), pairs = basis.index().pairs();
  DeviceBuffer<double> data(8 * slabRoom(0, pairs));
  const SuperMatrixSlab slab = makeSlab(data.data(), 0, pairs);
  Row row{};
  row.functions = functions;
  row.integrals = elements;
  row.operations = integralOperations(basis);
  {
    DeviceBuffer<int> rows(elements);
    DeviceBuffer<FunctionPair> pairFunctions(pairs);
    const IndexArrays arrays{rows.data(), pairFunctions.data()};
    row.search = medianSeconds(stream, 9, [&] {
      searchIndices(basis.view(), pairs, 0, elements, rows.data(), pairFunctions.data(), stream.get());
    });
    row.stored = medianSeconds(stream, 9, [&] { computeSuperMatrices(basis, slab, &arrays, stream.get()); });
  }
  row.onTheFly = medianSeconds(stream, 9, [&] { computeSuperMatrices(basis, slab, nullptr, stream.get()); });
  const std::vector<bool> closed(7, false), open{false, false, false, true, true, true, true};
  row.stse = contractionSeconds(basis, slab, ContractionKernel::Stse, closed, stream, workspace);
  row.mtse = contractionSeconds(basis, slab, ContractionKernel::Mtse, closed, stream, workspace);
  row.tiles = contractionSeconds(basis, slab, ContractionKernel::Stored, closed, stream, workspace);
  row.tilesOpen = contractionSeconds(basis, slab, ContractionKernel::Stored, open, stream, workspace);
  return row;
}

/// Later calculations of this process: libraries are loaded, kernels and memory are there.
void measureWhole(Row& row, StoredContext& context) {
  NucleusRequest request;
  request.charge = 86.0;
  const Nucleus nucleus = makeNucleus(request);
  const Configuration configuration = parseConfiguration(groundConfiguration(86));
  const BasisSet basis = thesisBasis(row.functions);
  for (int i = 0; i < 12; ++i) {
    const Stopwatch watch;
    row.scf = runStoredScf(basis, nucleus, configuration, constants::kSpeedOfLight, {}, {}, {}, &row.report,
                           context);
    if (i == 0) row.first = watch.seconds();
    if (i > 0) row.whole.push_back(watch.seconds());
  }
  std::sort(row.whole.begin(), row.whole.end());
}

void printHeader(const DeviceRates& rates) {
  fmt::print(
      "Device: {}; measured in this run: copy {:.2f} TB/s (read + write), read {:.2f} TB/s, FP64 {:.1f} "
      "TFLOP/s\n\n",
      rates.name, rates.copyBytesPerSecond * 1e-12, rates.readBytesPerSecond * 1e-12,
      rates.fp64PerSecond * 1e-12);
  fmt::print("Rn, seven symmetries of nbs functions each; milliseconds (medians)\n\n");
  fmt::print(
      "| nbs | integrals x 8 | index search | integrals, stored index | integrals, on the fly | TFLOP/s "
      "(fraction) | STSE | MTSE | stored | stored, TB/s (fraction of reading) | stored, d and f open | whole "
      "calculation | iterations | energy |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

void print(const Row& r, const DeviceRates& rates) {
  const double rate = r.operations / r.onTheFly;
  const double bandwidth = 8.0 * sizeof(double) * static_cast<double>(r.integrals) / r.tiles;
  fmt::print(
      "| {} | {} | {:.3f} | {:.3f} | {:.3f} | {:.1f} ({:.2f}) | {:.2f} | {:.2f} | {:.3f} | {:.2f} ({:.2f}) ",
      r.functions, r.integrals, 1e3 * r.search, 1e3 * r.stored, 1e3 * r.onTheFly, rate * 1e-12,
      rate / rates.fp64PerSecond, 1e3 * r.stse, 1e3 * r.mtse, 1e3 * r.tiles, bandwidth * 1e-12,
      bandwidth / rates.readBytesPerSecond);
  fmt::print("| {:.3f} | {:.1f} | {}{} | {:.8f} |\n", 1e3 * r.tilesOpen, 1e3 * r.whole[r.whole.size() / 2],
             r.scf.iterations.size(), r.scf.converged ? "" : " (not converged)", r.scf.energy.total);
}

void printParts(const Row& r) {
  const ScfTimings& t = r.scf.timings;
  fmt::print(
      "\nnbs = {}: calculations {:.2f} to {:.2f} ms, the first {:.2f}. Of the last, by the host's clock:",
      r.functions, 1e3 * r.whole.front(), 1e3 * r.whole.back(), 1e3 * r.first);
  for (const StoredStage& s : r.report.stages) fmt::print(" {} {:.3f},", s.name, 1e3 * s.seconds);
  fmt::print("\nby the device's: integrals {:.3f}, guess {:.3f}; {} iterations:",
             1e3 * r.report.integralSeconds, 1e3 * t.guess, r.report.contractions);
  for (const StoredStage& s : r.report.deviceStages) fmt::print(" {} {:.3f},", s.name, 1e3 * s.seconds);
  fmt::print("\n");
}

int run(const std::vector<int>& sizes) {
  const Stream stream;
  const DeviceRates rates = measureDeviceRates(stream);
  printHeader(rates);
  Workspace workspace(stream);
  StoredContext context;
  std::vector<Row> rows;
  for (const int functions : sizes) {
    rows.push_back(measure(functions, stream, workspace));
    workspace.recycle();
    measureWhole(rows.back(), context);
    print(rows.back(), rates);
  }
  for (const Row& row : rows) printParts(row);
  return 0;
}

}  // namespace
}  // namespace prophet::cuda

/// Arguments: numbers of functions instead of 10, 15, ..., 45.
int main(int count, char** arguments) {
  try {
    std::vector<int> sizes;
    for (int i = 1; i < count; ++i) sizes.push_back(std::stoi(arguments[i]));
    for (int n = 10; count == 1 && n <= 45; n += 5) sizes.push_back(n);
    return prophet::cuda::run(sizes);
  } catch (const std::exception& e) {
    fmt::print(stderr, "prophet_cuda_bench: {}\n", e.what());
    return 1;
  }
}
