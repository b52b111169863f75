#include "matter/pairs/pair_histogram.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace prophet {
namespace {

constexpr int kMostBins = (1 << 19) - 1;  // a bin and twelve bits of the place in it fit into 31 bits

}  // namespace

PairHistogram::PairHistogram(const HistogramRequest& request, int kindCount)
    : width(request.width), bins(request.bins), kinds(kindCount) {
  const std::size_t size = static_cast<std::size_t>(pairKinds(kinds)) * static_cast<std::size_t>(bins);
  counts.assign(size, 0);
  offsets.assign(size, 0.0);
}

double PairHistogram::total() const {
  return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
}

void PairHistogram::add(const PairHistogram& other) {
  if (other.bins != bins || other.kinds != kinds || other.width != width)
    throw Error("histograms of different bins or kinds cannot be added");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] += other.counts[i];
    offsets[i] += other.offsets[i];
  }
  distanceError = std::max(distanceError, other.distanceError);
  relativeError = std::max(relativeError, other.relativeError);
  visited += other.visited;
  seconds += other.seconds;
}

void requireHistogram(const HistogramRequest& r, int kinds) {
  if (!(r.width > 0) || !std::isfinite(r.width)) throw Error("bins of pair distances need a width above 0");
  if (r.bins < 1 || r.bins > kMostBins)
    throw Error(fmt::format("a histogram has 1 to {} bins, not {}", kMostBins, r.bins));
  if (r.parts < 1 || r.part < 0 || r.part >= r.parts)
    throw Error("a share of a histogram is one of its parts");
  const double megabytes = 1e-6 * 24 * r.bins * pairKinds(kinds) * (1 + r.threads);
  if (megabytes > 16384)
    throw Error(
        fmt::format("a histogram of {} bins for {} pairs of kinds needs {:.0f} MB; take fewer bins, kinds "
                    "or threads",
                    r.bins, pairKinds(kinds), megabytes));
}

double largestDistance(const Structure& structure) {
  const Extent extent = extentOf(structure.positions);
  return std::min(2 * extent.radius, extent.size.norm());
}

double particleRange(const Structure& structure) {
  return std::max(0.1, largestDistance(structure)) * (1 + 1e-5);
}

}  // namespace prophet
