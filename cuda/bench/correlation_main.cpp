// Measures second order on a GPU against the processor: prophet_correlation_bench [Z CONFIGURATION [LMAX
// [VALENCE]]]
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <thread>

#include "atoms/calculation/compute.hpp"
#include "atoms/correlation/self_energy.hpp"
#include "core/common/error.hpp"
#include "core/common/stopwatch.hpp"
#include "cuda/atoms/correlation/cuda_correlation_engine.hpp"

namespace {

using namespace prophet;

/// What an engine finds, and how long it takes.
template <class Compute>
double measured(const char* who, double operations, const Compute& compute) {
  const Stopwatch watch;
  const double found = compute();
  const double seconds = watch.seconds();
  std::printf("%-22s %9.3f s  %7.2f Tflop/s  %.12f\n", who, seconds, 1e-12 * operations / seconds, found);
  std::fflush(stdout);
  return found;
}

void measure(double z, const std::string& text, int largestL, const std::string& valence, int threads) {
  AtomProblem problem;
  problem.nucleus.charge = z;
  problem.configuration = parseConfiguration(text);
  LimitMethod method;
  method.residualThreshold = 1e-10;
  if (!valence.empty()) method.largestRadius = 75;
  ThreadPool pool(threads);
  Stopwatch watch;
  const Result field = compute({problem, method}, {threads, nullptr, {}});
  std::printf("%s, l to %d, %d threads: field %.2f s", text.c_str(), largestL, threads, watch.seconds());
  watch = Stopwatch();
  const OrbitalSpace space = OrbitalSpace::ofSplines(problem, field, largestL, 1000 * z * z, pool);
  std::printf(", spinors %.2f s, %d points\n", watch.seconds(), static_cast<int>(space.points()));
  CorrelationOptions host;
  host.pool = &pool;
  watch = Stopwatch();
  cuda::CudaCorrelationEngine engine({});
  std::printf("GPU %s opened in %.2f s\n", engine.name().c_str(), watch.seconds());
  CorrelationOptions device = host;
  device.engine = &engine;
  const std::vector<Shell> shells = parseShells(valence.empty() ? "1s" : valence);
  const double operations = valence.empty() ? secondOrderOperations(space, problem.configuration, host)
                                            : valenceOperations(space, problem.configuration, shells, host);
  std::printf("%.3g operations in products that make integrals\n", operations);
  const auto energy = [&](const CorrelationOptions& options) {
    return valence.empty() ? secondOrder(space, problem.configuration, options).energy
                           : valenceStates(space, problem.configuration, shells, options).front().brueckner;
  };
  double found = 0;
  for (const char* who : {"GPU, first", "GPU, again", "GPU, once more"})
    found = measured(who, operations, [&] { return energy(device); });
  const double expected = measured("processor", operations, [&] { return energy(host); });
  std::printf("difference %.2e hartree\n", found - expected);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int threads = static_cast<int>(std::thread::hardware_concurrency());
    measure(argc > 1 ? std::stod(argv[1]) : 86, argc > 2 ? argv[2] : "[Rn]",
            argc > 3 ? std::stoi(argv[3]) : 8, argc > 4 ? argv[4] : "", threads);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
