#pragma once
#include <filesystem>
#include <string>

#include "core/ranks/ranks.hpp"

namespace prophet {

/// What the program takes from its environment. Nothing below src/frontends/app reads it: these values are
/// passed down.
namespace environment {

/// $CUDAPROPHET_BASIS_SETS: the folder with the basis sets. Empty: where the program is installed.
std::filesystem::path basisSets();
/// $CUDAPROPHET_CACHE, else cudaprophet in $XDG_CACHE_HOME or $HOME/.cache: the folder for what would be
/// computed anew else. Empty where none of them is set.
std::filesystem::path cacheFolder();
/// $CUDAPROPHET_CUDA_LIBRARY, $CUDAPROPHET_MPI_LIBRARY: the file to open. Empty: where the program is
/// installed.
std::string cudaLibrary();
std::string mpiLibrary();
/// $PYTHONPATH: where Python looks for packages first.
std::string pythonPath();
/// What the launchers of Open MPI (mpirun), MPICH and Intel MPI (PMI) and Slurm (srun) set.
Launch launch();
/// Whether Open MPI's mpirun started this process, outside of Slurm.
bool startedByMpirun();

}  // namespace environment
}  // namespace prophet
