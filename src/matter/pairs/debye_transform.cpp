#include <algorithm>
#include <cmath>

#include "core/common/math_constants.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/thread_pool.hpp"
#include "matter/pairs/debye_sums.hpp"
#include "matter/pairs/sine_kernel.hpp"

namespace prophet {
namespace {

/// Bounds of the first and second derivative of sin(x)/x at or beyond x: their largest values anywhere, or
/// what sines and cosines at their worst make of (cos x - sin x/x)/x and ((2/x^2 - 1) sin x - 2 cos x/x)/x.
double slopeBound(double x) { return x > 0 ? std::min(0.4363, std::hypot(1, 1 / x) / x) : 0.4363; }
double curvatureBound(double x) {
  return x > 0 ? std::min(1.0 / 3, std::hypot(1, 2 / (x * x)) / x) : 1.0 / 3;
}

constexpr int kSlice = 64;  // momenta that a task does

/// Distances and how many pairs have them.
using Points = std::vector<std::pair<double, double>>;

/// Sums over points for the momenta of a slice, from `start` on.
void sumSlice(const Points& points, const Eigen::VectorXd& q, const Eigen::VectorXd& turns,
              Eigen::Index start, Eigen::Ref<Eigen::VectorXd> out) {
  const Eigen::Index n = std::min<Eigen::Index>(kSlice, q.size() - start);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(n);
  double touching = 0, all = 0;
  for (const auto& [r, number] : points) {
    all += number;
    if (r < 1e-6) {
      touching += number;
    } else {
      addSines(turns.data() + start, static_cast<int>(n), r, number / r, sum.data());
    }
  }
  for (Eigen::Index k = 0; k < n; ++k)
    out(start + k) = q(start + k) == 0 ? all : sum(k) / q(start + k) + touching;
}

/// Sums of each list of points, a column each.
Eigen::MatrixXd sumPoints(const std::vector<Points>& lists, const Eigen::VectorXd& q, int threads) {
  requireScattering(q);
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(q.size(), static_cast<Eigen::Index>(lists.size()));
  const Eigen::VectorXd turns = q / (2 * constants::kPi);
  const int slices = static_cast<int>((q.size() + kSlice - 1) / kSlice),
            count = static_cast<int>(lists.size());
  ThreadPool(threads).forEach(slices * count, [&](int task, int) {
    const int list = task % count;
    sumSlice(lists[static_cast<std::size_t>(list)], q, turns,
             static_cast<Eigen::Index>(task / count) * kSlice, sums.col(list));
  });
  return sums;
}

}  // namespace

Eigen::VectorXd sincSum(const std::vector<double>& distances, const Eigen::VectorXd& q, int threads) {
  std::vector<Points> lists(1);
  for (const double r : distances) lists[0].emplace_back(r, 1.0);
  return sumPoints(lists, q, threads);
}

DebyeSums debyeTransform(const PairHistogram& h, const Eigen::VectorXd& q, int threads) {
  const Stopwatch watch;
  std::vector<Points> lists(static_cast<std::size_t>(pairKinds(h.kinds)));
  for (int p = 0; p < pairKinds(h.kinds); ++p) {
    for (int k = 0; k < h.bins; ++k) {
      const auto count = h.counts[h.at(p, k)];
      if (count > 0)
        lists[static_cast<std::size_t>(p)].emplace_back(h.meanDistance(p, k), static_cast<double>(count));
    }
  }
  DebyeSums sums;
  sums.values = sumPoints(lists, q, threads);
  sums.seconds = watch.seconds();
  return sums;
}

Eigen::MatrixXd debyeErrorBound(const PairHistogram& h, const Eigen::VectorXd& q) {
  const int pairs = pairKinds(h.kinds);
  Eigen::MatrixXd bound = Eigen::MatrixXd::Zero(q.size(), pairs);
  // Numbers in [0, 1] with the mean m vary by m (1 - m) at most (R. Bhatia and C. Davis, Am. Math. Monthly
  // 107, 353 (2000)). Bins of a GPU may be shifted by a little, as their scale is rounded.
  constexpr double kShift = 0.004;
  // Bounds fall with r: a few hundred groups of bins, each taken at its shortest distance, are enough.
  const int group = std::max(1, h.bins / 512);
  for (int p = 0; p < pairs; ++p) {
    for (int k = 0; k < h.bins; k += group) {
      double number = 0, spread = 0;  // pairs, sum of their variances in widths
      for (int i = k; i < std::min(h.bins, k + group); ++i) {
        const double count = static_cast<double>(h.counts[h.at(p, i)]);
        const double offset = h.offsets[h.at(p, i)];
        number += count;
        if (count > 0) spread += std::max(0.0, offset * (1 - offset / count)) + kShift * count;
      }
      if (number == 0) continue;
      const double r = k * h.width, error = h.errorAt(r + group * h.width);
      for (Eigen::Index i = 0; i < q.size(); ++i) {
        const double x = q(i) * r;
        bound(i, p) += q(i) * (spread * h.width * h.width / 2 * q(i) * curvatureBound(x) +
                               number * error * slopeBound(x));
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

HistogramRequest requestForTolerance(const Structure& s, double tolerance, double largestQ, int freeBins,
                                     int mostBins) {
  const double range = particleRange(s);
  // The rest of the tolerance is for the roundings of distances.
  const double wide =
      std::max(widthForTolerance(0.6 * tolerance, std::max(1e-3, largestQ), range), range / (mostBins - 2));
  HistogramRequest r;
  r.width = freeBins > 2 ? std::min(wide, range / (freeBins - 2)) : wide;
  r.bins = static_cast<int>(range / r.width) + 2;
  return r;
}

}  // namespace prophet
