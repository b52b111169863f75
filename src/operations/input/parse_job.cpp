#include "operations/input/parse_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "atoms/atom/species.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "operations/input/keywords.hpp"
#include "operations/input/sections.hpp"

namespace prophet {
namespace {

/// Larger files are no input files; the largest sensible one has a few hundred kilobytes.
constexpr std::uintmax_t kLargestInput = 4 * 1024 * 1024;

}  // namespace

Job jobOf(const NamelistFile& file, Diagnostics diagnostics, const std::string& fileName) {
  Job job;
  // Without any group what was wrong with the file says more than what is missing.
  if (!file.groups.empty() || diagnostics.empty()) {
    const Settings settings(file, diagnostics);
    JobReading reading{file, settings, job, diagnostics};
    for (const Keyword& keyword : keywords())
      if (const Json* value = settings.single(keyword.group, keyword.name)) keyword.read(job, *value);
    reading.jobTypeKnown = !settings.damaged("contrl", "jobtype");
    for (const auto apply : {applyLevels, applyBasis, applyNucleus, applyElectrons, applyScf,
                             applyHamiltonian, applyEmbedding, applyOptimiser, applyChain, checkUse})
      apply(reading);
    if (!diagnostics.empty()) {
      std::vector<Diagnostic> errors = diagnostics.sorted();
      for (Diagnostic& error : errors) error.message = settings.asWritten(std::move(error.message));
      throw InputErrors(fileName, std::move(errors));
    }
  }
  if (!diagnostics.empty()) throw InputErrors(fileName, diagnostics.sorted());
  job.file = fileName;
  job.folder = std::filesystem::path(fileName).parent_path();
  job.title = file.title;
  return job;
}

Job parseJob(const std::string& text, const std::string& fileName) {
  Diagnostics diagnostics;
  const NamelistFile file = readNamelist(text, diagnostics);
  Job job = jobOf(file, std::move(diagnostics), fileName);
  job.text = text;
  return job;
}

std::string readInputText(const std::string& path) {
  const std::filesystem::path name(path);
  if (name.extension() != ".inp") {
    std::string hint;
    try {
      parseSpecies(path);
      hint = "; atoms are named by elements, on the command line --elements";
    } catch (const Error&) {  // no atom either
    }
    throw Error(fmt::format("{}: error: the name of an input file must end in .inp{}", path, hint));
  }
  std::error_code problem;
  if (std::filesystem::is_directory(name, problem))
    throw Error(fmt::format("{}: error: this is a folder, not a file", path));
  const auto size = std::filesystem::file_size(name, problem);
  if (!problem && size > kLargestInput) {
    throw Error(fmt::format("{}: error: the file has {} bytes; this is not an input file", path, size));
  }
  return readFile(path);
}

Job readJobFile(const std::string& path) { return parseJob(readInputText(path), path); }

namespace {

/// The job type that the arguments name, as a set; all where they name none that exists.
JobSet jobsOf(const KeywordJob& request) {
  for (const KeywordArgument& argument : request.arguments) {
    if (argument.group != "contrl" || argument.keyword != "jobtype" || argument.values.empty()) continue;
    for (const JobName& job : jobNames())
      if (job.name == argument.values.front().written) return jobBit(job.type);
  }
  return kAllJobs;
}

const Keyword* keywordIn(const KeywordGroup& group, const std::string& name) {
  return findKeyword(group.name, lowerCase(name));
}

/// The group that an argument without one belongs to; nullptr if none has such a keyword. Names that several
/// groups have belong to the first of those that the job uses.
const KeywordGroup* groupOf(const KeywordArgument& argument, JobSet jobs) {
  const KeywordGroup* any = nullptr;
  for (const KeywordGroup& group : keywordGroups()) {
    const Keyword* keyword = keywordIn(group, argument.keyword);
    if (!keyword) continue;
    if ((group.jobs & keyword->jobs & jobs) != 0) return &group;
    if (!any) any = &group;
  }
  return any;
}

/// Arguments of the functions themselves, and what a name that is the beginning of one means.
std::string nearestArgument(const std::string& name) {
  static const std::vector<std::string> kArguments = {
      "charge", "config", "nucleus", "basis", "breit", "qed", "threads", "device", "error_estimate", "start"};
  for (const std::string& argument : kArguments)
    if (name.size() >= 3 && argument.rfind(lowerCase(name), 0) == 0) return argument;
  return nearestName(name, kArguments);
}

std::string unknownKeyword(const std::string& name) {
  const std::string argument = nearestArgument(name);
  // One that is unknown all the same is an argument of other functions.
  if (!argument.empty() && argument != name)
    return fmt::format("unknown keyword '{}'; did you mean '{}'?", name, argument);
  std::vector<std::string> names;
  for (const Keyword& keyword : keywords())
    for (std::string& its : keyword.names()) names.push_back(std::move(its));
  const std::string nearest = nearestName(name, names);
  return fmt::format("unknown keyword '{}'; {}", name,
                     nearest.empty() ? "explain() lists all" : fmt::format("did you mean '{}'?", nearest));
}

NamelistValue valueOf(const ArgumentValue& value, Position at) {
  NamelistValue result;
  result.kind = value.isText ? NamelistValue::Kind::String : NamelistValue::Kind::Word;
  result.text = value.written;
  result.written = value.isText ? "'" + value.written + "'" : value.written;
  result.at = at;
  return result;
}

NamelistDataLine dataLine(double number, Position at) {
  return {at, {valueOf({false, fmt::format("{}", number)}, at)}};
}

/// Builds what a file would have held. Line n of it is argument n - 1, so that messages find their argument.
class FileOfArguments {
 public:
  explicit FileOfArguments(const KeywordJob& request) : request_(request), jobs_(jobsOf(request)) {
    const int count = static_cast<int>(request.arguments.size());
    file.end = {count + 1, 1};
    for (int i = 0; i < count; ++i) add(request.arguments[i], {i + 1, 1});
    // A file must have the group; a function's name says it all.
    if (jobs_ == jobBit(JobType::BasisOptimisation)) group("newuoa", file.end);
    addData();
  }

