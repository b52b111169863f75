#pragma once
#include <array>

#include "cuda/matter/mesh/shape_device.hpp"

namespace prophet::cuda {

/// A part of a grid: `count` points along each axis from `first` on.
struct GridPart {
  std::array<int, 3> first, count;

  long long size() const { return 1LL * count[0] * count[1] * count[2]; }
};

/// The axis with the most points, of equals the last one: it makes the rows of sumOnDevice.
int rowAxis(const QGrid& grid);

/// All of a grid by parts of up to `points` points that have its row axis whole (one line of it at least).
std::vector<GridPart> partsOf(const QGrid& grid, long long points);

/// The momenta of a part, as a grid.
DeviceGrid deviceGrid(const QGrid& grid, const GridPart& part);

/// Bytes that sumOnDevice takes for each point of a part, the sums and what finishes them among them.
inline constexpr double kGridSumBytes = 2 * sizeof(double2) + sizeof(int);
/// Bytes that it takes besides.
double gridSumWorkspace(const QGrid& grid, std::size_t elements);

/// Sums of s (q.n) exp(i q.r) at the points of a part of a grid, by products of matrices in double precision.
/// Queued on the device's stream.
void sumOnDevice(ShapeDevice& device, const DeviceBuffer<Element<double>>& elements, const QGrid& grid,
                 const GridPart& part, DeviceBuffer<double2>& sums);

/// The part of a result that is on the device to its place on the host: queued, as copies().download() is.
void downloadPart(ShapeDevice& device, const QGrid& grid, const GridPart& part, const double2* values,
                  std::complex<double>* all);
/// Calls visit(offset in all of the grid, offset in the part, points) for each piece of a part that lies in
/// one piece in the grid.
template <class Visit>
void forEachRun(const QGrid& grid, const GridPart& part, const Visit& visit) {
  const long long ny = grid.axes[1].count, nz = grid.axes[2].count;
  const bool wholeLines = part.count[2] == nz, wholePlanes = wholeLines && part.count[1] == ny;
  const int lines = wholeLines ? 1 : part.count[1], planes = wholePlanes ? 1 : part.count[0];
  const long long run = part.size() / (1LL * lines * planes);
  long long at = 0;
  for (int x = 0; x < planes; ++x) {
    for (int y = 0; y < lines; ++y, at += run)
      visit(((part.first[0] + x) * ny + part.first[1] + y) * nz + part.first[2], at, run);
  }
}

}  // namespace prophet::cuda
