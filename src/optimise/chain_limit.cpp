#include "optimise/chain_limit.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "common/error.hpp"
#include "limit/limit.hpp"

namespace prophet {

double chainLimit(const ChainTask& task, RecordLog& record) {
  if (task.limit) return *task.limit;
  for (const std::string& line : record.earlier()) {
    if (line.rfind("limit ", 0) == 0) return std::strtod(line.c_str() + 6, nullptr);
  }
  LimitOptions options;
  options.speedOfLight = task.problem.hamiltonian.speedOfLight;
  options.threads = task.threads;
  const LimitResult limit = numericalLimit(task.problem.nucleus, task.problem.configuration, options);
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
