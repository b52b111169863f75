#include <Eigen/LU>
#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <optional>

#include <cub/cub.cuh>

#include "core/common/constants.hpp"
#include "core/mesh/spline_mesh.hpp"
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"
#include "cuda/core/common/launch.hpp"
#include "cuda/core/common/staged_copies.hpp"
#include "cuda/matter/mesh/check_fft.hpp"
#include "cuda/matter/mesh/device_spme.hpp"
#include "cuda/matter/mesh/spme_kernels.hpp"
#include "matter/madelung/charged_cell.hpp"
#include "matter/madelung/spme.hpp"

namespace prophet::cuda {
namespace {

constexpr int kMostCopyThreads = 8;

double3 toDouble3(const Eigen::Vector3d& v) { return {v(0), v(1), v(2)}; }
int3 toInt3(const std::array<int, 3>& n) { return {n[0], n[1], n[2]}; }

/// Cells of the mesh are counted in 32 bits where particles are gathered by cell.
const SpmeParameters& checkedMesh(const SpmeParameters& p) {
  check(p);
  if (p.assignment == Assignment::Gather && meshPoints(p.mesh) >= std::size_t{INT_MAX})
    throw DeviceError(
        "on the GPU assignment by gathering takes meshes below 2^31 points; choose another assignment, or "
        "--backend cpu");
  return p;
}

CellFrame frameOf(const ChargedCell& cell, const SpmeParameters& p) {
  const CellBins bins(cell.vectors, cell.sites(), p.cutoff);
  for (std::size_t d = 0; d < 3; ++d) {
    if (bins.range[d] / bins.along[d] >= kMostPairImages)
      throw DeviceError(
          "on the GPU the cutoff may reach 510 cells far; choose a smaller one, a larger cell, or --backend "
          "cpu");
  }
  const Eigen::Matrix3d inverse = cell.vectors.inverse();
  return {toDouble3(cell.vectors.col(0)),
          toDouble3(cell.vectors.col(1)),
          toDouble3(cell.vectors.col(2)),
          toDouble3(inverse.row(0).transpose()),
          toDouble3(inverse.row(1).transpose()),
          toDouble3(inverse.row(2).transpose()),
          toInt3(bins.along),
          toInt3(bins.range),
          toInt3(p.mesh)};
}

/// Memory for up to `size` sites.
struct SiteMemory {
  SiteMemory(std::size_t sites, std::size_t pairSums, const SpmeParameters& p)
      : size(sites),
        positions(sites),
        charges(sites),
        bins(sites),
        sortedBins(sites),
        numbers(sites),
        sortedNumbers(sites),
        start(sites + 1),
        placed(sites),
        places(sites),
        gradients(sites),
        pairs(pairSums),
        totals(2 * kTotalBlocks + pairSums / kPairThreads + kMostPairParts),
        potentials(sites),
        fields(sites) {
    PROPHET_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(nullptr, sortBytes, bins.data(), sortedBins.data(),
                                                       numbers.data(), sortedNumbers.data(),
                                                       static_cast<int>(sites)));
    sort = DeviceBuffer<char>(sortBytes);
    if (p.assignment != Assignment::Gather) return;
    splines = DeviceBuffer<double>(3 * static_cast<std::size_t>(p.order) * sites);
    rest = DeviceBuffer<int>(sites);
  }

  std::size_t size;
  DeviceBuffer<double3> positions;
  DeviceBuffer<double> charges;
  DeviceBuffer<int> bins, sortedBins, numbers, sortedNumbers, start;
  DeviceBuffer<Quad> placed, places, gradients, pairs;
  DeviceBuffer<ChargeTotals> totals;  ///< of blocks: modes, sites, pairs
  DeviceBuffer<double> potentials;
  DeviceBuffer<double3> fields;
  std::size_t sortBytes = 0;
  DeviceBuffer<char> sort;
  DeviceBuffer<double> splines;
  DeviceBuffer<int> rest;  ///< for gathering: those whose mesh cell has another owner
};

/// The numbers of an Electrostatics that the totals are.
void setTotals(const ChargeTotals& totals, double net, double beta, double volume, Electrostatics& e) {
  const double* v = totals.sums + 1;
  const double background = -0.5 * constants::kPi * net * net / (beta * beta * volume);
  e.energy = totals.sums[0];
  e.virial << v[0] + background, v[3], v[4], v[3], v[1] + background, v[5], v[4], v[5], v[2] + background;
  if (std::isfinite(totals.squared)) e.nearest = std::sqrt(totals.squared);
}

}  // namespace

