#include <Eigen/LU>
#include <cmath>
#include <numeric>

#include <cub/cub.cuh>

#include "common/math_constants.hpp"
#include "cuda/common/buffer.hpp"
#include "cuda/common/handles.hpp"
#include "cuda/common/launch.hpp"
#include "cuda/mesh/check_fft.hpp"
#include "cuda/mesh/device_spme.hpp"
#include "cuda/mesh/spme_kernels.hpp"
#include "madelung/neighbours.hpp"
#include "mesh/spline_filter.hpp"
#include "mesh/spline_spectrum.hpp"

namespace prophet::cuda {
namespace {

constexpr int kThreads = 256;

struct Influence {
  int3 n;
  double3 kx, ky,
      kz;        ///< rows of 2 pi times the inverse of the vectors, transposed: k = m_x kx + m_y ky + m_z kz
  double scale;  ///< 4 pi/V
  double damping;  ///< 1/(4 beta^2)
};

__global__ void influenceKernel(Influence f, const double* wx, const double* wy, const double* wz,
                                double2* modes) {
  const int half = f.n.z / 2 + 1;
  const long long all = 1LL * f.n.x * f.n.y * half;
  for (long long i = 1LL * blockIdx.x * blockDim.x + threadIdx.x; i < all;
       i += 1LL * gridDim.x * blockDim.x) {
    const int z = static_cast<int>(i % half), y = static_cast<int>(i / half % f.n.y),
              x = static_cast<int>(i / half / f.n.y);
    double factor = 0;
    if (2 * x != f.n.x && 2 * y != f.n.y && 2 * z != f.n.z && i > 0) {
      const int mx = 2 * x > f.n.x ? x - f.n.x : x, my = 2 * y > f.n.y ? y - f.n.y : y;
      const double kx = mx * f.kx.x + my * f.ky.x + z * f.kz.x, ky = mx * f.kx.y + my * f.ky.y + z * f.kz.y,
                   kz = mx * f.kx.z + my * f.ky.z + z * f.kz.z, k2 = kx * kx + ky * ky + kz * kz;
      factor = f.scale / k2 * exp(-k2 * f.damping) * wx[x] * wy[y] * wz[z];
    }
    modes[i].x *= factor;
    modes[i].y *= factor;
  }
}

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

/// Sites in the order of bins, as NeighbourSearch has them.
struct Binned {
  Binned(const ChargedCell& cell, double cutoff) {
    const Eigen::Vector3d heights = cellHeights(cell.vectors);
    const double perAxis = std::max(1.0, std::cbrt(static_cast<double>(cell.sites())));
    for (int d = 0; d < 3; ++d) {
      bins[d] = static_cast<int>(std::clamp(std::floor(2 * heights(d) / cutoff), 1.0, perAxis));
      range[d] = static_cast<int>(std::ceil(cutoff * bins[d] / heights(d)));
    }
    const Eigen::Matrix3Xd f = cell.fractional();
    const Eigen::Index count = cell.sites();
    std::vector<int> binOf(static_cast<std::size_t>(count));
    start.assign(static_cast<std::size_t>(bins[0] * bins[1] * bins[2]) + 1, 0);
    for (Eigen::Index i = 0; i < count; ++i) {
      int b[3];
      for (int d = 0; d < 3; ++d) b[d] = std::min(static_cast<int>(f(d, i) * bins[d]), bins[d] - 1);
      binOf[static_cast<std::size_t>(i)] = (b[0] * bins[1] + b[1]) * bins[2] + b[2];
      ++start[static_cast<std::size_t>(binOf[static_cast<std::size_t>(i)]) + 1];
    }
    for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
    std::vector<int> next(start.begin(), start.end() - 1);
    number.resize(static_cast<std::size_t>(count));
    for (Eigen::Index i = 0; i < count; ++i)
      number[static_cast<std::size_t>(next[static_cast<std::size_t>(binOf[static_cast<std::size_t>(i)])]++)] =
          static_cast<int>(i);
    for (const int i : number) {
      const Eigen::Vector3d r = cell.vectors * f.col(i);
      sites.push_back({r(0), r(1), r(2), cell.charges(i)});
    }
  }
  int bins[3], range[3];
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

}  // namespace

struct DeviceSpme::Data {
  Data(const ChargedCell& c, const SpmeParameters& p)
      : cell(c),
        parameters(p),
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
    const Influence f{n,
                      toDouble3(k.col(0)),
                      toDouble3(k.col(1)),
                      toDouble3(k.col(2)),
                      4 * constants::kPi / cell.volume(),
                      1 / (4 * parameters.beta * parameters.beta)};
    influenceKernel<<<gridFor(static_cast<long long>(modes.size()), kThreads), kThreads, 0, stream.get()>>>(
        f, spectrum[0].data(), spectrum[1].data(), spectrum[2].data(), modes.data());
    PROPHET_CUDA_CHECK_LAUNCH();
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
                      {binned.bins[0], binned.bins[1], binned.bins[2]},
                      {binned.range[0], binned.range[1], binned.range[2]},
                      toDouble3(cell.vectors.col(0)),
                      toDouble3(cell.vectors.col(1)),
                      toDouble3(cell.vectors.col(2))};
    launchPairs(s, parameters.beta, parameters.cutoff, potentials.data(), fields.data(), stream.get());
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
  DeviceBuffer<double> spectrum[3];
  DeviceBuffer<int> cellOf, order, cellStart, next;
  DeviceBuffer<char> scan;
  std::size_t scanBytes = 0;
  FftPlan forward, backward;
};

DeviceSpme::DeviceSpme(const ChargedCell& cell, const SpmeParameters& parameters)
    : data_(std::make_unique<Data>(cell, parameters)) {}
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
  return e;
}

}  // namespace prophet::cuda
