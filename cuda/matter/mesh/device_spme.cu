#include <Eigen/LU>
#include <climits>
#include <cmath>
#include <numeric>

#include <cub/cub.cuh>

#include "core/common/constants.hpp"
#include "core/mesh/spline_mesh.hpp"
#include "cuda/core/common/buffer.hpp"
#include "cuda/core/common/handles.hpp"
#include "cuda/core/common/launch.hpp"
#include "cuda/matter/mesh/check_fft.hpp"
#include "cuda/matter/mesh/device_spme.hpp"
#include "cuda/matter/mesh/spme_kernels.hpp"
#include "matter/madelung/charged_cell.hpp"
#include "matter/madelung/spme.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256;

/// Fields from gradients for each spacing: minus the matrix of rows r times the gradient.
__global__ void fieldsKernel(double3 r0, double3 r1, double3 r2, int count, const double3* gradients,
                             const double* charges, double self, double background, double* potentials,
                             double3* fields) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const double3 g = gradients[i];
    fields[i] = {-(r0.x * g.x + r0.y * g.y + r0.z * g.z), -(r1.x * g.x + r1.y * g.y + r1.z * g.z),
                 -(r2.x * g.x + r2.y * g.y + r2.z * g.z)};
    potentials[i] += background - self * charges[i];
  }
}

/// Places of the particles of each cell, in the order in which they come: `next` counts up from the cells'
/// starts.
__global__ void fillKernel(const int* cellOf, int count, int* next, int* order) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    order[atomicAdd(next + cellOf[i], 1)] = i;
}

double3 toDouble3(const Eigen::Vector3d& v) { return {v(0), v(1), v(2)}; }

/// What launchPairs needs of a search on the host.
struct Binned {
  Binned(const ChargedCell& cell, double cutoff) {
    const NeighbourSearch search(cell, cutoff);
    bins = {search.binsAlong()[0], search.binsAlong()[1], search.binsAlong()[2]};
    range = {search.range()[0], search.range()[1], search.range()[2]};
    for (const std::size_t first : search.start()) start.push_back(static_cast<int>(first));
    for (std::size_t k = 0; k < search.sites().size(); ++k) {
      const Eigen::Vector3d r = search.positions().col(static_cast<Eigen::Index>(k));
      number.push_back(static_cast<int>(search.sites()[k]));
      sites.push_back({r(0), r(1), r(2), cell.charges(search.sites()[k])});
    }
  }
  int3 bins, range;
  std::vector<int> start, number;
  std::vector<Site> sites;
};

std::vector<double3> meshPlaces(const ChargedCell& cell, const MeshSize& n) {
  const Eigen::Matrix3Xd f = cell.fractional();
  std::vector<double3> u;
  for (Eigen::Index i = 0; i < f.cols(); ++i) {
    double x[3];
    for (int d = 0; d < 3; ++d) {
      x[d] = f(d, i) * n[static_cast<std::size_t>(d)];
      if (!(x[d] < n[static_cast<std::size_t>(d)])) x[d] = 0;
    }
    u.push_back({x[0], x[1], x[2]});
  }
  return u;
}

/// Cells of the mesh are counted in 32 bits where particles are gathered by cell.
const SpmeParameters& checkedMesh(const SpmeParameters& p) {
  if (p.assignment == Assignment::Gather && meshPoints(p.mesh) >= std::size_t{INT_MAX})
    throw DeviceError(
        "on the GPU assignment by gathering takes meshes below 2^31 points; choose another assignment, or "
        "--backend cpu");
  return p;
}

}  // namespace

