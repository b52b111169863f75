#include "core/mesh/spline_filter.hpp"

#include <cmath>

#include "core/common/math_constants.hpp"
#include "core/common/thread_pool.hpp"
#include "core/mesh/assignment.hpp"

namespace prophet {
namespace {

/// `count` neighbouring lines of `length` points, `stride` apart, that lie side by side in memory.
void filterLines(const std::vector<double>& g, double* begin, int length, std::size_t stride, int count,
                 std::vector<double>& old) {
  const int h = static_cast<int>(g.size()) - 1;
  const std::size_t width = static_cast<std::size_t>(count);
  old.resize(static_cast<std::size_t>(length) * width);
  for (int i = 0; i < length; ++i) {
    const double* from = begin + static_cast<std::size_t>(i) * stride;
    std::copy(from, from + count,
              old.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * width));
  }
  for (int i = 0; i < length; ++i) {
    double* to = begin + static_cast<std::size_t>(i) * stride;
    const double* own = old.data() + static_cast<std::size_t>(i) * width;
    for (int c = 0; c < count; ++c) to[c] = g[0] * own[c];
    for (int j = 1; j <= h; ++j) {
      const double* below = old.data() + static_cast<std::size_t>((i - j + length) % length) * width;
      const double* above = old.data() + static_cast<std::size_t>((i + j) % length) * width;
      const double weight = g[static_cast<std::size_t>(j)];
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

void filterMesh(const std::vector<double>& weights, const MeshSize& n, int threads, double* mesh) {
  const std::size_t row = static_cast<std::size_t>(n[2]), plane = row * static_cast<std::size_t>(n[1]);
  std::vector<std::vector<double>> old(static_cast<std::size_t>(threads));
  ThreadPool pool(threads);
  pool.forEach(n[0], [&](int x, int worker) {
    double* begin = mesh + static_cast<std::size_t>(x) * plane;
    auto& space = old[static_cast<std::size_t>(worker)];
    for (int y = 0; y < n[1]; ++y)
      filterLines(weights, begin + static_cast<std::size_t>(y) * row, n[2], 1, 1, space);
    filterLines(weights, begin, n[1], row, n[2], space);
  });
  pool.forEach(n[1], [&](int y, int worker) {
    filterLines(weights, mesh + static_cast<std::size_t>(y) * row, n[0], plane, n[2],
                old[static_cast<std::size_t>(worker)]);
  });
}

std::vector<double> filterSpectrum(const std::vector<double>& weights, int n) {
  std::vector<double> spectrum(static_cast<std::size_t>(n));
  for (int m = 0; m < n; ++m) {
    double sum = weights[0];
    for (std::size_t j = 1; j < weights.size(); ++j) {
      sum += 2 * weights[j] * std::cos(2 * constants::kPi * m * static_cast<double>(j) / n);
    }
    spectrum[static_cast<std::size_t>(m)] = sum;
  }
  return spectrum;
}

}  // namespace prophet
