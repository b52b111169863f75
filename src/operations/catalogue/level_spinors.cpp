#include "operations/catalogue/level_spinors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "atoms/calculation/compute.hpp"
#include "atoms/calculation/judge_basis.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "atoms/levels/virtual_spinors.hpp"
#include "atoms/qed/qed.hpp"
#include "operations/jobs/job_warnings.hpp"
#include "operations/report/report.hpp"

namespace prophet {
namespace {

/// Largest residual of the limit's equations, and changes of density matrices: levels are of first order in
/// the errors of the spinors, averages of second.
constexpr double kLimitResidual = 1e-12;
constexpr double kChangeLL = 1e-9, kChangeSL = 1e-11, kChangeSS = 1e-13;
/// Times as much where rounding keeps the densities from settling: the large exponents of point nuclei.
constexpr double kLooser = 100;
constexpr double kHeavyForFrequency = 50;  // nuclear charge from which frequencies of photons are told of

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
  ScfOptions& scf = c.inBasis().scf;
  scf.thresholdLL = std::min(scf.thresholdLL, looser * kChangeLL);
  scf.thresholdSL = std::min(scf.thresholdSL, looser * kChangeSL);
  scf.thresholdSS = std::min(scf.thresholdSS, looser * kChangeSS);
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

/// Where inner shells are open the frequency of the exchanged photon makes electronvolts in heavy ions.
void warnOfFrequency(LevelSpinors& s) {
  const AtomProblem& problem = s.job.calculation.problem;
  if (problem.hamiltonian.repulsion != TwoElectronOperator::CoulombBreit ||
      problem.hamiltonian.breitFrequency || problem.nucleus.charge < kHeavyForFrequency)
    return;
  s.result.warnings.push_back(
      {"breit_frequency",
       "the Breit interaction is that of frequency zero, which matters where inner shells are open (2s-2p3/2 "
       "of "
       "U89+ is 7.0 eV too large); breitfreq=.true. takes the frequency of the exchanged photon"});
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
  average.job.configuration = {};
  average.job.configuration.text = s.excited->text;
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
  if (!s.result.wavefunction)
    throw Error(
        fmt::format("the field of the average has no spinors to compute levels in: {}", s.result.reason));
  if (s.result.status == Status::Unbound)
    throw Error(fmt::format(
        "the field of the average binds not all electrons, so that levels in it mean "
        "nothing: {}{}",
        s.result.reason, c.isLimit() ? "" : "; spinors='limit' has no basis set that could be too small"));
  addJobWarnings(s.job, s.result);
  warnOfMixing(s);
  warnOfFrequency(s);
  if (finer && !s.excited && !c.isLimit() && !c.inBasis().basis.contracted()) {
    const Result reference = computeOrReason(inErrorReference(tightened(c, kLooser), s.result), resources);
    if (reference.ok() && reference.wavefunction) s.finer = reference;
  }
  const Hamiltonian& h = c.problem.hamiltonian;
  s.hamiltonian = {
      {c.problem.nucleus, h.speedOfLight, qedOperators(c.problem.nucleus, h.speedOfLight, h.qed)},
      h.repulsion,
      h.breitFrequency};
  if (h.shell.any()) s.hamiltonian.field.extra.push_back(shellOperator(h.shell));
  if (s.excited && !s.job.job.virtuals.average) addVirtuals(s, execution);
}

void addField(const LevelSpinors& s, Record& record) {
  const Calculation& c = s.job.calculation;
  const Json description = jobJson(c);
  for (const auto& [key, value] : description.items())
    if (key != "job") record.quantities.push_back({key, "", value});
  record.quantities.push_back({"spinors", "spinors", c.isLimit() ? "limit" : "basis",
                               c.isLimit() ? std::string("numerical limit") : c.inBasis().basis.description});
  if (!s.result.wavefunction) return;  // groups of configurations have fields of their own
  record.quantities.push_back({"field_energy", "energy of the average", s.result.energy.withCorrections(),
                               fmt::format("{:.10f} hartree", s.result.energy.withCorrections())});
  for (const Warning& w : warningsToShow(s)) record.warn(w.id, w.text);
}

std::vector<Warning> warningsToShow(const LevelSpinors& s) {
  std::vector<Warning> list = s.result.warnings;
  std::erase_if(list, [](const Warning& w) { return w.id == "scf_fallback"; });
  return list;
}

}  // namespace prophet
