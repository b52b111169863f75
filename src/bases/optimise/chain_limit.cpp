#include "bases/optimise/chain_limit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "atoms/calculation/compute.hpp"
#include "bases/optimise/state_lines.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

/// A limit that is further from the energy of a basis than this (relative) is another atom's, or no limit.
constexpr double kLargestMiss = 0.05;

}  // namespace

double chainLimit(const ChainTask& task, RecordLog& record) {
  if (task.limit) return *task.limit;
  for (std::size_t i = 0; i < record.earlier().size(); ++i) {
    const std::string& line = record.earlier()[i];
    if (kindOfLine(line) != "limit") continue;
    try {
      return limitOf(line);
    } catch (const Error& error) {
      record.refuse(i, error.what());
    }
  }
  const Result limit = compute({task.problem, LimitMethod{}}, {task.threads, nullptr, task.checkpoint});
  if (limit.status == Status::NotConverged)
    throw Error("the numerical limit did not converge; give the limit's energy instead");
  record.append(limitLine(limit.energy.total));
  return limit.energy.total;
}

void requireSensibleLimit(double limit, double energy) {
  if (std::abs(limit - energy) <= kLargestMiss * std::abs(energy)) return;
  throw Error(
      fmt::format("the limit {} hartree cannot be this atom's: a large basis gives {:.6f} hartree; correct "
                  "it, or leave it out and it is computed",
                  limit, energy));
}

std::string sizesText(const std::vector<int>& functions) {
  std::string text;
  for (std::size_t a = 0; a < functions.size(); ++a)
    text +=
        fmt::format("{}{}{}", a ? " " : "", functions[a], Symmetry::fromIndex(static_cast<int>(a)).label());
  return text;
}

}  // namespace prophet
