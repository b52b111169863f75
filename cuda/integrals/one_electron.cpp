#include "cuda/integrals/one_electron.hpp"

#include <algorithm>

#include "cuda/common/buffer.hpp"
#include "cuda/integrals/one_electron_kernel.hpp"

namespace prophet::cuda {

std::vector<OneElectronMatrices> oneElectronMatrices(const BasisSet& basis, const Nucleus& nucleus,
                                                     const Stream& stream) {
  if (nucleus.model == NuclearModel::Fermi) return prophet::oneElectronMatrices(basis, nucleus);
  const PrimitiveTable table = makePrimitiveTable(basis);
  std::vector<OneElectronBlock> blocks;
  int size = 0, largest = 0;
  for (std::size_t a = 0; a < table.symmetries.size(); ++a) {
    const int n = table.offset[a + 1] - table.offset[a];
    blocks.push_back({table.offset[a], n, table.symmetries[a].l(), size});
    size += 4 * n * n;
    largest = std::max(largest, n);
  }
  const DeviceBuffer<Primitive> primitives(table.primitives);
  const DeviceBuffer<OneElectronBlock> deviceBlocks(blocks);
  DeviceBuffer<double> out(static_cast<std::size_t>(size));
  computeOneElectron(primitives.data(), deviceBlocks.data(), static_cast<int>(blocks.size()), largest,
                     {nucleus.charge, nucleus.exponent, nucleus.sphereRadius, nucleus.model}, out.data(),
                     stream.get());
  const std::vector<double> values = out.download(stream.get());

  std::vector<OneElectronMatrices> result(blocks.size());
  for (std::size_t a = 0; a < blocks.size(); ++a) {
    const int n = blocks[a].functions;
    const auto matrix = [&](int i) {
      return Eigen::Map<const Eigen::MatrixXd>(values.data() + blocks[a].out + i * n * n, n, n);
    };
    result[a].overlapLarge = matrix(0);
    result[a].overlapSmall = matrix(1);
    result[a].nuclearLarge = matrix(2);
    result[a].nuclearSmall = matrix(3);
    result[a].balance.resize(n);
    for (int p = 0; p < n; ++p) {
      result[a].balance(p) = std::sqrt((2 * blocks[a].l + 3) * table.primitives[blocks[a].first + p].zeta);
    }
  }
  return result;
}

}  // namespace prophet::cuda
