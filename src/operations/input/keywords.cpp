#include "operations/input/keywords.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {

const KeywordGroup* findGroup(std::string_view name) {
  for (const KeywordGroup& group : keywordGroups()) {
    const auto& aliases = group.aliases;
    if (group.name == name || std::ranges::find(aliases, name) != aliases.end()) return &group;
  }
  return nullptr;
}

const Keyword* findKeyword(std::string_view group, std::string_view name) {
  for (const Keyword& keyword : keywords())
    if (keyword.group == group && keyword.isCalled(name)) return &keyword;
  return nullptr;
}

const std::string* jobDefault(const Keyword& keyword, JobType type) {
  for (const auto& [jobs, value] : keyword.jobDefaults)
    if ((jobs & jobBit(type)) != 0) return &value;
  return nullptr;
}

std::string jobName(JobType type) {
  for (const JobName& job : jobNames())
    if (job.type == type) return job.name;
  return "";
}

std::string describeJobs(JobSet jobs) {
  std::vector<std::string> names;
  for (const JobName& job : jobNames()) {
    if (jobs & jobBit(job.type)) names.push_back(job.name);
  }
  return "jobtype=" + enumerate(names);
}

std::string expectedValue(const Keyword& keyword) {
  if (keyword.type == ValueType::Logical) return ".true. or .false.";
  if (keyword.type == ValueType::Text && keyword.choices.empty()) return "a text in quotes";
  return expectedValue(static_cast<const Setting&>(keyword));
}

namespace {

std::string sizeText(SizeRule size) {
  switch (size) {
    case SizeRule::PerSymmetry:
      return "for each symmetry ";
    case SizeRule::FourPerGroup:
      return "four for each group, ";
    case SizeRule::One:
      break;
  }
  return "";
}

std::string explainKeyword(const Keyword& keyword, const KeywordGroup& group) {
  std::string text = fmt::format("  {:<22}  {}\n", fmt::format("{}", fmt::join(keyword.names(), ", ")),
                                 keyword.documentation);
  const auto line = [&](const std::string& what) { text += fmt::format("  {:<22}  {}\n", "", what); };
  line(sizeText(keyword.size) + expectedValue(keyword));
  if (!keyword.beyond.empty()) line(keyword.beyond);
  if (!keyword.defaultText.empty()) {
    std::string defaults = keyword.defaultText;
    for (const auto& [jobs, value] : keyword.jobDefaults)
      defaults += fmt::format("; '{}' with {}", value, describeJobs(jobs));
    line("default: " + defaults);
  }
  if (keyword.defaultText.empty()) line("no default");
  if (keyword.jobs != kAllJobs && keyword.jobs != group.jobs) line("only with " + describeJobs(keyword.jobs));
  return text;
}

/// " (also $electrons)".
std::string aliasText(const KeywordGroup& group) {
  return group.aliases.empty() ? "" : fmt::format(" (also ${})", fmt::join(group.aliases, ", $"));
}

/// A keyword of that name in each group that has one; empty where none has.
std::string keywordInAllGroups(const std::string& name) {
  std::string text;
  for (const KeywordGroup& group : keywordGroups()) {
    if (const Keyword* keyword = findKeyword(group.name, name))
      text += fmt::format("{}${}: {}\n\n", text.empty() ? "" : "\n", group.name, group.documentation) +
              explainKeyword(*keyword, group);
  }
  return text;
}

std::string allGroups() {
  std::string text = "Groups of the input file ($name keyword=value, ... $end, after a title line):\n\n";
  for (const KeywordGroup& group : keywordGroups()) {
    text += fmt::format("  ${:<10}  {}{}\n", group.name, group.documentation, aliasText(group));
  }
  text += "\nJobs (jobtype in $contrl):\n\n";
  for (const JobName& job : jobNames()) text += fmt::format("  {:<11}  {}\n", job.name, job.documentation);
  return text;
}

}  // namespace

std::string explainGroup(const std::string& group) {
  std::string name = lowerCase(trimmed(group));
  if (!name.empty() && (name[0] == '$' || name[0] == '&')) name.erase(0, 1);
  if (name.empty()) return allGroups();
  const KeywordGroup* found = findGroup(name);
  if (found == nullptr) {
    if (const std::string text = keywordInAllGroups(name); !text.empty()) return text;
    std::vector<std::string> names, all;
    for (const KeywordGroup& g : keywordGroups()) names.push_back(g.name);
    all = names;
    for (const Keyword& keyword : keywords()) all.push_back(keyword.name);
    const std::string nearest = nearestName(name, all);
    throw Error(fmt::format("unknown group or keyword '{}'; {}expected {}, or one of their keywords", name,
                            nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                            enumerate(names)));
  }
  std::string text = fmt::format("${}: {}{}\n", found->name, found->documentation, aliasText(*found));
  if (found->jobs != kAllJobs) text += fmt::format("only with {}\n", describeJobs(found->jobs));
  text += "\n";
  for (const Keyword& keyword : keywords()) {
    if (keyword.group == found->name) text += explainKeyword(keyword, *found);
  }
  if (!found->dataDocumentation.empty())
    text += fmt::format("\nLines after $end: {}\n", found->dataDocumentation);
  return text;
}

}  // namespace prophet
