#include "operations/catalogue/job_operation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "atoms/atom/species.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"
#include "operations/input/keywords.hpp"
#include "operations/input/parse_job.hpp"
#include "operations/input/settings.hpp"

namespace prophet {
namespace {

/// A keyword under the names that it has as a setting, its own first.
struct NamedKeyword {
  std::vector<std::string> names;
  const Keyword* keyword;
};

/// Those that the job uses but what the operation's name and the atom say, and what needs lines of data.
std::vector<NamedKeyword> namedKeywords(JobType type) {
  std::vector<NamedKeyword> list;
  std::set<std::string> known;
  for (const Keyword& k : keywords()) {
    const bool used = (k.jobs & findGroup(k.group)->jobs & jobBit(type)) != 0;
    if (!used || k.name == "jobtype" || k.name == "znuc" || k.name == "nconf") continue;
    std::vector<std::string> names = k.names();
    if (k.name == "nucmdl") names.insert(names.begin(), "nucleus");
    if (known.count(names.front())) names = {k.group + "_" + k.name};
    std::erase_if(names, [&](const std::string& name) { return known.count(name) > 0; });
    known.insert(names.begin(), names.end());
    list.push_back({std::move(names), &k});
  }
  return list;
}

const Keyword* keywordNamed(const std::vector<NamedKeyword>& list, const std::string& name) {
  for (const NamedKeyword& k : list)
    if (std::find(k.names.begin(), k.names.end(), name) != k.names.end()) return k.keyword;
  return nullptr;
}

constexpr const char* kBasis = "basis";  // the setting that is a collection or a file

/// Whether the job may take its basis set from a collection.
bool takesBasis(const std::vector<NamedKeyword>& list) { return keywordNamed(list, "library") != nullptr; }

constexpr const char* kQed = "qed";  // the setting that is qedvp='full' with the self-energy

bool takesQed(const std::vector<NamedKeyword>& list) { return keywordNamed(list, "qedse") != nullptr; }

/// Vacuum polarisation and self-energy by one word.
Setting qedSetting() {
  Setting s;
  s.name = kQed;
  s.type = ValueType::Text;
  s.choices = {"none", "inner", "valence"};
  s.implied = "inner";
  s.documentation = "vacuum polarisation and self-energy (fitted to inner shells or to valence states)";
  s.defaultText = "'none'";
  s.heading = "Method";
  s.common = s.inInput = true;
  return s;
}

/// The keyword that a value of `basis` belongs to: a file where there is one, or its name ends like one.
/// Collections and folders of them may have numbers behind a point, "wtbs-2.1".
const char* keywordOfBasis(const std::string& value) {
  std::error_code none;
  if (std::filesystem::is_directory(value, none)) return "library";
  const std::string ending = std::filesystem::path(value).extension();
  const bool likeAFile = ending.size() > 1 && isLetter(ending[1]);
  return likeAFile || std::filesystem::exists(value, none) ? "file" : "library";
}

/// Part of the short help of commands that a keyword belongs to.
std::string headingOf(const std::string& group) {
  if (group == "nuc" || group == "seconfig" || group == "watson" || group == "crystal") return "Atom";
  return "Method";
}

/// What the parser of input files reads is described by it.
Setting settingOf(const NamedKeyword& k, JobType type) {
  Setting s = *k.keyword;
  s.name = k.names.front();
  s.aliases.assign(k.names.begin() + 1, k.names.end());
  s.inInput = true;
  s.needs.clear();  // what it says of itself names them, and the rules of input files check them
  s.excludes.clear();
  s.heading = headingOf(k.keyword->group);
  if (const std::string* ofJob = jobDefault(*k.keyword, type)) s.defaultText = "'" + *ofJob + "'";
  const bool several = k.keyword->size != SizeRule::One, logical = s.type == ValueType::Logical;
  if (logical) {
    s.implied = ".true.";
    for (const auto& [word, shown] : {std::pair(".true.", "yes"), std::pair(".false.", "no")})
      if (s.defaultText.starts_with(word)) s.defaultText.replace(0, std::string_view(word).size(), shown);
  }
  if (several || logical || !k.keyword->named.empty()) {
    s.expected = expectedValue(*k.keyword);
    if (several)
      s.expected +=
          k.keyword->size == SizeRule::PerSymmetry ? ", for each symmetry" : ", four for each group";
    s.valueName = several ? "LIST" : logical ? "LOGICAL" : "NUMBER";
    s.type = ValueType::Any;
  }
  return s;
}

ArgumentValue argumentOf(const Json& value, bool isText) {
  if (value.is_boolean()) return {false, value.get<bool>() ? ".true." : ".false."};
  if (value.is_number_integer()) return {false, value.dump()};
  if (value.is_number()) return {false, fmt::format("{}", value.get<double>())};
  if (!value.is_string()) throw Error("found " + value.dump() + "; expected a number or a text");
  const std::string text = value.get<std::string>(), word = trimmed(text);
  if (isText) return {true, text};
  return {!parseReal(word) && !parseLogical(word), word};
}

/// A value as an input file would hold it; several in a list or between commas.
std::vector<ArgumentValue> argumentsOf(const Keyword* k, const Json& value) {
  const bool isText = k && k->type == ValueType::Text, one = !k || k->size == SizeRule::One;
  std::vector<ArgumentValue> list;
  if (value.is_array()) {
    for (const Json& item : value) list.push_back(argumentOf(item, isText));
  } else if (value.is_string() && !isText && !one) {
    for (const std::string& word : split(value.get<std::string>(), ','))
      list.push_back(argumentOf(word, false));
  } else {
    list.push_back(argumentOf(value, isText));
  }
  return list;
}

void putAtom(const Json& atom, KeywordJob& job) {
  const auto put = [&](const char* group, const char* keyword, ArgumentValue value) {
    job.arguments.push_back({"atom", group, keyword, {std::move(value)}});
  };
  if (atom.is_number() || (atom.is_string() && parseReal(job.label)))
    return put("nuc", "znuc", argumentOf(atom, false));
  const Species species = parseIsotope(job.label);
  put("nuc", "znuc", {false, std::to_string(species.z)});
  if (species.massNumber > 0) put("nuc", "mass", {false, std::to_string(species.massNumber)});
  if (!species.configuration.empty()) put("seconfig", "config", {true, species.configuration});
  if (species.chargeWritten) put("seconfig", "charge", {false, std::to_string(species.charge)});
}

Job jobOfKeywords(JobType type, const Json& values) {
  KeywordJob job{"", {{"", "contrl", "jobtype", {{true, jobName(type)}}}}, {}, {}};
  const std::vector<NamedKeyword> known = namedKeywords(type);
  std::vector<SettingProblem> problems;
  const auto of = [&](const std::string& setting, const auto& step) {
    try {
      step();
    } catch (const RequestErrors& e) {
      problems.insert(problems.end(), e.problems().begin(), e.problems().end());
    } catch (const Error& e) {
      problems.push_back({setting, e.what()});
    }
  };
  of("atom", [&] {
    if (!values.contains("atom")) throw Error("is missing; expected an atom, such as Rn, Fe2+ or 86");
    job.label = argumentOf(values["atom"], true).written;
    putAtom(values["atom"], job);
  });
  for (const auto& [given, value] : values.items()) {
    if (given == "atom") continue;
    of(given, [&, &name = given, &its = value] {
      if (name == kBasis && takesBasis(known)) {
        if (!its.is_string()) throw Error("found " + its.dump() + "; expected a collection or a file");
        const std::string text = its.get<std::string>();
        const char* keyword = keywordOfBasis(text);
        for (const char* other : {"library", "file", "bastype"})
          if (values.contains(other))
            throw Error(fmt::format("says the same as {}=; omit one of them", other));
        return job.arguments.push_back({name, "bas", keyword, {{true, text}}});
      }
      if (name == kQed && takesQed(known)) {
        const Json text = its.is_boolean() ? Json(its.get<bool>() ? "inner" : "none") : its;
        const std::string energy = typedValue(qedSetting(), text).get<std::string>();
        for (const char* other : {"qedvp", "qedse"})
          if (values.contains(other))
            throw Error(fmt::format("says the same as {}=; omit one of them", other));
        job.arguments.push_back({name, "contrl", "qedvp", {{true, energy == "none" ? "none" : "full"}}});
        return job.arguments.push_back({name, "contrl", "qedse", {{true, energy}}});
      }
      const Keyword* k = keywordNamed(known, name);
      if (k && k->name == "nucmdl" && its.is_string() && lowerCase(its.get<std::string>()) == "experimental")
        k = findKeyword("nuc", "rnuc");
      for (const auto& said : job.arguments)
        if (k && said.shown == "atom" && said.group == k->group && said.keyword == k->name)
          throw Error(fmt::format("'{}' names the {} already; omit one of them", job.label,
                                  k->name == "config" ? "configuration" : k->name));
      if (k && its.is_boolean() && k->type == ValueType::Text && !k->implied.empty())  // breit=True
        return job.arguments.push_back(
            {name, k->group, k->name, {{true, its.get<bool>() ? k->implied : k->choices.front()}}});
      job.arguments.push_back({name, k ? k->group : "", k ? k->name : name, argumentsOf(k, its)});
    });
  }
  Job result;
  if (problems.empty()) of("", [&] { result = jobOf(job); });
  if (!problems.empty()) throw RequestErrors(std::move(problems));
  return result;
}

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

std::vector<Setting> keywordSettings(JobType type) {
  std::vector<Setting> settings;
  const std::vector<NamedKeyword> known = namedKeywords(type);
  for (const NamedKeyword& k : known) {
    if (k.keyword->name == "bastype" && takesBasis(known)) {
      Setting& basis = settings.emplace_back();
      basis.name = kBasis;
      basis.type = ValueType::Text;
      basis.valueName = "NAME|FILE";
      basis.documentation = "a collection of basis sets, a folder of them, or a basis set file";
      basis.defaultText = "the program's default collection";
      basis.file = FileUse::ReadIfThere;
      basis.heading = "Method";
      basis.common = basis.inInput = true;
    }
    if (k.keyword->name == "qedvp" && takesQed(known)) settings.push_back(qedSetting());
    settings.push_back(settingOf(k, type));
  }
  return settings;
}

AtomRequest readAtomRequest(JobType type, const Json& values, const std::shared_ptr<const Job>& known) {
  if (!values.contains("input")) return {jobOfKeywords(type, values)};
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