struct DeviceSpme::Data {
  Data(const ChargedCell& c, const SpmeParameters& p)
      : cell(c),
        parameters(checkedMesh(p)),
        binned(c, p.cutoff),
        n{p.mesh[0], p.mesh[1], p.mesh[2]},
        points(meshPoints(p.mesh)),
        u(meshPlaces(c, p.mesh)),
        charges(std::vector<double>(c.charges.begin(), c.charges.end())),
        sites(binned.sites),
        start(binned.start),
        number(binned.number),
        filter(filterWeights(p.order)),
        mesh(points),
        modes(static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) *
              static_cast<std::size_t>(n.z / 2 + 1)),
        potentials(u.size()),
        gradients(u.size()),
        fields(u.size()),
        modeSums(7 * kModeBlocks),
        pairSums(6 * static_cast<std::size_t>(pairBlocks(static_cast<int>(u.size())))),
        forward({n.x, n.y, n.z}, CUFFT_D2Z, stream.get()),
        backward({n.x, n.y, n.z}, CUFFT_Z2D, stream.get()) {
    for (std::size_t d = 0; d < 3; ++d)
      spectrum[d] = DeviceBuffer<double>(inverseSpectrum(p.assignment, p.order, p.mesh[d]));
    if (p.assignment == Assignment::Filter) other = DeviceBuffer<double>(points);
    if (p.assignment != Assignment::Gather) return;
    cellOf = DeviceBuffer<int>(u.size());
    order = DeviceBuffer<int>(u.size());
    cellStart = DeviceBuffer<int>(points + 1);
    next = DeviceBuffer<int>(points + 1);
    PROPHET_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(nullptr, scanBytes, next.data(), cellStart.data(),
                                                     static_cast<int>(points + 1), stream.get()));
    scan = DeviceBuffer<char>(scanBytes);
  }

  MeshParticles particles() const { return {u.data(), charges.data(), static_cast<int>(u.size()), n}; }

  /// Cells are found anew each time, as for particles that move.
  void makeCells() {
    next.fill(0, stream.get());
    launchCells(particles(), cellOf.data(), next.data(), stream.get());
    PROPHET_CUDA_CHECK(cub::DeviceScan::ExclusiveSum(scan.data(), scanBytes, next.data(), cellStart.data(),
                                                     static_cast<int>(points + 1), stream.get()));
    PROPHET_CUDA_CHECK(cudaMemcpyAsync(next.data(), cellStart.data(), (points + 1) * sizeof(int),
                                       cudaMemcpyDeviceToDevice, stream.get()));
    fillKernel<<<gridFor(static_cast<long long>(u.size()), kThreads), kThreads, 0, stream.get()>>>(
        cellOf.data(), static_cast<int>(u.size()), next.data(), order.data());
    PROPHET_CUDA_CHECK_LAUNCH();
  }

  void assign() {
    const MeshParticles p = particles();
    if (parameters.assignment == Assignment::Gather) {
      makeCells();
      return launchGather(p, {cellStart.data(), order.data()}, parameters.order, mesh.data(), stream.get());
    }
    launchSpread(p, ownOrder(parameters.assignment, parameters.order), mesh.data(), stream.get());
    filterIfAny();
  }

  void filterIfAny() {
    if (parameters.assignment == Assignment::Filter)
      launchFilter(n, filter.data(), static_cast<int>(filter.size()) - 1, mesh.data(), other.data(),
                   stream.get());
  }

  void transform() {
    checkFft(cufftExecD2Z(forward.get(), mesh.data(), modes.data()), "cufftExecD2Z");
    const Eigen::Matrix3d k = 2 * constants::kPi * cell.vectors.inverse().transpose();
    const ModeFactors f{n,
                        toDouble3(k.col(0)),
                        toDouble3(k.col(1)),
                        toDouble3(k.col(2)),
                        4 * constants::kPi / cell.volume(),
                        1 / (4 * parameters.beta * parameters.beta),
                        spectrum[0].data(),
                        spectrum[1].data(),
                        spectrum[2].data()};
    launchInfluence(f, modes.data(), modeSums.data(), stream.get());
    checkFft(cufftExecZ2D(backward.get(), modes.data(), mesh.data()), "cufftExecZ2D");
  }

  void interpolate() {
    filterIfAny();
    launchInterpolate(particles(), ownOrder(parameters.assignment, parameters.order), mesh.data(),
                      potentials.data(), gradients.data(), stream.get());
    const Eigen::Matrix3d r =
        cell.vectors.inverse().transpose() * Eigen::Vector3d(n.x, n.y, n.z).asDiagonal();
    const double beta = parameters.beta, net = cell.charges.sum();
    fieldsKernel<<<gridFor(static_cast<long long>(u.size()), kThreads), kThreads, 0, stream.get()>>>(
        toDouble3(r.row(0).transpose()), toDouble3(r.row(1).transpose()), toDouble3(r.row(2).transpose()),
        static_cast<int>(u.size()), gradients.data(), charges.data(), 2 * beta / std::sqrt(constants::kPi),
        -constants::kPi * net / (beta * beta * cell.volume()), potentials.data(), fields.data());
    PROPHET_CUDA_CHECK_LAUNCH();
  }

  void pairs() {
    const PairSites s{sites.data(),
                      start.data(),
                      number.data(),
                      static_cast<int>(sites.size()),
                      binned.bins,
                      binned.range,
                      toDouble3(cell.vectors.col(0)),
                      toDouble3(cell.vectors.col(1)),
                      toDouble3(cell.vectors.col(2))};
    launchPairs(s, parameters.beta, parameters.cutoff, potentials.data(), fields.data(), pairSums.data(),
                stream.get());
  }

  /// Of modes, pairs and the background of a net charge.
  Eigen::Matrix3d virial() const {
    double v[6] = {};
    const auto ofModes = modeSums.download(stream.get()), ofPairs = pairSums.download(stream.get());
    for (std::size_t i = 0; i < ofModes.size(); ++i) {
      if (i % 7 > 0) v[i % 7 - 1] += ofModes[i];
    }
    for (std::size_t i = 0; i < ofPairs.size(); ++i) v[i % 6] += ofPairs[i];
    const double net = cell.charges.sum(), beta = parameters.beta;
    const double background = -0.5 * constants::kPi * net * net / (beta * beta * cell.volume());
    Eigen::Matrix3d sum;
    sum << v[0] + background, v[3], v[4], v[3], v[1] + background, v[5], v[4], v[5], v[2] + background;
    return sum;
  }

  const ChargedCell cell;
  const SpmeParameters parameters;
  const Binned binned;
  int3 n;
  std::size_t points;
  Stream stream;
  DeviceBuffer<double3> u;
  DeviceBuffer<double> charges;
  DeviceBuffer<Site> sites;
  DeviceBuffer<int> start, number;
  DeviceBuffer<double> filter, mesh, other;
  DeviceBuffer<double2> modes;
  DeviceBuffer<double> potentials;
  DeviceBuffer<double3> gradients, fields;
  DeviceBuffer<double> modeSums, pairSums;  ///< of each block
  DeviceBuffer<double> spectrum[3];
  DeviceBuffer<int> cellOf, order, cellStart, next;
  DeviceBuffer<char> scan;
  std::size_t scanBytes = 0;
  FftPlan forward, backward;
};

