#include "matter/pairs/pair_share.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace prophet {
namespace {

/// Two for each part, so that all parts have equally many pairs; of very many parts, so many that each has
/// some.
int blocksFor(int parts) {
  constexpr int kUsualMost = 32;
  const int some = 2 * static_cast<int>(std::ceil(std::sqrt(parts)));
  return parts == 1 ? 1 : std::min(2 * std::min(parts, 1 << 20), std::max(kUsualMost, some));
}

}  // namespace

PairShare::PairShare(std::size_t atoms, int part, int parts)
    : atoms_(std::max<std::size_t>(1, atoms)), part_(part), parts_(parts) {
  if (parts < 1 || part < 0 || part >= parts) throw Error("a share of the pairs is one of its parts");
  blocks_ = blocksFor(parts);
}

int PairShare::blockOf(std::size_t atom) const {
  return static_cast<int>(atom * static_cast<std::size_t>(blocks_) / atoms_);
}

bool PairShare::has(int a, int b) const {
  const int apart = std::abs(a - b);
  const int number = apart * blocks_ - apart * (apart - 1) / 2 + std::min(a, b);
  return number % parts_ == part_;
}

Structure PairShare::split(const Structure& s) const {
  Structure parted = s;
  parted.kinds.clear();
  for (const std::string& kind : s.kinds)
    parted.kinds.insert(parted.kinds.end(), static_cast<std::size_t>(blocks_), kind);
  for (std::size_t i = 0; i < s.size(); ++i) parted.kind[i] = s.kind[i] * blocks_ + blockOf(i);
  return parted;
}

std::vector<PairShare::Kinds> PairShare::pairsOf(int kinds) const {
  std::vector<Kinds> list;
  for (int a = 0; a < kinds; ++a) {
    for (int b = a; b < kinds; ++b) {
      for (int x = 0; x < blocks_; ++x) {
        for (int y = a == b ? x : 0; y < blocks_; ++y) {
          if (has(x, y)) list.push_back({a * blocks_ + x, b * blocks_ + y, pairKind(a, b, kinds), a == b});
        }
      }
    }
  }
  return list;
}

}  // namespace prophet
