#include "frontends/api/convert.hpp"

#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "atoms/functional/functional.hpp"

namespace cudaprophet {
namespace {

prophet::Treatment treatment(bool selfConsistent) {
  return selfConsistent ? prophet::Treatment::SelfConsistent : prophet::Treatment::FirstOrder;
}

prophet::Hamiltonian hamiltonianOf(const Hamiltonian& h) {
  prophet::Hamiltonian core;
  core.speedOfLight = h.speedOfLight.value_or(core.speedOfLight);
  core.repulsion = h.breit == Breit::None    ? prophet::TwoElectronOperator::Coulomb
                   : h.breit == Breit::Gaunt ? prophet::TwoElectronOperator::CoulombGaunt
                                             : prophet::TwoElectronOperator::CoulombBreit;
  core.breitTreatment = treatment(h.breitSelfConsistent);
  core.qed.vacuumPolarisation = h.vacuumPolarisation != VacuumPolarisation::None;
  core.qed.kallenSabry = core.qed.wichmannKroll = h.vacuumPolarisation == VacuumPolarisation::Full;
  core.qed.selfEnergy = h.selfEnergy != SelfEnergy::None;
  if (h.selfEnergy == SelfEnergy::Valence) core.qed.fit = prophet::SelfEnergyFit::Valence;
  core.qedTreatment = treatment(h.qedSelfConsistent);
  static_assert(static_cast<int>(OneElectron::KoellingHarmon) ==
                static_cast<int>(prophet::OneElectronOperator::KoellingHarmon));  // the same list
  core.oneElectron = static_cast<prophet::OneElectronOperator>(h.oneElectron);
  if (!h.functional.empty()) core.functional = prophet::Functional(h.functional, core.speedOfLight).name();
  return core;
}

void setNucleus(const Nucleus& nucleus, prophet::Job& job) {
  if (!(nucleus.charge > 0) || !std::isfinite(nucleus.charge))
    throw prophet::Error("the charge of a nucleus is a number above 0; atom(\"Rn\") makes an atom");
  prophet::NucleusRequest& request = job.nucleus;
  request.charge = nucleus.charge;
  request.massNumber = nucleus.massNumber;
  request.rmsFemtometres = nucleus.rmsFemtometres;
  request.skinFemtometres = nucleus.skinFemtometres;
  request.radius = nucleus.sphereRadius;
  request.exponent = nucleus.gaussianExponent;
  job.nuclearModelGiven = nucleus.model.has_value();
  if (nucleus.model) request.model = static_cast<prophet::NuclearModel>(*nucleus.model);
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

prophet::Job jobOf(const Atom& atom, const BasisSet* basis, bool limit, const Settings& settings) {
  prophet::Job job;
  job.type = limit ? prophet::JobType::Limit : prophet::JobType::Energy;
  job.hamiltonian = hamiltonianOf(atom.hamiltonian);
  setNucleus(atom.nucleus, job);
  job.configuration.groundState = atom.configuration.empty();
  job.configuration.charge = atom.charge.value_or(0);
  if (!atom.configuration.empty()) {
    const prophet::IonConfiguration ion =
        prophet::ionConfiguration(atom.nucleus.charge, atom.charge, atom.configuration);
    job.configuration.text = ion.text;
    job.configuration.remark = ion.remark;
  }
  job.basisSets = settings.basisSets;
  job.libraryName = settings.collection;
  if (settings.maxIterations) job.scf.maxIterations = job.limit.maxIterations = *settings.maxIterations;
  job.basisType = limit ? prophet::BasisType::None : prophet::BasisType::Library;
  if (basis) {
    if (basis->charge != 0 && basis->charge != atom.nucleus.charge)
      throw prophet::Error("the basis set is one of " + prophet::symbolOf(basis->charge) +
                           ", and the atom is another element's; set its `charge` to 0 if that is meant");
    job.basisType = prophet::BasisType::ReadIn;
    job.readInExponents = basis->exponents;
    if (basis->nucleus && !job.nuclearModelGiven) {
      job.nuclearModelGiven = true;
      job.nucleus.model = static_cast<prophet::NuclearModel>(*basis->nucleus);
    }
  }
  return job;
}

std::shared_ptr<prophet::ResolvedJob> resolved(const Atom& atom, const BasisSet* basis, bool limit,
                                               const Settings& settings) {
  auto result = std::make_shared<prophet::ResolvedJob>(
      prophet::resolve(jobOf(atom, basis, limit, settings), executionOf(settings.device, settings).backend));
  if (basis && !basis->description.empty())
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
