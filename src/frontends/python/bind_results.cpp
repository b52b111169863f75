#include <nanobind/eigen/dense.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "atoms/calculation/problem_json.hpp"
#include "core/common/error.hpp"
#include "core/common/json_text.hpp"
#include "core/common/version.hpp"
#include "frontends/python/bindings.hpp"
#include "operations/record/json_report.hpp"
#include "operations/result_file/result_file.hpp"

namespace prophet::python {
namespace {

using Coefficients = std::pair<Eigen::VectorXd, Eigen::VectorXd>;

/// Coefficients of one spinor over the primitives of its symmetry.
std::optional<Coefficients> coefficients(const JobResult& r, int index) {
  if (!r.result.coefficients) return std::nullopt;
  int left = index;
  for (std::size_t a = 0; a < r.result.coefficients->large.size(); ++a) {
    const Eigen::MatrixXd& large = r.result.coefficients->large[a];
    if (left < large.cols()) return Coefficients{large.col(left), r.result.coefficients->small[a].col(left)};
    left -= static_cast<int>(large.cols());
  }
  throw Error("there is no spinor " + std::to_string(index));
}

Eigen::MatrixXd history(const JobResult& r) {
  Eigen::MatrixXd table(static_cast<Eigen::Index>(r.history.size()), 7);
  for (Eigen::Index i = 0; i < table.rows(); ++i) {
    const ScfIteration& s = r.history[static_cast<std::size_t>(i)];
    table.row(i) << s.number, s.energy, s.energyChange, s.densityChangeLL, s.densityChangeSL,
        s.densityChangeSS, s.diisError;
  }
  return table;
}

/// "symbol" (where the nucleus is an element's), "Z", "charge", "nucleus", "configuration", as JSON.
std::string atomJson(const JobResult& r) {
  nlohmann::ordered_json j = nlohmann::ordered_json::object();
  addAtom(r.job.calculation.problem, j);
  return jsonText(j);
}

ResultRecord recordOf(const JobResult& r, const std::string& id, const std::string& date) {
  return {id, r.job.job.title, r.job.job.text, kVersion, date, r.job.calculation, r.result};
}

void save(const std::vector<std::pair<std::string, const JobResult*>>& results, const std::string& path,
          const std::string& date) {
  const nb::gil_scoped_release unlocked;
  if (results.size() == 1) return writeResult(path, recordOf(*results[0].second, results[0].first, date));
  ResultCollection collection;
  for (const auto& [id, result] : results) collection.add(recordOf(*result, id, date));
  collection.write(path);
}

std::pair<std::string, JobResult> load(const std::string& path, const std::string& group) {
  const nb::gil_scoped_release unlocked;
  ResultRecord record = readRecord(path, group);
  JobResult r;
  r.job.job.file = record.id;
  r.job.job.title = record.title;
  r.job.job.type = record.calculation.isLimit() ? JobType::Limit : JobType::Energy;
  r.job.calculation = std::move(record.calculation);
  r.result = std::move(record.result);
  r.job.job.text = record.input;
  return {record.id, std::move(r)};
}

}  // namespace

void bindResults(nb::module_& m) {
  nb::class_<Spinor>(m, "SpinorData", "One occupied spinor. Hartree, bohr.")
      .def_prop_ro("label", &Spinor::label)
      .def_ro("n", &Spinor::n)
      .def_prop_ro("kappa", [](const Spinor& s) { return s.symmetry.kappa; })
      .def_prop_ro("symmetry", [](const Spinor& s) { return s.symmetry.label(); })
      .def_ro("occupation", &Spinor::occupation)
      .def_ro("energy", &Spinor::energy)
      .def_ro("bound", &Spinor::bound)
      .def_ro("mean_radius", &Spinor::meanRadius)
      .def_ro("mean_square_radius", &Spinor::meanSquareRadius)
      .def_ro("mean_inverse_radius", &Spinor::meanInverseRadius);
  nb::class_<JobResult> result(m, "ResultData", "The result of a job.");
  bindFunctions(result);
  result.def_prop_ro("status", [](const JobResult& r) { return nameOf(r.result.status); })
      .def_prop_ro("reason", [](const JobResult& r) { return r.result.reason; })
      .def_prop_ro("energy", [](const JobResult& r) { return r.result.energy.total; })
      .def_prop_ro("total_with_corrections",
                   [](const JobResult& r) { return r.result.energy.withCorrections(); })
      .def_prop_ro("parts",
                   [](const JobResult& r) {
                     nb::dict parts;
                     for (const EnergyPart& p : r.result.energy.parts) parts[keyOf(p.id)] = p.value;
                     return parts;
                   })
      .def_prop_ro("virial_ratio", [](const JobResult& r) { return r.result.virialRatio; })
      .def_prop_ro("iterations", [](const JobResult& r) { return r.result.iterations; })
      .def_prop_ro("warnings",
                   [](const JobResult& r) {
                     std::vector<std::pair<std::string, std::string>> list;
                     for (const Warning& w : r.result.warnings) list.emplace_back(w.id, w.text);
                     return list;
                   })
      .def_prop_ro("choices", [](const JobResult& r) { return r.job.choices; })
      .def_prop_ro("spinors", [](const JobResult& r) { return r.result.spinors; })
      .def_prop_ro("basis_error",
                   [](const JobResult& r) -> std::optional<double> {
                     if (!r.result.basisError) return std::nullopt;
                     return r.result.basisError->value;
                   })
      .def_prop_ro("estimated_error",
                   [](const JobResult& r) -> std::optional<double> {
                     if (!r.result.limit || r.result.status == Status::Unbound) return std::nullopt;
                     return r.result.limit->estimatedError;
                   })
      .def_prop_ro("job", [](const JobResult& r) -> const ResolvedJob& { return r.job; })
      .def_prop_ro(
          "ladder",
          [](const JobResult& r) {
            const prophet::Job& job = r.job.job;
            return job.basisType == BasisType::WellTempered ? nb::object(ladderDict(job.wellTempered))
                                                            : nb::none();
          },
          "Of a search: the ladders that it found; None where there are none.")
      .def_prop_ro(
          "exponents", [](const JobResult& r) { return r.job.job.readInExponents; },
          "Of a search without ladders: those that it found.")
      .def_prop_ro("atom", &atomJson)
      .def_prop_ro("input", [](const JobResult& r) { return r.job.job.text; })
      .def_prop_ro("title", [](const JobResult& r) { return r.job.job.title; })
      .def("coefficients", &coefficients, nb::arg("index"))
      .def("history", &history, "A row for each iteration of an SCF.")
      .def(
          "json",
          [](const JobResult& r, int indent, bool properties) {
            return jsonResult(r.job, r.result, indent, properties);
          },
          nb::arg("indent") = -1, nb::arg("properties") = true,
          "The output of --json; faster without the properties.");
  m.def("save", &save, nb::arg("results"), nb::arg("path"), nb::arg("date"),
        "Writes (id, result) pairs as an HDF5 file.");
  m.def("load", &load, nb::arg("path"), nb::arg("group"), "The id and the result.");
  m.def("result_ids", &resultIds, nb::arg("path"));
}

}  // namespace prophet::python
