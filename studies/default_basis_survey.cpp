// The error of default bases against the numerical limit, case by case, as lines of a CSV file. Goes on where
// an earlier run stopped: cases that the file has are skipped. Limits are kept in a file of their own.
//   default_basis_survey OUT.csv [limits=FILE] [z=1-118] [classes=neutral,anion,...] [nuclei=point,...]
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "atoms/atom/elements.hpp"
#include "atoms/default_basis/basis_error.hpp"
#include "atoms/default_basis/default_basis.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/limit/limit.hpp"
#include "core/common/error.hpp"
#include "tests/atoms/default_basis/survey_cases.hpp"

namespace {

using namespace prophet;

const std::map<std::string, NuclearModel> kModels = {{"point", NuclearModel::Point},
                                                     {"sphere", NuclearModel::Sphere},
                                                     {"gaussian", NuclearModel::Gaussian},
                                                     {"fermi", NuclearModel::Fermi}};
constexpr double kC = constants::kSpeedOfLight;

/// Processor time of this process, seconds: the machine may be busy otherwise.
double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct Limits {
  explicit Limits(const std::string& file) : path(file) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      const auto comma = line.rfind(',');
      if (comma != std::string::npos) known[line.substr(0, comma)] = std::atof(line.c_str() + comma + 1);
    }
  }
  double of(const std::string& key, const Nucleus& nucleus, const Configuration& configuration) {
    if (const auto found = known.find(key); found != known.end()) return found->second;
    LimitOptions options;
    options.threads = 1;
    double energy = NAN;
    try {
      const LimitResult result = numericalLimit(nucleus, configuration, options);
      if (result.converged) energy = result.energy;
    } catch (const Error& error) {
      std::fprintf(stderr, "%s: %s\n", key.c_str(), error.what());
    }
    known[key] = energy;
    std::ofstream(path, std::ios::app) << fmt::format("{},{:.12f}\n", key, energy);
    return energy;
  }
  std::string path;
  std::map<std::string, double> known;
};

std::string row(const std::string& key, const Nucleus& nucleus, const std::string& text, Limits& limits) {
  const Configuration configuration = parseConfiguration(text);
  const double start = now();
  const DefaultBasis choice = chooseBasis({nucleus, configuration, {}});
  const double chosen = now();
  ThreadPool alone(1);
  GridFockBuilder builder(choice.basis, fockGrid(choice.basis), alone);
  const ScfResult scf =
      runScf({choice.basis, nucleus, configuration, kC, {}, choice.start ? &*choice.start : nullptr}, builder,
             {}, alone);
  const double done = now();
  BasisErrorEstimate estimate;
  if (scf.converged) estimate = estimateBasisError(choice.basis, {nucleus, configuration, {}}, scf, alone);
  const double estimated = now();
  double highest = -INFINITY;
  for (const auto& s : scf.symmetries) {
    if (s.energies.size() > 0) highest = std::max(highest, s.energies.maxCoeff());
  }
  const double limit = choice.knownLimit ? *choice.knownLimit : limits.of(key, nucleus, configuration);
  const double error = scf.energy.total - limit;
  return fmt::format(
      "{},{},{},{},{:.10f},{:.10f},{:.3e},{:.3e},{:.3e},{:.3e},{:.3f},{:.3e},{},{},{:.4f},{:.1f},{:.1f},{:."
      "1f}",
      key, text, choice.library.empty() ? "made" : choice.library, choice.basis.functions(), limit,
      scf.energy.total, error, error / std::abs(limit),
      std::abs(error) / std::max(5e-9 * std::abs(limit), 1e-6), estimate.total(), estimate.total() / error,
      estimate.prolapse, scf.iterations.size(), scf.converged ? 1 : 0, highest, 1e3 * (chosen - start),
      1e3 * (done - chosen), 1e3 * (estimated - done));
}

constexpr const char* kHeader =
    "z,symbol,class,nucleus,configuration,set,functions,limit,energy,error,relative_error,of_tolerance,"
    "estimate,"
    "estimate_over_error,prolapse,iterations,converged,highest_orbital,ms_choice,ms_scf,ms_estimate";

std::set<std::string> words(const std::string& list) {
  std::set<std::string> result;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) result.insert(word);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2)
    return std::fprintf(stderr, "usage: default_basis_survey OUT.csv [limits=] [z=] [classes=] [nuclei=]\n"),
           2;
  const std::string out = argv[1];
  std::string limitsFile = out + ".limits";
  std::set<std::string> classes(test::surveyClasses().begin(), test::surveyClasses().end()), nuclei, elements;
  for (const auto& [name, model] : kModels) nuclei.insert(name);
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i], value = word.substr(word.find('=') + 1);
    if (word.rfind("limits=", 0) == 0) limitsFile = value;
    if (word.rfind("classes=", 0) == 0) classes = words(value);
    if (word.rfind("nuclei=", 0) == 0) nuclei = words(value);
    if (word.rfind("z=", 0) == 0) elements = words(value);
  }
  Limits limits(limitsFile);
  std::set<std::string> done;
  {
    std::ifstream in(out);
    for (std::string line; std::getline(in, line);) {
      std::size_t end = 0;
      for (int commas = 0; commas < 4 && end != std::string::npos; ++commas) end = line.find(',', end + 1);
      done.insert(line.substr(0, end));
    }
  }
  std::ofstream csv(out, std::ios::app);
  if (done.empty()) csv << kHeader << std::endl;
  for (int z = 1; z <= kLastElement; ++z) {
    if (!elements.empty() && elements.count(std::to_string(z)) == 0) continue;
    for (const std::string& ionClass : test::surveyClasses()) {
      if (classes.count(ionClass) == 0) continue;
      const auto text = test::surveyConfiguration(z, ionClass);
      if (!text) continue;
      for (const auto& [name, model] : kModels) {
        if (nuclei.count(name) == 0) continue;
        const std::string key = fmt::format("{},{},{},{}", z, symbolOf(z), ionClass, name);
        if (done.count(key) > 0) continue;
        try {
          NucleusRequest request;
          request.model = model;
          request.charge = z;
          csv << row(key, makeNucleus(request), *text, limits) << std::endl;
        } catch (const Error& error) {
          std::fprintf(stderr, "%s: %s\n", key.c_str(), error.what());
        }
      }
    }
  }
}
