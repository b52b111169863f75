#include <fmt/format.h>

#include <algorithm>

#include "core/common/stopwatch.hpp"
#include "core/ranks/ranks.hpp"
#include "matter/powder/measured_pattern.hpp"
#include "matter/shape/agreement.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/materials/shape_output.hpp"

namespace prophet {
namespace {

template <class Add>
void describeDetector(const ShapeRequest& request, Add add) {
  const Detector& d = *request.detector;
  if (d.isList()) add("pixel_count", d.pixels(), fmt::format("{}", d.pixels()));
  if (!d.isList())
    add("detector", {d.alphaF.count, d.twoThetaF.count},
        fmt::format("{} x {} pixels, wavelength {:g} angstrom, alpha_i {:g} degrees", d.alphaF.count,
                    d.twoThetaF.count, d.wavelength, d.alphaI));
  if (const std::size_t images = request.images().size(); images > 1)
    add("image_count", images, fmt::format("{}", images));
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
    describeDetector(request, add);
  }
  const auto& films = task.scene->films;
  if (films.size() == 1)
    add("substrate", {{"delta", films[0].medium.delta}, {"beta", films[0].medium.beta}},
        fmt::format("n = 1 - {:.6e} + {:.6e} i, distorted-wave Born approximation", films[0].medium.delta,
                    films[0].medium.beta));
  if (films.size() > 1)
    add("layers", films.size(), fmt::format("{}, distorted-wave Born approximation", films.size()));
}

/// Where it runs: closed forms are the processor's.
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
  forMany(
      ranks, tiles, 1,
      [&](int tile) {
        pass(execution.checkpoint);
        return packed(sum.rows(tile * rows, std::min(rows, request.rows() - tile * rows)));
      },
      [&](FinishedWork tile) {
        output->keep(std::move(tile));
        execution.show({"tiles", ++done, all});
      });
}

/// Scale, background and R factors against a measurement; measured and fitted intensities into the table.
void compareWith(const ShapeRequest& request, const Eigen::VectorXd& computed, Table& table, Record& record) {
  const auto [sigma, agreement] = ofSetting("against", [&] {
    const Eigen::VectorXd errors = request.sigma.size() > 0 ? request.sigma
                                   : request.equalWeights
                                       ? Eigen::VectorXd::Ones(request.measured.size()).eval()
                                       : sigmaOfCounts(request.measured);
    return std::pair(errors, agreementOf(request.measured, errors, computed, request.constantBackground));
  });
  const auto add = [&](const char* key, const char* label, double value, const char* shown) {
    record.quantities.push_back({key, label, value, fmt::format(fmt::runtime(shown), value)});
  };
  record.quantities.push_back({"against", "against", request.against, request.against});
  add("scale", "scale", agreement.scale, "{:.6e}");
  if (agreement.scale < 0)
    record.warn(
        "negative_scale",
        "the scale is below 0: the measured intensities fall where the computed ones rise, and R says "
        "nothing of the model");
  if (request.constantBackground) add("background", "background", agreement.background, "{:.6e}");
  add("r", "R", agreement.r, "{:.4f}");
  add("r_w", "weighted R", agreement.rWeighted, "{:.4f}");
  if (request.sigma.size() > 0 || !request.equalWeights)
    add("chi_squared", "reduced chi-squared", agreement.chiSquared, "{:.4g}");
  for (auto& [name, values] : {std::pair{"measured", request.measured}, {"fitted", agreement.fitted}}) {
    table.columns.push_back(*pointTable().find(name));
    table.columns.back().values = values;
  }
}

Record shape(const ShapeRequest& request, const Execution& execution) {
  const Stopwatch watch;
  const bool isFirst = execution.rank() == 0;
  const int threads = execution.place().threads, ranks = execution.rankCount();
  ShapeTask task;
  execution.together([&] {
    for (const std::string& file : request.axisFiles()) requireKept(file, execution);
    task = shapeTask(request);
    for (const std::string& file : task.scene->files) requireKept(file, execution);
    if (task.method == ShapeMethod::Exact && execution.backend == BackendRequest::Cuda)
      throw SettingError("method", "exact is computed on the CPU; backend cuda takes sum or fft");
  });
  const auto engine =
      openEngine<ShapeEngine>(processorFor(task, execution), secondsOnProcessor(task, request) > kGpuStart);
  std::optional<ShapeOutput> output;
  execution.together([&] {
    const int own = rowsOfTile(task, request, threads, ranks);
    if (isFirst) output.emplace(task, request, own, execution);
  });
  // Ranks may have different memories: the first one's tiles count.
  const int rows = std::stoi(execution.fromFirst(output ? std::to_string(output->rowsOfTile()) : ""));
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
    auto table = output->table();
    if (!request.against.empty()) compareWith(request, output->intensities(), *table, record);
    if (table) record.tables.push_back(std::move(*table));
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
      "on the origin: at points, on a grid, or on a detector, with a substrate and particles side by side. A "
      "scene (.yaml) has several bodies, distributions of sizes, and films with particles on, in and below "
      "them.";
  o.example = "shape --sphere 50 --q-grid -1:1:64,-1:1:64,0.1:1:32 --hdf5 f.h5";
  o.onGpus = o.onRanks = true;
  o.tables = [] { return std::vector{pointTable()}; };
  return operationOf(std::move(o), shapeTable(), shape);
}

}  // namespace prophet
