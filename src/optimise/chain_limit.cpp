#include "optimise/chain_limit.hpp"

#include <fmt/format.h>

#include "common/error.hpp"
#include "common/number.hpp"
#include "limit/limit.hpp"

namespace prophet {

double chainLimit(const ChainTask& task, RecordLog& record) {
  if (task.limit) return *task.limit;
  for (const std::string& line : record.earlier()) {
    if (line.rfind("limit ", 0) != 0) continue;
    if (const std::optional<double> limit = parseDouble(line.substr(6))) return *limit;
    throw Error("damaged state file: '" + line + "'; remove it to begin anew");
  }
  LimitOptions options;
  options.speedOfLight = task.c;
  options.threads = task.threads;
  const LimitResult limit = numericalLimit(task.nucleus, task.configuration, options);
  if (!limit.converged) throw Error("the numerical limit did not converge; give the limit's energy instead");
  record.append(fmt::format("limit {}", limit.energy));
  return limit.energy;
}

std::string sizesText(const std::vector<int>& functions) {
  std::string text;
  for (std::size_t a = 0; a < functions.size(); ++a)
    text +=
        fmt::format("{}{}{}", a ? " " : "", functions[a], Symmetry::fromIndex(static_cast<int>(a)).label());
  return text;
}

}  // namespace prophet
