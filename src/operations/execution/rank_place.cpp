#include "operations/execution/rank_place.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "core/common/thread_pool.hpp"

namespace prophet {
namespace {

std::vector<int> allowedProcessors() {
  std::vector<int> list;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) {
    for (int i = 0; i < availableThreads(); ++i) list.push_back(i);
    return list;
  }
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &set)) list.push_back(i);
  }
  return list;
}

/// mpirun binds few ranks to one core each, which a program with threads hardly wants.
std::string bindingHint(const std::vector<std::vector<int>>& processors) {
  std::set<int> used;
  for (const auto& one : processors) used.insert(one.begin(), one.end());
  const long online = ::sysconf(_SC_NPROCESSORS_ONLN);
  if (static_cast<long>(used.size()) >= online) return "";
  return fmt::format(
      "the ranks of a machine are bound to {} of its {} processors; mpirun --bind-to none frees them",
      used.size(), online);
}

}  // namespace

RankPlace placeOf(Ranks& ranks, bool byMpirun) {
  std::string mine = std::to_string(ranks.machine());
  for (const int processor : allowedProcessors()) mine += " " + std::to_string(processor);
  std::map<int, std::vector<std::vector<int>>> machines;
  RankPlace place;
  const auto all = ranks.allGather(mine);
  for (int rank = 0; rank < ranks.size(); ++rank) {
    std::istringstream in(all[static_cast<std::size_t>(rank)]);
    int machine = 0;
    in >> machine;
    if (rank == ranks.rank()) place.local = static_cast<int>(machines[machine].size());
    std::vector<int>& processors = machines[machine].emplace_back();
    for (int processor; in >> processor;) processors.push_back(processor);
  }
  const auto& neighbours = machines[ranks.machine()];
  place.locals = static_cast<int>(neighbours.size());
  place.threads = shareOfProcessors(neighbours, static_cast<std::size_t>(place.local));
  place.machines = static_cast<int>(machines.size());
  if (ranks.size() > 1 && byMpirun) place.hint = bindingHint(neighbours);
  return place;
}

int shareOfProcessors(const std::vector<std::vector<int>>& processors, std::size_t mine) {
  double sum = 0;
  for (const int processor : processors[mine]) {
    sum +=
        1.0 / static_cast<double>(std::count_if(processors.begin(), processors.end(), [&](const auto& one) {
          return std::find(one.begin(), one.end(), processor) != one.end();
        }));
  }
  return std::max(1, static_cast<int>(std::floor(sum + 1e-9)));
}

std::vector<int> shareOfDevices(const std::vector<int>& devices, const RankPlace& place) {
  const int count = static_cast<int>(devices.size());
  if (count == 0) return {};
  if (count <= place.locals) return {devices[static_cast<std::size_t>(place.local % count)]};
  std::vector<int> mine;
  for (int i = place.local; i < count; i += place.locals)
    mine.push_back(devices[static_cast<std::size_t>(i)]);
  return mine;
}

}  // namespace prophet
