#include "core/mesh/nufft.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

struct Rule {
  std::vector<double> nodes, weights;
};

/// Gauss-Legendre quadrature on [-1, 1], nodes by Newton's method.
Rule gaussLegendre(int count) {
  Rule rule;
  for (int i = 0; i < count; ++i) {
    double x = std::cos(constants::kPi * (i + 0.75) / (count + 0.5)), slope = 1;
    for (int step = 0; step < 100; ++step) {
      double before = 1, now = x;
      for (int n = 2; n <= count; ++n) {
        const double next = ((2 * n - 1) * x * now - (n - 1) * before) / n;
        before = now;
        now = next;
      }
      slope = count * (x * now - before) / (x * x - 1);
      const double change = now / slope;
      x -= change;
      if (std::abs(change) < 1e-16) break;
    }
    rule.nodes.push_back(x);
    rule.weights.push_back(2 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

}  // namespace

ExpSqrtKernel kernelFor(double tolerance) {
  if (!(tolerance >= 1e-14 && tolerance <= 0.1))
    throw Error(fmt::format("a non-uniform Fourier transform takes a tolerance from 1e-14 to 0.1, not {:g}",
                            tolerance));
  ExpSqrtKernel kernel;
  kernel.width =
      std::clamp(static_cast<int>(std::ceil(std::log10(10 / tolerance) - 1e-9)), 2, kMostKernelWidth);
  const double perPoint = kernel.width == 2   ? 2.20
                          : kernel.width == 3 ? 2.26
                          : kernel.width == 4 ? 2.38
                                              : 2.30;
  kernel.shape = perPoint * kernel.width;
  return kernel;
}

MeshSize nufftMesh(const MeshSize& modes, const ExpSqrtKernel& kernel) {
  MeshSize mesh;
  for (std::size_t d = 0; d < 3; ++d) {
    if (modes[d] < 1) throw Error("a grid needs at least one point along every axis");
    mesh[d] = fastMeshSize(std::max(2 * modes[d], 2 * kernel.width));
  }
  return mesh;
}

std::vector<double> kernelCorrection(const ExpSqrtKernel& kernel, int n, int most) {
  // The kernel has the square root's branch points at both ends, where it is exp(-shape): a rule of this size
  // is at rounding.
  const Rule rule = gaussLegendre(40 + 4 * kernel.width);
  const double half = 0.5 * kernel.width;
  std::vector<double> correction;
  for (int k = 0; k <= most; ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
      const double x = half * rule.nodes[i];
      sum += half * rule.weights[i] * kernel(x) * std::cos(2 * constants::kPi * k * x / n);
    }
    correction.push_back(1 / sum);
  }
  return correction;
}

namespace {

/// Weights of the points around a position along one axis.
struct KernelLine {
  KernelLine(const ExpSqrtKernel& kernel, double u)
      : first(static_cast<int>(std::ceil(u - 0.5 * kernel.width))) {
    for (int j = 0; j < kernel.width; ++j) weights[j] = kernel(first + j - u);
  }
  int first;
  double weights[kMostKernelWidth];
};

/// Adds one strength to the mesh. The innermost line is contiguous but where it crosses the period.
void addPoint(const ExpSqrtKernel& kernel, const Eigen::Vector3d& u, std::complex<double> c,
              const MeshSize& n, std::complex<double>* mesh) {
  const KernelLine x(kernel, u(0)), y(kernel, u(1)), z(kernel, u(2));
  const int width = kernel.width;
  double line[2 * kMostKernelWidth];
  for (int j = 0; j < width; ++j) {
    line[2 * j] = c.real() * z.weights[j];
    line[2 * j + 1] = c.imag() * z.weights[j];
  }
  const bool whole = z.first >= 0 && z.first + width <= n[2];
  for (int a = 0; a < width; ++a) {
    const std::size_t plane =
        static_cast<std::size_t>(MeshSlabs::wrapped(x.first + a, n[0])) * static_cast<std::size_t>(n[1]);
    for (int b = 0; b < width; ++b) {
      const std::size_t row = plane + static_cast<std::size_t>(MeshSlabs::wrapped(y.first + b, n[1]));
      double* to = reinterpret_cast<double*>(mesh + row * static_cast<std::size_t>(n[2]));
      const double weight = x.weights[a] * y.weights[b];
      if (whole) {
        double* start = to + 2 * z.first;
        for (int j = 0; j < 2 * width; ++j) start[j] += weight * line[j];
      } else {
        for (int j = 0; j < width; ++j) {
          double* at = to + 2 * MeshSlabs::wrapped(z.first + j, n[2]);
          at[0] += weight * line[2 * j];
          at[1] += weight * line[2 * j + 1];
        }
      }
    }
  }
}

}  // namespace

Nufft::Nufft(const MeshSize& modes, double tolerance, int threads)
    : modes_(modes),
      mesh_(nufftMesh(modes, kernelFor(tolerance))),
      kernel_(kernelFor(tolerance)),
      threads_(threads),
      fft_(mesh_, modes, threads) {
  for (std::size_t d = 0; d < 3; ++d) correction_[d] = kernelCorrection(kernel_, mesh_[d], modes[d] / 2);
}

Nufft::~Nufft() = default;

void Nufft::setPoints(const Eigen::Matrix3Xd& x) {
  u_.resize(3, x.cols());
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    for (int d = 0; d < 3; ++d) {
      const double turns = x(d, i) / (2 * constants::kPi);
      const int n = mesh_[d];
      const double u = (turns - std::floor(turns)) * n;
      u_(d, i) = u < n ? u : 0.0;
    }
  }
  const double half = 0.5 * kernel_.width;
  slabs_ = std::make_unique<MeshSlabs>(u_, mesh_, kernel_.width,
                                       [half](double u) { return static_cast<int>(std::ceil(u - half)); });
}

void Nufft::transform(const Eigen::VectorXcd& c, std::complex<double>* f) {
  if (!slabs_ || c.size() != u_.cols())
    throw Error("a non-uniform Fourier transform needs one strength for each point");
  std::complex<double>* mesh = fft_.values();
  std::fill(mesh, mesh + meshPoints(mesh_), std::complex<double>(0));
  slabs_->forEach(threads_, [&](Eigen::Index i) { addPoint(kernel_, u_.col(i), c(i), mesh_, mesh); });
  fft_.transform();
  const auto indexOf = [&](std::size_t d, int i) {
    const int k = i - modes_[d] / 2;
    return std::make_pair(static_cast<std::size_t>(k < 0 ? k + mesh_[d] : k), correction_[d][std::abs(k)]);
  };
  ThreadPool(threads_).forEach(modes_[0], [&](int a, int) {
    const auto [x, cx] = indexOf(0, a);
    for (int b = 0; b < modes_[1]; ++b) {
      const auto [y, cy] = indexOf(1, b);
      const std::complex<double>* from =
          mesh + (x * static_cast<std::size_t>(mesh_[1]) + y) * static_cast<std::size_t>(mesh_[2]);
      std::complex<double>* to = f + (static_cast<std::size_t>(a) * static_cast<std::size_t>(modes_[1]) +
                                      static_cast<std::size_t>(b)) *
                                         static_cast<std::size_t>(modes_[2]);
      for (int k = 0; k < modes_[2]; ++k) {
        const auto [z, cz] = indexOf(2, k);
        to[k] = cx * cy * cz * from[z];
      }
    }
  });
}

}  // namespace prophet
