#include "cuda/matter/mesh/device_grid_sum.hpp"

#include <algorithm>

namespace prophet::cuda {
namespace {

// Triangles of a product: with fewer the sums are read and written too often, with more the tables grow.
constexpr long long kMostElements = 1024;
constexpr long long kMostColumns = 8192;
constexpr long long kTable = 1 << 24;

int elementsAtOnce(const QGrid& grid, std::size_t elements) {
  const long long rows = grid.axes[static_cast<std::size_t>(rowAxis(grid))].count;
  const long long most = std::clamp(kTable / rows, 64LL, kMostElements);
  return static_cast<int>(std::clamp(static_cast<long long>(elements), 1LL, most));
}

GridAxes axesOf(const DeviceGrid& grid, int rows) {
  const DeviceAxis axes[3] = {grid.x, grid.y, grid.z};
  const int b = rows == 0 ? 1 : 0, c = rows == 2 ? 1 : 2;
  return {axes[rows], axes[b], axes[c], {rows, b, c}};
}

}  // namespace

int rowAxis(const QGrid& grid) {
  int most = 2;
  for (const int d : {1, 0}) {
    if (grid.axes[static_cast<std::size_t>(d)].count > grid.axes[static_cast<std::size_t>(most)].count)
      most = d;
  }
  return most;
}

std::vector<GridPart> partsOf(const QGrid& grid, long long points) {
  const int rows = rowAxis(grid), b = rows == 0 ? 1 : 0, c = rows == 2 ? 1 : 2;
  const auto countOf = [&](int d) { return grid.axes[static_cast<std::size_t>(d)].count; };
  const long long lines = std::max(1LL, points / countOf(rows));
  const int ofC = static_cast<int>(std::min<long long>(countOf(c), lines)),
            ofB = ofC < countOf(c) ? 1 : static_cast<int>(std::min<long long>(countOf(b), lines / ofC));
  std::vector<GridPart> parts;
  for (int i = 0; i < countOf(b); i += ofB) {
    for (int k = 0; k < countOf(c); k += ofC) {
      GridPart part{{0, 0, 0}, {countOf(0), countOf(1), countOf(2)}};
      part.first[static_cast<std::size_t>(b)] = i;
      part.count[static_cast<std::size_t>(b)] = std::min(ofB, countOf(b) - i);
      part.first[static_cast<std::size_t>(c)] = k;
      part.count[static_cast<std::size_t>(c)] = std::min(ofC, countOf(c) - k);
      parts.push_back(part);
    }
  }
  return parts;
}

DeviceGrid deviceGrid(const QGrid& grid, const GridPart& part) {
  DeviceGrid all = deviceGrid(grid);
  DeviceAxis* const axes[3] = {&all.x, &all.y, &all.z};
  for (std::size_t d = 0; d < 3; ++d) *axes[d] = {(*axes[d])[part.first[d]], axes[d]->step, part.count[d]};
  return all;
}

double gridSumWorkspace(const QGrid& grid, std::size_t elements) {
  const double rows = grid.axes[static_cast<std::size_t>(rowAxis(grid))].count;
  return 8.0 * elementsAtOnce(grid, elements) * (2 * rows + 4 * rows + 4 * kMostColumns);
}

void sumOnDevice(ShapeDevice& device, const DeviceBuffer<Element<double>>& elements, const QGrid& grid,
                 const GridPart& part, DeviceBuffer<double2>& sums) {
  const GridAxes axes = axesOf(deviceGrid(grid, part), rowAxis(grid));
  const int rows = axes.a.count, atOnce = elementsAtOnce(grid, elements.size());
  const auto size = [](long long count) { return static_cast<std::size_t>(count); };
  const long long columns = 1LL * axes.b.count * axes.c.count, most = std::min(columns, kMostColumns);
  DeviceBuffer<double> products = device.make<double>(size(2 * rows * columns)),
                       left = device.make<double>(size(2LL * atOnce * rows)),
                       right = device.make<double>(size(4LL * atOnce * most));
  DeviceBuffer<double2> pb = device.make<double2>(size(1LL * atOnce * axes.b.count)),
                        pc = device.make<double2>(size(1LL * atOnce * axes.c.count));
  const cudaStream_t stream = device.stream();
  products.fill(0, stream);
  const double one = 1;
  const int all = static_cast<int>(elements.size());
  for (int first = 0; first < all; first += atOnce) {
    const Element<double>* some = elements.data() + first;
    const int count = std::min(atOnce, all - first);
    launchPhases(some, count, axes.b, axes.along[1], axes.middle(), axes.along[0], pb.data(), stream);
    launchPhases(some, count, axes.c, axes.along[2], 0, axes.along[0], pc.data(), stream);
    launchLeft(some, count, axes, left.data(), stream);
    for (long long column = 0; column < columns; column += most) {
      const int there = static_cast<int>(std::min(most, columns - column));
      launchRight(some, count, axes, pb.data(), pc.data(), column, there, right.data(), stream);
      PROPHET_CUDA_CHECK(cublasDgemm(device.blas(), CUBLAS_OP_T, CUBLAS_OP_N, rows, 2 * there, 2 * count,
                                     &one, left.data(), 2 * count, right.data(), 2 * count, &one,
                                     products.data() + 2 * rows * column, rows));
    }
  }
  launchUnpair(products.data(), axes, sums.data(), stream);
}

void downloadPart(ShapeDevice& device, const QGrid& grid, const GridPart& part, const double2* values,
                  std::complex<double>* all) {
  static_assert(sizeof(double2) == sizeof(std::complex<double>));
  forEachRun(grid, part, [&](long long to, long long from, long long points) {
    device.copies().download(all + to, values + from, static_cast<std::size_t>(points) * sizeof(double2),
                             device.stream());
  });
}

}  // namespace prophet::cuda
