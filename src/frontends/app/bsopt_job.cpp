#include "frontends/app/bsopt_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "atoms/calculation/compute.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "bases/hennessey/bsopt_many.hpp"
#include "core/common/json_text.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/version.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/gradient_job.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"
#include "frontends/app/signals.hpp"
#include "operations/report/json_parts.hpp"
#include "operations/report/json_report.hpp"
#include "operations/report/report.hpp"

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

/// Says how far the searches are. iprint: 0 a line every few seconds, 1 improvements, 2 (or --verbose) every
/// evaluation, 3 every evaluation with its parameters. Of several searches each line begins with the search's
/// number. Called by one thread at a time.
class SearchDisplay {
 public:
  SearchDisplay(int printLevel, std::size_t searches, int maxEvaluations, bool quiet)
      : printLevel_(printLevel),
        searches_(searches),
        most_(searches * static_cast<std::size_t>(maxEvaluations)),
        quiet_(quiet),
        progress_("evaluations", !quiet) {}

  void step(std::size_t start, const BsoptStep& s) {
    ++evaluations_;
    if (s.ok && (!best_ || s.energy < *best_)) best_ = s.energy;
    if (quiet_) return;
    if (printLevel_ >= 2 || (printLevel_ == 1 && s.improved)) {
      progress_.print((searches_ > 1 ? fmt::format("  {:>5}", start) : "") + stepLine(s) +
                      (printLevel_ >= 3 ? parameterLines(s) : ""));
    }
    const std::string best = best_ ? fmt::format("best {:.10f}", *best_) : "";
    if (printLevel_ <= 0 && sinceLine_.seconds() > kSecondsBetweenLines) {
      sinceLine_ = Stopwatch();
      progress_.print(fmt::format("  {} evaluations, {} hartree, {:.0f} a second\n", evaluations_, best,
                                  static_cast<double>(evaluations_) / watch_.seconds()));
    }
    progress_.show(evaluations_, std::max(most_, evaluations_), best, true);
  }

 private:
  static constexpr double kSecondsBetweenLines = 5;
  const int printLevel_;
  const std::size_t searches_, most_;
  const bool quiet_;
  ProgressLine progress_;
  Stopwatch watch_, sinceLine_;
  std::size_t evaluations_ = 0;
  std::optional<double> best_;
};

/// What the best set lacks of a complete basis; empty where that cannot be told.
std::optional<BasisError> errorOf(const BsoptTask& task, const WellTemperedSpec& best, int threads) {
  Calculation calculation = calculationIn(makeWellTempered(best), task.problem, task.scf);
  calculation.inBasis().estimateError = true;
  return computeOrReason(calculation, {threads, nullptr}).basisError;
}

std::string jsonOf(const ResolvedJob& c, const BsoptManyResult& all, const std::optional<BasisError>& error) {
  const BsoptResult& r = all.starts[all.best].result;
  Json j = jobEnvelope(c.job);
  j["input"] = c.job.file;
  j["start_energy"] = r.startEnergy;
  j["energy"] = r.energy;
  if (error) j["error_estimate"] = error->value;
  j["evaluations"] = r.evaluations;
  j["failures"] = r.failures;
  j["stopped"] = describe(r.reason);
  j["seconds"] = all.seconds;
  j["nucleus"] = nucleusJson(c.calculation.problem.nucleus);
  j["groups"] = groupsJson(r.spec.groups);
  if (all.starts.size() == 1) return jsonText(j, 2) + "\n";
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
  return jsonText(j, 2) + "\n";
}

