#include "atoms/integrals/pair_index.hpp"

namespace prophet {

PairIndex::PairIndex(const std::vector<int>& functionsPerSymmetry)
    : pairOffset_{0}, size_(functionsPerSymmetry) {
  for (const int n : size_) pairOffset_.push_back(pairOffset_.back() + triangle(n));
}

}  // namespace prophet
