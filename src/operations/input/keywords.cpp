#include "operations/input/keywords.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace prophet {
namespace {

/// ", or its name (1 'point', 2 'sphere', ...)".
/// ", or 'word'" for words that stand for what no number does.
std::string wordsOf(const Keyword& keyword) {
  std::string text;
  for (const NamedNumber& n : keyword.named) text += fmt::format(", or '{}'", n.name);
  return text;
}

std::string meaningOf(const Keyword& keyword) {
  std::string text;
  for (const NamedNumber& n : keyword.named)
    text += fmt::format("{}{} '{}'", text.empty() ? "" : ", ", n.number, n.name);
  return text.empty() ? "" : ", or its name (" + text + ")";
}

}  // namespace

const KeywordGroup* findGroup(std::string_view name) {
  for (const KeywordGroup& group : keywordGroups()) {
    const auto& aliases = group.aliases;
    if (group.name == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end()) return &group;
  }
  return nullptr;
}

const Keyword* findKeyword(std::string_view group, std::string_view name) {
  for (const Keyword& keyword : keywords()) {
    if (keyword.group != group) continue;
    const auto& aliases = keyword.aliases;
    if (keyword.name == name || std::find(aliases.begin(), aliases.end(), name) != aliases.end())
      return &keyword;
  }
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
  const std::string range = keyword.range.description();
  const std::string separator = range.empty() ? "" : ", ";
  switch (keyword.type) {
    case ValueType::Real:
      return "a number" + separator + range + wordsOf(keyword) +
             (keyword.element ? ", or an element's symbol" : "");
    case ValueType::Integer:
      return "a whole number" + separator + range + meaningOf(keyword);
    case ValueType::Logical:
      return ".true. or .false.";
    default:
      break;
  }
  return keyword.choices.empty() ? "a text in quotes" : enumerate(keyword.choices);
}

}  // namespace prophet
