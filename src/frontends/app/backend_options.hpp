#pragma once
#include <boost/program_options.hpp>
#include <cstdio>
#include <vector>

#include "operations/execution/execution.hpp"
#include "operations/jobs/resolve.hpp"

namespace prophet {

/// The values of --backend and --device.
struct BackendOptions {
  BackendRequest backend = BackendRequest::Automatic;
  std::vector<int> devices;  ///< empty: the first GPU, or all of them for a batch
};

/// Adds --backend and --device to a command's options.
void addBackendOptions(boost::program_options::options_description& options);

/// Reads them. Throws UsageError for an unknown name or impossible number, and if GPUs are named for a
/// run on the CPU.
BackendOptions readBackendOptions(const boost::program_options::variables_map& values);

/// Where they say that the work runs, with what the environment says.
Execution executionOf(const BackendOptions& options, int threads);

/// --threads, or all processors. Throws UsageError outside 1 to 4096.
int readThreads(const boost::program_options::variables_map& values);

}  // namespace prophet
