#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/common/stopwatch.hpp"
#include "core/ranks/ranks.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/shape_output.hpp"

namespace prophet {
namespace {

std::string bytesOf(const FormFactor& f) {
  return {reinterpret_cast<const char*>(f.data()), f.size() * sizeof(f[0])};
}

FormFactor formFactorOf(const std::string& bytes) {
  FormFactor f(bytes.size() / sizeof(std::complex<double>));
  std::memcpy(f.data(), bytes.data(), bytes.size());
  return f;
}

void describeShape(const ShapeTask& task, const ShapeRequest& request, Record& record) {
  const auto add = [&](const char* key, Json value, const std::string& shown) {
    record.quantities.push_back({key, key, std::move(value), shown});
  };
  record.title = "Form factor of " + task.description;
  add("body", task.description, "");
  add("method", nameOf(task.method), nameOf(task.method));
  if (request.points) {
    add("point_count", request.size(), "");
  } else if (request.grid) {
    const auto& a = request.grid->axes;
    add("grid", {a[0].count, a[1].count, a[2].count},
        fmt::format("{} x {} x {} points", a[0].count, a[1].count, a[2].count));
  } else {
    const Detector& d = *request.detector;
    add("detector", {d.alphaF.count, d.twoThetaF.count},
        fmt::format("{} x {} pixels, wavelength {:g} angstrom, alpha_i {:g} degrees", d.alphaF.count,
                    d.twoThetaF.count, d.wavelength, d.alphaI));
  }
  if (const auto& s = request.substrate)
    add("substrate", {{"delta", s->delta}, {"beta", s->beta}},
        fmt::format("n = 1 - {:.6e} + {:.6e} i, distorted-wave Born approximation", s->delta, s->beta));
}

/// Where it runs: the closed form is the processor's.
Execution processorFor(const ShapeTask& task, const Execution& execution) {
  Execution place = execution;
  if (task.method != ShapeMethod::Exact) return place;
  place.backend = BackendRequest::Cpu;
  place.devices.clear();
  return place;
}

/// Computes the tiles that are missing, on all ranks.
void computeTiles(const ShapeRequest& request, const ShapeSum& sum, int rows, ShapeOutput* output,
                  const Execution& execution) {
  SingleRank alone;
  Ranks& ranks = execution.ranks ? *execution.ranks : alone;
  const std::vector<int> tiles = output ? output->missing() : std::vector<int>{};
  const std::size_t all = static_cast<std::size_t>((request.rows() + rows - 1) / rows);
  std::size_t done = all - tiles.size();
  shareTiles(
      ranks, tiles,
      [&](int tile) {
        pass(execution.checkpoint);
        return bytesOf(sum.rows(tile * rows, std::min(rows, request.rows() - tile * rows)));
      },
      [&](int tile, const std::string& bytes) {
        output->keep(tile, formFactorOf(bytes));
        execution.show({"tiles", ++done, all});
      });
}

Record shape(const ShapeRequest& request, const Execution& execution) {
  const Stopwatch watch;
  const bool isFirst = execution.rank() == 0;
  const int threads = execution.place().threads, ranks = execution.rankCount();
  ShapeTask task;
  execution.together([&] {
    task = shapeTask(request);
    if (task.method == ShapeMethod::Exact && execution.backend == BackendRequest::Cuda)
      throw SettingError("method", "exact is computed on the CPU; backend cuda takes sum or fft");
  });
  const auto engine = openShapeEngine(processorFor(task, execution), secondsOnProcessor(task, request));
  int rows = 0;
  execution.together([&] {
    rows = rowsOfTile(task, request, threads, ranks);
    if (request.resume && isFirst) rows = rowsOfBegunFile(request.hdf5).value_or(rows);
  });
  // Ranks may have different memories: the first one's tiles count.
  rows = std::stoi(execution.fromFirst(std::to_string(rows)));
  std::optional<ShapeOutput> output;
  execution.together([&] {
    if (isFirst) output.emplace(task, request, rows);
  });
  const ShapeSum sum(task, request, *engine, threads);
  computeTiles(request, sum, rows, output ? &*output : nullptr, execution);
  Record record;
  describeShape(task, request, record);
  record.device =
      ranks == 1 ? engine.device() : fmt::format("{} ranks, the first on {}", ranks, engine.device());
  execution.together([&] {
    if (!output) return;
    output->finish(execution);
    if (const auto range = output->range())
      record.quantities.push_back({"magnitudes_angstrom3", "|F|", *range,
                                   fmt::format("{:.6e} to {:.6e} angstrom^3", (*range)[0], (*range)[1])});
    if (auto table = output->table()) record.tables.push_back(std::move(*table));
  });
  record.seconds = watch.seconds();
  record.quantities.push_back({"seconds", "time", record.seconds, fmt::format("{:.2f} s", record.seconds)});
  return record;
}

}  // namespace

Operation shapeOperation() {
  Operation o;
  o.name = "shape";
  o.summary = "form factors of nanostructures from their surfaces";
  o.description =
      "Form factor F(q) = integral exp(i q.r) d^3r (angstrom^3) of a body with a triangulated surface (.stl, "
      ".obj, .ply; .h5 with area, normal and centre of each triangle) or of a built-in one, which is centred "
      "on "
      "the origin: at points, on a grid, or on a detector, with a substrate and particles side by side.";
  o.example = "shape --sphere 50 --q-grid -1:1:64,-1:1:64,0.1:1:32 --hdf5 f.h5";
  o.onGpus = o.onRanks = true;
  o.table = "q, amplitude F, intensity |F|^2 times the interference of an arrangement; up to 1e6 points";
  return operationOf(std::move(o), shapeTable(), shape);
}

}  // namespace prophet
