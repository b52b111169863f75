#include "app/shape_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/exit_status.hpp"
#include "app/print.hpp"
#include "app/progress_line.hpp"
#include "app/shape_line.hpp"
#include "app/usage_error.hpp"
#include "common/memory.hpp"
#include "common/stopwatch.hpp"
#include "common/text.hpp"
#include "common/thread_pool.hpp"
#include "common/version.hpp"
#include "mesh/nufft.hpp"
#include "shape/form_factor_file.hpp"
#include "shape/mesh_files.hpp"
#include "shape/surface_sum.hpp"

namespace prophet {
namespace {

constexpr std::size_t kMostRows = 1000;  // of a table that is printed

/// What is transformed, and how.
struct Task {
  ShapeMethod method;
  std::string description;
  Body body;                             ///< Exact
  std::vector<SurfaceElement> elements;  ///< else
};

bool isHdf5(const std::string& file) {
  const std::string ending = lowerCase(std::filesystem::path(file).extension().string());
  return ending == ".h5" || ending == ".hdf5" || ending == ".hdf";
}

Task taskOf(const ShapeLine& line) {
  Task task;
  if (isHdf5(line.file)) {
    task.method = line.method.value_or(ShapeMethod::Sum);
    if (task.method == ShapeMethod::Exact)
      throw UsageError(
          "--method exact needs the corners of the triangles; a file of areas, normals and centres has sum "
          "and fft");
    task.elements = readSurfaceElements(line.file, line.unit);
    task.description = fmt::format("{} ({} triangles)", std::filesystem::path(line.file).filename().string(),
                                   task.elements.size());
    return task;
  }
  task.method = line.method.value_or(ShapeMethod::Exact);
  task.body = line.body ? *line.body : polyhedronBody(readMesh(line.file, line.unit));
  task.description = task.body.description;
  if (task.method != ShapeMethod::Exact) {
    task.elements = surfaceElements(task.body.surface(line.triangles));
    if (line.body) task.description += fmt::format(", {} triangles", task.elements.size());
  }
  return task;
}

const char* nameOf(ShapeMethod method) {
  return method == ShapeMethod::Exact ? "exact" : method == ShapeMethod::Sum ? "sum" : "fft";
}

FormFactor computed(const Task& task, const ShapeLine& line, const QGrid& grid) {
  if (task.method == ShapeMethod::Sum) return sumOnGrid(task.elements, grid, line.threads);
  if (task.method == ShapeMethod::Transform)
    return transformOnGrid(task.elements, grid, line.tolerance, line.threads);
  FormFactor f(grid.size());
  const int ny = grid.axes[1].count, nz = grid.axes[2].count;
  ThreadPool(line.threads).forEach(grid.axes[0].count * ny, [&](int row, int) {
    for (int z = 0; z < nz; ++z)
      f[static_cast<std::size_t>(row) * static_cast<std::size_t>(nz) + static_cast<std::size_t>(z)] =
          task.body.formFactor(grid.point(row / ny, row % ny, z));
  });
  return f;
}

/// Bytes that a block of so many planes takes.
double bytesOf(const Task& task, const ShapeLine& line, int planes) {
  const int ny = line.grid.axes[1].count, nz = line.grid.axes[2].count;
  const double points = static_cast<double>(planes) * ny * nz;
  if (task.method != ShapeMethod::Transform) return 16 * points + 32.0 * line.threads * planes * ny;
  return 32 * points +
         16 * static_cast<double>(meshPoints(nufftMesh({planes, ny, nz}, kernelFor(line.tolerance))));
}

/// Planes of qx for each block: as many as fit, evenly, but enough blocks to show progress in long sums.
int planesOf(const Task& task, const ShapeLine& line) {
  const double memory = line.memory > 0 ? line.memory : availableMemory() / 4;
  const int all = line.grid.axes[0].count;
  if (bytesOf(task, line, 1) > memory)
    throw Error(fmt::format(
        "one plane of the grid needs {:.2f} GiB; give more --memory, a coarser grid or --method sum",
        bytesOf(task, line, 1) / (1 << 30)));
  const double terms = static_cast<double>(line.grid.size()) *
                       static_cast<double>(std::max<std::size_t>(task.elements.size(), 100));
  int blocks = task.method == ShapeMethod::Transform
                   ? 1
                   : static_cast<int>(std::clamp(terms / 3e10, 1.0, 0.5 * all + 1));
  while (blocks < all && bytesOf(task, line, (all + blocks - 1) / blocks) > memory) ++blocks;
  return (all + blocks - 1) / blocks;
}

struct Summary {
  double largest = 0, smallest = 1e300;
  void add(const FormFactor& f) {
    for (const auto& value : f) {
      largest = std::max(largest, std::abs(value));
      smallest = std::min(smallest, std::abs(value));
    }
  }
};

std::string table(const QGrid& grid, const FormFactor& f) {
  std::string text =
      "            qx            qy            qz                  Re F                  Im F                "
      " |F|^2\n";
  const QPoints q = pointsOf(grid);
  for (std::size_t i = 0; i < f.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    text += fmt::format("{:>14.8g}{:>14.8g}{:>14.8g}{:>22.13e}{:>22.13e}{:>22.13e}\n", q(0, k), q(1, k),
                        q(2, k), f[i].real(), f[i].imag(), std::norm(f[i]));
  }
  return text;
}

/// One value of F at an arbitrary place: another body, or another unit, has another one.
std::string fingerprint(const Task& task) {
  const Eigen::Vector3d q(0.0312, -0.0471, 0.0593);
  const auto f =
      task.method == ShapeMethod::Exact ? task.body.formFactor(q) : sumAtPoints(task.elements, q).front();
  return fmt::format("{:.10e} {:.10e}", f.real(), f.imag());
}

Summary writeFile(const Task& task, const ShapeLine& line) {
  const FormFactorNotes notes{
      {"program", fmt::format("cudaprophet {}", kVersion)},
      {"shape", task.description},
      {"method", nameOf(task.method)},
      {"tolerance", task.method == ShapeMethod::Transform ? fmt::format("{:g}", line.tolerance) : "rounding"},
      {"F_at_0.0312_-0.0471_0.0593", fingerprint(task)},
      {"definition", "F(q) = integral exp(i q.r) d^3r"},
      {"unit_of_F", "angstrom^3"}};
  FormFactorFile file(line.hdf5File, line.grid, notes, planesOf(task, line), line.resume);
  ProgressLine progress("blocks", true);
  Summary summary;
  for (int block = 0; block < file.blocks(); ++block) {
    if (!file.isDone(block)) {
      const FormFactor f = computed(task, line, file.gridOf(block));
      summary.add(f);
      file.write(block, f);
    }
    progress.show(static_cast<std::size_t>(block) + 1, static_cast<std::size_t>(file.blocks()));
  }
  file.finish();
  return summary;
}

}  // namespace

int shapeCommand(const std::vector<std::string>& arguments) {
  const ShapeLine line = parseShapeLine(arguments);
  if (!line.help.empty()) {
    print(line.help);
    return kSuccess;
  }
  if (line.hdf5File.empty() && line.grid.size() > kMostRows)
    throw UsageError(fmt::format("--q-grid has {} points; more than {} go to a file only: add --hdf5 FILE",
                                 line.grid.size(), kMostRows));
  const Stopwatch watch;
  const Task task = taskOf(line);
  std::string rows;
  Summary summary;
  if (line.hdf5File.empty()) {
    const FormFactor f = computed(task, line, line.grid);
    summary.add(f);
    rows = "\n" + table(line.grid, f);
  } else {
    summary = writeFile(task, line);
  }
  std::string text =
      fmt::format("Form factor of {}\n\n  method     {}\n", task.description, nameOf(task.method));
  text += fmt::format("  grid       {} x {} x {} points\n", line.grid.axes[0].count, line.grid.axes[1].count,
                      line.grid.axes[2].count);
  if (summary.largest > 0)
    text += fmt::format("  |F|        {:.6e} to {:.6e} angstrom^3\n", summary.smallest, summary.largest);
  text += fmt::format("  time       {:.2f} s\n", watch.seconds());
  print(text + rows);
  return kSuccess;
}

}  // namespace prophet
