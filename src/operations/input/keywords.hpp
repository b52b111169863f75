#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "operations/request/request_table.hpp"

namespace prophet {

/// What the program is asked to do; the names are in keyword_table.cpp (jobNames).
enum class JobType { Energy, BasisOptimisation, Chain, Limit, Levels, Slater, Lines, Correlation, MeanField };
/// Whether it is about the states of configurations, in the spinors of their average.
constexpr bool isOfStates(JobType type) {
  return type == JobType::Levels || type == JobType::Slater || type == JobType::Lines;
}

/// None: the job needs no basis set.
enum class BasisType { WellTempered, ReadIn, Library, File, None };

/// How a chain looks for the smallest set: a ladder of its own for each symmetry in a frozen field, or the
/// steps of Hennessey (2018), with groups that symmetries share.
enum class ChainMethod { Ladders, Thesis };

/// Most symmetries that a job may have (s+ to the upper one of l = 7).
inline constexpr int kMostJobSymmetries = 15;

/// What rnuc='experimental' is as a number: none that a user may write.
inline constexpr int kMeasuredRadius = 0;

constexpr JobSet jobBit(JobType type) { return 1u << static_cast<int>(type); }

/// One value of `jobtype`; a new job is a new row of this table (and of JobType).
struct JobName {
  std::string name;
  JobType type;
  std::string documentation;
};
const std::vector<JobName>& jobNames();
/// As `jobtype` has it: "energy".
std::string jobName(JobType type);
/// Names of the jobs of a set: "jobtype='bsopt'", or "'a' or 'b'" after jobtype=.
std::string describeJobs(JobSet jobs);

struct Job;
/// One keyword of a group: a setting of the jobs that use it. What depends on other keywords is read by the
/// rules of its section (sections.hpp).
using Keyword = RequestTable<Job>::Row;

struct KeywordGroup {
  std::string name;
  std::vector<std::string> aliases;
  std::string documentation;      ///< one line
  std::string dataDocumentation;  ///< what may follow $end; empty if nothing may
  JobSet jobs = kAllJobs;
};

/// The whole language, in the order in which it is explained.
const std::vector<KeywordGroup>& keywordGroups();
const std::deque<Keyword>& keywords();

/// By name or alias; nullptr if there is no such group. `name` in lower case, without $.
const KeywordGroup* findGroup(std::string_view name);
/// By name or alias; nullptr if the group has no such keyword. `name` in lower case.
const Keyword* findKeyword(std::string_view group, std::string_view name);

/// The text that stands for a keyword which is not given where that differs from job to job; else nullptr.
const std::string* jobDefault(const Keyword& keyword, JobType type);

/// "a whole number from 1 to 15", "'wtbs', 'rdin' or 'library'", ...: what a value of this keyword may be.
std::string expectedValue(const Keyword& keyword);

/// The text of `--explain GROUP`: the keywords of a group ("nuc" or "$nuc", upper or lower case), from the
/// table that the parser uses. Without a name: all groups. Throws Error, naming the nearest group, for an
/// unknown name. Ends with a newline.
std::string explainGroup(const std::string& group = "");

}  // namespace prophet
