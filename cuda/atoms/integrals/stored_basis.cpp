#include "cuda/atoms/integrals/stored_basis.hpp"

#include <algorithm>

namespace prophet::cuda {
namespace {

std::vector<int> sizesOf(const PrimitiveTable& table) {
  std::vector<int> sizes;
  for (std::size_t a = 0; a + 1 < table.offset.size(); ++a) {
    sizes.push_back(table.offset[a + 1] - table.offset[a]);
  }
  return sizes;
}

int degreeOf(const std::vector<Symmetry>& symmetries) {
  int l = 0;
  for (const Symmetry s : symmetries) l = std::max(l, s.l());
  return slaterDegree(l) <= 5 ? 5 : 9;
}

std::vector<std::int64_t> pairOffsets(const PairIndex& index) {
  const PairNumbering n = index.view();
  return {n.pairOffset, n.pairOffset + n.symmetries + 1};
}

}  // namespace

StoredBasis::StoredBasis(const PrimitiveTable& table, Workspace& workspace)
    : sizes_(sizesOf(table)),
      symmetryList_(table.symmetries),
      index_(sizes_),
      degree_(degreeOf(table.symmetries)),
      primitives_(workspace.upload(table.primitives)),
      offset_(workspace.upload(table.offset)),
      deviceSizes_(workspace.upload(sizes_)),
      pairOffset_(workspace.upload(pairOffsets(index_))) {
  if (degree_ == 5) {
    low_ = workspace.upload(makePairPolynomials<5>(table.symmetries));
  } else {
    high_ = workspace.upload(makePairPolynomials<9>(table.symmetries));
  }
}

StoredBasisView StoredBasis::view() const {
  const void* polynomials = degree_ == 5 ? static_cast<const void*>(low_.data()) : high_.data();
  return {{pairOffset_.data(), deviceSizes_.data(), symmetries()},
          primitives_.data(),
          offset_.data(),
          polynomials};
}

}  // namespace prophet::cuda
