#include "cuda/atoms/integrals/two_electron.hpp"

#include <cmath>

#include "atoms/fock/stored_builder.hpp"
#include "cuda/core/common/handles.hpp"
#include "gpu_test.hpp"
#include "random_basis.hpp"

namespace prophet::cuda {
namespace {

constexpr int kUnsetBytes = 0xff;  // every double is then not-a-number

using TwoElectron = GpuTest;

/// Rows [firstRow, endRow) of all eight matrices from the device, as elements without room between rows.
std::vector<double> onDevice(const StoredBasis& basis, std::int64_t firstRow, std::int64_t endRow,
                             bool withArrays, const Stream& stream) {
  DeviceBuffer<double> data(8 * slabRoom(firstRow, endRow));
  data.fill(kUnsetBytes, stream.get());
  const SuperMatrixSlab slab = makeSlab(data.data(), firstRow, endRow);
  const std::int64_t first = slab.first(), count = slab.count();
  DeviceBuffer<int> row(withArrays ? count : 0);
  DeviceBuffer<FunctionPair> functions(withArrays ? basis.index().pairs() : 0);
  const IndexArrays arrays{row.data(), functions.data()};
  if (withArrays) {
    row.fill(kUnsetBytes, stream.get());
    functions.fill(kUnsetBytes, stream.get());
    searchIndices(basis.view(), basis.index().pairs(), first, count, row.data(), functions.data(),
                  stream.get());
  }
  computeSuperMatrices(basis, slab, withArrays ? &arrays : nullptr, stream.get());
  const std::vector<double> places = data.download(stream.get());
  std::vector<double> elements;
  for (int i = 0; i < 8; ++i) {
    for (std::int64_t line = firstRow; line < endRow; ++line) {
      const auto start = places.begin() + i * slab.stride + slab.place(line, 0);
      elements.insert(elements.end(), start, start + line + 1);
    }
  }
  return elements;
}

Primitive positive(Primitive f) {
  f.small2 = std::abs(f.small2);
  return f;
}

/// Sizes of the terms whose sums and differences the elements are: rounding errors are measured by them.
SuperMatrixElement termSizes(const PrimitiveTable& table, const ExchangeList& list, const FunctionPair& a,
                             const FunctionPair& b) {
  const Primitive* f = table.primitives.data() + table.offset[a.symmetry];
  const Primitive* g = table.primitives.data() + table.offset[b.symmetry];
  const int l = table.symmetries[a.symmetry].l(), m = table.symmetries[b.symmetry].l();
  const Primitive p = positive(f[a.p]), q = positive(f[a.q]), r = positive(g[b.p]), s = positive(g[b.q]);
  SuperMatrixElement size = superMatrixElement(l, p, q, m, r, s, list);
  const SuperMatrixElement coulomb = superMatrixElement(l, p, q, m, r, s, ExchangeList{});
  size.x1 = 2.0 * coulomb.x1 - size.x1;  // J + K/2 from J and J - K/2
  size.x8 = 2.0 * coulomb.x8 - size.x8;
  return size;
}

/// Largest error over all elements and matrices, relative to the terms that make them.
double worstError(const BasisSet& basis, std::int64_t firstRow, std::int64_t endRow, bool withArrays) {
  const PrimitiveTable table = makePrimitiveTable(basis);
  const Stream stream;
  Workspace workspace(stream);
  const StoredBasis stored(table, workspace);
  ThreadPool pool(2);
  const SuperMatrices reference = prophet::computeSuperMatrices(table, stored.index(), pool);
  const std::vector<ExchangeList> lists = exchangeLists(table.symmetries);
  const PairNumbering numbering = stored.index().view();
  if (endRow < 0) endRow = stored.index().pairs();
  const std::int64_t first = triangle(firstRow), count = triangle(endRow) - first;
  const std::vector<double> values = onDevice(stored, firstRow, endRow, withArrays, stream);
  double worst = 0.0;
  for (std::int64_t t = first; t < first + count; ++t) {
    const std::int64_t row = numbering.row(t);
    const FunctionPair a = numbering.functions(row), b = numbering.functions(t - triangle(row));
    const SuperMatrixElement e =
        termSizes(table, lists[a.symmetry * numbering.symmetries + b.symmetry], a, b);
    const double sizes[8] = {e.x1, e.x2, e.x3, e.x4, e.x5, e.x6, e.x7, e.x8};
    for (int i = 0; i < 8; ++i) {
      const double error = std::abs(values[i * count + t - first] - reference.x[i][t]) / std::abs(sizes[i]);
      if (std::isnan(error)) return error;
      worst = std::max(worst, error);
    }
  }
  return worst;
}

TEST_F(TwoElectron, EqualsHostUpToF) {
  std::mt19937 random(11);
  EXPECT_LT(worstError(randomBasis({6, 5, 5, 4, 4, 3, 3}, random), 0, -1, false), 1e-13);
}

TEST_F(TwoElectron, EqualsHostUpToH) {
  std::mt19937 random(12);
  EXPECT_LT(worstError(randomBasis({3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, random), 0, -1, false), 1e-13);
}

TEST_F(TwoElectron, EqualsHostWithIndexArrays) {
  std::mt19937 random(13);
  EXPECT_LT(worstError(randomBasis({6, 5, 5, 4, 4, 3, 3}, random), 0, -1, true), 1e-13);
}

TEST_F(TwoElectron, SlabHoldsItsElementsOnly) {
  std::mt19937 random(14);
  const BasisSet basis = randomBasis({6, 5, 5}, random);
  EXPECT_LT(worstError(basis, 13, 29, false), 1e-13);
  EXPECT_LT(worstError(basis, 13, 29, true), 1e-13);
}

TEST_F(TwoElectron, SymmetryWithoutFunctionsTakesNoPart) {
  std::mt19937 random(15);
  EXPECT_LT(worstError(randomBasis({4, 0, 3, 0, 2}, random), 0, -1, false), 1e-13);
}

}  // namespace
}  // namespace prophet::cuda
