#include <algorithm>
#include <cmath>

#include "common/math_constants.hpp"
#include "common/stopwatch.hpp"
#include "common/thread_pool.hpp"
#include "pairs/debye_sums.hpp"
#include "pairs/sine_kernel.hpp"

namespace prophet {
namespace {

/// Bounds of the first and second derivative of sin(x)/x at or beyond x.
double slopeBound(double x) { return std::min(0.4363, x > 0 ? 1 / x + 1 / (x * x) : 1.0); }
double curvatureBound(double x) {
  return x > 0 ? std::min(1.0 / 3, 1 / x + 2 / (x * x) + 2 / (x * x * x)) : 1.0 / 3;
}

constexpr int kSlice = 64;  // momenta that a task does

}  // namespace

DebyeSums debyeTransform(const PairHistogram& h, const Eigen::VectorXd& q, int threads) {
  requireScattering(q);
  const Stopwatch watch;
  const int pairs = pairKinds(h.kinds);
  DebyeSums sums;
  sums.values.setZero(q.size(), pairs);
  std::vector<std::vector<std::pair<double, double>>> points(static_cast<std::size_t>(pairs));  // r, number
  for (int p = 0; p < pairs; ++p) {
    for (int k = 0; k < h.bins; ++k) {
      const auto count = h.counts[h.at(p, k)];
      if (count > 0)
        points[static_cast<std::size_t>(p)].emplace_back(h.meanDistance(p, k), static_cast<double>(count));
    }
  }
  const Eigen::VectorXd turns = q / (2 * constants::kPi);
  const int slices = static_cast<int>((q.size() + kSlice - 1) / kSlice);
  ThreadPool(threads).forEach(slices * pairs, [&](int task, int) {
    const int p = task % pairs;
    const Eigen::Index start = static_cast<Eigen::Index>(task / pairs) * kSlice;
    const Eigen::Index n = std::min<Eigen::Index>(kSlice, q.size() - start);
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(n);
    double touching = 0, all = 0;
    for (const auto& [r, number] : points[static_cast<std::size_t>(p)]) {
      all += number;
      if (r < 1e-6) {
        touching += number;
      } else {
        addSines(turns.data() + start, static_cast<int>(n), r, number / r, sum.data());
      }
    }
    for (Eigen::Index k = 0; k < n; ++k)
      sums.values(start + k, p) = q(start + k) == 0 ? all : sum(k) / q(start + k) + touching;
  });
  sums.seconds = watch.seconds();
  return sums;
}

Eigen::MatrixXd debyeErrorBound(const PairHistogram& h, const Eigen::VectorXd& q) {
  const int pairs = pairKinds(h.kinds);
  Eigen::MatrixXd bound = Eigen::MatrixXd::Zero(q.size(), pairs);
  // Bounds fall with r: a few hundred groups of bins, each taken at its shortest distance, are enough.
  const int group = std::max(1, h.bins / 512);
  for (int p = 0; p < pairs; ++p) {
    for (int k = 0; k < h.bins; k += group) {
      double number = 0;
      for (int i = k; i < std::min(h.bins, k + group); ++i)
        number += static_cast<double>(h.counts[h.at(p, i)]);
      if (number == 0) continue;
      const double r = k * h.width;
      for (Eigen::Index i = 0; i < q.size(); ++i) {
        const double x = q(i) * r;
        bound(i, p) += number * q(i) *
                       (h.width * h.width / 8 * q(i) * curvatureBound(x) + h.distanceError * slopeBound(x));
      }
    }
  }
  return bound;
}

double widthForTolerance(double tolerance, double largestQ, double diameter) {
  // <1/r> of a ball of diameter D is 2.4/D; twice that also covers the terms beyond 1/x.
  const double curvature = std::min(1.0 / 3, 4.8 / std::max(1e-9, largestQ * diameter));
  return std::sqrt(8 * tolerance / (largestQ * largestQ * curvature));
}

}  // namespace prophet
