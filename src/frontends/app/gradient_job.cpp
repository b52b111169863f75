#include "frontends/app/gradient_job.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "atoms/calculation/problem_json.hpp"
#include "bases/optimise/bsopt.hpp"
#include "core/common/error.hpp"
#include "core/common/json_text.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/version.hpp"
#include "core/common/write_file.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"
#include "operations/jobs/gradient_search.hpp"
#include "operations/report/json_parts.hpp"
#include "operations/report/json_report.hpp"
#include "operations/report/report.hpp"

namespace prophet {
namespace {

/// The nucleus and the set as input blocks; symmetries without electrons keep their functions.
std::string blockOf(const Nucleus& nucleus, const SearchSpace& space, const ExponentSearchResult& result,
                    const BasisSet& given) {
  return inputBlock(nucleus) + (space.ladders ? inputBlock(space.ladders->spec(result.variables))
                                              : inputBlock(space.found(result, given)));
}

class Display {
 public:
  Display(int printLevel, bool quiet)
      : printLevel_(printLevel), quiet_(quiet), progress_("evaluations", !quiet) {}
  void step(const ExponentSearchStep& s) {
    if (quiet_) return;
    const std::string energy = s.ok ? fmt::format("{:.10f}", s.energy) : "failed";
    if (printLevel_ >= 2 || (printLevel_ == 1 && !s.curvature)) {
      progress_.print(fmt::format("  {:>5} {:>22} {:>12.2e} {}\n", s.evaluation, energy, s.gradient,
                                  s.ok ? (s.curvature ? "curvature" : "") : s.reason));
    } else if (sinceLine_.seconds() > kSecondsBetweenLines) {
      sinceLine_ = Stopwatch();
      progress_.print(fmt::format("  {} evaluations, {} hartree, largest derivative {:.1e}\n", s.evaluation,
                                  energy, s.gradient));
    }
    progress_.show(static_cast<std::size_t>(s.evaluation), 0, energy);
  }

 private:
  static constexpr double kSecondsBetweenLines = 5;
  const int printLevel_;
  const bool quiet_;
  ProgressLine progress_;
  Stopwatch sinceLine_;
};

std::string jsonOf(const ResolvedJob& c, const SearchSpace& space, const ExponentSearchResult& r,
                   const ExponentSearchOptions& options) {
  Json j = jobEnvelope(c.job);
  j["input"] = c.job.file;
  j["start_energy"] = r.startEnergy;
  j["energy"] = r.energy;
  if (r.error) j["error_estimate"] = *r.error;
  if (r.prolapse) j["prolapse"] = *r.prolapse;
  j["gradient"] = r.gradient;
  j["converged"] = r.converged;
  j["evaluations"] = r.evaluations;
  j["failures"] = r.failures;
  j["stopped"] = stoppedText(r, options);
  j["seconds"] = r.seconds;
  j["nucleus"] = nucleusJson(c.calculation.problem.nucleus);
  if (space.ladders) {
    j["groups"] = groupsJson(space.ladders->spec(r.variables).groups);
    return jsonText(j, 2) + "\n";
  }
  for (const SymmetryBasis& s : r.basis.symmetries) j["exponents"][s.symmetry.label()] = s.exponents;
  return jsonText(j, 2) + "\n";
}

std::string resultText(const ExponentSearchResult& r, const ExponentSearchOptions& options) {
  std::string text =
      fmt::format("\n  start   {:.10f} hartree\n  best    {:.10f} hartree\n", r.startEnergy, r.energy);
  if (r.error) {
    text += fmt::format("  error   {:.3e} hartree against the reference, {:.1e} of the energy\n", *r.error,
                        std::abs(*r.error / r.energy));
    text += fmt::format("  prolapse {:.1e} hartree", *r.prolapse);
    if (options.prolapse) {
      text += fmt::format("; the bound of {:g} of the error {}", *options.prolapse,
                          *r.prolapse > *options.prolapse * *r.error ? "is NOT kept"
                          : r.multiplier > 0.0                       ? "acts"
                                                                     : "does not act");
    }
    text += "\n";
  }
  return text + fmt::format(
                    "  stopped {}: largest derivative {:.1e} hartree, {} energies with gradient ({} failed)\n"
                    "  {:.2f} s, {:.1f} SCF iterations for each energy\n",
                    stoppedText(r, options), r.gradient, r.evaluations, r.failures, r.seconds,
                    static_cast<double>(r.scfIterations) / r.evaluations);
}

}  // namespace

int runGradientJob(const CommandLine& line, const ResolvedJob& c) {
  if (line.resume)
    throw Error("--resume: a search by gradients keeps no state to go on from; leave the option out");
  const OptimiserOptions& input = c.job.optimiser;
  const BasisSet& given = c.calculation.inBasis().basis;
  const SearchSpace space = searchSpaceOf(c);
  const ExponentSearchOptions options = searchOptionsOf(c);
  const int printLevel = line.verbose ? 2 : input.printLevel;
  if (!line.quiet) {
    print(reportHeader(kVersion, c) + reportJob(c) + reportBasis(given, line.verbose) +
          fmt::format("\n--- Optimisation ({}, {}) ---\n", input.method,
                      space.ladders ? "ladders" : "exponents, shared='" + input.shared + "'"));
    if (printLevel > 0)
      print(fmt::format("  {:>5} {:>22} {:>12}\n", "eval", "energy / hartree", "derivative"));
  }
  ExponentSearchResult r;
  {
    Display display(printLevel, line.quiet);
    r = searchExponents(c.calculation.problem, space.variables(), options,
                        [&](const ExponentSearchStep& s) { display.step(s); });
  }
  const std::string block = blockOf(c.calculation.problem.nucleus, space, r, given),
                    bestFile = line.file + ".best";
  writeFileAtomically(bestFile, fmt::format("! energy {:.12f} hartree after {} evaluations\n{}", r.energy,
                                            r.evaluations, block));
  print(line.quiet ? fmt::format("{:.10f}\n", r.energy)
                   : resultText(r, options) +
                         fmt::format("\nThe set and its nucleus, also in {}:\n\n{}", bestFile, block));
  if (!line.jsonFile.empty()) line.files.write(line.jsonFile, jsonOf(c, space, r, options));
  return r.converged ? kSuccess : kNotConverged;
}

}  // namespace prophet
