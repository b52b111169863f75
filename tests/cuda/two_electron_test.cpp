#include "cuda/integrals/two_electron.hpp"

#include <cmath>

#include "cuda/common/handles.hpp"
#include "fock/super_matrices.hpp"
#include "gpu_test.hpp"
#include "random_basis.hpp"

namespace prophet::cuda {
namespace {

constexpr int kPoison = 0xff;  // every double is then not-a-number

using TwoElectron = GpuTest;

/// Elements [first, first + count) of all eight matrices from the device.
std::vector<double> onDevice(const StoredBasis& basis, std::int64_t first, std::int64_t count,
                             bool withArrays) {
  Stream stream;
  DeviceBuffer<double> data(8 * count);
  data.fill(kPoison, stream.get());
  const SuperMatrixSlab slab{data.data(), count, first, count};
  DeviceBuffer<int> row(withArrays ? count : 0);
  DeviceBuffer<FunctionPair> functions(withArrays ? basis.index().pairs() : 0);
  const IndexArrays arrays{row.data(), functions.data()};
  if (withArrays) {
    row.fill(kPoison, stream.get());
    functions.fill(kPoison, stream.get());
    searchIndices(basis.view(), basis.index().pairs(), first, count, row.data(), functions.data(),
                  stream.get());
  }
  computeSuperMatrices(basis, slab, withArrays ? &arrays : nullptr, stream.get());
  return data.download(stream.get());
}

/// Largest error relative to the largest of the eight values of one element (small components cancel).
double worstError(const BasisSet& basis, std::int64_t first, std::int64_t count, bool withArrays) {
  const PrimitiveTable table = makePrimitiveTable(basis);
  const StoredBasis stored(table);
  const SuperMatrices reference = prophet::computeSuperMatrices(table, stored.index(), 2);
  if (count < 0) count = stored.index().elements();
  const std::vector<double> values = onDevice(stored, first, count, withArrays);
  double worst = 0.0;
  for (std::int64_t t = 0; t < count; ++t) {
    for (int i = 0; i < 8; ++i) {
      const double expected = reference.x[i][first + t];
      double scale = 0.0;
      for (int n = 0; n < 8; ++n) scale = std::max(scale, std::abs(reference.x[n][first + t]));
      const double error = std::abs(values[i * count + t] - expected) / scale;
      if (!(error <= worst)) worst = error;
      if (std::isnan(error)) return error;
    }
  }
  return worst;
}

TEST_F(TwoElectron, EqualsHostUpToF) {
  std::mt19937 random(11);
  EXPECT_LT(worstError(randomBasis({6, 5, 5, 4, 4, 3, 3}, random), 0, -1, false), 2e-12);
}

TEST_F(TwoElectron, EqualsHostUpToH) {
  std::mt19937 random(12);
  EXPECT_LT(worstError(randomBasis({3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, random), 0, -1, false), 2e-12);
}

TEST_F(TwoElectron, EqualsHostWithIndexArrays) {
  std::mt19937 random(13);
  EXPECT_LT(worstError(randomBasis({6, 5, 5, 4, 4, 3, 3}, random), 0, -1, true), 2e-12);
}

TEST_F(TwoElectron, SlabHoldsItsElementsOnly) {
  std::mt19937 random(14);
  const BasisSet basis = randomBasis({6, 5, 5}, random);
  EXPECT_LT(worstError(basis, triangle(13), triangle(29) - triangle(13), false), 2e-12);
  EXPECT_LT(worstError(basis, triangle(13), triangle(29) - triangle(13), true), 2e-12);
}

TEST_F(TwoElectron, SymmetryWithoutFunctionsTakesNoPart) {
  std::mt19937 random(15);
  EXPECT_LT(worstError(randomBasis({4, 0, 3, 0, 2}, random), 0, -1, false), 2e-12);
}

}  // namespace
}  // namespace prophet::cuda
