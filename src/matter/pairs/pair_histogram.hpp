#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "matter/structure/structure.hpp"

namespace prophet {

/// Kinds of pairs are numbered (0,0), (0,1), ..., (0,n-1), (1,1), ...
inline int pairKinds(int kinds) { return kinds * (kinds + 1) / 2; }
/// The number of the kinds a and b, in any order.
inline int pairKind(int a, int b, int kinds) {
  if (a > b) return pairKind(b, a, kinds);
  return a * kinds - a * (a - 1) / 2 + (b - a);
}

/// What a histogram of distances is to be.
struct HistogramRequest {
  double width = 0;  ///< of a bin, angstrom; bin k holds distances from k width to (k+1) width
  int bins = 0;      ///< pairs that are farther apart than all of them are left out
  bool doublePrecision = false;
  int threads = 1;
  /// This share of the work (PairShare): histograms of all parts add up to the whole one, whatever engines
  /// did them.
  int part = 0, parts = 1;
  /// Told how many pairs have been visited, from any thread; may be empty.
  std::function<void(double)> progress{};

  double range() const { return width * bins; }
};

/// Numbers of pairs, each pair of atoms once, by kinds and distance, with the mean distance of each bin: what
/// follows from it treats the pairs of a bin as if all had that distance. For an ideal crystal they do.
struct PairHistogram {
  double width = 0;
  int bins = 0, kinds = 0;
  std::vector<std::uint64_t> counts;  ///< [pairKind][bin]
  std::vector<double> offsets;        ///< the same: sum of distance/width - bin, each in [0, 1)
  /// Bounds of the error of a distance r that was sorted in: distanceError (angstrom) + relativeError r.
  double distanceError = 0, relativeError = 0;
  double visited = 0;  ///< pairs whose distance was computed
  double seconds = 0;  ///< that this took

  PairHistogram() = default;
  PairHistogram(const HistogramRequest& request, int kindCount);
  std::size_t at(int pair, int bin) const {
    return static_cast<std::size_t>(pair) * static_cast<std::size_t>(bins) + static_cast<std::size_t>(bin);
  }
  /// Mean distance of a bin's pairs, angstrom; the bin must not be empty.
  double meanDistance(int pair, int bin) const {
    return (bin + offsets[at(pair, bin)] / static_cast<double>(counts[at(pair, bin)])) * width;
  }
  /// Bound of the error of a distance r, angstrom.
  double errorAt(double r) const { return distanceError + relativeError * r; }
  double total() const;
  /// Adds one of the same shape. Throws Error for another.
  void add(const PairHistogram& other);
};

/// Throws Error for a width, number of bins or share that makes no sense, or a histogram that would not fit
/// into memory.
void requireHistogram(const HistogramRequest& request, int kinds);

/// Every pair within the range: atoms in cells, distances of many pairs at once in single or double
/// precision, a private histogram for each thread, sums in integers. The result does not depend on the number
/// of threads.
///
/// In a periodic structure all images within the range count, so that the range may exceed half the box.
/// Time grows with N times the atoms within the range (N^2/2 for a particle), memory with N and bins. Throws
/// as requireHistogram.
PairHistogram pairHistogram(const Structure& structure, const HistogramRequest& request);

/// An upper bound of the distances in a structure without lattice, angstrom.
double largestDistance(const Structure& structure);

/// A range that holds all distances of a particle, not 0 for a single atom; angstrom.
double particleRange(const Structure& structure);

/// What a part of the pairs is, the same for every engine: parts that processors and GPUs of several ranks
/// do make the whole, each pair once.
///
/// The atoms are cut into twice as many blocks as there are parts (fewer from 17 parts on), each of atoms
/// that follow each other in the structure. Pairs of blocks, a block with itself included, are numbered by
/// the distance of the two and then by the first, and dealt out to the parts in turn. Neither places nor
/// ranges nor bins matter.
class PairShare {
 public:
  /// Throws Error for a part that is none of the parts.
  PairShare(std::size_t atoms, int part, int parts);

  int blocks() const { return blocks_; }
  int blockOf(std::size_t atom) const;
  /// Whether the pairs of these blocks are in this part.
  bool has(int blockA, int blockB) const;

  /// The same atoms with their block in their kind: kind k of block b becomes k * blocks() + b.
  Structure split(const Structure& structure) const;

  /// Kinds of split() whose pairs are in this part, a <= b, and the pairKind of the kinds they come from.
  struct Kinds {
    int a, b, pair;
    bool same;  ///< whether they come from one
  };
  std::vector<Kinds> pairsOf(int kinds) const;

 private:
  std::size_t atoms_;
  int part_, parts_, blocks_;
};

}  // namespace prophet
