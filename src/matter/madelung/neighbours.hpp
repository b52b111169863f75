#pragma once
#include <Eigen/Core>
#include <array>
#include <vector>

#include "matter/madelung/charged_cell.hpp"

namespace prophet {

/// Distances between opposite faces of a cell.
Eigen::Vector3d cellHeights(const Eigen::Matrix3d& vectors);

/// Pairs of sites within a cutoff, periodic images included, found by bins of the cell ("cell lists"): any
/// cell, any cutoff, also one beyond the cell's size.
class NeighbourSearch {
 public:
  NeighbourSearch(const ChargedCell& cell, double cutoff);

  int bins() const { return bins_[0] * bins_[1] * bins_[2]; }
  // What a search on a GPU needs: bins along each vector and how many on either side lie within the cutoff;
  // the first site of each bin (and their number); the sites' numbers and places in the order of the bins.
  const std::array<int, 3>& binsAlong() const { return bins_; }
  const std::array<int, 3>& range() const { return range_; }
  const std::vector<std::size_t>& start() const { return start_; }
  const std::vector<Eigen::Index>& sites() const { return sites_; }
  const Eigen::Matrix3Xd& positions() const { return positions_; }

  /// Calls visit(i, j, r, r^2) for every ordered pair of a site i of a bin and a site j, r = r_j - r_i of
  /// that image within the cutoff; all i are met once over all bins, never i itself without a shift.
  template <class Visit>
  void forEachPairOfBin(int bin, Visit visit) const {
    const std::array<int, 3> own{bin / (bins_[1] * bins_[2]), bin / bins_[2] % bins_[1], bin % bins_[2]};
    const double squared = cutoff_ * cutoff_;
    for (int x = -range_[0]; x <= range_[0]; ++x) {
      for (int y = -range_[1]; y <= range_[1]; ++y) {
        for (int z = -range_[2]; z <= range_[2]; ++z) {
          const Other other = shifted(own, {x, y, z});
          for (std::size_t a = start_[static_cast<std::size_t>(bin)];
               a < start_[static_cast<std::size_t>(bin) + 1]; ++a) {
            const Eigen::Vector3d from = positions_.col(static_cast<Eigen::Index>(a)) - other.shift;
            for (std::size_t b = start_[other.bin]; b < start_[other.bin + 1]; ++b) {
              if (a == b && other.home) continue;
              const Eigen::Vector3d r = positions_.col(static_cast<Eigen::Index>(b)) - from;
              const double r2 = r.squaredNorm();
              if (r2 <= squared) visit(sites_[a], sites_[b], r, r2);
            }
          }
        }
      }
    }
  }

 private:
  struct Other {
    std::size_t bin;
    bool home;  ///< in the cell itself
    Eigen::Vector3d shift;
  };
  Other shifted(const std::array<int, 3>& own, const std::array<int, 3>& step) const;

  Eigen::Matrix3d vectors_;
  double cutoff_;
  std::array<int, 3> bins_, range_;
  std::vector<std::size_t> start_;
  std::vector<Eigen::Index> sites_;
  Eigen::Matrix3Xd positions_;  ///< in the cell, in the order of sites_
};

}  // namespace prophet
