#include "operations/catalogue/restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "operations/record/report.hpp"
#include "operations/request/setting.hpp"
#include "operations/result_file/result_file.hpp"

namespace prophet {
namespace {

bool sameSpinors(const Configuration& a, const Configuration& b) {
  const std::size_t count = std::max(a.symmetries.size(), b.symmetries.size());
  for (std::size_t s = 0; s < count; ++s) {
    const auto &one = a.occupationOf(static_cast<int>(s)).spinors,
               &other = b.occupationOf(static_cast<int>(s)).spinors;
    if (!std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const auto& x, const auto& y) { return x.number == y.number; }))
      return false;
  }
  return true;
}

}  // namespace

std::pair<std::string, std::string> resultFileAndId(const std::string& name) {
  std::error_code failed;
  if (std::filesystem::exists(name, failed)) return {name, ""};
  for (std::size_t colon = name.find(':'); colon != std::string::npos; colon = name.find(':', colon + 1)) {
    if (std::filesystem::is_regular_file(name.substr(0, colon), failed))
      return {name.substr(0, colon), name.substr(colon + 1)};
  }
  return {name, ""};
}

Restart restartFrom(const std::string& name, const ResolvedJob& job) {
  const auto [file, id] = resultFileAndId(name);
  const ResultRecord record = readRecord(file, id);
  const auto refuse = [&](const std::string& why) { throw SettingError("restart", name + ": " + why); };
  if (record.calculation.isLimit())
    refuse("it contains a numerical limit; a restart begins with the result of a job in a basis");
  if (!record.result.coefficients)
    refuse(fmt::format("it has no spinors, because the result is '{}'", nameOf(record.result.status)));
  const AtomProblem &its = record.calculation.problem, &ours = job.calculation.problem;
  if (!sameSpinors(its.configuration, ours.configuration)) {
    refuse(fmt::format("it has the spinors of {}, and this job, {}, occupies others; begin without it",
                       its.configuration.description, ours.configuration.description));
  }
  return {record.result.coefficients,
          fmt::format("spinors of {} ({}) in {}", atomName(its), its.configuration.description, name)};
}

}  // namespace prophet
