#include <nanobind/eigen/dense.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "core/common/json_text.hpp"
#include "frontends/python/bindings.hpp"
#include "frontends/python/foreground.hpp"
#include "matter/structure/structure_formats.hpp"
#include "operations/catalogue/known_keys.hpp"
#include "operations/catalogue/operation.hpp"

namespace prophet::python {
namespace {

using Positions = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
using Lattice = std::optional<Eigen::Matrix3d>;
/// Search, number, energy and whether it is the lowest so far.
using Step = std::tuple<std::size_t, int, std::optional<double>, bool>;
/// Hears of work done, its total and a note; of a search also an evaluation, or a line.
using Observer = std::optional<
    std::function<void(std::size_t, std::size_t, std::string, std::optional<Step>, std::string)>>;
using Jobs = std::vector<std::shared_ptr<ResolvedJob>>;

/// What JSON has for a value; "any" where several kinds are read.
std::string jsonType(const Setting& s) {
  switch (s.type) {
    case ValueType::Logical:
      return "boolean";
    case ValueType::Real:
      return s.named.empty() && !s.element ? "number" : "any";
    case ValueType::Integer:
      return s.named.empty() && !s.element ? "integer" : "any";
    case ValueType::Text:
      return "string";
    default:
      return "any";
  }
}

std::string settingsJson(const Operation& o) {
  Json list = Json::array();
  for (const Setting& s : o.allSettings())
    list.push_back({{"name", s.name},
                    {"expected", expectedValue(s)},
                    {"logical", s.type == ValueType::Logical},
                    {"type", jsonType(s)},
                    {"choices", s.choices},
                    {"required", s.required},
                    {"default", s.defaultText},
                    {"documentation", s.documentation},
                    {"positional", s.positional},
                    {"in_input", s.inInput},
                    {"unit", s.unit}});
  Json headings = Json::array();
  for (const CsvHeading& heading : o.csvHeadings()) headings.push_back(heading.columns);
  return Json({{"name", o.name},
               {"command", o.words()},
               {"summary", o.summary},
               {"description", o.description},
               {"on_gpus", o.onGpus},
               {"takes_atoms", o.takesAtoms},
               {"csv_headings", headings},
               {"settings", list}})
      .dump();
}

/// A frame of Python: symbols, positions (angstrom), lattice and charges (e).
using Frame = std::tuple<std::vector<std::string>, Positions, Lattice, std::optional<std::vector<double>>>;

Structure structureOf(const Frame& frame) {
  const auto& [symbols, positions, lattice, charges] = frame;
  if (symbols.empty() && positions.rows() == 0) throw Error("there are no atoms; give at least one");
  std::vector<Eigen::Vector3d> list(static_cast<std::size_t>(positions.rows()));
  for (Eigen::Index i = 0; i < positions.rows(); ++i) list[static_cast<std::size_t>(i)] = positions.row(i);
  Structure structure = makeStructure(symbols, list, lattice);
  if (charges) structure.charges = *charges;
  return structure;
}

/// The next frame of an iterator; nothing at its end. With Python's lock.
std::optional<Frame> nextFrame(const nb::object& iterator) {
  PyObject* const found = PyIter_Next(iterator.ptr());
  if (!found) {
    if (PyErr_Occurred()) throw nb::python_error();
    return std::nullopt;
  }
  return nb::cast<Frame>(nb::steal<nb::object>(found));
}

nb::dict columnDict(const Column& c) {
  nb::dict d;
  d["key"] = c.key;
  d["unit"] = c.unit;
  std::visit([&](const auto& values) { d["values"] = values; }, c.values);
  if (c.whole) d["values"] = Eigen::VectorX<std::int64_t>(c.numbers().cast<std::int64_t>());
  return d;
}

nb::dict recordDict(const Record& record) {
  nb::dict d;
  d["head"] = jsonText(recordHead(record));
  d["title"] = record.title;
  d["report"] = recordText(record);
  d["ok"] = record.outcome == Outcome::Done;
  nb::list tables;
  for (const Table& t : record.tables) {
    nb::dict table;
    table["key"] = t.key;
    table["layout"] = t.layout == Table::Layout::Rows       ? "rows"
                      : t.layout == Table::Layout::Top      ? "top"
                      : t.layout == Table::Layout::Quantity ? "quantity"
                                                            : "columns";
    nb::list columns;
    for (const Column& c : t.columns) columns.append(columnDict(c));
    table["columns"] = columns;
    tables.append(table);
  }
  d["tables"] = tables;
  nb::list results;
  for (const auto& r : record.results) results.append(std::const_pointer_cast<JobResult>(r));
  d["results"] = results;
  return d;
}

/// The spinors that a calculation may start from. Throws Error where there are none.
std::shared_ptr<const StartSpinors> startOf(const JobResult* earlier) {
  if (!earlier) return nullptr;
  if (!earlier->result.coefficients)
    throw Error("start: this result has no spinors to start from; give one that converged in a basis set");
  return earlier->result.coefficients;
}

std::optional<Step> stepOf(const std::optional<Evaluation>& e) {
  return e ? std::optional(Step(e->search, e->number, e->energy, e->improved)) : std::nullopt;
}

/// `jobs`: in the place of atoms, keywords and files; nothing but what is computed is then wanted.
nb::dict run(const std::string& name, const std::string& values, const nb::object& frames, const Jobs& jobs,
             const JobResult* start, const std::string& backend, const std::vector<int>& devices, int threads,
             const std::filesystem::path& basisSets, const std::filesystem::path& cache,
             const std::string& cudaLibrary, const Observer& progress) {
  const Operation* operation = findOperation(name);
  if (!operation) throw Error("there is no operation '" + name + "'");
  Execution execution;
  execution.backend = requireNamed<BackendRequest>(backend, "device");
  execution.devices = devices;
  execution.threads = threads;
  execution.basisSets = basisSets;
  execution.cache = cache;
  execution.cudaLibrary = cudaLibrary;
  execution.jobs.assign(jobs.begin(), jobs.end());
  execution.brief = execution.reportOnly = !jobs.empty();
  execution.start = startOf(start);
  const Json request = Json::parse(values);
  Record record;
  if (jobs.size() == 1 && !progress) {
    runHere([&](const Checkpoint& checkpoint) {
      execution.checkpoint = checkpoint;
      record = operation->run(request, execution);
    });
    return recordDict(record);
  }
  Foreground foreground;
  foreground.run([&](Foreground& f) {
    execution.checkpoint = f.checkpoint();
    if (!frames.is_none())
      execution.atoms = [&]() -> std::optional<Structure> {
        const std::optional<Frame> frame = f.ask([&frames] { return nextFrame(frames); });
        return frame ? std::optional<Structure>(structureOf(*frame)) : std::nullopt;
      };
    if (progress)
      execution.progress = [&](const Progress& p) {
        f.post([&progress, p] { (*progress)(p.done, p.total, p.note, stepOf(p.evaluation), p.line); });
      };
    record = operation->run(request, execution);
  });
  return recordDict(record);
}

}  // namespace

void bindOperations(nb::module_& m) {
  m.def(
      "require_known_keys",
      [](const std::string& json, const std::string& operation, const std::string& place) {
        KnownKeys(operation).require(Json::parse(json), place);
      },
      nb::arg("json"), nb::arg("operation"), nb::arg("place"));
  m.def("require_known_columns", &requireKnownColumns, nb::arg("names"), nb::arg("operation"),
        nb::arg("place"));
  m.def("structure_endings", [] {
    std::vector<std::string> endings;
    for (const auto& row : kStructureFormats)
      for (std::string& ending : row().endings) endings.push_back(std::move(ending));
    return endings;
  });
  m.def("operations", [] {
    std::vector<std::string> list;
    for (const Operation& o : operations()) list.push_back(settingsJson(o));
    return list;
  });
  m.def("run", &run, nb::arg("name"), nb::arg("values"), nb::arg("frames").none(), nb::arg("jobs"),
        nb::arg("start").none(), nb::arg("backend"), nb::arg("devices"), nb::arg("threads"),
        nb::arg("basis_sets"), nb::arg("cache"), nb::arg("cuda_library"), nb::arg("progress").none());
}

}  // namespace prophet::python
