#pragma once
#include <array>
#include <cstddef>

namespace prophet {

/// Points of a periodic mesh along its three axes; arrays over it have the last axis fastest.
using MeshSize = std::array<int, 3>;

inline std::size_t meshPoints(const MeshSize& n) {
  return static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]);
}

/// The smallest even number >= `least` with no prime factor above 5: fast to Fourier transform.
int fastMeshSize(int least);

}  // namespace prophet
