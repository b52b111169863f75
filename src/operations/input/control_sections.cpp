#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "atoms/scf/settled_spinors.hpp"
#include "core/common/text.hpp"
#include "operations/input/sections.hpp"

namespace prophet {

Position JobReading::place(const std::string& group, const std::string& keyword) const {
  if (const GivenKeyword* setting = keyword.empty() ? nullptr : settings.find(group, keyword))
    return setting->at;
  const NamelistGroup* found = settings.group(group);
  return found != nullptr ? found->at : file.end;
}

void JobReading::fail(const std::string& group, const std::string& keyword, const std::string& message) {
  diagnostics.add(place(group, keyword), message);
}

bool JobReading::require(const std::string& group, const std::string& keyword) {
  if (settings.has(group, keyword)) return true;
  if (const NamelistGroup* found = settings.group(group); found != nullptr && !found->damaged)
    diagnostics.add(found->at, fmt::format("'{}' is missing in ${}; expected {}", keyword, group,
                                           expectedValue(*findKeyword(group, keyword))));
  return false;
}

void JobReading::reject(const std::string& group, const std::string& keyword, const std::string& reason) {
  if (settings.has(group, keyword)) fail(group, keyword, fmt::format("'{}' is not used {}", keyword, reason));
}

void refuseData(const NamelistGroup& group, std::size_t used, const std::string& expected,
                Diagnostics& diagnostics) {
  if (group.data.size() <= used) return;
  const NamelistDataLine& line = group.data[used];
  const std::string found = line.values.empty() ? "" : line.values.front().written;
  if (!line.values.empty() && line.values.front().damaged) return;
  const char* hint = !found.empty() && found.front() == '#' ? "; comments begin with !" : "";
  diagnostics.add(line.at,
                  fmt::format("found '{}'; expected {}{}", found.empty() ? "," : found, expected, hint));
}

OptimiserOptions chainOptimiser() {
  OptimiserOptions o;
  o.rhoEnd = 1e-3;
  o.maxEvaluations = 150;
  return o;
}

void applyLevels(JobReading& reading) {
  // Sets without functions for correlation would mislead: it needs one that is named.
  const Settings& s = reading.settings;
  if (!s.text("levels", "spinors"))
    reading.job.limitSpinors =
        (reading.job.type == JobType::Correlation || reading.job.coreValence.coreValence) &&
        s.group("bas") == nullptr && s.group("wtbs") == nullptr;
}

namespace {

/// Levels and second order need spinors that are settled to these thresholds; larger ones would not be used.
void refuseLooseThresholds(JobReading& reading) {
  constexpr JobSet kOfSettledSpinors = jobBit(JobType::Levels) | jobBit(JobType::Lines) |
                                       jobBit(JobType::Slater) | jobBit(JobType::Correlation);
  if (reading.job.limitSpinors || (jobBit(reading.job.type) & kOfSettledSpinors) == 0) return;
  const ScfOptions& given = reading.job.scf;
  ScfOptions settled;
  settleSpinors(settled);
  for (const auto& [keyword, own, most] : {std::tuple("thdll", given.thresholdLL, settled.thresholdLL),
                                           std::tuple("thdsl", given.thresholdSL, settled.thresholdSL),
                                           std::tuple("thdss", given.thresholdSS, settled.thresholdSS)})
    if (own > most && reading.settings.has("scf", keyword) && !reading.settings.damaged("scf", keyword))
      reading.fail("scf", keyword,
                   fmt::format("found {}={:g}; {} needs spinors that are settled to {:g}, its default: give "
                               "less, or omit it",
                               keyword, own, describeJobs(jobBit(reading.job.type)), most));
}

}  // namespace

void applyScf(JobReading& reading) {
  const Settings& s = reading.settings;
  ScfOptions& scf = reading.job.scf;
  // As Hennessey (2018) has it: damping is the default there, and 'dfctr' needs no 'ixtrp'.
  reading.job.dampingGiven = s.has("scf", "dfctr") && !s.has("scf", "ixtrp") && !s.damaged("scf", "ixtrp");
  if (reading.job.dampingGiven) scf.extrapolation = Extrapolation::None;
  if (!reading.job.isLimit() && scf.extrapolation == Extrapolation::Diis && !s.damaged("scf", "ixtrp"))
    reading.reject("scf", "dfctr", "by ixtrp=2 (DIIS); it belongs to ixtrp=0 and 1");
  if (reading.job.limitSpinors)
    for (const char* keyword : {"ixtrp", "dfctr", "thdll", "thdsl", "thdss"})
      reading.reject("scf", keyword, "by spinors='limit', which has iterations of its own");
  refuseLooseThresholds(reading);
  if (s.damaged("scf", "fock") || reading.job.type != JobType::Energy) return;
  const std::string belongs = "; it belongs to fock='stored', 'stse' and 'mtse'";
  if (reading.job.fock == FockKind::Grid) reading.reject("scf", "mapping", "by fock='grid'" + belongs);
  if (reading.job.fock == FockKind::Automatic) reading.reject("scf", "mapping", "without fock" + belongs);
}

namespace {

/// Energies with gradient by default: most of them measure second derivatives.
constexpr int kMostGradients = 5000;

bool byGradient(const std::string& method) { return method == "lbfgs" || method == "slsqp"; }

/// What belongs to searches by gradients, and to those over every exponent. Basis sets that are no ladders
/// have only exponents to optimise.
void applyFreeExponents(JobReading& reading) {
  const Settings& s = reading.settings;
  OptimiserOptions& o = reading.job.optimiser;
  const bool ladders = reading.job.basisType == BasisType::WellTempered;
  if (!s.has("newuoa", "free")) o.freeExponents = !ladders;
  if (!reading.basisTypeKnown || s.damaged("newuoa", "method") || s.damaged("newuoa", "free")) return;
  const bool gradients = byGradient(o.method);
  if (gradients && !reading.job.hamiltonian.isFourComponent())
    reading.fail("newuoa", "method",
                 fmt::format("method='{}' has gradients of hamiltonian='dirac' only; found '{}'", o.method,
                             nameOf(reading.job.hamiltonian.oneElectron)));
  if (gradients && !s.has("newuoa", "maxfun")) o.maxEvaluations = kMostGradients;
  const std::string method =
      fmt::format("by method='{}'{}", o.method, s.has("newuoa", "method") ? "" : ", the default");
  if (!ladders && !o.freeExponents) {
    reading.fail("newuoa", "free", "free='ladders' needs bastype='wtbs' in $bas; expected free='exponents'");
  } else if (!ladders && !gradients) {
    reading.fail(
        "contrl", "jobtype",
        "jobtype='bsopt' needs bastype='wtbs' in $bas, or method='lbfgs' or 'slsqp' in $newuoa, which "
        "optimise every exponent of any basis set");
  } else if (o.freeExponents && !gradients) {
    reading.fail(
        "newuoa", "free",
        fmt::format("free='exponents' is not used {}; it belongs to method='lbfgs' and 'slsqp'", method));
  }
  if (!gradients) {
    for (const char* keyword : {"gradient", "prolapse"})
      reading.reject("newuoa", keyword, method + "; it belongs to method='lbfgs' and 'slsqp'");
  } else {
    for (const char* keyword : {"rhobeg", "rhoend", "starts", "spread"})
      reading.reject("newuoa", keyword, method + "; it belongs to the methods without derivatives");
  }
  if (!o.freeExponents) {
    for (const char* keyword : {"shared", "minratio", "maxratio"})
      reading.reject("newuoa", keyword, "by free='ladders'; it belongs to free='exponents'");
  } else if (o.leastRatio >= o.mostRatio && !s.damaged("newuoa", "minratio") &&
             !s.damaged("newuoa", "maxratio")) {
    reading.fail("newuoa", s.has("newuoa", "minratio") ? "minratio" : "maxratio",
                 fmt::format("found minratio={:g} and maxratio={:g}; expected minratio to be the smaller one",
                             o.leastRatio, o.mostRatio));
  }
}

}  // namespace

void applyOptimiser(JobReading& reading) {
  const Settings& s = reading.settings;
  OptimiserOptions& o = reading.job.optimiser;
  const JobType job = reading.job.type;
  if (!reading.jobTypeKnown || (job != JobType::BasisOptimisation && job != JobType::Chain)) return;
  if (job == JobType::BasisOptimisation && s.group("newuoa") == nullptr)
    reading.fail("contrl", "jobtype", "jobtype='bsopt' needs the group $newuoa");
  const BasisType basis = reading.job.basisType;
  const bool without = job == JobType::Chain && basis == BasisType::None;
  if (job == JobType::BasisOptimisation) {
    applyFreeExponents(reading);
  } else if (reading.basisTypeKnown && basis != BasisType::WellTempered && !without) {
    reading.fail("contrl", "jobtype", "jobtype='chain' needs bastype='wtbs' in $bas, or no $bas");
  }
  if (job == JobType::Chain && byGradient(o.method))
    reading.reject("newuoa", "method", "by jobtype='chain' with this value; it belongs to jobtype='bsopt'");
  if (o.starts == 1 && !byGradient(o.method) && !s.damaged("newuoa", "starts")) {
    reading.reject("newuoa", "spread",
                   fmt::format("by starts=1{}; it belongs to several starts",
                               s.has("newuoa", "starts") ? "" : ", the default"));
  }
  const bool sound = !s.damaged("newuoa", "rhobeg") && !s.damaged("newuoa", "rhoend");
  if (sound && o.rhoEnd > o.rhoBegin) {
    reading.fail("newuoa", s.has("newuoa", "rhoend") ? "rhoend" : "rhobeg",
                 fmt::format("found rhoend={:g} and rhobeg={:g}; expected rhoend to be the smaller one",
                             o.rhoEnd, o.rhoBegin));
  }
}

void applyChain(JobReading& reading) {
  const Settings& s = reading.settings;
  if (!reading.jobTypeKnown || reading.job.type != JobType::Chain) return;
  if (reading.job.chain.method == ChainMethod::Thesis || s.damaged("chain", "method")) return;
  const std::string by =
      s.has("chain", "method") ? "by method='ladders'" : "by method='ladders', the default";
  if (!kindOf(reading.job.hamiltonian.oneElectron).relativistic)
    reading.fail(
        "contrl", "hamiltonian",
        fmt::format("hamiltonian='nonrel' is not used {}, whose frozen fields are those of the Dirac "
                    "Hamiltonian; expected method='thesis' in $chain",
                    by));
  reading.reject("chain", "probes", by + "; it belongs to method='thesis'");
  for (const char* group : {"bas", "wtbs", "newuoa"}) {
    if (s.group(group) != nullptr)
      reading.fail(group, "",
                   fmt::format("${} is not used {}; it belongs to method='thesis' in $chain", group, by));
  }
}

namespace {

/// Whether the keywords that it needs beside it are there, and none that exclude it.
void checkCompany(JobReading& reading, const Setting& keyword) {
  const auto isSet = [&](const std::string& name) {
    const Json* value = reading.settings.single(keyword.group, name);
    return reading.settings.has(keyword.group, name) && (!value || *value != Json(false));
  };
  if (!keyword.needs.empty() && std::ranges::none_of(keyword.needs, isSet))
    reading.reject(keyword.group, keyword.name, "without " + enumerate(keyword.needs));
  for (const std::string& other : keyword.excludes)
    if (isSet(other)) reading.reject(keyword.group, keyword.name, "with '" + other + "'");
}

}  // namespace

void checkUse(JobReading& reading) {
  if (!reading.jobTypeKnown) return;
  const JobSet job = jobBit(reading.job.type);
  for (const KeywordGroup& group : keywordGroups()) {
    const NamelistGroup* given = reading.settings.group(group.name);
    if (given == nullptr) continue;
    if ((group.jobs & job) == 0) {
      reading.diagnostics.add(given->at, fmt::format("${} is not used by {}; it belongs to {}", group.name,
                                                     describeJobs(job), describeJobs(group.jobs)));
      continue;
    }
    for (const GivenKeyword* setting : reading.settings.ofGroup(group.name)) {
      const Setting& keyword = *setting->keyword;
      if ((keyword.jobs & job) == 0)
        reading.reject(group.name, keyword.name,
                       fmt::format("by {}; it belongs to {}", describeJobs(job), describeJobs(keyword.jobs)));
      checkCompany(reading, keyword);
    }
  }
  if (reading.job.limitSpinors)
    for (const char* group : {"bas", "wtbs"})
      if (reading.settings.group(group) != nullptr)
        reading.fail(group, "", fmt::format("${} is not used by spinors='limit'", group));
  for (const KeywordGroup& group : keywordGroups()) {
    const NamelistGroup* given = reading.settings.group(group.name);
    if (given != nullptr && group.dataDocumentation.empty())
      refuseData(*given, 0, "a group such as $nuc", reading.diagnostics);
  }
}

}  // namespace prophet
