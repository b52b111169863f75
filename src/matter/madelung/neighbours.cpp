#include "matter/madelung/neighbours.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kMostImages = 1e6;  // bins looked at around each

std::size_t indexOf(const std::array<int, 3>& bin, const std::array<int, 3>& bins) {
  return (static_cast<std::size_t>(bin[0]) * static_cast<std::size_t>(bins[1]) +
          static_cast<std::size_t>(bin[1])) *
             static_cast<std::size_t>(bins[2]) +
         static_cast<std::size_t>(bin[2]);
}

}  // namespace

Eigen::Vector3d cellHeights(const Eigen::Matrix3d& vectors) {
  return vectors.inverse().rowwise().norm().cwiseInverse();
}

NeighbourSearch::NeighbourSearch(const ChargedCell& cell, double cutoff)
    : vectors_(cell.vectors), cutoff_(cutoff) {
  const Eigen::Vector3d heights = cellHeights(vectors_);
  // Bins of half the cutoff, but not many more than sites.
  const double perAxis = std::max(1.0, std::cbrt(static_cast<double>(cell.sites())));
  double images = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    const double height = heights(static_cast<Eigen::Index>(d));
    bins_[d] = static_cast<int>(std::clamp(std::floor(2 * height / cutoff), 1.0, perAxis));
    const double range = std::ceil(cutoff * bins_[d] / height);
    images *= 2 * range + 1;
    if (!(images < kMostImages))
      throw Error("the cutoff spans too many cells; give a smaller cutoff or a larger cell");
    range_[d] = static_cast<int>(range);
  }
  const Eigen::Matrix3Xd f = cell.fractional();
  const auto binOf = [&](Eigen::Index i) {
    std::array<int, 3> bin;
    for (std::size_t d = 0; d < 3; ++d)
      bin[d] = std::min(static_cast<int>(f(static_cast<Eigen::Index>(d), i) * bins_[d]), bins_[d] - 1);
    return indexOf(bin, bins_);
  };
  start_.assign(static_cast<std::size_t>(bins()) + 1, 0);
  for (Eigen::Index i = 0; i < f.cols(); ++i) ++start_[binOf(i) + 1];
  for (std::size_t k = 1; k < start_.size(); ++k) start_[k] += start_[k - 1];
  std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
  sites_.resize(static_cast<std::size_t>(f.cols()));
  for (Eigen::Index i = 0; i < f.cols(); ++i) sites_[next[binOf(i)]++] = i;
  positions_.resize(3, f.cols());
  for (std::size_t a = 0; a < sites_.size(); ++a)
    positions_.col(static_cast<Eigen::Index>(a)) = vectors_ * f.col(sites_[a]);
}

NeighbourSearch::Other NeighbourSearch::shifted(const std::array<int, 3>& own,
                                                const std::array<int, 3>& step) const {
  std::array<int, 3> bin;
  Eigen::Vector3d images;
  bool home = true;
  for (std::size_t d = 0; d < 3; ++d) {
    const int there = own[d] + step[d];
    const int image = there >= 0 ? there / bins_[d] : -((bins_[d] - 1 - there) / bins_[d]);
    bin[d] = there - image * bins_[d];
    images(static_cast<Eigen::Index>(d)) = image;
    home = home && image == 0;
  }
  return {indexOf(bin, bins_), home, vectors_ * images};
}

}  // namespace prophet
