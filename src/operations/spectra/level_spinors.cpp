#include "operations/spectra/level_spinors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/calculation/judge_basis.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "atoms/levels/virtual_spinors.hpp"
#include "atoms/qed/qed.hpp"
#include "atoms/scf/settled_spinors.hpp"
#include "core/common/error.hpp"
#include "operations/jobs/job_warnings.hpp"
#include "operations/record/report.hpp"

namespace prophet {
namespace {

/// Largest residual of the limit's equations: levels are of first order in the errors of the spinors.
constexpr double kLimitResidual = 1e-12;
/// Thresholds are this many times larger where rounding keeps the densities from settling, which the large
/// exponents of point nuclei cause.
constexpr double kLooser = 100;
constexpr double kHeavyForFrequency = 50;  // nuclear charge from which frequencies of photons are told of

// Hartree, and of the energy: averages of one state in a basis set and at the limit differ by less.
constexpr double kSameState = 1e-3, kSameStateShare = 1e-7;
constexpr double kLargestGain = 1;  // hartree for each pair of electrons; of 1s2 it is 0.05

void refuse(const Calculation& c) {
  const Hamiltonian& h = c.problem.hamiltonian;
  if (!h.isFourComponent())
    throw SettingError("hamiltonian",
                       fmt::format("'{}' has no levels here; expected 'dirac'", nameOf(h.oneElectron)));
  if (h.breitFrequency && c.isLimit())
    throw SettingError("breitfreq",
                       "with spinors='limit' the Breit interaction is that of frequency zero; "
                       "expected spinors='basis'");
}

Calculation tightened(Calculation c, double looser) {
  if (c.isLimit()) {
    std::get<LimitMethod>(c.method).residualThreshold = kLimitResidual;
    return c;
  }
  settleSpinors(c.inBasis().scf, looser);
  c.inBasis().keepSpinors = c.inBasis().estimateError = true;
  return c;
}

/// Two open shells of one l: where each has nearly as many electrons as the other, the energy of the average
/// hardly depends on how their spinors mix.
void warnOfMixing(LevelSpinors& s) {
  for (const LevelSpinor& a : s.space.open)
    for (const LevelSpinor& b : s.space.open)
      if (a.n < b.n && a.symmetry == b.symmetry && s.space.configurations.size() == 1) {
        s.result.warnings.push_back(
            {"open_shells_mix",
             fmt::format(
                 "{} and {} are both open: the spinors that minimise the energy of the average mix them, "
                 "the more the closer the shells are to equal occupation (Ag 3d9 4d9: F and G of 4d "
                 "halve), and integrals differ from those of programs that keep them apart",
                 a.shell(), b.shell())});
        return;
      }
}

/// "2s and 3s" where two shells replace each other two electrons at a time, as in 2s2 | 3s2; else empty.
std::string shellsReplacedInPairs(const LevelSpace& space) {
  for (const LevelSpace::Part& one : space.configurations)
    for (const LevelSpace::Part& other : space.configurations) {
      auto from = electronsOf(one.shells), to = electronsOf(other.shells);
      for (const auto& [lost, electrons] : electronsOf(one.shells))
        for (const auto& [gained, more] : electronsOf(other.shells)) {
          const auto [n, l, twoJ] = lost;
          const auto [m, k, twoI] = gained;
          if (l == k && twoJ == twoI && n < m && electrons - to[lost] >= 2 && more - from[gained] >= 2)
            return Shell{n, l}.name() + " and " + Shell{m, k}.name();
        }
    }
  return "";
}

/// The average of configurations in which two shells replace each other in pairs has several stationary
/// states. The limit keeps the shells apart; a basis set comes to mixtures of the two, of lower energy, which
/// no basis set can have of the same state. Then the limit's spinors are taken, unless the user named the
/// set. Returns whether the spinors are, or may be, mixtures.
bool areMixtures(LevelSpinors& s, const std::string& shells, const Resources& resources) {
  Calculation limit = s.job.calculation;
  const bool chosen = limit.inBasis().chosen;
  limit.method = s.job.job.limit;
  const Result apart = computeOrReason(tightened(limit, 1), resources);
  const double energy = s.result.energy.total;
  const bool known = apart.ok() && apart.wavefunction;
  if (known && s.result.wavefunction &&
      apart.energy.total - energy < kSameState + kSameStateShare * std::abs(energy))
    return false;
  const bool taken = known && chosen;
  if (taken) {
    s.result = apart;
    s.job.calculation = limit;
  }
  s.result.warnings.push_back(
      {"open_shells_mix",
       fmt::format(
           "{} replace each other in pairs in these configurations, and the spinors that minimise the energy "
           "of their average in a basis set {} mixtures of the two: {}",
           shells, known ? "are" : "may be",
           taken ? "those of the numerical limit are taken instead, which keeps the shells apart"
                 : "what the levels are called means little, and no error of the basis set is stated; "
                   "spinors='limit' keeps the shells apart")});
  return !taken;
}

/// Whether all that there is is one level: closed shells, or one electron or hole of j = 1/2.
bool hasOneLevel(const LevelSpinors& s) {
  return !s.excited && s.space.configurations.size() == 1 && s.space.states() <= 2;
}

/// Where inner shells are open the frequency of the exchanged photon makes electronvolts in heavy ions. Of a
/// single level it changes nothing that is shown relative to others.
void warnOfFrequency(LevelSpinors& s) {
  if (hasOneLevel(s)) return;
  const AtomProblem& problem = s.job.calculation.problem;
  if (problem.hamiltonian.repulsion != TwoElectronOperator::CoulombBreit ||
      problem.hamiltonian.breitFrequency || problem.nucleus.charge < kHeavyForFrequency)
    return;
  s.result.warnings.push_back(
      {"breit_frequency",
       "the Breit interaction is that of frequency zero, which matters between inner shells and at high "
       "charges (2s-2p3/2 of U89+ is 7.0 eV too large) and hardly between valence shells (fine structure of "
       "Tl: 12 of 7,510 cm^-1); breitfreq=.true. takes the frequency of the exchanged photon"});
}

ExcitationRequest excitationsOf(const VirtualRequest& v) { return {v.virtuals, v.excited, v.excitations}; }

/// The space with the excitations that the job asks for.
void excite(LevelSpinors& s, const AtomRequest& request, const Execution& execution) {
  const VirtualRequest& v = s.job.job.virtuals;
  const std::string references = s.job.calculation.problem.configuration.description;
  try {
    s.excited = excitedConfigurations(references, excitationsOf(v));
  } catch (const ExcitationError& error) {
    throw SettingError(error.setting, error.what());
  }
  s.space = ofSetting("virtuals", [&] { return levelSpace(s.excited->text); });
  s.wanted = {s.excited->references, v.roots};
  if (!v.average) return;
  AtomRequest average = request;
  average.job.configuration = request.job.configuration.withText(s.excited->text);
  s.job = resolvedFor(average, execution);
}

void addVirtuals(LevelSpinors& s, const Execution& execution) {
  const LevelSpace references = levelSpace(s.job.calculation.problem.configuration.description);
  const ExcitationRequest excitations = excitationsOf(s.job.job.virtuals);
  LevelOptions options;
  options.wanted = s.wanted;
  options.threads = execution.threadsOrAll();
  options.checkpoint = execution.checkpoint;
  s.result = withNaturalVirtuals(
      s.result, {references, excitations, *s.excited, s.space, s.hamiltonian, std::move(options)});
}

}  // namespace

LevelCount requireMemory(const LevelSpinors& spinors) {
  return ofSetting(spinors.excited ? "virtuals" : "config",
                   [&] { return requireMemory(spinors.space, spinors.wanted); });
}

void announceSize(const LevelCount& count, const Execution& execution) {
  constexpr double kSeconds = 10, kBytes = 1e9;
  if (count.seconds / execution.threadsOrAll() < kSeconds && count.bytes < kBytes) return;
  execution.announce(fmt::format(
      "{:g} levels, the largest block of {:g} coupled states (J = {}): about {:.2g} GB of memory and {:.1g} "
      "s "
      "of one processor, beside the spinors",
      count.levels, count.largest.levels, halves(count.largest.twoJ), 1e-9 * count.bytes, count.seconds));
}

std::function<void(std::size_t, std::size_t)> showingLevels(const Execution& execution) {
  return [&execution](std::size_t done, std::size_t total) {
    execution.show({.unit = "levels", .done = done, .total = total});
  };
}

std::string referencesText(const LevelSpinors& spinors) {
  std::string text;
  for (std::size_t i = 0; i < spinors.references(); ++i)
    text += (i > 0 ? " | " : "") + spinors.space.configurations[i].text;
  return text;
}

LevelSpinors levelJob(const AtomRequest& request, const Execution& execution) {
  LevelSpinors s{resolvedFor(request, execution), {}, {}, {}};
  Calculation& c = s.job.calculation;
  refuse(c);
  s.space = ofSetting("config", [&] { return levelSpace(c.problem.configuration.description); });
  if (!s.job.job.virtuals.virtuals.empty()) excite(s, request, execution);
  return s;
}

void computeField(LevelSpinors& s, const Execution& execution, bool finer) {
  const Calculation& c = s.job.calculation;
  Resources resources{execution.threadsOrAll(), nullptr, execution.checkpoint};
  s.result = compute(tightened(c, 1), resources);
  if (!s.result.wavefunction && !c.isLimit()) s.result = compute(tightened(c, kLooser), resources);
  const std::string pairs = shellsReplacedInPairs(levelSpace(c.problem.configuration.description));
  const bool mixed = !pairs.empty() && !c.isLimit() && areMixtures(s, pairs, resources);
  if (!s.result.wavefunction || s.result.status == Status::NotConverged)
    throw NotConvergedError(
        fmt::format("the field of the average has no spinors to compute levels in: {}", s.result.reason));
  if (s.result.status == Status::Unbound)
    throw NotConvergedError(fmt::format(
        "the field of the average binds not all electrons, so that levels in it mean "
        "nothing: {}{}",
        s.result.reason, c.isLimit() ? "" : "; spinors='limit' has no basis set that could be too small"));
  const Hamiltonian& h = c.problem.hamiltonian;
  s.hamiltonian = {
      {c.problem.nucleus, h.speedOfLight, qedOperators(c.problem.nucleus, h.speedOfLight, h.qed)},
      h.repulsion,
      h.breitFrequency};
  if (h.shell.any()) s.hamiltonian.field.extra.push_back(shellOperator(h.shell));
  addJobWarnings(s.job, s.result);
  warnOfMixing(s);
  warnOfFrequency(s);
  if (finer && !mixed && !s.excited && !c.isLimit() && !c.inBasis().basis.contracted()) {
    const Result reference = computeOrReason(inErrorReference(tightened(c, kLooser), s.result), resources);
    if (reference.ok() && reference.wavefunction) s.finer = reference;
  }
  if (s.excited && !s.job.job.virtuals.average) addVirtuals(s, execution);
}

void addField(const LevelSpinors& s, Record& record) {
  const Calculation& c = s.job.calculation;
  const Json description = jobJson(c);
  for (const auto& [key, value] : description.items())
    if (key != "job") record.quantities.push_back({key, "", value});
  record.quantities.push_back({"spinors", "spinors", c.isLimit() ? "limit" : "basis",
                               c.isLimit() ? std::string("numerical limit") : c.inBasis().basis.description});
  if (!s.result.wavefunction) {  // groups of configurations have fields of their own
    if (const std::string& remark = s.job.job.configuration.remark; !remark.empty())
      record.warn("charge_from_configuration", remark);
    return;
  }
  record.quantities.push_back({"field_energy", "energy of the average", s.result.energy.withCorrections(),
                               fmt::format("{:.10f} hartree", s.result.energy.withCorrections()),
                               Quantity::Place::Details});
  for (const Warning& w : warningsToShow(s)) record.warn(w.id, w.text);
}

std::map<std::tuple<int, int, int>, int> electronsOf(const std::vector<Shell>& shells) {
  std::map<std::tuple<int, int, int>, int> counts;
  for (const Shell& s : shells)
    if (s.electrons > 0) counts[{s.n, s.l, s.twoJ}] += s.electrons;
  return counts;
}

int placeOf(const LevelSpace& space, const std::string& text) {
  const std::vector<Shell> wanted = parseShells(text);
  const auto openOf = [](std::vector<Shell> shells) {
    std::erase_if(shells, [](const Shell& s) { return s.full(); });
    return electronsOf(shells);
  };
  const auto& parts = space.configurations;
  auto found = std::ranges::find_if(
      parts, [&](const auto& part) { return electronsOf(part.shells) == electronsOf(wanted); });
  if (found == parts.end())
    found =
        std::ranges::find_if(parts, [&](const auto& part) { return openOf(part.shells) == openOf(wanted); });
  return found == parts.end() ? -1 : static_cast<int>(found - parts.begin());
}

AtomRequest withConfiguration(AtomRequest request, std::string text) {
  request.job.configuration = {};
  request.job.configuration.text = std::move(text);
  return request;
}

std::string groundOfExperiment(const LevelSpinors& s) {
  const int electrons = static_cast<int>(std::lround(s.space.average.electrons()));
  const auto z = elementOfCharge(s.job.calculation.problem.nucleus.charge);
  if (!z || electrons > kLastElement) return "";
  const DefaultConfiguration known = defaultConfiguration(*z, *z - electrons);
  return known.source == ConfigurationSource::Nist ? known.text : "";
}

void requireCredible(const LevelSpinors& s, const LevelResult& levels) {
  if (!s.excited) return;
  const int electrons = s.space.openElectrons();
  const double most = kLargestGain * std::max(1, electrons * (electrons - 1) / 2);
  for (const Level& l : levels.levels)
    if (-l.aboveReferences > most)
      throw NotConvergedError(fmt::format(
          "level {}, J = {}, lies {:.4g} hartree below those of the named configurations, more than "
          "excitations "
          "of {} electrons can gain: either virtual spinors are none, or a shell of excited={} has room that "
          "deep; leave that shell out, or name other virtual shells",
          l.label, halves(l.twoJ), -l.aboveReferences, electrons,
          s.job.job.virtuals.excited.empty() ? "''" : "'" + s.job.job.virtuals.excited + "'"));
  const Level& lowest = levels.levels.front();
  if (lowest.referencePercent >= 50) return;
  const auto& leading = s.space.configurations[static_cast<std::size_t>(lowest.configuration)];
  int inVirtuals = 0;
  for (const Shell& shell : leading.shells)
    if (s.excited->isVirtual({shell.n, shell.l})) inVirtuals += shell.electrons;
  if (inVirtuals >= 2)
    throw NotConvergedError(fmt::format(
        "the lowest level is of {}, with {} electrons in virtual shells, and only {:.2g} % of the named "
        "configurations: if it is meant, name that configuration too",
        leading.text, inVirtuals, lowest.referencePercent));
}

std::vector<Warning> warningsOfLowest(const LevelSpinors& s, const Level& lowest,
                                      const std::string& relaxed) {
  std::vector<Warning> list;
  const auto& parts = s.space.configurations;
  const std::string& leading = parts[static_cast<std::size_t>(lowest.configuration)].text;
  if (lowest.referencePercent < 50)
    list.push_back(
        {"reference_share",
         fmt::format("the named configurations are {:.2g} % of the lowest level, which is of {}: name "
                     "that configuration too, for which spinors and excitations are not made here",
                     lowest.referencePercent, leading)});
  const std::string ground = groundOfExperiment(s);
  const int place = ground.empty() ? -1 : placeOf(s.space, ground);
  if (place < 0 || place == lowest.configuration) return list;
  list.push_back(
      {"ground_configuration",
       fmt::format(
           "the lowest level is of {}, that of experiment of {}: whole configurations are displaced against "
           "each other by up to some eV. {} --virtuals adds correlation, --calibrate takes the averages "
           "from levels of NIST or by a rule, and --fit from your levels",
           leading, ground,
           relaxed.empty() ? "Each has spinors of its own here; what is left is correlation:"
                           : fmt::format("The larger part comes from the spinors that they share (of Ni+ 3d9 "
                                         "| 3d8 4s1 | 3d7 4s2 6.3 of 8.4 eV), and goes with {}; the "
                                         "rest is correlation:",
                                         relaxed))});
  return list;
}

std::vector<Warning> warningsToShow(const LevelSpinors& s) {
  std::vector<Warning> list = s.result.warnings;
  std::erase_if(list, [](const Warning& w) { return w.id == "scf_fallback"; });
  return list;
}

}  // namespace prophet
