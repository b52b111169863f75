#include "operations/catalogue/operation_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/common/text.hpp"
#include "operations/input/keywords.hpp"
#include "operations/input/namelist.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/input/sections.hpp"
#include "operations/input/settings.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {
namespace {

bool isControl(const NamelistGroup& group) {
  const KeywordGroup* known = findGroup(group.name);
  return known && known->name == "contrl";
}

bool isJobType(const NamelistAssignment& a) {
  const Keyword* known = findKeyword("contrl", a.name);
  return known && known->name == "jobtype";
}

/// The operation of a file; nullptr where it is a job of keywords. A type that is neither is reported, and
/// then read as what was most likely meant.
const Operation* operationOfFile(NamelistFile& file, Diagnostics& diagnostics) {
  const auto control = std::ranges::find_if(file.groups, isControl);
  if (control == file.groups.end()) return nullptr;
  const auto type = std::ranges::find_if(
      control->assignments, [](const NamelistAssignment& a) { return isJobType(a) && a.values.size() == 1; });
  if (type == control->assignments.end() || type->values.front().damaged) return nullptr;
  NamelistValue& value = type->values.front();
  std::string name = lowerCase(trimmed(value.text));
  std::vector<std::string> jobs;
  for (const JobName& job : jobNames()) jobs.push_back(job.name);
  std::vector<std::string> all = jobs;
  for (const Operation& o : operations())
    if (std::ranges::count(jobs, o.name) == 0) all.push_back(o.name);
  if (std::ranges::count(all, name) == 0 && !findOperation(name)) {
    const std::string nearest = nearestName(name, all);
    diagnostics.add(value.at, fmt::format("found jobtype={}; expected {}{}", value.written, enumerate(all),
                                          nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
    type->damaged = nearest.empty();
    value.kind = NamelistValue::Kind::String;
    value.text = name = nearest;
  }
  // What is a job of one atom too, such as a chain, is that in a file.
  return std::ranges::count(jobs, name) > 0 ? nullptr : findOperation(name);
}

/// One value, or the list of several; what could not be read, which was reported, is null.
Json jsonOf(const GivenKeyword& given) {
  if (given.listLength <= 1) return given.values.begin()->second.value;
  Json list = Json::array();
  for (int i = 1; i <= given.listLength; ++i)
    list.push_back(given.values.contains(i) ? given.values.at(i).value : Json());
  return list;
}

/// Files are relative to the input file's folder.
void placeFiles(const Operation& operation, const std::string& fileName, Json& values) {
  for (const Setting& s : operation.settings) {
    const FileUse use = fileUse(s);
    if (use == FileUse::None || !values.contains(s.name)) continue;
    const auto place = [&](Json& value) {
      if (!value.is_string()) return;
      const std::filesystem::path path = value.get<std::string>();
      if (path.is_absolute() || path == "-") return;
      const std::filesystem::path placed = std::filesystem::path(fileName).parent_path() / path;
      if (use != FileUse::ReadIfThere || std::filesystem::exists(placed)) value = placed.string();
    };
    Json& value = values[s.name];
    if (!value.is_array()) place(value);
    if (value.is_array())
      for (Json& item : value) place(item);
  }
}

/// What an operation on one atom takes: the file as it is, or the text of a stream, read once only.
OperationInput keywordInput(Job job, const std::string& text, const std::string& fileName) {
  job.text = text;
  std::error_code none;
  const bool isFile = std::filesystem::is_regular_file(fileName, none);
  return {findOperation(jobName(job.type)),
          {{"input", isFile ? Json(fileName) : Json{{"name", fileName}, {"text", text}}}},
          filesOf(job),
          std::make_shared<const Job>(job)};
}

}  // namespace

OperationInput readOperationInput(const std::string& text, const std::string& fileName) {
  Diagnostics diagnostics;
  NamelistFile file = readNamelist(text, diagnostics);
  OperationInput input;
  input.operation = operationOfFile(file, diagnostics);
  if (!input.operation) return keywordInput(jobOf(file, std::move(diagnostics), fileName), text, fileName);
  const std::string& name = input.operation->name;
  const Language language(name, input.operation->allSettings());
  const Settings settings(file, language, diagnostics);
  for (const std::string& group : language.groups()) {
    const NamelistGroup* given = settings.group(group);
    if (!given) continue;
    refuseData(*given, 0, "a group such as $" + name, diagnostics);
    if (group != "contrl" && group != name)
      diagnostics.add(given->at, "jobtype='" + name + "' uses $contrl and $" + name + ", not $" + group);
  }
  for (const GivenKeyword* given : settings.ofGroup("contrl"))
    if (given->keyword->name != "jobtype" && given->keyword->isCalled(given->written))
      diagnostics.add(given->at,
                      "jobtype='" + name + "' does not use $contrl " + given->written + "; omit it");
  std::vector<const GivenKeyword*> own = settings.ofGroup(name);
  std::ranges::sort(own, {}, [](const GivenKeyword* g) { return std::pair(g->at.line, g->at.column); });
  for (const GivenKeyword* given : own)
    if (!given->values.empty()) input.values[given->keyword->name] = jsonOf(*given);
  placeFiles(*input.operation, fileName, input.values);
  try {
    input.operation->check(input.values);
  } catch (const RequestErrors& e) {
    const NamelistGroup* group = settings.group(name);
    for (const SettingProblem& p : e.problems()) {
      if (settings.damaged(name, p.setting)) continue;  // reported already
      const GivenKeyword* given = settings.find(name, p.setting);
      const Position at = given ? given->at : group ? group->at : file.end;
      diagnostics.add(at, "$" + name + " " + p.setting + ": " + p.message);
    }
  }
  if (!diagnostics.empty()) throw InputErrors(fileName, diagnostics.sorted());
  return input;
}

}  // namespace prophet
