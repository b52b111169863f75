#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "atoms/calculation/compute.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "bases/optimise/bsopt.hpp"
#include "core/common/files.hpp"
#include "core/common/index.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/version.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/job_operation.hpp"
#include "operations/input/keywords.hpp"
#include "operations/record/json_report.hpp"
#include "operations/record/report.hpp"
#include "operations/sets/search.hpp"

namespace prophet {
namespace {

/// What stands beside the keywords of an optimisation.
struct BsoptRequest {
  std::string state;
  bool resume = false, verbose = false, check = false;
};

RequestTable<BsoptRequest> bsoptTable() {
  using R = BsoptRequest;
  RequestTable<R> t;
  t.add("state", &R::state,
        "beginning of the names of the output files: NAME.best, the best set, and NAME.bsopt, the state for "
        "resume")
      .called("NAME")
      .byDefault("the name of the input file; without one no files are written");
  t.add("resume", &R::resume, "continue an interrupted optimisation");
  t.add("verbose", &R::verbose, "print every exponent of the basis, and every evaluation").alias("v");
  t.add("check", &R::check, "only check the input; compute nothing").notWith({"resume"});
  return t;
}

/// A search: what is asked for, where it keeps its files, and what it says.
struct BasisSearch {
  const ResolvedJob& job;
  const BsoptRequest& request;
  const Execution& execution;
  const std::string files;  ///< what the names of its files begin with; empty: there are none
  ToldReport report{execution};

  const OptimiserOptions& input() const { return job.job.optimiser; }
  int printLevel() const { return request.verbose ? std::max(input().printLevel, 2) : input().printLevel; }
  std::string file(const char* ending) const { return files.empty() ? "" : files + ending; }
  void head(const std::string& how) {
    if (execution.brief) return;
    report(reportHeader(kVersion, job) + reportJob(job) +
           reportBasis(job.calculation.inBasis().basis, request.verbose) +
           fmt::format("\n--- Optimisation ({}) ---\n", how));
  }
  void say(const std::string& text) {
    if (!execution.brief) report(text);
  }
  /// The end of the report: the energy alone, or all of it with the set.
  void end(double energy, const std::string& text, const std::string& what, const std::string& block) {
    const std::string also = files.empty() ? "" : ", also in " + file(".best");
    report(execution.brief ? fmt::format("{:.10f}\n", energy)
                           : text + fmt::format("\n{}{}:\n\n{}", what, also, block));
  }
};

/// Says how far searches are: a line every few seconds where no line is printed for each evaluation.
class SearchProgress {
 public:
  SearchProgress(BasisSearch& search, std::size_t most) : search_(search), most_(most) {}
  void line(const std::string& text) {
    search_.say(text);
    sinceLine_ = Stopwatch();
  }
  bool isLong() const { return sinceLine_.seconds() > kSecondsBetweenLines; }
  void show(std::size_t evaluations, const std::string& note, const Evaluation& last) const {
    const std::size_t total = most_ == 0 ? 0 : std::max(most_, evaluations);
    search_.execution.show({.unit = "evaluations",
                            .done = evaluations,
                            .total = total,
                            .note = note,
                            .atMost = true,
                            .evaluation = last});
  }
  double seconds() const { return watch_.seconds(); }

 private:
  static constexpr double kSecondsBetweenLines = 5;
  BasisSearch& search_;
  const std::size_t most_;  ///< 0: nobody knows
  Stopwatch watch_, sinceLine_;
};

std::string stepLine(int evaluation, bool ok, double energy, double size, const std::string& remark) {
  return fmt::format("  {:>5} {:>22} {:>12.2e} {}\n", evaluation,
                     ok ? fmt::format("{:.10f}", energy) : "failed", size, remark);
}

/// The energy of a step, where it has one.
template <class Step>
std::optional<double> energyOf(const Step& s) {
  return s.ok ? std::optional(s.energy) : std::nullopt;
}

std::string parameterLines(const BsoptStep& s) {
  std::string text;
  for (const WellTemperedParameters& p : s.groups) {
    text += fmt::format("        alpha {:.10g} beta {:.10g} delta {:.10g} gamma {:.10g}\n", p.alpha, p.beta,
                        p.delta, p.gamma);
  }
  return text;
}

/// iprint: 0 a line every few seconds, 1 improvements, 2 (or verbose) every evaluation, 3 every evaluation
/// with its parameters. Of several searches each line begins with the search's number. Called by one thread
/// at a time.
class LadderDisplay {
 public:
  explicit LadderDisplay(BasisSearch& search)
      : level_(search.printLevel()),
        searches_(search.input().starts),
        progress_(search, usize(searches_) * usize(search.input().maxEvaluations)) {}

