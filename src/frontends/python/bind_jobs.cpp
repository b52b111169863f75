#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "atoms/calculation/problem_json.hpp"
#include "core/common/json_text.hpp"
#include "frontends/python/bindings.hpp"
#include "operations/input/keywords.hpp"
#include "operations/input/parse_job.hpp"

namespace prophet::python {
namespace {

/// The job of a kind with these keywords (jobOfValues), which are JSON.
prophet::Job jobOf(const std::string& kind, const std::string& values, const std::string& label) {
  for (const JobName& job : jobNames())
    if (job.name == kind) return jobOfValues(job.type, Json::parse(values), label);
  throw Error("there is no job '" + kind + "'");
}

/// The result of an atom that cannot be made: what its name says, and why.
JobResult failedJob(const std::string& name, bool isLimit, double z, int charge, const std::string& reason) {
  JobResult failed;
  failed.job.job.title = name;
  Calculation& calculation = failed.job.calculation;
  if (isLimit) calculation.method = LimitMethod{};
  calculation.problem.nucleus.charge = z;
  calculation.problem.configuration.symmetries = {SymmetryOccupation::aufbau(2, 0, z - charge)};
  failed.result = failedResult(reason);
  return failed;
}

std::string jsonOf(const nlohmann::ordered_json& json) { return jsonText(json); }

}  // namespace

void bindJobs(nb::module_& m) {
  m.def(
      "check_job",
      [](const std::string& kind, const std::string& values, const std::string& label) {
        return jobOf(kind, values, label).text;
      },
      nb::arg("kind"), nb::arg("values"), nb::arg("label") = "",
      "The text of an input file that asks for the same. Raises Error if the keywords do not define a job.");
  m.def(
      "make_job",
      [](const std::string& kind, const std::string& values, const std::string& label,
         const std::string& device) {
        const auto backend = valueNamed<BackendRequest>(device).value_or(BackendRequest::Automatic);
        const prophet::Job job = jobOf(kind, values, label);
        const nb::gil_scoped_release unlocked;
        return std::make_shared<ResolvedJob>(resolve(job, backend));
      },
      nb::arg("kind"), nb::arg("values"), nb::arg("label"), nb::arg("device") = "auto",
      "A job with every default filled in.");
  m.def("names_basis_file", &namesBasisFile, nb::arg("basis"));
  m.def(
      "names_of_groups",
      [](const std::vector<std::string>& groups) {
        std::vector<std::string> names;
        const auto add = [&](const auto& named) {
          names.push_back(named.name);
          names.insert(names.end(), named.aliases.begin(), named.aliases.end());
        };
        for (const std::string& group : groups) add(*findGroup(group));
        for (const Keyword& k : keywords())
          if (std::find(groups.begin(), groups.end(), k.group) != groups.end()) add(k);
        return names;
      },
      nb::arg("groups"), "Every name of groups of keywords, and of what is in them.");
  nb::class_<ResolvedJob>(m, "Job", "A job in which everything is chosen.")
      .def_prop_ro("input", [](const ResolvedJob& j) { return j.job.text; })
      .def_prop_ro("choices", [](const ResolvedJob& j) { return j.choices; })
      .def_prop_ro("nucleus",
                   [](const ResolvedJob& j) { return jsonOf(nucleusJson(j.calculation.problem.nucleus)); })
      .def_prop_ro("configuration",
                   [](const ResolvedJob& j) {
                     const Calculation& c = j.calculation;
                     auto json = configurationJson(c.problem.configuration);
                     json["source"] = nameOf(c.configurationSource);
                     return jsonOf(json);
                   })
      .def_prop_ro("basis",
                   [](const ResolvedJob& j) {
                     std::vector<std::pair<std::string, std::vector<double>>> list;
                     std::string description;
                     if (!j.calculation.isLimit()) {
                       const BasisSet& basis = j.calculation.inBasis().basis;
                       description = basis.description;
                       for (const SymmetryBasis& s : basis.symmetries)
                         list.emplace_back(s.symmetry.label(), s.exponents);
                     }
                     return std::make_pair(description, list);
                   })
      .def_prop_ro("is_limit", [](const ResolvedJob& j) { return j.calculation.isLimit(); });
  m.def("failed_result", &failedJob, nb::arg("name"), nb::arg("is_limit"), nb::arg("z"), nb::arg("charge"),
        nb::arg("reason"), "The result of an atom that cannot be made.");
}

}  // namespace prophet::python
