#include "cuda/matter/mesh/device_row_sum.hpp"

namespace prophet::cuda {

DeviceBuffer<double2> sumRowsOnDevice(ShapeDevice& device, const DeviceBuffer<Element<double>>& elements,
                                      const SurfaceBox& box, std::vector<RowTile> tiles, const double* along,
                                      const DeviceBuffer<double2>& z, int waves) {
  const int first = tiles.front().first, pixels = tiles.back().first + tiles.back().count - first,
            tileCount = static_cast<int>(tiles.size()), count = static_cast<int>(elements.size());
  for (RowTile& tile : tiles) tile.first -= first;
  const DeviceBuffer<RowTile> places = device.make<RowTile>(tiles.size());
  const DeviceBuffer<double2> q = device.make<double2>(static_cast<std::size_t>(pixels));
  device.upload(places, tiles.data());
  device.upload(q, along);
  const int slices = rowSlices(count, tileCount);
  DeviceBuffer<double> partial =
      device.make<double>(static_cast<std::size_t>(slices) * tiles.size() * kRowNumbers);
  DeviceBuffer<double2> f =
      device.make<double2>(static_cast<std::size_t>(pixels) * static_cast<std::size_t>(waves));
  const RowMomenta momenta{places.data(), tileCount, q.data(), z.data(), waves};
  launchRows(elements.data(), count, momenta, slices, partial.data(), device.stream());
  launchFinishRows(momenta, slices, toDouble3(box.centre), toDouble3(box.area), partial.data(), f.data(),
                   device.stream());
  return f;
}

}  // namespace prophet::cuda
