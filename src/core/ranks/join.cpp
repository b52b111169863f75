#include "core/ranks/join.hpp"

#include <fmt/format.h>

#include "core/common/error.hpp"
#include "core/common/plugin_library.hpp"

namespace prophet {
namespace {

/// The library's entry: this process's rank, or nullptr and the reason.
using Entry = Ranks* (*)(std::string* reason);

std::string remedy(const Launch& launch) {
  if (launch.variable.empty()) return "";
  return fmt::format(
      " ({} says that {} processes were started together; with --mpi off each of them is a run by itself, "
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
    throw Error(
        "this program was built or installed without its MPI library; build it where MPI is installed "
        "(Debian: libopenmpi-dev)" +
        remedy(launch));
  if (!plugin.function) throw Error("the MPI library " + plugin.problem + remedy(launch));
  // dlsym returns functions as void*; POSIX guarantees this conversion.
  const auto entry = reinterpret_cast<Entry>(plugin.function);
  std::string reason;
  std::unique_ptr<Ranks> ranks(entry(&reason));
  if (!ranks) throw Error(reason + remedy(launch));
  if (ranks->size() == 1 && launch.processes > 1)
    throw Error(
        "MPI sees one process only: start the program with the mpirun of the MPI that it was built "
        "with, or with srun --mpi=pmix or pmi2" +
        remedy(launch));
  return ranks;
}

}  // namespace prophet
