#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "atoms/calculation/problem_json.hpp"
#include "core/common/json_text.hpp"
#include "frontends/python/bindings.hpp"
#include "frontends/python/foreground.hpp"
#include "operations/input/parse_job.hpp"

namespace prophet::python {
namespace {

using Value = std::pair<bool, std::string>;
using Argument = std::tuple<std::string, std::string, std::string, std::vector<Value>>;

KeywordJob requestOf(const std::string& label, const std::vector<Argument>& arguments,
                     std::vector<std::vector<double>> exponents,
                     std::vector<std::vector<double>> configurations) {
  KeywordJob request{label, {}, std::move(exponents), std::move(configurations)};
  for (const auto& [shown, group, keyword, values] : arguments) {
    KeywordArgument& argument = request.arguments.emplace_back(KeywordArgument{shown, group, keyword, {}});
    for (const auto& [isText, written] : values) argument.values.push_back({isText, written});
  }
  return request;
}

ComputeSettings settingsOf(int threads, bool estimateError, const std::string& device, int number,
                           const std::string& cudaLibrary) {
  if (threads < 0) throw Error("threads: found " + std::to_string(threads) + "; expected 1 or more, or None");
  const auto backend = valueNamed<BackendRequest>(device);
  if (!backend) throw Error("device: found '" + device + "'; expected 'auto', 'cpu', 'cuda' or 'cuda:N'");
  return {threads, estimateError, *backend, number, cudaLibrary};
}

/// The spinors that a calculation may start from. Throws Error where there are none.
std::shared_ptr<const StartSpinors> startOf(const JobResult* earlier) {
  if (!earlier) return nullptr;
  if (!earlier->result.coefficients)
    throw Error("start: this result has no spinors to start from; give one that converged in a basis set");
  return earlier->result.coefficients;
}

JobResult computeJob(const Job& job, int threads, bool estimateError, const std::string& device, int number,
                     const std::string& cudaLibrary, const JobResult* start) {
  const ComputeSettings settings = settingsOf(threads, estimateError, device, number, cudaLibrary);
  JobResult result;
  const auto spinors = startOf(start);
  runHere(
      [&](const Checkpoint& checkpoint) { result = compute(job.resolved, settings, checkpoint, spinors); });
  result.input = job.input;
  return result;
}

std::vector<JobResult> computeJobs(const std::vector<const Job*>& jobs, int threads, bool estimateError,
                                   const std::string& device, int number, const std::string& cudaLibrary,
                                   const nb::object& progress) {
  const ComputeSettings settings = settingsOf(threads, estimateError, device, number, cudaLibrary);
  std::vector<ResolvedJob> list;
  for (const Job* job : jobs) list.push_back(job->resolved);
  std::vector<JobResult> results;
  Foreground foreground;
  foreground.run([&](Foreground& f) {
    const BatchObserver observer = [&](std::size_t i, const JobResult&) {
      f.post([&progress, i] { progress(i); });
    };
    results = computeAll(list, settings, progress.is_none() ? BatchObserver() : observer, f.checkpoint());
  });
  for (std::size_t i = 0; i < results.size(); ++i) results[i].input = jobs[i]->input;
  return results;
}

/// Of an atom that cannot be made: what its name says, and why.
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
      [](const std::vector<Argument>& arguments, std::vector<std::vector<double>> exponents,
         std::vector<std::vector<double>> configurations, const std::string& label) {
        return jobOf(requestOf(label, arguments, std::move(exponents), std::move(configurations))).text;
      },
      nb::arg("arguments"), nb::arg("exponents"), nb::arg("configurations"), nb::arg("label") = "",
      "The text of an input file that asks for the same. Raises Error if the arguments do not define a job.");
  m.def(
      "make_job",
      [](const std::string& label, const std::vector<Argument>& arguments,
         std::vector<std::vector<double>> exponents, std::vector<std::vector<double>> configurations,
         const std::filesystem::path& basisSets, const std::string& device) {
        const auto backend = valueNamed<BackendRequest>(device).value_or(BackendRequest::Automatic);
        prophet::Job job =
            jobOf(requestOf(label, arguments, std::move(exponents), std::move(configurations)));
        job.basisSets = basisSets;
        const nb::gil_scoped_release unlocked;
        return Job{resolve(job, backend), job.text};
      },
      nb::arg("label"), nb::arg("arguments"), nb::arg("exponents"), nb::arg("configurations"),
      nb::arg("basis_sets"), nb::arg("device") = "auto",
      "A job with every default filled in. `arguments`: (name to show, group or '', keyword, values), each "
      "value "
      "(whether it is a text, as written).");
  nb::class_<Job>(m, "Job", "A job in which everything is chosen.")
      .def_ro("input", &Job::input)
      .def_prop_ro("choices", [](const Job& j) { return j.resolved.choices; })
      .def_prop_ro("nucleus",
                   [](const Job& j) { return jsonOf(nucleusJson(j.resolved.calculation.problem.nucleus)); })
      .def_prop_ro("configuration",
                   [](const Job& j) {
                     const Calculation& c = j.resolved.calculation;
                     auto json = configurationJson(c.problem.configuration);
                     json["source"] = nameOf(c.configurationSource);
                     return jsonOf(json);
                   })
      .def_prop_ro("basis",
                   [](const Job& j) {
                     std::vector<std::pair<std::string, std::vector<double>>> list;
                     std::string description;
                     if (!j.resolved.calculation.isLimit()) {
                       const BasisSet& basis = j.resolved.calculation.inBasis().basis;
                       description = basis.description;
                       for (const SymmetryBasis& s : basis.symmetries)
                         list.emplace_back(s.symmetry.label(), s.exponents);
                     }
                     return std::make_pair(description, list);
                   })
      .def_prop_ro("is_limit", [](const Job& j) { return j.resolved.calculation.isLimit(); });
  m.def("compute", &computeJob, nb::arg("job"), nb::arg("threads"), nb::arg("estimate_error"),
        nb::arg("device"), nb::arg("number"), nb::arg("cuda_library"), nb::arg("start").none() = nb::none(),
        "The energy or limit of a job; ends at Ctrl-C.");
  m.def("compute_all", &computeJobs, nb::arg("jobs"), nb::arg("threads"), nb::arg("estimate_error"),
        nb::arg("device"), nb::arg("number"), nb::arg("cuda_library"), nb::arg("progress").none(),
        "The energies or limits of many jobs; `progress` is called with the position of each job that has "
        "finished.");
  m.def("failed_result", &failedJob, nb::arg("name"), nb::arg("is_limit"), nb::arg("z"), nb::arg("charge"),
        nb::arg("reason"), "The result of an atom that cannot be made.");
}

}  // namespace prophet::python
