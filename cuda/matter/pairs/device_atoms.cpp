#include "cuda/matter/pairs/device_atoms.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "matter/pairs/debye_sums.hpp"

namespace prophet::cuda {
namespace {

/// The bits of a number with two zeros behind each.
std::uint64_t spread(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffffull;
  x = (x | x << 16) & 0x1f0000ff0000ffull;
  x = (x | x << 8) & 0x100f00f00f00f00full;
  x = (x | x << 4) & 0x10c30c30c30c30c3ull;
  return (x | x << 2) & 0x1249249249249249ull;
}

/// Order along the curve of G. M. Morton (1966): near places are near each other. `f` in [0, 1].
std::uint64_t mortonKey(const Eigen::Vector3d& f) {
  std::uint64_t key = 0;
  for (int i = 0; i < 3; ++i)
    key |= spread(static_cast<std::uint64_t>(std::clamp(f(i), 0.0, 1.0) * 1023)) << i;
  return key;
}

void sortNear(std::vector<Eigen::Vector3d>& places, std::size_t first, std::size_t end,
              const Eigen::Vector3d& low, const Eigen::Vector3d& size) {
  std::vector<std::pair<std::uint64_t, std::size_t>> keys;
  for (std::size_t i = first; i < end; ++i)
    keys.emplace_back(mortonKey((places[i] - low).cwiseQuotient(size)), i);
  std::sort(keys.begin(), keys.end());
  std::vector<Eigen::Vector3d> sorted;
  for (const auto& [key, i] : keys) sorted.push_back(places[i]);
  std::copy(sorted.begin(), sorted.end(), places.begin() + static_cast<std::ptrdiff_t>(first));
}

/// Another order in which neighbours are far apart: steps of the golden section. Atoms of a crystal follow
/// each other by rows, whose few distances would all be sorted into the same bins at once.
void mix(std::vector<Eigen::Vector3d>& places, std::size_t first, std::size_t end) {
  const std::size_t count = end - first;
  std::size_t step =
      std::max<std::size_t>(1, static_cast<std::size_t>(0.6180339887498949 * static_cast<double>(count)));
  while (std::gcd(step, count) != 1) ++step;
  const std::vector<Eigen::Vector3d> old(places.begin() + static_cast<std::ptrdiff_t>(first),
                                         places.begin() + static_cast<std::ptrdiff_t>(end));
  for (std::size_t i = 0, at = 0; i < count; ++i) {
    places[first + i] = old[at];
    at += step;
    if (at >= count) at -= count;
  }
}

/// The box around some atoms; halves are rounded up.
ChunkBox boxAround(const std::vector<Eigen::Vector3d>& places, std::size_t first, std::size_t end) {
  Eigen::Vector3d low = places[first], high = low;
  for (std::size_t i = first; i < end; ++i) {
    low = low.cwiseMin(places[i]);
    high = high.cwiseMax(places[i]);
  }
  ChunkBox box;
  for (int k = 0; k < 3; ++k) {
    box.centre[k] = static_cast<float>(0.5 * (low(k) + high(k)));
    box.half[k] = static_cast<float>(0.5 * (high(k) - low(k)) * (1 + 1e-6));
  }
  return box;
}

DeviceBox boxOf(const Eigen::Matrix3d& lattice) {
  DeviceBox box;
  box.periodic = true;
  const Eigen::Matrix3d g = lattice * lattice.transpose();
  box.square = std::abs(g(0, 1)) + std::abs(g(0, 2)) + std::abs(g(1, 2)) < 1e-12 * g.trace();
  const Eigen::Vector3d widths = cellWidths(lattice);
  const Eigen::Matrix3d turned = g.llt().matrixL();
  for (int i = 0; i < 9; ++i) {
    box.exactRows[i] = lattice(i / 3, i % 3);
    box.rows[i] = static_cast<float>(turned(i / 3, i % 3));
  }
  for (int i = 0; i < 3; ++i) box.widths[i] = static_cast<float>(widths(i) * (1 - 1e-6));
  return box;
}

/// Translations that can bring a nearest image, whose fractions are at most 1/2, nearer than the range: along
/// each edge it then lies at least so many edges less 1/2 away.
std::vector<float4> imagesWithin(const Eigen::Matrix3d& lattice, double range) {
  constexpr double kMostImages = 1e5;
  const Eigen::Vector3d widths = cellWidths(lattice);
  int n[3];
  double count = 1;
  for (int i = 0; i < 3; ++i) {
    const double edges = std::ceil(range / widths(i) * (1 - 1e-12) + 0.5) - 1;
    count *= 2 * edges + 1;
    if (!(count <= kMostImages))
      throw DeviceError("on the GPU the range must not exceed some twenty boxes; use --backend cpu");
    n[i] = static_cast<int>(edges);
  }
  std::vector<float4> images;
  for (int a = -n[0]; a <= n[0]; ++a) {
    for (int b = -n[1]; b <= n[1]; ++b) {
      for (int c = -n[2]; c <= n[2]; ++c)
        images.push_back(make_float4(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c), 0));
    }
  }
  return images;
}

/// A fraction of an edge, in [0, 1], in 2^-32 of it; 1 is 0.
std::uint32_t wholeFraction(double f) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(std::llround(f * 0x1p32)));
}

}  // namespace

