#include "input/keywords.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace prophet {
namespace {

std::string number(double value) { return fmt::format("{:g}", value); }

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

std::string enumerate(const std::vector<std::string>& names, std::string_view quote) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const char* separator = i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
    text += fmt::format("{}{}{}{}", separator, quote, names[i], quote);
  }
  return text;
}

std::string describeJobs(JobSet jobs) {
  std::vector<std::string> names;
  for (const JobName& job : jobNames()) {
    if (jobs & jobBit(job.type)) names.push_back(job.name);
  }
  return "jobtype=" + enumerate(names);
}

bool Range::contains(double value) const {
  return (lowOpen ? value > low : value >= low) && (highOpen ? value < high : value <= high);
}

std::string Range::description() const {
  const bool lower = std::isfinite(low), upper = std::isfinite(high);
  if (lower && upper && !lowOpen && !highOpen) return number(low) + " to " + number(high);
  const std::string below = (highOpen ? "less than " : "at most ") + number(high);
  const std::string above = (lowOpen ? "more than " : "at least ") + number(low);
  if (lower && upper) return above + " and " + below;
  return lower ? above : upper ? below : "";
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
    case ValueType::Text:
      break;
  }
  return keyword.choices.empty() ? "a text in quotes" : enumerate(keyword.choices);
}

}  // namespace prophet