  NamelistFile file;
  std::vector<Diagnostic> unknown;

 private:
  NamelistGroup& group(const std::string& name, Position at) {
    for (NamelistGroup& known : file.groups)
      if (known.name == name) return known;
    NamelistGroup made;
    made.name = name;
    made.at = made.end = at;
    return file.groups.emplace_back(std::move(made));
  }

  void add(const KeywordArgument& argument, Position at) {
    const KeywordGroup* owner =
        argument.group.empty() ? groupOf(argument, jobs_) : findGroup(lowerCase(argument.group));
    if (!owner || !keywordIn(*owner, argument.keyword)) {
      unknown.push_back({at.line, at.column, unknownKeyword(argument.keyword)});
      return;
    }
    NamelistAssignment assignment;
    assignment.written = argument.keyword;
    assignment.name = lowerCase(argument.keyword);
    assignment.at = at;
    for (const ArgumentValue& value : argument.values) assignment.values.push_back(valueOf(value, at));
    group(owner->name, at).assignments.push_back(std::move(assignment));
  }

  void addData() {
    for (NamelistGroup& g : file.groups) {
      if (g.name == "bas") addExponents(g);
      if (g.name == "seconfig") addConfigurations(g);
    }
  }
  void addExponents(NamelistGroup& group) const {
    for (const std::vector<double>& exponents : request_.exponents) {
      group.data.push_back(dataLine(static_cast<double>(exponents.size()), group.at));
      for (const double zeta : exponents) group.data.push_back(dataLine(zeta, group.at));
    }
  }
  void addConfigurations(NamelistGroup& group) const {
    for (const std::vector<double>& row : request_.configurations) {
      NamelistDataLine line{group.at, {}};
      for (const double n : row) line.values.push_back(valueOf({false, fmt::format("{}", n)}, group.at));
      group.data.push_back(std::move(line));
    }
  }

  const KeywordJob& request_;
  const JobSet jobs_;
};

std::string joined(const std::vector<NamelistValue>& values, const std::string& separator) {
  std::string text;
  for (const NamelistValue& value : values) text += (text.empty() ? "" : separator) + value.written;
  return text;
}

/// A message with the names that the caller has for keywords: "found nucleus=" for "found nucmdl=".
std::string asShown(std::string message, const std::vector<KeywordArgument>& arguments) {
  for (const KeywordArgument& a : arguments) {
    const std::string name = " " + a.keyword + "=", shown = " " + a.shown + "=";
    const std::size_t at = a.shown.empty() ? std::string::npos : message.find(name);
    if (at != std::string::npos) message.replace(at, name.size(), shown);
  }
  return message;
}

[[noreturn]] void fail(const KeywordJob& request, const std::vector<Diagnostic>& diagnostics) {
  std::vector<SettingProblem> problems;
  for (const Diagnostic& d : diagnostics) {
    const std::size_t i = static_cast<std::size_t>(d.line) - 1;
    problems.push_back({i < request.arguments.size() ? request.arguments[i].shown : "",
                        asShown(d.message, request.arguments)});
  }
  throw RequestErrors(std::move(problems));
}

std::string textOf(const FileOfArguments& made, const std::string& title) {
  std::string text = title + "\n";
  for (const NamelistGroup& group : made.file.groups) {
    text += "$" + group.name;
    for (const NamelistAssignment& assignment : group.assignments)
      text += " " + assignment.name + "=" + joined(assignment.values, ",");
    text += " $end\n";
    for (const NamelistDataLine& line : group.data) text += joined(line.values, " ") + "\n";
  }
  return text;
}

}  // namespace

Job jobOf(const KeywordJob& request) {
  const FileOfArguments made(request);
  if (!made.unknown.empty()) fail(request, made.unknown);
  try {
    Job job = jobOf(made.file, {}, request.label);
    job.folder.clear();
    job.text = textOf(made, request.label);
    return job;
  } catch (const InputErrors& errors) {
    fail(request, errors.diagnostics());
  }
}

}  // namespace prophet
