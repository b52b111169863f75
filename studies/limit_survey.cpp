// Prints the limit of every row of the reference table beside the reference: symbol, nucleus, relative
// difference, estimated relative error, iterations and seconds. Arguments: [symbols ...] [density=..]
// [order=..] [refinement=..].
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "atoms/limit/limit.hpp"
#include "tests/atoms/limit/reference_row.hpp"

int main(int argc, char** argv) {
  prophet::LimitOptions options;
  std::set<std::string> symbols;
  std::string nucleus;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const size_t equals = word.find('=');
    const double value = equals == std::string::npos ? 0 : std::atof(word.c_str() + equals + 1);
    if (word.rfind("density=", 0) == 0)
      options.density = value;
    else if (word.rfind("order=", 0) == 0)
      options.splineOrder = static_cast<int>(value);
    else if (word.rfind("threads=", 0) == 0)
      options.threads = static_cast<int>(value);
    else if (word.rfind("refinement=", 0) == 0)
      options.refinement = value;
    else if (word.rfind("nucleus=", 0) == 0)
      nucleus = word.substr(8);
    else
      symbols.insert(word);
  }
  double worst = 0;
  for (const auto& row : prophet::test::readReferenceRows()) {
    if (!symbols.empty() && symbols.count(row.symbol) == 0) continue;
    if (!nucleus.empty() && nucleus != row.nucleusName) continue;
    options.speedOfLight = row.speedOfLight;
    const auto start = std::chrono::steady_clock::now();
    const auto result =
        prophet::numericalLimit(row.nucleus, prophet::parseConfiguration(row.configuration), options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double difference = (result.energy - row.energy) / std::abs(row.energy);
    worst = std::max(worst, std::abs(difference));
    std::printf("%-2s %-5s %20.10f  %9.1e  coarse %9.1e  est %8.1e  %s", row.symbol.c_str(),
                row.nucleusName.c_str(), result.energy, difference,
                (result.resolutions.front().energy - row.energy) / std::abs(row.energy),
                result.estimatedError / std::abs(row.energy), result.converged ? "" : "NOT CONVERGED");
    for (const auto& r : result.resolutions)
      std::printf(" %d/%d/%d it %.1e", r.cells, r.points, r.iterations, r.residual);
    std::printf(" rmax %.0f  virial %.1e %.2f s\n", result.resolutions.back().largestRadius,
                result.virialRatio - 1, seconds);
    std::fflush(stdout);
  }
  std::printf("worst relative difference %.2e\n", worst);
}
