#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/threads.hpp"
#include "matter/pairs/debye_sums.hpp"
#include "matter/pairs/pair_distribution.hpp"

/// The simple versions that the fast ones are tested against.
namespace prophet {

/// Translations of the lattice within which every image of a pair within the range lies; zero alone without
/// lattice. Positions may lie anywhere: their spread counts too.
inline std::vector<Eigen::Vector3d> translations(const Structure& s, double range) {
  if (!s.lattice) return {Eigen::Vector3d::Zero()};
  const Eigen::Vector3d widths = cellWidths(*s.lattice);
  const double reach = range + largestDistance(s);
  int n[3];
  for (int i = 0; i < 3; ++i) n[i] = static_cast<int>(std::ceil(reach / widths(i)));
  std::vector<Eigen::Vector3d> list;
  for (int a = -n[0]; a <= n[0]; ++a) {
    for (int b = -n[1]; b <= n[1]; ++b) {
      for (int c = -n[2]; c <= n[2]; ++c)
        list.emplace_back(s.lattice->transpose() * Eigen::Vector3d(a, b, c));
    }
  }
  return list;
}

/// Of the two translations that lead from an atom to its own images at the same distance, one.
inline bool isUpper(const Eigen::Vector3d& t) {
  for (int i = 0; i < 3; ++i) {
    if (t(i) != 0) return t(i) > 0;
  }
  return false;
}

/// The simple version: every pair, one after the other, in double precision; of a periodic structure every
/// image within the range, not only the nearest.
inline PairHistogram referenceHistogram(const Structure& s, const HistogramRequest& request) {
  const int kinds = static_cast<int>(s.kinds.size());
  requireHistogram(request, kinds);
  const Stopwatch watch;
  PairHistogram histogram(request, kinds);
  const auto list = translations(s, request.range());
  const PairShare share(s.size(), request.part, request.parts);
  for (std::size_t i = 0; i < s.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (!share.has(share.blockOf(i), share.blockOf(j))) continue;
      const int pair = pairKind(s.kind[i], s.kind[j], kinds);
      for (const auto& t : list) {
        if (i == j && !isUpper(t)) continue;
        const double place = (s.positions[i] - s.positions[j] + t).norm() / request.width;
        ++histogram.visited;
        if (!(place < request.bins)) continue;
        const int bin = static_cast<int>(place);
        ++histogram.counts[histogram.at(pair, bin)];
        histogram.offsets[histogram.at(pair, bin)] += place - bin;
      }
    }
  }
  histogram.relativeError = 4e-16;
  histogram.seconds = watch.seconds();
  return histogram;
}

/// The simple version: every pair and q with the library's sine, in double precision.
inline DebyeSums referenceDebyeSums(const Structure& s, const DebyeRequest& request) {
  requireScattering(request.q);
  const Stopwatch watch;
  const int kinds = static_cast<int>(s.kinds.size());
  DebyeSums sums;
  sums.values.setZero(request.q.size(), pairKinds(kinds));
  for (std::size_t i = 0; i < s.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double r = (s.positions[i] - s.positions[j]).norm();
      const int pair = pairKind(s.kind[i], s.kind[j], kinds);
      for (Eigen::Index k = 0; k < request.q.size(); ++k) {
        const double x = request.q(k) * r;
        sums.values(k, pair) += x < 1e-8 ? 1.0 : std::sin(x) / x;
      }
      sums.terms += static_cast<double>(request.q.size());
    }
  }
  sums.seconds = watch.seconds();
  return sums;
}

/// |sum_j exp(i k r_j)|^2/N of a periodic structure, averaged over the reciprocal lattice vectors k
/// whose lengths lie in each bin of a grid of q: the direct way, without pairs or end of a range. Empty bins
/// are not a number. Time grows with N and q^3. Throws Error for a structure without lattice.
inline Eigen::VectorXd reciprocalStructureFactor(const Structure& s, const Eigen::VectorXd& edges,
                                                 int threads) {
  if (!s.lattice) throw Error("a sum over reciprocal lattice vectors needs a lattice");
  const Eigen::Matrix3d reciprocal = 2 * constants::kPi * s.lattice->inverse().transpose();  // rows
  const double largest = edges(edges.size() - 1);
  // |n_i| <= q |a_i|/(2 pi).
  int n[3];
  for (int i = 0; i < 3; ++i)
    n[i] = static_cast<int>(largest * s.lattice->row(i).norm() / (2 * constants::kPi));
  const Eigen::Index bins = edges.size() - 1;
  const int tasks = n[0] + 1;
  std::vector<Eigen::VectorXd> sums(static_cast<std::size_t>(tasks), Eigen::VectorXd::Zero(bins)),
      numbers = sums;
  ThreadPool(threads).forEach(tasks, [&](int a, int) {
    for (int b = -n[1]; b <= n[1]; ++b) {
      for (int c = -n[2]; c <= n[2]; ++c) {
        if (a == 0 && (b < 0 || (b == 0 && c <= 0))) continue;  // k and -k scatter alike
        const Eigen::Vector3d k = reciprocal.transpose() * Eigen::Vector3d(a, b, c);
        const auto found = std::ranges::upper_bound(edges, k.norm());
        const Eigen::Index bin = found - edges.begin() - 1;
        if (bin < 0 || bin >= bins) continue;
        std::complex<double> sum = 0;
        for (const auto& p : s.positions) sum += std::polar(1.0, k.dot(p));
        sums[a](bin) += std::norm(sum) / static_cast<double>(s.size());
        numbers[a](bin) += 1;
      }
    }
  });
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(bins), number = sum;
  for (std::size_t a = 0; a < sums.size(); ++a) {
    sum += sums[a];
    number += numbers[a];
  }
  for (Eigen::Index k = 0; k < bins; ++k)
    sum(k) = number(k) > 0 ? sum(k) / number(k) : std::numeric_limits<double>::quiet_NaN();
  return sum;
}

}  // namespace prophet