/// How far the best set is from the complete basis.
std::string errorLine(const std::optional<BasisError>& error, double energy) {
  if (!error) return "";
  std::string text = fmt::format(
      "  error   {:.1e} hartree {} the complete-basis limit, {:.1e} of the energy (estimated)\n",
      std::abs(error->value), error->value < 0 ? "below" : "above", std::abs(error->value / energy));
  if (error->prolapse > 0)
    text += fmt::format("          (prolapse, which lowers it, is {:.1e} hartree)\n", error->prolapse);
  return text;
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

std::string resultText(const BsoptTask& task, const BsoptManyResult& all,
                       const std::optional<BasisError>& error, const std::string& bestFile) {
  const BsoptResult& r = all.starts[all.best].result;
  std::string text = all.starts.size() > 1 ? startsTable(all) : "";
  text += fmt::format(
      "\n  start   {:.10f} hartree\n  best    {:.10f} hartree\n{}  stopped {} after {} evaluations ({} "
      "failed, {} known from an earlier run)\n",
      r.startEnergy, r.energy, errorLine(error, r.energy), describe(r.reason), r.evaluations, r.failures,
      r.replayed);
  int iterations = 0;
  for (const BsoptStartResult& s : all.starts) iterations += s.result.scfIterations;
  if (all.evaluations > 0) {
    text += fmt::format("  {} energies in {:.2f} s, {:.0f} a second; {:.1f} SCF iterations for each\n",
                        all.evaluations, all.seconds, all.evaluations / all.seconds,
                        static_cast<double>(iterations) / all.evaluations);
  }
  return text + fmt::format("\nThe best set and its nucleus, also in {}:\n\n{}{}", bestFile,
                            inputBlock(task.problem.nucleus), inputBlock(r.spec));
}

BsoptManyResult searched(const CommandLine& line, const ResolvedJob& c, const BsoptTask& task,
                         const BsoptOptions& options, int printLevel, EnergyService& service) {
  const OptimiserOptions& input = c.job.optimiser;
  const auto searches = static_cast<std::size_t>(input.starts);
  SearchDisplay display(printLevel, searches, input.maxEvaluations, line.quiet);
  if (searches > 1) {
    return runBsoptMany(task, scatteredStarts(task.spec, input.starts, input.spread), options, service,
                        [&](std::size_t start, const BsoptStep& s) { display.step(start, s); });
  }
  refuseOtherStarts(options.stateFile, 1);
  BsoptManyResult all;
  all.starts.emplace_back();
  BsoptResult& r = all.starts.front().result;
  r = runBsopt(task, options, service, [&](const BsoptStep& s) { display.step(0, s); });
  all.evaluations = r.evaluations - r.replayed;
  all.seconds = r.seconds;
  return all;
}

}  // namespace

int runBsoptJob(const CommandLine& line, const ResolvedJob& c) {
  if (usesGradient(minimiserOf(c.job.optimiser.method))) return runGradientJob(line, c);
  const BsoptOptions options = optionsOf(line, c);
  const OptimiserOptions& input = c.job.optimiser;
  const bool many = input.starts > 1;
  const int printLevel = line.verbose ? std::max(input.printLevel, 2) : input.printLevel;
  const Opened<EnergyService> service =
      openSearchService(executionOf(backendOf(line), line.threads), input.starts);
  if (!line.quiet) {
    print(reportHeader(kVersion, c) + reportJob(c) +
          reportBasis(c.calculation.inBasis().basis, line.verbose) +
          fmt::format("\n--- Optimisation ({}{}) ---\n", nameOf(options.minimiser.method),
                      many ? fmt::format(", {} starts on {}", input.starts, service->description()) : ""));
    if (!service.note.empty()) print("chosen for you: " + service.note + "\n");
    if (printLevel > 0) {
      print(fmt::format("{}  {:>5} {:>22} {:>12}\n", many ? "  start" : "", "eval", "energy / hartree",
                        "step"));
    }
  }
  const BsoptTask task = taskOf(c);
  const ResumeHint hint("the same command with --resume goes on; the best set so far is in " +
                        options.bestFile);
  const BsoptManyResult all = searched(line, c, task, options, printLevel, *service);
  const std::optional<BasisError> error = line.quiet && line.jsonFile.empty()
                                              ? std::nullopt
                                              : errorOf(task, all.starts[all.best].result.spec, line.threads);
  print(line.quiet ? fmt::format("{:.10f}\n", all.starts[all.best].result.energy)
                   : resultText(task, all, error, options.bestFile));
  printNotes(*service, line.quiet);
  if (!line.jsonFile.empty()) line.files.write(line.jsonFile, jsonOf(c, all, error));
  return kSuccess;
}

}  // namespace prophet