DeviceSpme::DeviceSpme(const ChargedCell& cell, const SpmeParameters& parameters) {
  check(parameters);
  data_ = std::make_unique<Data>(cell, parameters);
}
DeviceSpme::~DeviceSpme() = default;

SpmeTimes DeviceSpme::run() {
  Data& d = *data_;
  const Event begin, assigned, transformed, interpolated, end;
  begin.record(d.stream.get());
  d.assign();
  assigned.record(d.stream.get());
  d.transform();
  transformed.record(d.stream.get());
  d.interpolate();
  interpolated.record(d.stream.get());
  d.pairs();
  end.record(d.stream.get());
  d.stream.synchronize();
  SpmeTimes times;
  times.assign = assigned.secondsSince(begin);
  times.transform = transformed.secondsSince(assigned);
  times.interpolate = interpolated.secondsSince(transformed);
  times.pairs = end.secondsSince(interpolated);
  return times;
}

Electrostatics DeviceSpme::result() const {
  const Data& d = *data_;
  Electrostatics e;
  const auto potentials = d.potentials.download(d.stream.get());
  const auto fields = d.fields.download(d.stream.get());
  e.potentials =
      Eigen::Map<const Eigen::VectorXd>(potentials.data(), static_cast<Eigen::Index>(potentials.size()));
  e.fields.resize(3, e.potentials.size());
  for (std::size_t i = 0; i < fields.size(); ++i)
    e.fields.col(static_cast<Eigen::Index>(i)) << fields[i].x, fields[i].y, fields[i].z;
  e.energy = 0.5 * d.cell.charges.dot(e.potentials);
  e.virial = d.virial();
  return e;
}

}  // namespace prophet::cuda
