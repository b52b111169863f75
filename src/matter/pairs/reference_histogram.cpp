#include <cmath>

#include "core/common/stopwatch.hpp"
#include "matter/pairs/pair_share.hpp"

namespace prophet {
namespace {

/// Translations of the lattice within which every image of a pair within the range lies; zero alone without
/// lattice. Positions may lie anywhere: their spread counts too.
std::vector<Eigen::Vector3d> translations(const Structure& s, double range) {
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
bool isUpper(const Eigen::Vector3d& t) {
  for (int i = 0; i < 3; ++i) {
    if (t(i) != 0) return t(i) > 0;
  }
  return false;
}

}  // namespace

PairHistogram referenceHistogram(const Structure& s, const HistogramRequest& request) {
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

}  // namespace prophet
