#include "core/mesh/spline_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <type_traits>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/threads.hpp"
#include "core/mesh/bspline.hpp"

namespace prophet {
namespace {

/// `count` neighbouring lines of `length` points, `stride` apart, that lie side by side in memory.
template <class Real>
void filterLines(const std::vector<double>& g, Real* begin, int length, std::size_t stride, int count,
                 std::vector<Real>& old) {
  const int h = static_cast<int>(g.size()) - 1;
  const std::size_t width = static_cast<std::size_t>(count);
  old.resize(static_cast<std::size_t>(length) * width);
  for (int i = 0; i < length; ++i) {
    const Real* from = begin + static_cast<std::size_t>(i) * stride;
    std::copy(from, from + count,
              old.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * width));
  }
  for (int i = 0; i < length; ++i) {
    Real* to = begin + static_cast<std::size_t>(i) * stride;
    const Real* own = old.data() + static_cast<std::size_t>(i) * width;
    const auto middle = static_cast<Real>(g[0]);
    for (int c = 0; c < count; ++c) to[c] = middle * own[c];
    for (int j = 1; j <= h; ++j) {
      const Real* below = old.data() + static_cast<std::size_t>((i - j + length) % length) * width;
      const Real* above = old.data() + static_cast<std::size_t>((i + j) % length) * width;
      const auto weight = static_cast<Real>(g[j]);
      for (int c = 0; c < count; ++c) to[c] += weight * (below[c] + above[c]);
    }
  }
}

}  // namespace

std::vector<double> filterWeights(int order) {
  // M_p has the variance p/12.
  const double variance = (order - ownOrder(Assignment::Filter, order)) / 12.0;
  std::vector<double> g;
  double sum = 0;
  for (int j = 0; j <= order / 2; ++j) {
    g.push_back(variance > 0 ? std::exp(-0.5 * j * j / variance) : (j == 0 ? 1.0 : 0.0));
    sum += (j == 0 ? 1 : 2) * g.back();
  }
  for (double& weight : g) weight /= sum;
  return g;
}

template <class Real>
void filterMesh(const std::vector<double>& weights, const MeshSize& n, int threads, Real* mesh) {
  const std::size_t row = static_cast<std::size_t>(n[2]), plane = row * static_cast<std::size_t>(n[1]);
  std::vector<std::vector<Real>> old(static_cast<std::size_t>(threads));
  ThreadPool pool(threads);
  pool.forEach(n[0], [&](int x, int worker) {
    Real* begin = mesh + static_cast<std::size_t>(x) * plane;
    auto& space = old[worker];
    for (int y = 0; y < n[1]; ++y)
      filterLines(weights, begin + static_cast<std::size_t>(y) * row, n[2], 1, 1, space);
    filterLines(weights, begin, n[1], row, n[2], space);
  });
  pool.forEach(n[1], [&](int y, int worker) {
    filterLines(weights, mesh + static_cast<std::size_t>(y) * row, n[0], plane, n[2], old[worker]);
  });
}

std::vector<double> filterSpectrum(const std::vector<double>& weights, int n) {
  std::vector<double> spectrum(static_cast<std::size_t>(n));
  for (int m = 0; m < n; ++m) {
    double sum = weights[0];
    for (std::size_t j = 1; j < weights.size(); ++j) {
      sum += 2 * weights[j] * std::cos(2 * constants::kPi * m * static_cast<double>(j) / n);
    }
    spectrum[m] = sum;
  }
  return spectrum;
}

std::vector<double> splineSpectrum(int order, int n) {
  double weights[kMostSplineOrder];
  splineWeights(order, 0.0, weights);  // M_p(p-1), ..., M_p(0) = 0
  std::vector<double> spectrum(static_cast<std::size_t>(n));
  for (int m = 0; m < n; ++m) {
    std::complex<double> sum = 0;
    for (int k = 0; k < order - 1; ++k) sum += weights[k] * std::polar(1.0, 2 * constants::kPi * m * k / n);
    const bool lost = order % 2 == 1 && 2 * m == n;
    spectrum[m] = lost ? 0.0 : std::norm(sum);
  }
  return spectrum;
}

std::vector<double> inverseSpectrum(Assignment assignment, int order, int n) {
  std::vector<double> inverse = splineSpectrum(ownOrder(assignment, order), n);
  if (assignment == Assignment::Filter) {
    const std::vector<double> filter = filterSpectrum(filterWeights(order), n);
    for (std::size_t m = 0; m < inverse.size(); ++m) inverse[m] *= filter[m] * filter[m];
  }
  for (double& x : inverse) x = x > 0 ? 1 / x : 0.0;
  return inverse;
}