AtomTable tableOf(const Structure& s, double range) {
  AtomTable table;
  ByKind sorted = sortByKind(s);
  const Extent extent = extentOf(s.positions);
  Eigen::Vector3d low = -0.5 * extent.size, size = extent.size.cwiseMax(1e-6);
  if (s.lattice) {
    const Eigen::Matrix3d toFractions = s.lattice->inverse().transpose();
    for (auto& p : sorted.positions) {
      p = toFractions * p;
      p = p.array() - p.array().floor();
    }
    table.box = boxOf(*s.lattice);
    table.images = imagesWithin(*s.lattice, range);
    low.setZero();
    size.setOnes();
  } else {
    for (auto& p : sorted.positions) p -= extent.centre;
    table.everyPair = largestDistance(s) * (1 + 2e-6) + 1e-5 < range;
  }
  for (const std::size_t f : sorted.first) table.first.push_back(static_cast<std::uint32_t>(f));
  if (table.everyPair) {
    for (std::size_t k = 0; k + 1 < sorted.first.size(); ++k)
      mix(sorted.positions, sorted.first[k], sorted.first[k + 1]);
  } else {
    for (std::size_t k = 0; k + 1 < sorted.first.size(); ++k) {
      sortNear(sorted.positions, sorted.first[k], sorted.first[k + 1], low, size);
      table.boxFirst.push_back(static_cast<std::uint32_t>(table.boxes.size()));
      for (std::size_t i = sorted.first[k]; i < sorted.first[k + 1]; i += kChunk)
        table.boxes.push_back(
            boxAround(sorted.positions, i, std::min<std::size_t>(i + kChunk, sorted.first[k + 1])));
    }
  }
  for (const auto& p : sorted.positions) {
    if (s.lattice) {
      table.exact.push_back({p.x(), p.y(), p.z(), 0});
      table.fractions.push_back(
          make_uint4(wholeFraction(p.x()), wholeFraction(p.y()), wholeFraction(p.z()), 0));
    } else {
      table.atoms.push_back(
          make_float4(static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z()), 0));
    }
  }
  return table;
}

std::vector<KindPair> kindPairs(const std::vector<PairShare::Kinds>& pairs,
                                const std::vector<std::uint32_t>& first,
                                const std::vector<std::uint32_t>& boxFirst, std::uint64_t& groups) {
  std::vector<KindPair> list;
  groups = 0;
  for (const PairShare::Kinds& kinds : pairs) {
    const auto a = static_cast<std::size_t>(kinds.a), b = static_cast<std::size_t>(kinds.b);
    KindPair pair{};
    pair.firstA = first[a];
    pair.endA = first[a + 1];
    pair.firstB = first[b];
    pair.endB = first[b + 1];
    if (pair.firstA == pair.endA || pair.firstB == pair.endB) continue;
    if (!boxFirst.empty()) {
      pair.boxA = boxFirst[a];
      pair.boxB = boxFirst[b];
    }
    pair.rows = (pair.endA - pair.firstA + kChunk - 1) / kChunk;
    pair.columns = (pair.endB - pair.firstB + kChunk - 1) / kChunk;
    pair.triangle = a == b;
    pair.result = kinds.pair;
    pair.units = pair.triangle ? static_cast<std::uint64_t>(pair.rows) * (pair.rows + 1) / 2
                               : static_cast<std::uint64_t>(pair.rows) * pair.columns;
    pair.firstGroup = groups;
    groups += (pair.units + kGroup - 1) / kGroup;
    list.push_back(pair);
  }
  return list;
}

double pairsIn(const KindPair& p) {
  const double a = p.endA - p.firstA, b = p.endB - p.firstB;
  return p.triangle ? a * (a - 1) / 2 : a * b;
}

}  // namespace prophet::cuda
