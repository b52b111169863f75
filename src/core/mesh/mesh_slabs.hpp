#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/common/threads.hpp"

namespace prophet {

/// Points of a periodic mesh along its three axes; arrays over it have the last axis fastest.
using MeshSize = std::array<int, 3>;

inline std::size_t meshPoints(const MeshSize& n) {
  return static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]);
}

/// The smallest even number >= `least` with no prime factor above 5: fast to Fourier transform.
inline int fastMeshSize(int least) {
  for (int n = std::max(2, least + least % 2);; n += 2) {
    int rest = n;
    for (const int p : {2, 3, 5})
      while (rest % p == 0) rest /= p;
    if (rest == 1) return n;
  }
}

/// Positions in units of a mesh's spacings, one column each, in [0, n) along each axis.
using MeshPositions = Eigen::Matrix3Xd;

/// Particles in the order of the slabs of a mesh (across its first axis) that their footprints begin in.
/// Slabs are at least as wide as a footprint, so that two that are not neighbours write to different points:
/// first the even slabs are worked on side by side, then the odd ones. The order of all additions is the same
/// for any number of threads.
class MeshSlabs {
 public:
  /// `first(u)`: first point of a footprint of `width` points around u.
  template <class First>
  MeshSlabs(const MeshPositions& u, const MeshSize& n, int width, First first) {
    const int slabs = std::max(1, 2 * std::min(n[0] / (2 * width), 32));
    constexpr int kBlock = 8;  // rows of the second axis that stay in the cache together
    const int blocks = (n[1] + kBlock - 1) / kBlock;
    const auto keyOf = [&](Eigen::Index i) {
      const int x = wrapped(first(u(0, i)), n[0]), y = wrapped(first(u(1, i)), n[1]);
      return static_cast<std::size_t>(x) * static_cast<std::size_t>(blocks) +
             static_cast<std::size_t>(y / kBlock);
    };
    std::vector<std::size_t> start(static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(blocks) + 1, 0);
    for (Eigen::Index i = 0; i < u.cols(); ++i) ++start[keyOf(i) + 1];
    for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
    for (int s = 0; s <= slabs; ++s) {
      const std::size_t plane =
          static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(s) / static_cast<std::size_t>(slabs);
      begin_.push_back(start[plane * static_cast<std::size_t>(blocks)]);
    }
    order_.resize(u.cols());
    for (Eigen::Index i = 0; i < u.cols(); ++i) order_[start[keyOf(i)]++] = i;
  }

  /// Calls work(particle) for each; those that may touch the same points never at the same time.
  template <class Work>
  void forEach(int threads, Work work) const {
    const int slabs = static_cast<int>(begin_.size()) - 1;
    ThreadPool pool(std::min(threads, std::max(1, slabs / 2)));
    for (int parity = 0; parity < (slabs > 1 ? 2 : 1); ++parity) {
      const int count = slabs > 1 ? slabs / 2 : 1;
      pool.forEach(count, [&](int task, int) {
        const std::size_t slab = static_cast<std::size_t>(slabs > 1 ? 2 * task + parity : 0);
        for (std::size_t k = begin_[slab]; k < begin_[slab + 1]; ++k) work(order_[k]);
      });
    }
  }

  static int wrapped(int i, int n) { return i < 0 ? i + n : (i >= n ? i - n : i); }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Eigen::Index> order_;
};

}  // namespace prophet
