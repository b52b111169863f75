#include "frontends/app/chain_job.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bases/optimise/bsopt.hpp"
#include "core/common/files.hpp"
#include "core/common/json_text.hpp"
#include "core/common/version.hpp"
#include "frontends/app/backend_options.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/print.hpp"
#include "frontends/app/progress_line.hpp"
#include "frontends/app/signals.hpp"
#include "operations/jobs/chain_search.hpp"
#include "operations/report/json_report.hpp"
#include "operations/report/report.hpp"

namespace prophet {
namespace {

/// method='thesis' optimises `probes` sets side by side; the frozen field of the ladders needs few SCFs.
Opened<EnergyService> serviceFor(const CommandLine& line, const ChainRequest& chain) {
  const int searches = chain.method == ChainMethod::Thesis ? chain.probes : 1;
  return openSearchService(executionOf(line.backend, line.threads), searches);
}

std::string jsonOf(const ResolvedJob& c, const ChainResult& r) {
  Json j = jobEnvelope(c.job);
  j["input"] = c.job.file;
  j["met"] = r.met;
  j["threshold"] = c.job.chain.threshold;
  j["energy"] = r.energy;
  j["limit"] = r.limit;
  j["error"] = r.error;
  j["nucleus"] = nucleusJson(c.calculation.problem.nucleus);
  j["functions"] = r.spec.functions;
  j["start"] = r.spec.start;
  j["group"] = r.spec.group;
  j["groups"] = groupsJson(r.spec.groups);
  j["optimisations"] = r.fits;
  j["evaluations"] = r.evaluations;
  j["scf_runs"] = r.scfRuns;
  j["seconds"] = r.seconds;
  return jsonText(j, 2) + "\n";
}

std::string resultText(const Nucleus& nucleus, const ChainResult& r, double threshold,
                       const std::string& bestFile) {
  int functions = 0;
  for (const int n : r.spec.functions) functions += n;
  return fmt::format(
      "\n  set     {}, {} functions\n  energy  {:.10f} hartree\n  limit   {:.10f} hartree\n"
      "  error   {:.2e}, threshold {:.2e}{}\n  {} optimisations, {} sets measured, {} SCFs, {:.1f} s\n\n"
      "The set and its nucleus, also in {}:\n\n{}{}",
      sizesText(r.spec.functions), functions, r.energy, r.limit, r.error, threshold, r.met ? "" : ": NOT MET",
      r.fits, r.evaluations, r.scfRuns, r.seconds, bestFile, inputBlock(nucleus), inputBlock(r.spec));
}

/// Prints what happens, with a line on a terminal that moves in between.
ChainResult searched(const CommandLine& line, const ResolvedJob& c, EnergyService& service) {
  ProgressLine progress("", !line.quiet);
  std::size_t steps = 0;
  const std::string begun = c.job.chain.limit ? "reference set" : "numerical limit and reference set";
  progress.show(0, 0, begun);
  const ChainLog log = [&](const std::string& text) {
    if (line.quiet) return;
    progress.print("  " + text + "\n");
    ++steps;
    progress.show(0, 0, fmt::format("searching, {} step{}", steps, steps == 1 ? "" : "s"));
  };
  return searchChain(c, {line.threads, line.file + ".chain", line.file + ".best", line.resume, {}}, service,
                     log);
}

}  // namespace

int runChainJob(const CommandLine& line, const ResolvedJob& c) {
  const Opened<EnergyService> service = serviceFor(line, c.job.chain);
  if (!line.quiet) {
    print(reportChainJob(kVersion, c) + "\n");
    if (!service.note.empty()) print("chosen automatically: " + service.note + "\n\n");
  }
  const ResumeHint hint("the same command with --resume continues");
  const ChainResult r = searched(line, c, *service);
  const Nucleus& nucleus = c.calculation.problem.nucleus;
  const std::string bestFile = line.file + ".best";
  writeFileAtomically(
      bestFile, fmt::format("! energy {:.12f} hartree, error {:.2e} of the limit {:.12f}\n{}{}", r.energy,
                            r.error, r.limit, inputBlock(nucleus), inputBlock(r.spec)));
  print(line.quiet ? fmt::format("{:.10f}\n", r.energy)
                   : resultText(nucleus, r, c.job.chain.threshold, bestFile));
  printNotes(*service, line.quiet);
  if (!line.jsonFile.empty()) line.files.write(line.jsonFile, jsonOf(c, r));
  return r.met ? kSuccess : kNotConverged;
}

}  // namespace prophet
