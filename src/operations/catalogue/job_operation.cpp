#include "operations/catalogue/job_operation.hpp"

#include <algorithm>
#include <filesystem>

#include "core/common/files.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

void requireType(JobType type, JobType given) {
  if (given != type)
    throw SettingError(
        "input", "asks for " + describeJobs(jobBit(given)) + "; expected " + describeJobs(jobBit(type)));
}

/// The name of an input file, its text, or {"name", "text"} of a stream, which cannot be read again.
AtomRequest requestOfInput(JobType type, const Json& input, const std::shared_ptr<const Job>& known) {
  AtomRequest request{{}, true};
  if (known) {
    request.job = *known;
    if (input.is_string()) request.file = known->file;
  } else if (input.is_object()) {
    request.job = parseJob(input.value("text", ""), input.value("name", "the input"));
  } else if (!input.is_string()) {
    throw SettingError("input", "found " + input.dump() + "; expected an input file or its text");
  } else if (const std::string text = input.get<std::string>(); text.find('\n') != std::string::npos) {
    request.job = parseJob(text, "the input");
  } else {
    request.job = parseJob(ofSetting("input", [&] { return readInputText(text); }), text);
    request.file = text;
  }
  requireType(type, request.job.type);
  return request;
}

}  // namespace

std::vector<Setting> atomSettings() {
  Setting atom, input;
  atom.name = "atom";
  atom.type = ValueType::Text;
  atom.valueName = "ATOM";
  atom.documentation = "what to compute";
  atom.expected = "an atom or ion such as Rn, Fe2+ or the isotope 133Cs, or its nuclear charge";
  atom.positional = atom.mayLack = atom.inInput = true;
  input.name = "input";
  input.type = ValueType::Any;
  input.valueName = "FILE";
  input.expected = "the name of a file that ends in .inp, or its text";
  input.documentation = "an input file instead of ATOM and keywords";
  input.inInput = true;
  return {atom, input};
}

AtomRequest readAtomRequest(JobType type, const Json& values, const std::shared_ptr<const Job>& known) {
  if (!values.contains("input")) return {jobOfValues(type, values)};
  std::vector<SettingProblem> problems;
  for (const auto& [name, value] : values.items())
    if (name != "input")
      problems.push_back({name, "cannot be given together with input, whose file determines it"});
  if (!problems.empty()) throw RequestErrors(std::move(problems));
  return requestOfInput(type, values["input"], known);
}

AtomRequest requestOfJob(JobType type, std::shared_ptr<const ResolvedJob> job) {
  requireType(type, job->job.type);
  AtomRequest request{job->job};
  request.resolved = std::move(job);
  return request;
}

ResolvedJob resolvedFor(const AtomRequest& request, const Execution& execution) {
  if (request.resolved) return *request.resolved;
  Job job = request.job;
  job.basisSets = execution.basisSets;
  try {
    return resolve(job, execution.backend);
  } catch (const Error& e) {
    throw SettingError("", (request.isInput ? job.file + ": error: " : "") + e.what());
  }
}

Json taken(const std::vector<Setting>& settings, Json& values) {
  Json ours = Json::object(), rest = Json::object();
  for (const auto& [given, value] : values.items()) {
    if (value.is_null()) continue;
    std::string name = lowerCase(given);
    std::replace(name.begin(), name.end(), '-', '_');
    (settingNamed(settings, name) ? ours : rest)[name] = value;
  }
  values = std::move(rest);
  return ours;
}

void refuseInBrief(const Execution& execution, const std::vector<std::pair<const char*, bool>>& given) {
  for (const auto& [setting, is] : given)
    if (is && execution.brief) throw SettingError(setting, "prints more than a quiet run; omit one of them");
}

void refuseForeignBest(const std::string& path) {
  std::error_code none;
  if (path.empty() || !std::filesystem::exists(path, none)) return;
  if (!readFile(path).starts_with("! energy "))
    throw Error(path +
                " is not a set that an optimisation has written; move it away, because the best set is "
                "written there");
}

}  // namespace prophet
