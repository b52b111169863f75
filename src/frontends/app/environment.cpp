#include "frontends/app/environment.hpp"

#include <cstdlib>

namespace prophet::environment {
namespace {

std::string valueOf(const char* variable) {
  const char* text = std::getenv(variable);
  return text ? text : "";
}

}  // namespace

std::filesystem::path basisSets() { return valueOf("CUDAPROPHET_BASIS_SETS"); }
std::filesystem::path cacheFolder() {
  if (const std::string chosen = valueOf("CUDAPROPHET_CACHE"); !chosen.empty()) return chosen;
  if (const std::string caches = valueOf("XDG_CACHE_HOME"); !caches.empty())
    return std::filesystem::path(caches) / "cudaprophet";
  const std::string home = valueOf("HOME");
  return home.empty() ? std::filesystem::path() : std::filesystem::path(home) / ".cache" / "cudaprophet";
}
std::string cudaLibrary() { return valueOf("CUDAPROPHET_CUDA_LIBRARY"); }
std::string mpiLibrary() { return valueOf("CUDAPROPHET_MPI_LIBRARY"); }
std::string pythonPath() { return valueOf("PYTHONPATH"); }

Launch launch() {
  // The step's own number of tasks: a batch script outside srun is one process, whatever its allocation.
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const int processes = std::atoi(valueOf(variable).c_str());
    if (processes > 0) return {processes, variable};
  }
  return {};
}

bool startedByMpirun() { return !valueOf("OMPI_COMM_WORLD_SIZE").empty() && valueOf("SLURM_JOB_ID").empty(); }

}  // namespace prophet::environment
