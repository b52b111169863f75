#pragma once
#include <cmath>
#include <cstdint>

#include "core/common/host_device.hpp"

namespace prophet::cuda {

/// Atoms that one warp of the histogram holds, and that it looks at in one go: 128 x 128 pairs are a unit.
inline constexpr int kChunk = 128;

/// The place of a unit in the matrix of chunks.
struct ChunkPair {
  std::uint32_t row, column;
};

/// Unit `u` of a triangle, diagonal included: row r has r + 1 columns.
PROPHET_HD inline ChunkPair triangleUnit(std::uint64_t u) {
  auto row = static_cast<std::uint64_t>((sqrt(8.0 * static_cast<double>(u) + 1.0) - 1.0) / 2);
  // The root may be off by one in its last place.
  while (row * (row + 1) / 2 > u) --row;
  while ((row + 1) * (row + 2) / 2 <= u) ++row;
  return {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(u - row * (row + 1) / 2)};
}

/// Unit `u` of a rectangle with so many columns.
PROPHET_HD inline ChunkPair rectangleUnit(std::uint64_t u, std::uint32_t columns) {
  return {static_cast<std::uint32_t>(u / columns), static_cast<std::uint32_t>(u % columns)};
}

/// Units of a group: the devices of an engine share out groups, whichever kernel they use.
inline constexpr int kGroup = 32;

/// Pairs of two lists of atoms, which lie from `firstA` to `endA` and from `firstB` to `endB`.
struct KindPair {
  std::uint32_t firstA, endA, firstB, endB;
  std::uint32_t rows, columns;  ///< chunks of each
  std::uint32_t boxA, boxB;     ///< where the boxes of their chunks begin
  bool triangle;                ///< the two lists are one: each pair once
  int result;                   ///< number of the pair of kinds that they count for
  std::uint64_t units;
  std::uint64_t firstGroup;  ///< number of its first group of units
};

/// The group of units that a pair of chunks belongs to.
PROPHET_HD inline std::uint64_t groupOf(const KindPair& pair, std::uint32_t row, std::uint32_t column) {
  const std::uint64_t r = row;
  return pair.firstGroup + (pair.triangle ? r * (r + 1) / 2 + column : r * pair.columns + column) / kGroup;
}

}  // namespace prophet::cuda
