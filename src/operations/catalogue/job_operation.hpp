#pragma once
#include <utility>

#include "operations/catalogue/operation.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {

/// What an operation on one atom is asked for, in keywords or by an input file.
struct AtomRequest {
  Job job;
  bool isInput = false;  ///< whether an input file says it
  std::string file{};    ///< that file, for what is left beside it; empty: there is none, or a stream
  std::shared_ptr<const ResolvedJob> resolved{};  ///< the job as a caller made it ready; null: nobody has
};

/// What the description of such an operation ends with.
inline constexpr const char* kAtomAndKeywords =
    " ATOM is a symbol (Rn), an ion (Fe2+) or a nuclear charge (86); the other settings are the keywords of "
    "input files ('cudaprophet --explain NAME' describes each).";

/// What such an operation computes: `atom`, or `input` in the place of it and of all keywords (the name of an
/// input file, its text, or both as {"name", "text"}).
std::vector<Setting> atomSettings();

/// Reads their values. Unknown names are taken for keywords, which know what may be meant. Throws
/// RequestErrors, and InputErrors for what is wrong in an input file. `known`: what the input says, where it
/// is read already.
AtomRequest readAtomRequest(JobType type, const Json& values,
                            const std::shared_ptr<const Job>& known = nullptr);
/// The same of a job that a caller hands over as an object (Execution::jobs).
AtomRequest requestOfJob(JobType type, std::shared_ptr<const ResolvedJob> job);

/// The request as a job with nothing left to choose. Throws RequestErrors for what is wrong with the whole.
ResolvedJob resolvedFor(const AtomRequest& request, const Execution& execution);

/// Takes the values of `settings` out of a request, under their own names.
Json taken(const std::vector<Setting>& settings, Json& values);

/// A report that is told as it grows.
struct ToldReport {
  const Execution& execution;
  std::string text{};
  void operator()(const std::string& part) {
    text += part;
    execution.tell(part);
  }
};

/// Throws SettingError where one of these settings is given and the report is to be brief.
void refuseInBrief(const Execution& execution, const std::vector<std::pair<const char*, bool>>& given);

/// The best set of a search takes the place of that of an earlier one, but of no file of somebody else:
/// throws Error. An empty name is none.
void refuseForeignBest(const std::string& path);

/// The operation of a type of job: the keywords that it uses, and a table of what stands beside them.
template <class Options>
Operation jobOperation(JobType type, Operation operation, RequestTable<Options> table,
                       Record (*run)(const AtomRequest&, const Options&, const Execution&)) {
  const auto shared = std::make_shared<const RequestTable<Options>>(std::move(table));
  const std::vector<Setting> beside = shared->settings();
  operation.settings = atomSettings();
  operation.settings.insert(operation.settings.end(), beside.begin(), beside.end());
  operation.keywords = [type] { return keywordSettings(type); };
  const auto read = [type, shared](Json values, const Execution& execution) {
    std::pair<AtomRequest, Options> request;
    std::vector<SettingProblem> problems;
    const auto part = [&](const auto& step) {
      try {
        step();
      } catch (const RequestErrors& e) {
        problems.insert(problems.end(), e.problems().begin(), e.problems().end());
      }
    };
    const Json options = taken(shared->settings(), values);
    part([&] {
      request.first = execution.jobs.empty() || !values.empty()
                          ? readAtomRequest(type, values, execution.input)
                          : requestOfJob(type, execution.jobs.front());
    });
    part([&] {
      Json typed;
      request.second = shared->read(options, typed);
    });
    if (!problems.empty()) throw RequestErrors(std::move(problems));
    return request;
  };
  operation.check = [read](const Json& values) { read(values, {}); };
  operation.run = [read, run, beside, name = operation.name](const Json& values, const Execution& given) {
    const Execution execution = keepingInputs(beside, values, given);
    const auto [atom, options] = read(values, execution);
    for (const std::string& file : filesOf(atom.job)) requireKept(file, execution);
    Record record = run(atom, options, execution);
    record.operation = name;
    record.request = {{"input", atom.job.text}};
    return record;
  };
  return operation;
}

}  // namespace prophet
