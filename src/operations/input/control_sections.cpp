#include <fmt/format.h>

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
  const std::string expected = expectedValue(*findKeyword(group, keyword));
  if (const GivenKeyword* empty = settings.findWithNulls(group, keyword)) {
    diagnostics.add(empty->at, fmt::format("'{}' has no value; expected {}", keyword, expected));
  } else if (const NamelistGroup* found = settings.group(group); found != nullptr && !found->damaged) {
    diagnostics.add(found->at, fmt::format("'{}' is missing in ${}; expected {}", keyword, group, expected));
  }
  return false;
}

void JobReading::reject(const std::string& group, const std::string& keyword, const std::string& reason) {
  if (settings.has(group, keyword)) fail(group, keyword, fmt::format("'{}' is not used {}", keyword, reason));
}

void JobReading::rejectData(const NamelistGroup& group, std::size_t used, const std::string& expected) {
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

namespace {

void readLevels(JobReading& reading) {
  const Settings& s = reading.settings;
  // Sets without functions for correlation would mislead: it needs one that is named.
  const bool limit =
      reading.job.type == JobType::Correlation && s.group("bas") == nullptr && s.group("wtbs") == nullptr;
  reading.job.limitSpinors = s.text("levels", "spinors").value_or(limit ? "limit" : "basis") == "limit";
  VirtualRequest& v = reading.job.virtuals;
  v.virtuals = s.text("levels", "virtuals").value_or("");
  v.excited = s.text("levels", "excited").value_or("");
  v.excitations = s.integer("levels", "excitations").value_or(v.excitations);
  v.roots = s.integer("levels", "roots").value_or(v.roots);
  v.average = s.text("levels", "virtual_spinors").value_or("natural") == "average";
  if (s.has("levels", "virtuals")) return;
  for (const char* keyword : {"excited", "excitations", "roots", "virtual_spinors"})
    reading.reject("levels", keyword, "without 'virtuals'");
}

void readCoreValence(JobReading& reading) {
  const Settings& s = reading.settings;
  CoreValenceRequest& r = reading.job.coreValence;
  r.coreValence = s.logical("levels", "core_valence").value_or(false);
  r.corePolarisation = s.logical("levels", "core_polarisation").value_or(false);
  r.lowest = s.integer("levels", "lowest").value_or(r.lowest);
  r.spinors = s.integer("levels", "valence_spinors");
  r.largestL = s.integer("levels", "valence_lmax");
  r.largestInnerL = s.integer("levels", "core_lmax").value_or(r.largestInnerL);
  r.iteratedRings = s.text("levels", "core_rings").value_or("iterated") == "iterated";
  r.inner = splitWords(s.text("levels", "frozen_core").value_or(""), " \t,");
  if (r.coreValence) return reading.reject("levels", "virtuals", "with 'core_valence'");
  for (const char* keyword : {"core_polarisation", "lowest", "valence_spinors", "valence_lmax", "core_lmax",
                              "core_rings", "frozen_core"})
    reading.reject("levels", keyword, "without 'core_valence'");
}

}  // namespace

void readControl(JobReading& reading) {
  const Settings& s = reading.settings;
  reading.jobTypeKnown = !s.damaged("contrl", "jobtype");
  const std::string name = s.text("contrl", "jobtype").value_or("energy");
  for (const JobName& job : jobNames()) {
    if (job.name == name) reading.job.type = job.type;
  }
  readLevels(reading);
  readCoreValence(reading);
  Hamiltonian& h = reading.job.hamiltonian;
  h.speedOfLight = s.number("contrl", "c").value_or(h.speedOfLight);
}

void readScf(JobReading& reading) {
  const Settings& s = reading.settings;
  ScfOptions& scf = reading.job.scf;
  const bool limit = reading.job.isLimit();
  if (const auto most = s.integer("scf", "maxitr"))
    scf.maxIterations = reading.job.limit.maxIterations = *most;
  // As Hennessey (2018) has it: damping is the default there, and 'dfctr' needs no 'ixtrp'.
  reading.job.dampingGiven = s.has("scf", "dfctr") && !s.has("scf", "ixtrp") && !s.damaged("scf", "ixtrp");
  scf.extrapolation =
      static_cast<Extrapolation>(reading.job.dampingGiven ? 0 : s.integer("scf", "ixtrp").value_or(2));
  scf.damping = s.number("scf", "dfctr").value_or(scf.damping);
  scf.thresholdLL = s.number("scf", "thdll").value_or(scf.thresholdLL);
  scf.thresholdSL = s.number("scf", "thdsl").value_or(scf.thresholdSL);
  scf.thresholdSS = s.number("scf", "thdss").value_or(scf.thresholdSS);
  if (!limit && scf.extrapolation == Extrapolation::Diis && !s.damaged("scf", "ixtrp"))
    reading.reject("scf", "dfctr", "by ixtrp=2 (DIIS); it belongs to ixtrp=0 and 1");
  if (const auto name = s.text("scf", "fock")) {
    for (const FockKind kind : {FockKind::Grid, FockKind::Stored, FockKind::Stse, FockKind::Mtse}) {
      if (*name == nameOf(kind)) reading.job.fock = kind;
    }
  }
  if (s.text("scf", "mapping").value_or("search") == "arrays")
    reading.job.mapping = MappingKind::StoredArrays;
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
void readFreeExponents(JobReading& reading) {
  const Settings& s = reading.settings;
  OptimiserOptions& o = reading.job.optimiser;
  const bool ladders = reading.job.basisType == BasisType::WellTempered;
  o.freeExponents = s.text("newuoa", "free").value_or(ladders ? "ladders" : "exponents") == "exponents";
  o.shared = s.text("newuoa", "shared").value_or(o.shared);
  o.gradient = s.number("newuoa", "gradient").value_or(o.gradient);
  o.leastRatio = s.number("newuoa", "minratio").value_or(o.leastRatio);
  o.mostRatio = s.number("newuoa", "maxratio").value_or(o.mostRatio);
  o.prolapse = s.number("newuoa", "prolapse").value_or(o.prolapse);
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

void readOptimiser(JobReading& reading) {
  const Settings& s = reading.settings;
  OptimiserOptions& o = reading.job.optimiser;
  const JobType job = reading.job.type;
  if (job == JobType::Chain) o = chainOptimiser();
  o.rhoBegin = s.number("newuoa", "rhobeg").value_or(o.rhoBegin);
  o.rhoEnd = s.number("newuoa", "rhoend").value_or(o.rhoEnd);
  o.printLevel = s.integer("newuoa", "iprint").value_or(o.printLevel);
  o.maxEvaluations = s.integer("newuoa", "maxfun").value_or(o.maxEvaluations);
  o.method = s.text("newuoa", "method").value_or(o.method);
  o.starts = s.integer("newuoa", "starts").value_or(o.starts);
  o.spread = s.number("newuoa", "spread").value_or(o.spread);
  if (!reading.jobTypeKnown || (job != JobType::BasisOptimisation && job != JobType::Chain)) return;
  if (job == JobType::BasisOptimisation && s.group("newuoa") == nullptr)
    reading.fail("contrl", "jobtype", "jobtype='bsopt' needs the group $newuoa");
  const BasisType basis = reading.job.basisType;
  const bool without = job == JobType::Chain && basis == BasisType::None;
  if (job == JobType::BasisOptimisation) {
    readFreeExponents(reading);
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

void readChain(JobReading& reading) {
  const Settings& s = reading.settings;
  ChainRequest& chain = reading.job.chain;
  if (s.text("chain", "method").value_or("ladders") == "thesis") chain.method = ChainMethod::Thesis;
  chain.threshold = s.number("chain", "threshold").value_or(chain.threshold);
  chain.limit = s.number("chain", "limit");
  chain.probes = s.integer("chain", "probes").value_or(chain.probes);
  if (!reading.jobTypeKnown || reading.job.type != JobType::Chain) return;
  if (chain.method == ChainMethod::Thesis || s.damaged("chain", "method")) return;
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
      if ((setting->keyword->jobs & job) != 0) continue;
      reading.reject(
          group.name, setting->keyword->name,
          fmt::format("by {}; it belongs to {}", describeJobs(job), describeJobs(setting->keyword->jobs)));
    }
  }
  if (reading.job.limitSpinors)
    for (const char* group : {"bas", "wtbs"})
      if (reading.settings.group(group) != nullptr)
        reading.fail(group, "", fmt::format("${} is not used by spinors='limit'", group));
  for (const KeywordGroup& group : keywordGroups()) {
    const NamelistGroup* given = reading.settings.group(group.name);
    if (given != nullptr && group.dataDocumentation.empty())
      reading.rejectData(*given, 0, "a group such as $nuc");
  }
}

}  // namespace prophet
