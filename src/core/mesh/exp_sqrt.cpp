#include "core/mesh/exp_sqrt.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/common/error.hpp"
#include "core/common/math_constants.hpp"

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

}  // namespace prophet
