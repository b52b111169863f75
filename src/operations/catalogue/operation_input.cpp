#include "operations/catalogue/operation_input.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/common/text.hpp"
#include "operations/input/keywords.hpp"
#include "operations/input/namelist.hpp"
#include "operations/input/parse_job.hpp"
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

const Operation* operationOfFile(const NamelistFile& file) {
  const auto control = std::ranges::find_if(file.groups, isControl);
  if (control == file.groups.end()) return nullptr;
  for (const NamelistAssignment& a : control->assignments) {
    if (!isJobType(a) || a.values.empty()) continue;
    const std::string type = lowerCase(a.values.front().text);
    // What is a job of one atom too, such as a chain, is that in a file.
    const bool isJob = std::ranges::any_of(jobNames(), [&](const JobName& j) { return j.name == type; });
    return isJob ? nullptr : findOperation(type);
  }
  return nullptr;
}

Json jsonOf(const NamelistValue& v) {
  if (v.kind == NamelistValue::Kind::Null) return nullptr;
  if (v.kind == NamelistValue::Kind::Word) {
    if (const auto number = parseReal(v.text)) return *number;
    if (const auto logical = parseLogical(v.text)) return *logical;
  }
  return v.text;
}

/// One value, or the list of several.
Json jsonOf(const NamelistAssignment& a) {
  if (a.values.size() == 1) return jsonOf(a.values.front());
  Json list = Json::array();
  for (const NamelistValue& v : a.values) list.push_back(jsonOf(v));
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
  const NamelistFile file = readNamelist(text, diagnostics);
  OperationInput input;
  input.operation = operationOfFile(file);
  if (!input.operation) return keywordInput(jobOf(file, std::move(diagnostics), fileName), text, fileName);
  const std::string& name = input.operation->name;
  for (const NamelistGroup& g : file.groups) {
    if (isControl(g)) {
      for (const NamelistAssignment& a : g.assignments)
        if (!isJobType(a))
          diagnostics.add(a.at, "jobtype='" + name + "' does not use $contrl " + a.name + "; omit it");
    } else if (g.name != name) {
      diagnostics.add(g.at, "jobtype='" + name + "' uses $contrl and $" + name + ", not $" + g.name);
    }
  }
  const auto found = std::ranges::find(file.groups, name, &NamelistGroup::name);
  const NamelistGroup* group = found != file.groups.end() ? &*found : nullptr;
  std::map<std::string, Position> places;  // of settings
  if (group) {
    for (const NamelistAssignment& a : group->assignments) {
      const Setting* s = settingNamed(input.operation->settings, a.name);
      const std::string& own = s ? s->name : a.name;
      if (!places.try_emplace(own, a.at).second)
        diagnostics.add(a.at, "$" + name + " " + a.name + " is given twice");
      input.values[own] = jsonOf(a);
    }
  }
  placeFiles(*input.operation, fileName, input.values);
  try {
    input.operation->check(input.values);
  } catch (const RequestErrors& e) {
    for (const SettingProblem& p : e.problems()) {
      const auto place = places.find(p.setting);
      const Position at = place != places.end() ? place->second : group ? group->at : file.end;
      diagnostics.add(at, "$" + name + " " + p.setting + ": " + p.message);
    }
  }
  if (!diagnostics.empty()) throw InputErrors(fileName, diagnostics.sorted());
  return input;
}

}  // namespace prophet