  void step(std::size_t start, const BsoptStep& s) {
    ++evaluations_;
    if (s.ok && (!best_ || s.energy < *best_)) best_ = s.energy;
    if (level_ >= 2 || (level_ == 1 && s.improved)) {
      progress_.line((searches_ > 1 ? fmt::format("  {:>5}", start) : "") +
                     stepLine(s.evaluation, s.ok, s.energy, s.distance,
                              s.ok ? (s.improved ? "best so far" : "") : s.reason) +
                     (level_ >= 3 ? parameterLines(s) : ""));
    }
    const std::string best = best_ ? fmt::format("best {:.10f}", *best_) : "";
    if (level_ <= 0 && progress_.isLong())
      progress_.line(fmt::format("  {} evaluations, {} hartree, {:.0f} a second\n", evaluations_, best,
                                 static_cast<double>(evaluations_) / progress_.seconds()));
    progress_.show(evaluations_, best, {start, s.evaluation, energyOf(s), s.improved});
  }

 private:
  const int level_, searches_;
  SearchProgress progress_;
  std::size_t evaluations_ = 0;
  std::optional<double> best_;
};

BsoptOptions bsoptOptions(const BasisSearch& s) {
  BsoptOptions options;
  options.minimiser = {minimiserOf(s.input().method), s.input().rhoBegin, s.input().rhoEnd,
                       s.input().maxEvaluations,      std::nullopt,       s.execution.checkpoint};
  options.stateFile = s.file(".bsopt");
  options.bestFile = s.file(".best");
  options.resume = s.request.resume;
  return options;
}

/// What the best set lacks of a complete basis; empty where that cannot be told.
std::optional<BasisError> lackOf(const BsoptTask& task, const WellTemperedSpec& best, const Execution& e) {
  Calculation calculation = calculationIn(makeWellTempered(best), task.problem, task.scf);
  calculation.inBasis().estimateError = true;
  return computeOrReason(calculation, {e.threadsOrAll(), nullptr, e.checkpoint}).basisError;
}

/// How far the best set is from the complete basis.
std::string lackLine(const std::optional<BasisError>& error, double energy) {
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

std::string resultText(const BsoptManyResult& all, const std::optional<BasisError>& error) {
  const BsoptResult& r = all.starts[all.best].result;
  std::string text = all.starts.size() > 1 ? startsTable(all) : "";
  text += fmt::format(
      "\n  start   {:.10f} hartree\n  best    {:.10f} hartree\n{}  stopped {} after {} evaluations ({} "
      "failed, {} known from an earlier run)\n",
      r.startEnergy, r.energy, lackLine(error, r.energy), describe(r.reason), r.evaluations, r.failures,
      r.replayed);
  int iterations = 0;
  for (const BsoptStartResult& s : all.starts) iterations += s.result.scfIterations;
  if (all.evaluations > 0) {
    text += fmt::format("  {} energies in {:.2f} s, {:.0f} a second; {:.1f} SCF iterations for each\n",
                        all.evaluations, all.seconds, all.evaluations / all.seconds,
                        static_cast<double>(iterations) / all.evaluations);
  }
  return text;
}

Json startsJson(const BsoptManyResult& all) {
  Json list = Json::array();
  for (const BsoptStartResult& s : all.starts) {
    list.push_back(s.failure.empty() ? Json{{"start_energy", s.result.startEnergy},
                                            {"energy", s.result.energy},
                                            {"evaluations", s.result.evaluations},
                                            {"groups", groupsJson(s.result.spec.groups)}}
                                     : Json{{"failure", s.failure}});
  }
  return list;
}

BsoptManyResult searched(BasisSearch& search, const BsoptTask& task, EnergyService& service) {
  const BsoptOptions options = bsoptOptions(search);
  LadderDisplay display(search);
  if (search.input().starts > 1)
    return runBsoptMany(task, scatteredStarts(task.spec, search.input().starts, search.input().spread),
                        options, service,
                        [&](std::size_t start, const BsoptStep& s) { display.step(start, s); });
  refuseOtherStarts(options.stateFile, 1);
  BsoptManyResult all;
  all.starts.push_back(
      {runBsopt(task, options, service, [&](const BsoptStep& s) { display.step(0, s); }), ""});
  const BsoptResult& r = all.starts.front().result;
  all.evaluations = r.evaluations - r.replayed;
  all.seconds = r.seconds;
  return all;
}

/// Ladders without derivatives.
void searchLadders(BasisSearch& search, Record& record) {
  const ResolvedJob& c = search.job;
  const Execution& e = search.execution;
  const BsoptTask task{c.calculation.problem, c.job.wellTempered, c.job.scf, ""};
  const int starts = search.input().starts;
  const Opened<EnergyService> service = openSearchService(e, starts);
  search.head(search.input().method +
              (starts > 1 ? fmt::format(", {} starts on {}", starts, service->description()) : ""));
  if (!service.note.empty()) search.say("chosen automatically: " + service.note + "\n");
  if (search.printLevel() > 0)
    search.say(fmt::format("{}  {:>5} {:>22} {:>12}\n", starts > 1 ? "  start" : "", "eval",
                           "energy / hartree", "step"));
  if (!search.files.empty()) e.canResume(search.file(".bsopt"));
  const BsoptManyResult all = searched(search, task, *service);
  const BsoptResult& r = all.starts[all.best].result;
  const std::optional<BasisError> error = e.brief && e.reportOnly ? std::nullopt : lackOf(task, r.spec, e);
  search.end(r.energy, resultText(all, error), "The best set and its nucleus",
             inputBlock(task.problem.nucleus) + inputBlock(r.spec));
  for (const std::string& note : service->notes()) search.say("note: " + note + "\n");
  keepSet(c, &r.spec, {}, record);
  record.device = service.device();
  record.seconds = all.seconds;
  const auto add = [&](const char* key, Json value) {
    record.quantities.push_back({key, "", std::move(value)});
  };
  add("start_energy", r.startEnergy);
  add("energy", r.energy);
  if (error) add("error_estimate", error->value);
  add("evaluations", r.evaluations);
  add("failures", r.failures);
  add("stopped", describe(r.reason));
  add("groups", groupsJson(r.spec.groups));
  if (all.starts.size() == 1) return;
  add("best_start", all.best);
  add("starts", startsJson(all));
}

std::string gradientText(const ExponentSearchResult& r, const ExponentSearchOptions& options) {
  std::string text =
      fmt::format("\n  start   {:.10f} hartree\n  best    {:.10f} hartree\n", r.startEnergy, r.energy);
  if (r.error) {
    text +=
        fmt::format("  error   {:.3e} hartree against the complete-basis reference, {:.1e} of the energy\n",
                    *r.error, std::abs(*r.error / r.energy));
    text += fmt::format("  prolapse {:.1e} hartree", *r.prolapse);
    if (options.prolapse) {
      text += fmt::format("; the bound of {:g} of the error {}", *options.prolapse,
                          *r.prolapse > *options.prolapse * *r.error ? "is NOT met"
                          : r.multiplier > 0.0                       ? "acts"
                                                                     : "is not active");
    }
    text += "\n";
  }
  return text + fmt::format(
                    "  stopped {}: largest derivative {:.1e} hartree, {} energies with gradient ({} failed)\n"
                    "  {:.2f} s, {:.1f} SCF iterations for each energy\n",
                    stoppedText(r, options), r.gradient, r.evaluations, r.failures, r.seconds,
                    static_cast<double>(r.scfIterations) / r.evaluations);
}

ExponentSearchResult searchedByGradients(BasisSearch& search, const SearchSpace& space,
                                         const ExponentSearchOptions& options) {
  const int level = search.request.verbose ? 2 : search.input().printLevel;
  SearchProgress progress(search, 0);
  double best = INFINITY;
  return searchExponents(
      search.job.calculation.problem, space.variables(), options, [&](const ExponentSearchStep& s) {
        const std::string energy = s.ok ? fmt::format("{:.10f}", s.energy) : "failed";
        if (level >= 2 || (level == 1 && !s.curvature)) {
          search.say(stepLine(s.evaluation, s.ok, s.energy, s.gradient,
                              s.ok ? (s.curvature ? "curvature" : "") : s.reason));
        } else if (progress.isLong()) {
          progress.line(fmt::format("  {} evaluations, {} hartree, largest derivative {:.1e}\n", s.evaluation,
                                    energy, s.gradient));
        }
        const bool improved = s.ok && s.energy < best;
        if (improved) best = s.energy;
        progress.show(usize(s.evaluation), energy, {0, s.evaluation, energyOf(s), improved});
      });
}

/// Ladders or every exponent, by gradients.
void searchByGradients(BasisSearch& search, Record& record) {
  if (search.request.resume)
    throw Error("resume: a search by gradients keeps no state from which it could continue; omit it");
  const ResolvedJob& c = search.job;
  const Nucleus& nucleus = c.calculation.problem.nucleus;
  const SearchSpace space = searchSpaceOf(c);
  ExponentSearchOptions options = searchOptionsOf(c);
  options.checkpoint = search.execution.checkpoint;
  search.head(fmt::format("{}, {}", search.input().method,
                          space.ladders ? "ladders" : "exponents, shared='" + search.input().shared + "'"));
  if ((search.request.verbose ? 2 : search.input().printLevel) > 0)
    search.say(fmt::format("  {:>5} {:>22} {:>12}\n", "eval", "energy / hartree", "derivative"));
  const ExponentSearchResult r = searchedByGradients(search, space, options);
  // Symmetries without electrons keep their functions.
  const std::optional<WellTemperedSpec> ladders =
      space.ladders ? std::optional(space.ladders->spec(r.variables)) : std::nullopt;
  const BasisSet basis = ladders ? BasisSet() : space.found(r, c.calculation.inBasis().basis);
  const std::string block = inputBlock(nucleus) + (ladders ? inputBlock(*ladders) : inputBlock(basis));
  keepSet(c, ladders ? &*ladders : nullptr, basis, record);
  if (!search.files.empty())
    writeFileAtomically(search.file(".best"), fmt::format("! energy {:.12f} hartree after {} evaluations\n{}",
                                                          r.energy, r.evaluations, block));
  search.end(r.energy, gradientText(r, options), "The set and its nucleus", block);
  record.outcome = r.converged ? Outcome::Done : Outcome::NotConverged;
  record.device = "CPU";
  record.seconds = r.seconds;
  const auto add = [&](const char* key, Json value) {
    record.quantities.push_back({key, "", std::move(value)});
  };
  add("start_energy", r.startEnergy);
  add("energy", r.energy);
  if (r.error) add("error_estimate", *r.error);
  if (r.prolapse) add("prolapse", *r.prolapse);
  add("gradient", r.gradient);
  add("converged", r.converged);
  add("evaluations", r.evaluations);
  add("failures", r.failures);
  add("stopped", stoppedText(r, options));
  if (ladders) return add("groups", groupsJson(ladders->groups));
  Json exponents;
  for (const SymmetryBasis& s : r.basis.symmetries) exponents[s.symmetry.label()] = s.exponents;
  add("exponents", std::move(exponents));
}

Record bsopt(const AtomRequest& request, const BsoptRequest& r, const Execution& e) {
  refuseInBrief(e, {{"verbose", r.verbose}});
  if (request.isInput && request.file.empty() && r.state.empty())
    throw SettingError("",
                       "jobtype='bsopt' writes its sets and its state beside the input file; give the input "
                       "as a file, or name a state");
  const ResolvedJob job = resolvedFor(request, e);
  BasisSearch search{job, r, e, r.state.empty() ? request.file : r.state};
  if (r.resume && search.files.empty()) throw SettingError("resume", "needs an input file, or a state");
  Record record;
  record.title = "Optimised basis set of " + atomName(job.calculation.problem);
  record.quantities = {{"input", "", job.job.file},
                       {"nucleus", "", nucleusJson(job.calculation.problem.nucleus)}};
  if (r.check) {
    search.report(job.job.file + ": no errors\n");
  } else {
    refuseForeignBest(search.file(".best"));
    usesGradient(minimiserOf(job.job.optimiser.method)) ? searchByGradients(search, record)
                                                        : searchLadders(search, record);
  }
  record.report = std::move(search.report.text);
  return record;
}

}  // namespace

Operation bsoptOperation() {
  Operation o;
  o.name = jobName(JobType::BasisOptimisation);
  o.summary = "optimised basis set of one atom";
  o.description =
      "Optimises the parameters of well-tempered ladders, or every exponent of a basis set (method lbfgs or "
      "slsqp), for the lowest energy of one atom." +
      std::string(kAtomAndKeywords);
  o.example = "bsopt ATOM";
  o.brief = "the lowest energy";
  o.onGpus = true;
  return jobOperation(JobType::BasisOptimisation, std::move(o), bsoptTable(), bsopt);
}

}  // namespace prophet