struct DeviceSpme::Data {
  explicit Data(const SpmeParameters& p)
      : parameters(checkedMesh(p)),
        n(toInt3(p.mesh)),
        points(meshPoints(p.mesh)),
        wantedThreads(1024 * static_cast<std::size_t>(deviceAttribute(cudaDevAttrMultiProcessorCount))),
        copies(std::clamp(availableThreads(), 1, kMostCopyThreads)),
        filter(filterWeights(p.order)),
        mesh(points),
        modes(static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) *
              static_cast<std::size_t>(n.z / 2 + 1)),
        all(1),
        found(1),
        forward({n.x, n.y, n.z}, CUFFT_D2Z, main.get()),
        backward({n.x, n.y, n.z}, CUFFT_Z2D, main.get()) {
    for (std::size_t d = 0; d < 3; ++d)
      spectrum[d] = DeviceBuffer<double>(inverseSpectrum(p.assignment, p.order, p.mesh[d]));
    if (p.assignment == Assignment::Filter) other = DeviceBuffer<double>(points);
    if (p.assignment == Assignment::Gather) owners = DeviceBuffer<int>(points + 1);
  }

  /// Takes a cell, with threads enough to fill the device for few sites as well.
  void begin(const ChargedCell& given, const SpmeParameters& p) {
    frame = frameOf(given, p);
    const auto size = static_cast<std::size_t>(given.sites());
    if (!memory || memory->size < size) {
      memory.reset();  // its memory first
      memory.emplace(size, std::max(size, wantedThreads), parameters);
    }
    count = static_cast<int>(size);
    const int lines = (2 * frame.range.x + 1) * (2 * frame.range.y + 1);
    parts = std::clamp(static_cast<int>(wantedThreads / std::max<std::size_t>(size, 1)), 1,
                       std::min(lines, kMostPairParts));
  }

  /// Uploads the sites and sorts them by bins; the charges come while the device sorts.
  void arrange(const ChargedCell& given) {
    SiteMemory& m = *memory;
    const cudaStream_t s = main.get();
    const std::size_t size = static_cast<std::size_t>(count);
    side.fork(s, 1);
    copies.upload(m.positions.data(), given.positions.data(), size * sizeof(double3), s);
    launchBins(frame, m.positions.data(), count, m.bins.data(), m.numbers.data(), s);
    const int bits =
        std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(frame.binCount()) - 1)));
    PROPHET_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(m.sort.data(), m.sortBytes, m.bins.data(),
                                                       m.sortedBins.data(), m.numbers.data(),
                                                       m.sortedNumbers.data(), count, 0, bits, s));
    launchStarts(m.sortedBins.data(), count, frame.binCount(), m.start.data(), s);
    copies.upload(m.charges.data(), given.charges.data(), size * sizeof(double), side[0]);
    side.join(s, 1);
    launchArrange(frame, m.positions.data(), m.charges.data(), m.sortedNumbers.data(), count, m.placed.data(),
                  m.places.data(), s);
  }

  MeshParticles particles() const { return {memory->places.data(), count, n}; }

  void assign() {
    const MeshParticles p = particles();
    const cudaStream_t s = main.get();
    if (parameters.assignment != Assignment::Gather) {
      launchSpread(p, ownOrder(parameters.assignment, parameters.order), mesh.data(), s);
      return filterIfAny();
    }
    int* restCount = owners.data() + points;
    PROPHET_CUDA_CHECK(cudaMemsetAsync(owners.data(), 0xff, points * sizeof(int), s));
    PROPHET_CUDA_CHECK(cudaMemsetAsync(restCount, 0, sizeof(int), s));
    launchOwners(p, owners.data(), memory->rest.data(), restCount, s);
    launchGather(p, CellOwners{owners.data(), memory->rest.data(), restCount}, parameters.order,
                 memory->splines.data(), mesh.data(), s);
  }

  void filterIfAny() {
    if (parameters.assignment == Assignment::Filter)
      launchFilter(n, filter.data(), static_cast<int>(filter.size()) - 1, mesh.data(), other.data(),
                   main.get());
  }

  void transform(const ChargedCell& cell, double beta) {
    checkFft(cufftExecD2Z(forward.get(), mesh.data(), modes.data()), "cufftExecD2Z");
    const Eigen::Matrix3d k = 2 * constants::kPi * cell.vectors.inverse().transpose();
    const ModeFactors f{n,
                        toDouble3(k.col(0)),
                        toDouble3(k.col(1)),
                        toDouble3(k.col(2)),
                        4 * constants::kPi / cell.volume(),
                        1 / (4 * beta * beta),
                        spectrum[0].data(),
                        spectrum[1].data(),
                        spectrum[2].data()};
    launchInfluence(f, modes.data(), memory->totals.data(), main.get());
    checkFft(cufftExecZ2D(backward.get(), modes.data(), mesh.data()), "cufftExecZ2D");
  }

  void interpolate() {
    filterIfAny();
    launchInterpolate(particles(), ownOrder(parameters.assignment, parameters.order), mesh.data(),
                      memory->gradients.data(), main.get());
  }

  void pairs(const SpmeParameters& p, cudaStream_t stream) {
    SiteMemory& m = *memory;
    const PairSites s{frame, m.placed.data(), m.sortedBins.data(), m.start.data(), count, parts};
    launchPairs(s, p.beta, p.cutoff, m.pairs.data(), m.totals.data() + 2 * kTotalBlocks, stream);
  }

  /// Results in the caller's order, and the totals to the host.
  void collect(const ChargedCell& cell, double beta, double net) {
    SiteMemory& m = *memory;
    const cudaStream_t s = main.get();
    const Eigen::Matrix3d r =
        cell.vectors.inverse().transpose() * Eigen::Vector3d(n.x, n.y, n.z).asDiagonal();
    const SiteSums sums{toDouble3(r.row(0).transpose()),
                        toDouble3(r.row(1).transpose()),
                        toDouble3(r.row(2).transpose()),
                        2 * beta / std::sqrt(constants::kPi),
                        -constants::kPi * net / (beta * beta * cell.volume()),
                        m.placed.data(),
                        m.sortedNumbers.data(),
                        count,
                        m.gradients.data(),
                        m.pairs.data(),
                        parts};
    launchSites(sums, m.potentials.data(), m.fields.data(), m.totals.data() + kTotalBlocks, s);
    launchTotals(m.totals.data(), 2 * kTotalBlocks + pairBlocks(count) * parts, all.data(), s);
    PROPHET_CUDA_CHECK(
        cudaMemcpyAsync(found.data(), all.data(), sizeof(ChargeTotals), cudaMemcpyDeviceToHost, s));
  }

  const SpmeParameters parameters;
  const int3 n;
  const std::size_t points, wantedThreads;
  Stream main{Priority::High};  // kernels of the mesh wait for memory, those of the pairs fill the rest
  SideStreams side{1};
  StagedCopies copies;
  DeviceBuffer<double> filter, mesh, other;
  DeviceBuffer<double2> modes;
  DeviceBuffer<double> spectrum[3];
  DeviceBuffer<ChargeTotals> all;
  PinnedBuffer<ChargeTotals> found;
  DeviceBuffer<int> owners;  ///< of mesh cells, for gathering, and how many particles own none
  FftPlan forward, backward;
  std::optional<SiteMemory> memory;
  // What follows is set by each call.
  CellFrame frame{};
  int count = 0, parts = 1;
};

