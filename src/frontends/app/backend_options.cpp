#include "frontends/app/backend_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "core/common/threads.hpp"
#include "frontends/app/environment.hpp"
#include "frontends/app/usage_error.hpp"

namespace prophet {
namespace {

namespace po = boost::program_options;

BackendRequest readBackend(const std::string& name) {
  // In lower case only, as ever.
  if (const auto known = valueNamed<BackendRequest>(name); known && nameOf(*known) == name) return *known;
  throw UsageError("--backend takes auto, cpu or cuda, not '" + name + "'");
}

int readDevice(const std::string& text, const std::string& all) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) {
    throw UsageError("--device takes the numbers of GPUs, counted from 0, not '" + all + "'");
  }
  return number;
}

std::vector<int> readDevices(const std::string& text) {
  std::vector<int> devices;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    const int device = readDevice(text.substr(start, comma - start), text);
    if (std::count(devices.begin(), devices.end(), device) > 0) {
      throw UsageError("--device names GPU " + std::to_string(device) + " twice");
    }
    devices.push_back(device);
    start = comma + 1;
  }
  return devices;
}

}  // namespace

void addBackendOptions(po::options_description& options) {
  // clang-format off
  options.add_options()
      ("backend", po::value<std::string>()->value_name("NAME"), "auto, cpu or cuda: where to compute (default: auto, a GPU if it is faster)")
      ("device", po::value<std::string>()->value_name("N"), "number of the GPU, counted from 0; several, as in 0,1, for a batch or for pairs of atoms")
      ("threads,j", po::value<int>()->value_name("N"), "threads to use (default: all processors)");
  // clang-format on
}

BackendOptions readBackendOptions(const po::variables_map& values) {
  BackendOptions options;
  if (values.count("backend")) options.backend = readBackend(values["backend"].as<std::string>());
  if (values.count("device")) options.devices = readDevices(values["device"].as<std::string>());
  if (!options.devices.empty() && options.backend == BackendRequest::Cpu) {
    throw UsageError("--device names a GPU, but --backend cpu uses none; omit one of them");
  }
  return options;
}

Execution executionOf(const BackendOptions& options, int threads) {
  Execution execution;
  execution.backend = options.backend;
  execution.devices = options.devices;
  execution.threads = threads;
  execution.basisSets = environment::basisSets();
  execution.cache = environment::cacheFolder();
  execution.cudaLibrary = environment::cudaLibrary();
  execution.byMpirun = environment::startedByMpirun();
  return execution;
}

int readThreads(const po::variables_map& values) {
  const int threads = values.count("threads") ? values["threads"].as<int>() : availableThreads();
  if (threads < 1 || threads > 4096) {
    throw UsageError("--threads takes a number from 1 to 4096, not " + std::to_string(threads));
  }
  return threads;
}

}  // namespace prophet
