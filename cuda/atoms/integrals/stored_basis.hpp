#pragma once
#include <cstdint>
#include <vector>

#include "atoms/integrals/pair_index.hpp"
#include "atoms/integrals/primitives.hpp"
#include "atoms/integrals/slater_polynomials.hpp"
#include "cuda/core/common/workspace.hpp"

namespace prophet::cuda {

/// What integral kernels read, as plain pointers into device memory.
struct StoredBasisView {
  PairNumbering numbering;
  const Primitive* primitives;
  const int* offset;            ///< first primitive of each symmetry
  const void* pairPolynomials;  ///< PairPolynomials<degree>, entry [a * symmetries + b]
};

/// A basis set prepared on the device: primitives, numbering of pairs, polynomials of all pairs of
/// symmetries.
class StoredBasis {
 public:
  /// Throws Error for symmetries with l > 7. Uploads are queued on the workspace's stream.
  StoredBasis(const PrimitiveTable& table, Workspace& workspace);

  StoredBasisView view() const;
  /// Degree of the polynomials: 5 (l <= 3) or 9.
  int degree() const { return degree_; }
  const PairIndex& index() const { return index_; }
  int symmetries() const { return static_cast<int>(sizes_.size()); }
  const std::vector<int>& sizes() const { return sizes_; }
  const std::vector<Symmetry>& symmetryList() const { return symmetryList_; }

 private:
  std::vector<int> sizes_;
  std::vector<Symmetry> symmetryList_;
  PairIndex index_;
  int degree_;
  DeviceBuffer<Primitive> primitives_;
  DeviceBuffer<int> offset_, deviceSizes_;
  DeviceBuffer<std::int64_t> pairOffset_;
  DeviceBuffer<PairPolynomials<5>> low_;
  DeviceBuffer<PairPolynomials<9>> high_;
};

}  // namespace prophet::cuda
