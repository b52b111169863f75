#include "cuda/atoms/integrals/one_electron.hpp"

#include <algorithm>

#include "cuda/core/common/buffer.hpp"

namespace prophet::cuda {

OneElectronLayout oneElectronLayout(const PrimitiveTable& table) {
  OneElectronLayout layout;
  for (std::size_t a = 0; a < table.symmetries.size(); ++a) {
    const int n = table.offset[a + 1] - table.offset[a];
    layout.blocks.push_back({table.offset[a], n, table.symmetries[a].l(), layout.size});
    layout.size += 4 * n * n;
    layout.largest = std::max(layout.largest, n);
  }
  return layout;
}

std::vector<double> joined(const OneElectronLayout& layout,
                           const std::vector<OneElectronMatrices>& matrices) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(layout.size));
  for (const OneElectronMatrices& m : matrices) {
    for (const Eigen::MatrixXd* part : {&m.overlapLarge, &m.overlapSmall, &m.nuclearLarge, &m.nuclearSmall})
      values.insert(values.end(), part->data(), part->data() + part->size());
  }
  return values;
}

std::vector<OneElectronMatrices> separated(const OneElectronLayout& layout, const PrimitiveTable& table,
                                           const std::vector<double>& values) {
  std::vector<OneElectronMatrices> result(layout.blocks.size());
  for (std::size_t a = 0; a < layout.blocks.size(); ++a) {
    const OneElectronBlock& block = layout.blocks[a];
    const int n = block.functions;
    const auto matrix = [&](int i) {
      return Eigen::Map<const Eigen::MatrixXd>(values.data() + block.out + i * n * n, n, n);
    };
    result[a].overlapLarge = matrix(0);
    result[a].overlapSmall = matrix(1);
    result[a].nuclearLarge = matrix(2);
    result[a].nuclearSmall = matrix(3);
    result[a].balance.resize(n);
    for (int p = 0; p < n; ++p) {
      result[a].balance(p) = std::sqrt((2 * block.l + 3) * table.primitives[block.first + p].zeta);
    }
  }
  return result;
}

void computeOneElectron(const OneElectronLayout& layout, const Primitive* primitives,
                        const OneElectronBlock* blocks, const Nucleus& nucleus, double* out,
                        cudaStream_t stream) {
  computeOneElectron(primitives, blocks, static_cast<int>(layout.blocks.size()), layout.largest,
                     {nucleus.charge, nucleus.attraction().value()}, out, stream);
}

std::vector<OneElectronMatrices> oneElectronMatrices(const BasisSet& basis, const Nucleus& nucleus,
                                                     const Stream& stream) {
  if (!nucleus.attraction()) return prophet::oneElectronMatrices(basis, nucleus);
  const PrimitiveTable table = makePrimitiveTable(basis);
  const OneElectronLayout layout = oneElectronLayout(table);
  const DeviceBuffer<Primitive> primitives(table.primitives);
  const DeviceBuffer<OneElectronBlock> blocks(layout.blocks);
  DeviceBuffer<double> out(static_cast<std::size_t>(layout.size));
  computeOneElectron(layout, primitives.data(), blocks.data(), nucleus, out.data(), stream.get());
  return separated(layout, table, out.download(stream.get()));
}

}  // namespace prophet::cuda
