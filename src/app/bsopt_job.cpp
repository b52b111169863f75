#include "app/bsopt_job.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/exit_status.hpp"
#include "app/print.hpp"
#include "app/version.hpp"
#include "common/write_file.hpp"
#include "optimise/bsopt.hpp"
#include "report/report.hpp"
#include "service/host_service.hpp"

namespace prophet {
namespace {

BsoptTask taskOf(const Calculation& c) {
  BsoptTask task;
  task.nucleus = c.nucleus;
  task.configuration = c.configuration;
  task.c = c.job.speedOfLight;
  task.spec = c.job.wellTempered;
  task.scf = c.job.scf;
  return task;
}

BsoptOptions optionsOf(const CommandLine& line, const Calculation& c) {
  BsoptOptions options;
  options.minimiser.method = minimiserOf(c.job.optimiser.method);
  options.minimiser.rhoBegin = c.job.optimiser.rhoBegin;
  options.minimiser.rhoEnd = c.job.optimiser.rhoEnd;
  options.minimiser.maxEvaluations = c.job.optimiser.maxEvaluations;
  options.stateFile = line.file + ".bsopt";
  options.bestFile = line.file + ".best";
  options.resume = line.resume;
  return options;
}

std::string stepLine(const BsoptStep& s) {
  return fmt::format("  {:>5} {:>22} {:>12.2e} {}\n", s.evaluation,
                     s.ok ? fmt::format("{:.10f}", s.energy) : "failed", s.distance,
                     s.ok ? (s.improved ? "best so far" : "") : s.reason);
}

std::string parameterLines(const BsoptStep& s) {
  std::string text;
  for (const WellTemperedParameters& p : s.groups) {
    text += fmt::format("        alpha {:.10g} beta {:.10g} delta {:.10g} gamma {:.10g}\n", p.alpha, p.beta,
                        p.delta, p.gamma);
  }
  return text;
}

/// iprint: 0 nothing, 1 improvements, 2 every evaluation, 3 every evaluation with its parameters.
BsoptObserver observerOf(int printLevel) {
  if (printLevel <= 0) return {};
  return [printLevel](const BsoptStep& s) {
    if (printLevel == 1 && !s.improved) return;
    print(stepLine(s) + (printLevel >= 3 ? parameterLines(s) : ""));
  };
}

std::string jsonOf(const Calculation& c, const BsoptResult& r) {
  nlohmann::ordered_json j{{"program", "CUDAProphet"}, {"version", kVersion}, {"input", c.job.file}};
  j["start_energy"] = r.startEnergy;
  j["energy"] = r.energy;
  j["evaluations"] = r.evaluations;
  j["failures"] = r.failures;
  j["stopped"] = describe(r.reason);
  j["seconds"] = r.seconds;
  for (const WellTemperedParameters& p : r.spec.groups) {
    j["groups"].push_back({{"alpha", p.alpha}, {"beta", p.beta}, {"delta", p.delta}, {"gamma", p.gamma}});
  }
  return j.dump(2) + "\n";
}

}  // namespace

int runBsoptJob(const CommandLine& line, const Calculation& c) {
  const BsoptOptions options = optionsOf(line, c);
  if (!line.quiet) {
    print(reportHeader(kVersion, c) + reportJob(c) + reportBasis(c, line.verbose) +
          fmt::format("\n--- Optimisation ({}) ---\n  {:>5} {:>22} {:>12}\n",
                      nameOf(options.minimiser.method), "eval", "energy / hartree", "step"));
  }
  HostEnergyService service(line.threads);
  const BsoptResult r = runBsopt(taskOf(c), options, service,
                                 line.quiet ? BsoptObserver() : observerOf(c.job.optimiser.printLevel));
  if (!line.jsonFile.empty()) writeFileAtomically(line.jsonFile, jsonOf(c, r));
  if (line.quiet) {
    print(fmt::format("{:.10f}\n", r.energy));
    return kSuccess;
  }
  print(fmt::format(
      "\n  start   {:.10f} hartree\n  best    {:.10f} hartree\n  stopped {} after {} evaluations ({} failed, "
      "{} known from an earlier run), {:.2f} s\n\nThe best set, also in {}:\n\n{}",
      r.startEnergy, r.energy, describe(r.reason), r.evaluations, r.failures, r.replayed, r.seconds,
      options.bestFile, inputBlock(r.spec)));
  return kSuccess;
}

}  // namespace prophet
