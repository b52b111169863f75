#include "frontends/app/shape_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/common/stopwatch.hpp"
#include "core/ranks/agree.hpp"
#include "core/ranks/tiles.hpp"
#include "frontends/app/device_engine.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"
#include "frontends/app/rank_command.hpp"
#include "frontends/app/shape_output.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/execution/rank_place.hpp"

namespace prophet {
namespace {

constexpr std::size_t kMostRows = 1000;  // of a table that is printed

void requireOutput(const ShapeLine& line) {
  const std::size_t points = static_cast<std::size_t>(line.rows()) * line.rowSize();
  if (line.hdf5File.empty() && line.pngFile.empty() && points > kMostRows)
    throw UsageError(fmt::format("{} has {} points; more than {} go to a file only: add --hdf5 FILE",
                                 line.detector ? "the detector" : "--q-grid", points, kMostRows));
}

/// The GPUs of this rank: those named, or all, shared out among the ranks of its machine.
std::vector<int> devicesOf(const ShapeLine& line, const RankPlace& place) {
  if (place.locals == 1 || line.backend.backend == BackendRequest::Cpu) return line.backend.devices;
  std::vector<int> all = line.backend.devices;
  if (all.empty()) {
    const CudaBackendOrReason cuda = openCudaBackend(0, environment::cudaLibrary());
    all.resize(cuda.backend ? static_cast<std::size_t>(cuda.backend->visibleDevices()) : 0);
    std::iota(all.begin(), all.end(), 0);
  }
  return shareOfDevices(all, place);
}

std::string bytesOf(const FormFactor& f) {
  return {reinterpret_cast<const char*>(f.data()), f.size() * sizeof(f[0])};
}

FormFactor formFactorOf(const std::string& bytes) {
  FormFactor f(bytes.size() / sizeof(std::complex<double>));
  std::memcpy(f.data(), bytes.data(), bytes.size());
  return f;
}

std::string headOf(const ShapeTask& task, const ShapeLine& line, const std::string& device) {
  std::string text = fmt::format("Form factor of {}\n\n  method     {}\n  device     {}\n", task.description,
                                 nameOf(task.method), device);
  if (!line.detector)
    return text + fmt::format("  grid       {} x {} x {} points\n", line.grid.axes[0].count,
                              line.grid.axes[1].count, line.grid.axes[2].count);
  const Detector& d = *line.detector;
  text += fmt::format("  detector   {} x {} pixels, wavelength {:g} angstrom, alpha_i {:g} degrees\n",
                      d.alphaF.count, d.twoThetaF.count, d.wavelength, d.alphaI);
  if (line.substrate)
    text += fmt::format("  substrate  n = 1 - {:.6e} + {:.6e} i, distorted-wave Born approximation\n",
                        line.substrate->delta, line.substrate->beta);
  return text;
}

int runShape(ShapeLine line, Ranks& ranks) {
  const Stopwatch watch;
  const RankPlace place = placeOf(ranks);
  const int threads = line.threads > 0 ? line.threads : place.threads;
  ShapeTask task;
  std::unique_ptr<ShapeEngine> engine;
  std::unique_ptr<ShapeOutput> output;
  std::string note;
  int rows = 0;
  together(ranks, kFailure, [&] {
    if (ranks.rank() == 0) line.files.open();
    task = shapeTask(line);
    const bool worthwhile = isWorthAGpu(task, line);
    if (task.method == ShapeMethod::Exact && line.backend.backend == BackendRequest::Cuda)
      throw UsageError("--method exact is computed on the CPU; --backend cuda takes sum or fft");
    if (worthwhile || line.backend.backend == BackendRequest::Cuda)
      line.backend.devices = devicesOf(line, place);
    engine = shapeEngineFor(line.backend, threads, worthwhile, note);
    rows = rowsOfTile(task, line, threads, ranks.size());
    if (line.resume && ranks.rank() == 0) rows = rowsOfBegunFile(line.hdf5File).value_or(rows);
  });
  // Ranks may have different memories: the first one's tiles count.
  rows = std::stoi(fromFirst(ranks, std::to_string(rows)));
  together(ranks, kFailure, [&] {
    if (ranks.rank() == 0) output = std::make_unique<ShapeOutput>(task, line, rows);
  });
  const ShapeSum sum(task, line, *engine, threads);
  const std::vector<int> tiles = output ? output->missing() : std::vector<int>{};
  const std::size_t all = static_cast<std::size_t>((line.rows() + rows - 1) / rows);
  std::size_t done = all - tiles.size();
  ProgressLine progress("tiles", !line.quiet && ranks.rank() == 0);
  shareTiles(
      ranks, tiles,
      [&](int tile) { return bytesOf(sum.rows(tile * rows, std::min(rows, line.rows() - tile * rows))); },
      [&](int tile, const std::string& bytes) {
        output->keep(tile, formFactorOf(bytes));
        progress.show(++done, all);
      });
  const std::string device = engine->name() + (note.empty() ? "" : " (" + note + ")");
  together(ranks, kFailure, [&] {
    if (!output) return;
    output->finish();
    std::string text =
        headOf(task, line,
               ranks.size() == 1 ? device : fmt::format("{} ranks, the first on {}", ranks.size(), device));
    if (!output->range().empty()) text += "  |F|        " + output->range() + "\n";
    text += fmt::format("  time       {:.2f} s\n", watch.seconds());
    if (line.hdf5File.empty() && line.pngFile.empty()) text += "\n" + output->table();
    print(text);
  });
  return kSuccess;
}

}  // namespace

int shapeCommand(const std::vector<std::string>& arguments) {
  ShapeLine line;
  std::exception_ptr wrong;
  try {
    line = parseShapeLine(arguments);
    if (line.help.empty()) requireOutput(line);
  } catch (const UsageError&) {
    wrong = std::current_exception();
  }
  if (!line.help.empty()) {
    print(line.help);
    return kSuccess;
  }
  return runOnRanks(arguments, line.mpi, wrong, [&](Ranks& ranks) { return runShape(line, ranks); });
}

}  // namespace prophet