namespace {

/// Weights (and slopes) of the points that a particle touches along one axis, and where they are.
template <class Real, int Order>
struct AxisWeights {
  AxisWeights(double u, int n, bool withSlopes) {
    const int last = static_cast<int>(std::floor(u));
    double w[Order], s[Order];
    if (withSlopes) {
      splineWeightsAndSlopes(Order, u - last, w, s);
    } else {
      splineWeights(Order, u - last, w);
    }
    for (int j = 0; j < Order; ++j) {
      weights[j] = static_cast<Real>(w[j]);
      if (withSlopes) slopes[j] = static_cast<Real>(s[j]);
      index[j] = MeshSlabs::wrapped(last - Order + 1 + j, n);
    }
  }
  /// Whether the points follow each other in memory, none on the far side of the mesh.
  bool together() const { return index[Order - 1] == index[0] + Order - 1; }
  Real weights[Order], slopes[Order];
  int index[Order];
};

/// Calls work with the order as a constant, with which compilers unroll the loops over weights.
template <int Order = 2, class Work>
void withOrder(int order, const Work& work) {
  if (order == Order) return work(std::integral_constant<int, Order>{});
  if constexpr (Order < kMostSplineOrder) withOrder<Order + 1>(order, work);
}

/// Particles in each cell of the mesh, as a list of starts and one of particles.
struct MeshCells {
  MeshCells(const MeshPositions& u, const MeshSize& n) : n_(n), start(meshPoints(n) + 1, 0) {
    for (Eigen::Index i = 0; i < u.cols(); ++i) ++start[cell(u.col(i)) + 1];
    for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    particles.resize(u.cols());
    for (Eigen::Index i = 0; i < u.cols(); ++i) particles[next[cell(u.col(i))]++] = i;
  }
  std::size_t at(int x, int y, int z) const {
    return (static_cast<std::size_t>(x) * static_cast<std::size_t>(n_[1]) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(n_[2]) +
           static_cast<std::size_t>(z);
  }
  std::size_t cell(const Eigen::Vector3d& u) const {
    return at(static_cast<int>(u(0)), static_cast<int>(u(1)), static_cast<int>(u(2)));
  }

  MeshSize n_;
  std::vector<std::size_t> start;
  std::vector<Eigen::Index> particles;
};

int validOrder(int order, const MeshSize& n) {
  if (order < 2 || order > kMostSplineOrder)
    throw Error(fmt::format("no splines of order {}; orders are 2 to {}", order, kMostSplineOrder));
  for (const int points : n) {
    if (points <= order)
      throw Error(
          fmt::format("a mesh of {} points is too small for order {}; take more points", points, order));
  }
  return order;
}

}  // namespace

SplineMesh::SplineMesh(MeshPositions u, const MeshSize& n, Assignment assignment, int order, int threads)
    : u_(std::move(u)),
      n_(n),
      assignment_(assignment),
      order_(validOrder(order, n)),
      own_(ownOrder(assignment, order_)),
      threads_(threads),
      slabs_(u_, n, own_, [own = own_](double x) { return static_cast<int>(std::floor(x)) - own + 1; }) {}

template <class Real>
void SplineMesh::spread(const Eigen::VectorXd& charges, Real* mesh) const {
  const std::size_t row = static_cast<std::size_t>(n_[2]), plane = row * static_cast<std::size_t>(n_[1]);
  std::fill(mesh, mesh + meshPoints(n_), Real{0});
  withOrder(own_, [&](auto constant) {
    constexpr int kOrder = constant;
    slabs_.forEach(threads_, [&](Eigen::Index i) {
      const AxisWeights<Real, kOrder> x(u_(0, i), n_[0], false), y(u_(1, i), n_[1], false),
          z(u_(2, i), n_[2], false);
      const auto charge = static_cast<Real>(charges(i));
      for (int a = 0; a < kOrder; ++a) {
        for (int b = 0; b < kOrder; ++b) {
          Real* line = mesh + static_cast<std::size_t>(x.index[a]) * plane +
                       static_cast<std::size_t>(y.index[b]) * row;
          const Real weight = charge * x.weights[a] * y.weights[b];
          if (z.together()) {
            Real* points = line + z.index[0];
            for (int c = 0; c < kOrder; ++c) points[c] += weight * z.weights[c];
          } else {
            for (int c = 0; c < kOrder; ++c) line[z.index[c]] += weight * z.weights[c];
          }
        }
      }
    });
  });
}

void SplineMesh::gather(const Eigen::VectorXd& charges, const Row& put) const {
  const MeshCells cells(u_, n_);
  const std::size_t row = static_cast<std::size_t>(n_[2]), plane = row * static_cast<std::size_t>(n_[1]);
  // A point k collects from the cells k, ..., k + order - 1: particles there have it as weight number order -
  // 1, ..., 0.
  ThreadPool(threads_).forEach(n_[0], [&](int x, int) {
    std::vector<double> sum(row);
    double wx[kMostSplineOrder], wy[kMostSplineOrder], wz[kMostSplineOrder];
    for (int y = 0; y < n_[1]; ++y) {
      std::ranges::fill(sum, 0.0);
      for (int a = 0; a < order_; ++a) {
        for (int b = 0; b < order_; ++b) {
          const int cx = (x + a) % n_[0], cy = (y + b) % n_[1];
          const std::size_t first = cells.start[cells.at(cx, cy, 0)];
          const std::size_t end = cells.start[cells.at(cx, cy, n_[2] - 1) + 1];
          for (std::size_t k = first; k < end; ++k) {
            const Eigen::Index i = cells.particles[k];
            const int cz = static_cast<int>(u_(2, i));
            splineWeights(order_, u_(0, i) - cx, wx);
            splineWeights(order_, u_(1, i) - cy, wy);
            splineWeights(order_, u_(2, i) - cz, wz);
            const double weight = charges(i) * wx[order_ - 1 - a] * wy[order_ - 1 - b];
            for (int c = 0; c < order_; ++c) {
              sum[MeshSlabs::wrapped(cz - order_ + 1 + c, n_[2])] += weight * wz[c];
            }
          }
        }
      }
      put(static_cast<std::size_t>(x) * plane + static_cast<std::size_t>(y) * row, sum);
    }
  });
}

template <class Real>
void SplineMesh::assign(const Eigen::VectorXd& charges, Real* mesh) const {
  if (assignment_ == Assignment::Gather) {
    return gather(charges, [mesh](std::size_t first, const std::vector<double>& row) {
      std::transform(row.begin(), row.end(), mesh + first, [](double v) { return static_cast<Real>(v); });
    });
  }
  spread(charges, mesh);
  if (assignment_ == Assignment::Filter) filterMesh(filterWeights(order_), n_, threads_, mesh);
}

template <class Real>
void SplineMesh::interpolate(Real* mesh, Eigen::VectorXd& values, Eigen::Matrix3Xd& gradients) const {
  if (assignment_ == Assignment::Filter) filterMesh(filterWeights(order_), n_, threads_, mesh);
  const std::size_t row = static_cast<std::size_t>(n_[2]), plane = row * static_cast<std::size_t>(n_[1]);
  values.resize(u_.cols());
  gradients.resize(3, u_.cols());
  withOrder(own_, [&](auto constant) {
    constexpr int kOrder = constant;
    slabs_.forEach(threads_, [&](Eigen::Index i) {
      const AxisWeights<Real, kOrder> x(u_(0, i), n_[0], true), y(u_(1, i), n_[1], true),
          z(u_(2, i), n_[2], true);
      // Each point along z has the sums over x and y of the numbers, of their slopes in x, and in y.
      Real value[kOrder] = {}, alongX[kOrder] = {}, alongY[kOrder] = {}, apart[kOrder];
      for (int a = 0; a < kOrder; ++a) {
        for (int b = 0; b < kOrder; ++b) {
          const Real* line = mesh + static_cast<std::size_t>(x.index[a]) * plane +
                             static_cast<std::size_t>(y.index[b]) * row;
          const Real* points = line + z.index[0];
          if (!z.together()) {
            for (int c = 0; c < kOrder; ++c) apart[c] = line[z.index[c]];
            points = apart;
          }
          const Real weight = x.weights[a] * y.weights[b], slopeX = x.slopes[a] * y.weights[b],
                     slopeY = x.weights[a] * y.slopes[b];
          for (int c = 0; c < kOrder; ++c) {
            value[c] += weight * points[c];
            alongX[c] += slopeX * points[c];
            alongY[c] += slopeY * points[c];
          }
        }
      }
      double sums[4] = {};
      for (int c = 0; c < kOrder; ++c) {
        sums[0] += static_cast<double>(value[c]) * z.weights[c];
        sums[1] += static_cast<double>(alongX[c]) * z.weights[c];
        sums[2] += static_cast<double>(alongY[c]) * z.weights[c];
        sums[3] += static_cast<double>(value[c]) * z.slopes[c];
      }
      values(i) = sums[0];
      gradients.col(i) << sums[1], sums[2], sums[3];
    });
  });
}

template void filterMesh(const std::vector<double>&, const MeshSize&, int, double*);
template void filterMesh(const std::vector<double>&, const MeshSize&, int, float*);
template void SplineMesh::assign(const Eigen::VectorXd&, double*) const;
template void SplineMesh::assign(const Eigen::VectorXd&, float*) const;
template void SplineMesh::interpolate(double*, Eigen::VectorXd&, Eigen::Matrix3Xd&) const;
template void SplineMesh::interpolate(float*, Eigen::VectorXd&, Eigen::Matrix3Xd&) const;

}  // namespace prophet
