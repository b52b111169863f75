#pragma once
#include <vector>

#include "matter/pairs/pair_histogram.hpp"

namespace prophet {

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
