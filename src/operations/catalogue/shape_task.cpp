#include "operations/catalogue/shape_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/common/memory.hpp"
#include "core/common/text.hpp"
#include "core/common/threads.hpp"
#include "core/mesh/nufft.hpp"
#include "matter/shape/form_factor_file.hpp"
#include "matter/shape/triangle_mesh.hpp"

namespace prophet {
namespace {

bool isHdf5(const std::string& file) {
  const std::string ending = lowerCase(std::filesystem::path(file).extension().string());
  return ending == ".h5" || ending == ".hdf5" || ending == ".hdf";
}

ShapeTask fromElements(const ShapeRequest& request) {
  ShapeTask task;
  task.method = request.method == ShapeMethod::Automatic ? ShapeMethod::Sum : request.method;
  if (task.method == ShapeMethod::Exact)
    throw SettingError("method",
                       "exact needs the corners of the triangles; a file of areas, normals and centres can "
                       "be used with sum and fft");
  task.elements = readSurfaceElements(request.file, request.unit.value_or(1));
  task.bottom = task.elements.front().centre(2);
  for (const SurfaceElement& e : task.elements) task.bottom = std::min(task.bottom, e.centre(2));
  task.description = fmt::format("{} ({} triangles)", std::filesystem::path(request.file).filename().string(),
                                 task.elements.size());
  return task;
}

double pairsOf(const ShapeTask& task, const ShapeRequest& request) {
  return static_cast<double>(request.size()) *
         static_cast<double>(std::max<std::size_t>(task.elements.size(), 100)) * (request.substrate ? 4 : 1);
}

/// Bytes that a tile of so many rows takes.
double bytesOf(const ShapeTask& task, const ShapeRequest& request, int threads, int rows) {
  const double points = static_cast<double>(rows) * static_cast<double>(request.rowSize());
  if (!request.grid) return 250 * points;  // momenta, four terms, the fields of the file
  const int ny = request.grid->axes[1].count, nz = request.grid->axes[2].count;
  if (task.method != ShapeMethod::Transform) return 32 * points + 32.0 * threads * rows * ny;
  return 40 * points + 16 * static_cast<double>(meshPoints(
                                nufftMesh({rows, ny, nz}, kernelFor(request.tolerance.value_or(1e-6)))));
}

}  // namespace

const char* nameOf(ShapeMethod method) {
  return method == ShapeMethod::Exact ? "exact" : method == ShapeMethod::Sum ? "sum" : "fft";
}

ShapeTask shapeTask(const ShapeRequest& request) {
  if (isHdf5(request.file)) return fromElements(request);
  ShapeTask task;
  task.method = request.method == ShapeMethod::Automatic ? ShapeMethod::Exact : request.method;
  task.body = request.body ? *request.body : polyhedronBody(readMesh(request.file, request.unit.value_or(1)));
  task.bottom = task.body.bottom;
  task.description = task.body.description;
  if (task.method != ShapeMethod::Exact) {
    task.elements = surfaceElements(task.body.surface(request.triangles.value_or(20000)));
    if (request.body) task.description += fmt::format(", {} triangles", task.elements.size());
  }
  return task;
}

double secondsOnProcessor(const ShapeTask& task, const ShapeRequest& request) {
  if (task.method == ShapeMethod::Exact) return 0;
  if (task.method == ShapeMethod::Transform)
    return (static_cast<double>(request.size()) + static_cast<double>(task.elements.size())) / 1e6;
  return pairsOf(task, request) / (request.grid ? 1e9 : 5e7);
}

FormFactor ShapeSum::at(const QPoints& q) const {
  if (task_.method != ShapeMethod::Exact) return engine_.sumAtPoints(task_.elements, q, request_.precision);
  FormFactor f(static_cast<std::size_t>(q.cols()));
  constexpr Eigen::Index kPoints = 64;
  const Eigen::Index count = q.cols();
  ThreadPool(threads_).forEach(static_cast<int>((count + kPoints - 1) / kPoints), [&](int task, int) {
    for (Eigen::Index i = task * kPoints; i < std::min(count, (task + 1) * kPoints); ++i)
      f[static_cast<std::size_t>(i)] = task_.body.formFactor(q.col(i));
  });
  return f;
}

FormFactor ShapeSum::rows(int first, int count) const {
  if (request_.detector)
    return request_.substrate ? distortedWave(request_.detector->rows(first, count), *request_.substrate,
                                              task_.bottom, [this](const QPoints& q) { return at(q); })
                              : at(momentaOf(request_.detector->rows(first, count)));
  if (request_.points) return at(request_.momenta(first, count));
  const QGrid grid = request_.grid->planes(first, count);
  if (task_.method == ShapeMethod::Sum) return engine_.sumOnGrid(task_.elements, grid, request_.precision);
  if (task_.method == ShapeMethod::Transform)
    return engine_.transformOnGrid(task_.elements, grid, request_.tolerance.value_or(1e-6),
                                   request_.precision);
  return at(pointsOf(grid));
}

int rowsOfTile(const ShapeTask& task, const ShapeRequest& request, int threads, int ranks) {
  const double memory = request.memory ? *request.memory * (1 << 30) : availableMemory() / 4;
  const int all = request.rows();
  if (bytesOf(task, request, threads, 1) > memory)
    throw Error(fmt::format("one {} needs {:.2f} GiB; give more memory or a coarser grid{}",
                            request.grid ? "plane of the grid" : "row of the detector",
                            bytesOf(task, request, threads, 1) / (1 << 30),
                            task.method == ShapeMethod::Transform ? ", or take method sum" : ""));
  const double wanted = task.method == ShapeMethod::Transform ? 1 : pairsOf(task, request) / 3e10;
  int tiles =
      static_cast<int>(std::clamp(std::max(wanted, ranks > 1 ? 4.0 * ranks : 1.0), 1.0,
                                  std::max(1.0, ranks > 1 ? static_cast<double>(all) : 0.5 * all + 1)));
  // A tile travels between ranks as one message of less than 2 GiB.
  const double most = ranks > 1 ? 1e9 / (16 * static_cast<double>(request.rowSize())) : 1e18;
  const auto rows = [&] { return (all + tiles - 1) / tiles; };
  while (tiles < all && (bytesOf(task, request, threads, rows()) > memory || rows() > most)) ++tiles;
  return rows();
}

}  // namespace prophet
