#include "app/bsopt_job.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/batch_service.hpp"
#include "app/exit_status.hpp"
#include "app/print.hpp"
#include "app/signals.hpp"
#include "common/version.hpp"
#include "common/write_file.hpp"
#include "optimise/bsopt_many.hpp"
#include "report/json_parts.hpp"
#include "report/json_report.hpp"
#include "report/report.hpp"

namespace prophet {
namespace {

BsoptTask taskOf(const ResolvedJob& c) { return {c.calculation.problem, c.job.wellTempered, c.job.scf, ""}; }

BsoptOptions optionsOf(const CommandLine& line, const ResolvedJob& c) {
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

/// iprint: 0 nothing, 1 improvements, 2 every evaluation, 3 every evaluation with its parameters. Of several
/// searches each line begins with the search's number.
BsoptManyObserver observerOf(int printLevel, bool many) {
  if (printLevel <= 0) return {};
  return [printLevel, many](std::size_t start, const BsoptStep& s) {
    if (printLevel == 1 && !s.improved) return;
    print((many ? fmt::format("  {:>5}", start) : "") + stepLine(s) +
          (printLevel >= 3 ? parameterLines(s) : ""));
  };
}

std::string jsonOf(const ResolvedJob& c, const BsoptManyResult& all) {
  const BsoptResult& r = all.starts[all.best].result;
  nlohmann::ordered_json j{{"program", "CUDAProphet"},
                           {"version", kVersion},
                           {"schema_version", kJsonSchema},
                           {"input", c.job.file}};
  j["start_energy"] = r.startEnergy;
  j["energy"] = r.energy;
  j["evaluations"] = r.evaluations;
  j["failures"] = r.failures;
  j["stopped"] = describe(r.reason);
  j["seconds"] = all.seconds;
  j["groups"] = groupsJson(r.spec.groups);
  if (all.starts.size() == 1) return j.dump(2) + "\n";
  j["best_start"] = all.best;
  for (const BsoptStartResult& s : all.starts) {
    if (s.failure.empty()) {
      j["starts"].push_back({{"start_energy", s.result.startEnergy},
                             {"energy", s.result.energy},
                             {"evaluations", s.result.evaluations},
                             {"groups", groupsJson(s.result.spec.groups)}});
    } else {
      j["starts"].push_back({{"failure", s.failure}});
    }
  }
  return j.dump(2) + "\n";
}

std::string startsTable(const BsoptManyResult& all) {
  std::string text = fmt::format("\n  {:>5} {:>22} {:>22} {:>6}\n", "start", "first energy / hartree",
                                 "best energy / hartree", "eval");
  for (std::size_t i = 0; i < all.starts.size(); ++i) {
    const BsoptStartResult& s = all.starts[i];
    text += s.failure.empty()
                ? fmt::format("  {:>5} {:>22.10f} {:>22.10f} {:>6}{}\n", i, s.result.startEnergy,
                              s.result.energy, s.result.evaluations, i == all.best ? " best" : "")
                : fmt::format("  {:>5} {}\n", i, s.failure);
  }
  return text;
}

std::string resultText(const BsoptManyResult& all, const std::string& bestFile) {
  const BsoptResult& r = all.starts[all.best].result;
  std::string text = all.starts.size() > 1 ? startsTable(all) : "";
  text += fmt::format(
      "\n  start   {:.10f} hartree\n  best    {:.10f} hartree\n  stopped {} after {} evaluations ({} failed, "
      "{} known from an earlier run)\n",
      r.startEnergy, r.energy, describe(r.reason), r.evaluations, r.failures, r.replayed);
  int iterations = 0;
  for (const BsoptStartResult& s : all.starts) iterations += s.result.scfIterations;
  if (all.evaluations > 0) {
    text += fmt::format("  {} energies in {:.2f} s, {:.0f} a second; {:.1f} SCF iterations for each\n",
                        all.evaluations, all.seconds, all.evaluations / all.seconds,
                        static_cast<double>(iterations) / all.evaluations);
  }
  return text + fmt::format("\nThe best set, also in {}:\n\n{}", bestFile, inputBlock(r.spec));
}

}  // namespace

int runBsoptJob(const CommandLine& line, const ResolvedJob& c) {
  const BsoptOptions options = optionsOf(line, c);
  const OptimiserOptions& input = c.job.optimiser;
  const bool many = input.starts > 1;
  const BatchService service = openSearchService(backendOf(line), input.starts, line.threads);
  if (!line.quiet) {
    print(reportHeader(kVersion, c) + reportJob(c) +
          reportBasis(c.calculation.inBasis().basis, line.verbose) +
          fmt::format(
              "\n--- Optimisation ({}{}) ---\n", nameOf(options.minimiser.method),
              many ? fmt::format(", {} starts on {}", input.starts, service.energies->description()) : ""));
    if (!service.choice.empty()) print("chosen for you: " + service.choice + "\n");
    if (input.printLevel > 0) {
      print(fmt::format("{}  {:>5} {:>22} {:>12}\n", many ? "  start" : "", "eval", "energy / hartree",
                        "step"));
    }
  }
  const BsoptTask task = taskOf(c);
  const BsoptManyObserver observer = line.quiet ? BsoptManyObserver() : observerOf(input.printLevel, many);
  const ResumeHint hint("the same command with --resume goes on; the best set so far is in " +
                        options.bestFile);
  BsoptManyResult all;
  if (many) {
    all = runBsoptMany(task, scatteredStarts(task.spec, input.starts, input.spread), options,
                       *service.energies, observer);
  } else {
    refuseOtherStarts(options.stateFile, 1);
    all.starts.emplace_back();
    BsoptResult& r = all.starts.front().result;
    r = runBsopt(task, options, *service.energies, [&](const BsoptStep& s) {
      if (observer) observer(0, s);
    });
    all.evaluations = r.evaluations - r.replayed;
    all.seconds = r.seconds;
  }
  print(line.quiet ? fmt::format("{:.10f}\n", all.starts[all.best].result.energy)
                   : resultText(all, options.bestFile));
  printNotes(*service.energies, line.quiet);
  if (!line.jsonFile.empty()) writeFileAtomically(line.jsonFile, jsonOf(c, all));
  return kSuccess;
}

}  // namespace prophet