DeviceSpme::DeviceSpme(const SpmeParameters& parameters) : data_(std::make_unique<Data>(parameters)) {}
DeviceSpme::~DeviceSpme() = default;

bool DeviceSpme::serves(const SpmeParameters& p) const {
  const SpmeParameters& own = data_->parameters;
  return p.mesh == own.mesh && p.order == own.order && p.assignment == own.assignment;
}

Electrostatics DeviceSpme::compute(const ChargedCell& cell, const SpmeParameters& p, SpmeTimes* times) {
  check(p);
  Data& d = *data_;
  d.begin(cell, p);
  d.arrange(cell);
  const cudaStream_t s = d.main.get();
  std::optional<Event> ends[5];
  const auto mark = [&](int i) {
    if (times) ends[i].emplace().record(s);
  };
  mark(0);
  if (!times) {
    d.side.fork(s, 1);
    d.pairs(p, d.side[0]);
  }
  d.assign();
  mark(1);
  d.transform(cell, p.beta);
  mark(2);
  d.interpolate();
  mark(3);
  times ? d.pairs(p, s) : d.side.join(s, 1);
  mark(4);
  const double net = cell.charges.sum();
  d.collect(cell, p.beta, net);
  Electrostatics e;
  e.potentials.resize(cell.sites());
  e.fields.resize(3, cell.sites());
  const std::size_t size = static_cast<std::size_t>(cell.sites());
  d.copies.touch(e.potentials.data(), size * sizeof(double));
  d.copies.touch(e.fields.data(), size * sizeof(double3));
  d.copies.download(e.potentials.data(), d.memory->potentials.data(), size * sizeof(double), s);
  d.copies.download(e.fields.data(), d.memory->fields.data(), size * sizeof(double3), s);
  d.copies.finish();
  setTotals(d.found[0], net, p.beta, cell.volume(), e);
  if (times) {
    times->assign = ends[1]->secondsSince(*ends[0]);
    times->transform = ends[2]->secondsSince(*ends[1]);
    times->interpolate = ends[3]->secondsSince(*ends[2]);
    times->pairs = ends[4]->secondsSince(*ends[3]);
  }
  return e;
}

}  // namespace prophet::cuda
