#include "frontends/api/convert.hpp"

#include <cmath>

#include "atoms/atom/elements.hpp"
#include "operations/input/parse_job.hpp"

namespace cudaprophet {
namespace {

/// Puts the keywords of a Hamiltonian that differ from the default beside those that are there.
void addHamiltonian(const Hamiltonian& h, prophet::Json& values) {
  const Hamiltonian usual;
  static_assert(static_cast<int>(OneElectron::KoellingHarmon) ==
                static_cast<int>(prophet::OneElectronOperator::KoellingHarmon));  // the same list
  if (h.speedOfLight) values["c"] = *h.speedOfLight;
  if (h.oneElectron != usual.oneElectron)
    values["hamiltonian"] = prophet::nameOf(static_cast<prophet::OneElectronOperator>(h.oneElectron));
  if (!h.functional.empty()) values["functional"] = h.functional;
  if (h.breit != usual.breit) values["breit"] = h.breit == Breit::Gaunt ? "gaunt" : "breit";
  if (h.breit != usual.breit) values["breitscf"] = h.breitSelfConsistent;
  if (h.vacuumPolarisation != usual.vacuumPolarisation)
    values["qedvp"] = h.vacuumPolarisation == VacuumPolarisation::Full ? "full" : "uehling";
  if (h.selfEnergy != usual.selfEnergy)
    values["qedse"] = h.selfEnergy == SelfEnergy::Valence ? "valence" : "inner";
  if (values.contains("qedvp") || values.contains("qedse")) values["qedscf"] = h.qedSelfConsistent;
}

/// The same of a nucleus.
void addNucleus(const Nucleus& nucleus, prophet::Json& values) {
  const auto add = [&](const char* keyword, const auto& value) {
    if (value) values[keyword] = *value;
  };
  if (nucleus.model) values["nucmdl"] = static_cast<int>(*nucleus.model);
  add("mass", nucleus.massNumber);
  add("rms", nucleus.rmsFemtometres);
  add("skin", nucleus.skinFemtometres);
  add("rnuc", nucleus.sphereRadius);
  add("alpha", nucleus.gaussianExponent);
}

/// For a limit a basis set says the nucleus alone, which is that of the energy.
prophet::Json valuesOf(const BasisSet& basis, const Nucleus& nucleus, bool limit) {
  if (basis.charge != 0 && basis.charge != nucleus.charge)
    throw prophet::Error("the basis set is one of " + prophet::symbolOf(basis.charge) +
                         ", and the atom is another element's; set its `charge` to 0 if that is meant");
  prophet::Json values = prophet::Json::object();
  if (basis.nucleus || limit)
    values["nucleus"] = {{"nucmdl", static_cast<int>(basis.nucleus.value_or(NuclearModel::Point))}};
  if (limit) return values;
  values["bastype"] = "rdin";
  values["nsym"] = basis.exponents.size();
  values["exponents"] = basis.exponents;
  return values;
}

Status statusOf(prophet::Status status) {
  switch (status) {
    case prophet::Status::Converged:
      return Status::Converged;
    case prophet::Status::NotConverged:
      return Status::NotConverged;
    case prophet::Status::Unbound:
      return Status::Unbound;
    case prophet::Status::Failed:
      break;
  }
  return Status::Failed;
}

}  // namespace

prophet::Json valuesOf(const Atom& atom, const Settings& settings) {
  if (!(atom.nucleus.charge > 0) || !std::isfinite(atom.nucleus.charge))
    throw prophet::Error("the charge of a nucleus is a number above 0; atom(\"Rn\") makes an atom");
  prophet::Json values{{"atom", atom.nucleus.charge}};
  addHamiltonian(atom.hamiltonian, values);
  addNucleus(atom.nucleus, values);
  if (atom.charge) values["charge"] = *atom.charge;
  if (!atom.configuration.empty()) values["config"] = atom.configuration;
  if (settings.maxIterations) values["maxitr"] = *settings.maxIterations;
  return values;
}

prophet::Job jobOf(prophet::JobType type, const prophet::Json& values, const Settings& settings) {
  prophet::Job job = prophet::jobOfValues(type, values);
  job.basisSets = settings.basisSets;
  return job;
}

std::shared_ptr<prophet::ResolvedJob> resolved(const Atom& atom, const BasisSet* basis, bool limit,
                                               const Settings& settings) {
  prophet::Json values = valuesOf(atom, settings);
  if (basis) values["basis"] = valuesOf(*basis, atom.nucleus, limit);
  if (!basis && !limit && !settings.collection.empty()) values["library"] = settings.collection;
  const prophet::JobType type = limit ? prophet::JobType::Limit : prophet::JobType::Energy;
  auto result = std::make_shared<prophet::ResolvedJob>(
      prophet::resolve(jobOf(type, values, settings), executionOf(settings.device, settings).backend));
  if (basis && !limit && !basis->description.empty())
    result->calculation.inBasis().basis.description = basis->description;
  return result;
}

prophet::Execution executionOf(Device device, const Settings& settings) {
  if (settings.threads < 1) throw prophet::Error("threads must be at least 1");
  prophet::Execution execution;
  execution.backend = device == Device::Automatic ? prophet::BackendRequest::Automatic
                      : device == Device::Gpu     ? prophet::BackendRequest::Cuda
                                                  : prophet::BackendRequest::Cpu;
  execution.devices = settings.devices;
  execution.threads = settings.threads;
  execution.basisSets = settings.basisSets;
  execution.brief = execution.reportOnly = true;
  return execution;
}

prophet::Record recordOf(const std::string& operation, std::shared_ptr<const prophet::ResolvedJob> job,
                         const prophet::Json& options, prophet::Execution execution) {
  execution.jobs = {std::move(job)};
  return prophet::findOperation(operation)->run(options, execution);
}

std::shared_ptr<const prophet::JobResult> computed(const Atom& atom, const BasisSet* basis, bool limit,
                                                   const Settings& settings) {
  return recordOf(limit ? "limit" : "energy", resolved(atom, basis, limit, settings),
                  optionsOf(settings, limit), executionOf(settings.device, settings))
      .results.front();
}

prophet::Json optionsOf(const Settings& settings, bool limit) {
  prophet::Json options = prophet::Json::object();
  if (!settings.estimateError && !limit) options["no_error_estimate"] = true;
  return options;
}

prophet::WellTemperedSpec specOf(const Ladder& ladder) {
  prophet::WellTemperedSpec spec;
  for (const LadderGroup& g : ladder.groups) spec.groups.push_back({g.alpha, g.beta, g.delta, g.gamma});
  spec.functions = ladder.functions;
  const std::vector<int> ones(ladder.functions.size(), 1);
  spec.start = ladder.start.empty() ? ones : ladder.start;
  spec.group = ladder.group.empty() ? ones : ladder.group;
  spec.pool = ladder.shared ? prophet::LadderPool::Shared : prophet::LadderPool::Symmetry;
  return spec;
}

Ladder ladderOf(const prophet::WellTemperedSpec& spec) {
  Ladder ladder;
  for (const auto& g : spec.groups) ladder.groups.push_back({g.alpha, g.beta, g.delta, g.gamma});
  ladder.functions = spec.functions;
  ladder.start = spec.start;
  ladder.group = spec.group;
  ladder.shared = spec.pool == prophet::LadderPool::Shared;
  return ladder;
}

Result resultOf(const prophet::Result& r, const std::vector<std::string>& choices) {
  Result result;
  result.status = statusOf(r.status);
  result.reason = r.reason;
  result.energy = r.energy.total;
  result.energyWithCorrections = r.energy.withCorrections();
  for (const prophet::EnergyPart& part : r.energy.parts)
    result.parts.push_back(
        {prophet::keyOf(part.id), part.value, part.treatment == prophet::Treatment::SelfConsistent});
  for (const prophet::Spinor& s : r.spinors)
    result.spinors.push_back({s.label(), s.n, s.symmetry.kappa, s.occupation, s.energy, s.meanRadius});
  result.virialRatio = r.virialRatio;
  result.iterations = r.iterations;
  if (r.basisError) result.basisError = r.basisError->value;
  if (r.limit && r.status != prophet::Status::Unbound) result.estimatedError = r.limit->estimatedError;
  for (const prophet::Warning& w : r.warnings) result.warnings.push_back({w.id, w.text});
  result.choices = choices;
  result.method = r.provenance.method;
  result.device = r.provenance.device;
  result.seconds = r.seconds("total");
  return result;
}

}  // namespace cudaprophet
