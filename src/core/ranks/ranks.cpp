#include "core/ranks/ranks.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <thread>

#include "core/common/error.hpp"
#include "core/common/failure.hpp"
#include "core/common/plugin_library.hpp"

namespace prophet {
namespace {

std::string textOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "unknown error";
  }
}

}  // namespace

void Ranks::abort(int status) {
  endAll(status);
  std::_Exit(status);
}

void agree(Ranks& ranks, const std::exception_ptr& mine) {
  if (ranks.size() == 1) {
    if (mine) std::rethrow_exception(mine);
    return;
  }
  // "status text", or nothing.
  const auto all = ranks.allGather(mine ? std::to_string(exitStatusOf(mine)) + " " + textOf(mine) : "");
  bool everywhere = true;
  for (const std::string& one : all) everywhere = everywhere && one == all.front();
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].empty()) continue;
    const std::size_t blank = all[rank].find(' ');
    const std::string text = all[rank].substr(blank + 1);
    throw SharedError(rank == 0 || everywhere ? text : "rank " + std::to_string(rank) + ": " + text,
                      std::stoi(all[rank].substr(0, blank)));
  }
}

void together(Ranks& ranks, const std::function<void()>& step) {
  std::exception_ptr error;
  try {
    step();
  } catch (...) {
    error = std::current_exception();
  }
  agree(ranks, error);
}

std::string fromFirst(Ranks& ranks, const std::string& text) {
  return ranks.allGather(ranks.rank() == 0 ? text : "").front();
}

std::vector<std::string> gatherAtFirst(Ranks& ranks, const std::string& text) {
  if (ranks.rank() > 0) {
    ranks.send(0, text);
    return {};
  }
  std::vector<std::string> texts(static_cast<std::size_t>(ranks.size()));
  texts[0] = text;
  for (int missing = ranks.size() - 1; missing > 0;) {
    if (auto message = ranks.receive()) {
      texts[message->from] = std::move(message->text);
      --missing;
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }
  return texts;
}

std::string describeRanks(const std::vector<std::string>& names, int machines) {
  if (names.size() == 1) return names.front();
  std::string text = fmt::format("{} ranks", names.size());
  if (machines > 1) text += fmt::format(" on {} machines", machines);
  std::map<std::string, int> counts;
  for (const std::string& one : names) ++counts[one];
  for (const auto& [one, count] : counts) text += fmt::format(", {} x {}", count, one);
  return text;
}

namespace {

/// The library's entry: this process's rank, or nullptr and the reason.
using Entry = Ranks* (*)(std::string* reason);

std::string remedy(const Launch& launch) {
  if (launch.variable.empty()) return "";
  return fmt::format(
      " ({} says that {} processes were started together; with --mpi off each of them is an independent run "
      "with its own list and output)",
      launch.variable, launch.processes);
}

}  // namespace

std::unique_ptr<Ranks> joinRanks(JoinMode mode, const Launch& launch, const std::string& library) {
  if (mode == JoinMode::Off || (mode == JoinMode::Automatic && launch.processes == 1))
    return std::make_unique<SingleRank>();
  // Global: the modules of Open MPI expect its symbols there.
  const PluginEntry plugin =
      openPlugin({"libcudaprophet_mpi.so", library, "mpi", "cudaprophetJoinRanks", true});
  if (!plugin.found)
    throw FailureError(
        "this program was built or installed without its MPI library; build it where MPI is installed "
        "(Debian: libopenmpi-dev)" +
        remedy(launch));
  if (!plugin.function) throw FailureError("the MPI library " + plugin.problem + remedy(launch));
  // dlsym returns functions as void*; POSIX guarantees this conversion.
  const auto entry = reinterpret_cast<Entry>(plugin.function);
  std::string reason;
  std::unique_ptr<Ranks> ranks(entry(&reason));
  if (!ranks) throw FailureError(reason + remedy(launch));
  if (ranks->size() == 1 && launch.processes > 1)
    throw FailureError(
        "MPI sees one process only: start the program with the mpirun of the MPI that it was built "
        "with, or with srun --mpi=pmix or pmi2" +
        remedy(launch));
  return ranks;
}

}  // namespace prophet
