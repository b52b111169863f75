#include "operations/sets/chain_of_atom.hpp"

#include <fmt/format.h>

#include <numeric>

#include "atoms/atom/elements.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "bases/optimise/bsopt.hpp"
#include "core/common/files.hpp"
#include "core/common/version.hpp"
#include "operations/record/json_report.hpp"
#include "operations/record/report.hpp"
#include "operations/sets/collection_run.hpp"
#include "operations/sets/search.hpp"

namespace prophet {
namespace {

std::string resultText(const Nucleus& nucleus, const ChainResult& r, double threshold,
                       const std::string& bestFile) {
  const int functions = std::accumulate(r.spec.functions.begin(), r.spec.functions.end(), 0);
  return fmt::format(
      "\n  set     {}, {} functions\n  energy  {:.10f} hartree\n  limit   {:.10f} hartree\n"
      "  error   {:.2e}, threshold {:.2e}{}\n  {} optimisations, {} sets measured, {} SCFs, {:.1f} s\n\n"
      "The set and its nucleus{}:\n\n{}{}",
      sizesText(r.spec.functions), functions, r.energy, r.limit, r.error, threshold, r.met ? "" : ": NOT MET",
      r.fits, r.evaluations, r.scfRuns, r.seconds, bestFile.empty() ? "" : ", also in " + bestFile,
      inputBlock(nucleus), inputBlock(r.spec));
}

void addResult(const ResolvedJob& job, const ChainResult& r, Record& record) {
  const auto add = [&](const char* key, Json value) {
    record.quantities.push_back({key, "", std::move(value)});
  };
  add("met", r.met);
  add("threshold", job.job.chain.threshold);
  add("energy", r.energy);
  add("limit", r.limit);
  add("error", r.error);
  add("functions", r.spec.functions);
  add("start", r.spec.start);
  add("group", r.spec.group);
  add("groups", groupsJson(r.spec.groups));
  add("optimisations", r.fits);
  add("evaluations", r.evaluations);
  add("scf_runs", r.scfRuns);
  CollectionRow row;
  row.z = elementOfCharge(job.job.nucleus.charge).value_or(0);
  row.met = r.met;
  row.functions = std::accumulate(r.spec.functions.begin(), r.spec.functions.end(), 0);
  row.energy = r.energy;
  row.limit = r.limit;
  row.error = r.error;
  row.seconds = r.seconds;
  record.tables.push_back(collectionTable({row}));
  record.tables.front().layout = Table::Layout::Quantity;
  record.outcome = r.met ? Outcome::Done : Outcome::NotConverged;
}

/// Tells every step.
ChainResult searched(const ResolvedJob& job, const ChainRun& run, EnergyService& service,
                     const Execution& execution, ToldReport& report) {
  std::size_t steps = 0;
  const auto show = [&](const std::string& note, const std::string& line = "") {
    execution.show({.unit = "", .note = note, .line = line});
  };
  show(job.job.chain.limit ? "reference set" : "numerical limit and reference set");
  return searchChain(job, run, service, [&](const std::string& text) {
    if (!execution.brief) report("  " + text + "\n");
    ++steps;
    show(fmt::format("searching, {} step{}", steps, steps == 1 ? "" : "s"), text);
  });
}

}  // namespace

Record chainOfAtom(const AtomRequest& request, const std::string& state, bool resume, bool check,
                   const Execution& execution) {
  const std::string& name = state.empty() ? request.file : state;
  if (name.empty() && !request.resolved)
    throw SettingError("",
                       "jobtype='chain' writes its sets and its state beside the input file; give the input "
                       "as a file, or name a state");
  if (name.empty() && resume) throw SettingError("resume", "needs an input file, or a state");
  const ResolvedJob job = resolvedFor(request, execution);
  const Nucleus& nucleus = job.calculation.problem.nucleus;
  Record record;
  record.request = {{"input", job.job.text}};
  record.title = "Smallest basis set of " + atomName(job.calculation.problem);
  record.quantities = {{"input", "", job.job.file}, {"nucleus", "", nucleusJson(nucleus)}};
  if (check) {
    record.report = job.job.file + ": no errors\n";
    return record;
  }
  const std::string best = name.empty() ? "" : name + ".best", kept = name.empty() ? "" : name + ".chain";
  refuseForeignBest(best);
  // The thesis's method optimises `probes` sets side by side; the frozen field of the ladders needs few SCFs.
  const int searches = job.job.chain.method == ChainMethod::Thesis ? job.job.chain.probes : 1;
  const Opened<EnergyService> service = openSearchService(execution, searches);
  ToldReport report{execution};
  if (!execution.brief) {
    report(reportChainJob(kVersion, job) + "\n");
    if (!service.note.empty()) report("chosen automatically: " + service.note + "\n\n");
  }
  if (!kept.empty()) execution.canResume(kept);
  const ChainRun run{execution.threadsOrAll(), kept, best, resume, execution.checkpoint};
  const ChainResult r = searched(job, run, *service, execution, report);
  if (!best.empty())
    writeFileAtomically(
        best, fmt::format("! energy {:.12f} hartree, error {:.2e} of the limit {:.12f}\n{}{}", r.energy,
                          r.error, r.limit, inputBlock(nucleus), inputBlock(r.spec)));
  report(execution.brief ? fmt::format("{:.10f}\n", r.energy)
                         : resultText(nucleus, r, job.job.chain.threshold, best));
  if (!execution.brief)
    for (const std::string& note : service->notes()) report("note: " + note + "\n");
  addResult(job, r, record);
  keepSet(job, &r.spec, {}, record);
  record.device = service.device();
  record.seconds = r.seconds;
  record.report = std::move(report.text);
  return record;
}

}  // namespace prophet
