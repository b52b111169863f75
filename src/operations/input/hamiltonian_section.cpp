#include <fmt/format.h>

#include "operations/input/hamiltonian_names.hpp"
#include "operations/input/sections.hpp"

namespace prophet {
namespace {

/// Operators beside Coulomb are those of four components.
bool checkTwoComponent(JobReading& reading) {
  const Hamiltonian& h = reading.job.hamiltonian;
  if (h.isFourComponent()) return true;
  for (const char* keyword : {"breit", "breitscf", "breitfreq", "qedvp", "qedse", "qedscf"})
    reading.reject(
        "contrl", keyword,
        fmt::format("by hamiltonian='{}'; it belongs to hamiltonian='dirac'", nameOf(h.oneElectron)));
  return false;
}

/// What the jobs can do with it.
void checkJob(JobReading& reading) {
  const OneElectronOperator kind = reading.job.hamiltonian.oneElectron;
  if (!kindOf(kind).relativistic)
    reading.reject("contrl", "c", "by hamiltonian='nonrel': there is no speed of light in it");
  const JobType type = reading.job.type;
  if ((type != JobType::Limit && type != JobType::Chain) || kindOf(kind).hasLimit) return;
  reading.fail("contrl", "hamiltonian",
               fmt::format("there is no numerical limit of hamiltonian='{}'; expected 'dirac' or 'nonrel'",
                           nameOf(kind)));
}

void checkBreit(JobReading& reading) {
  const Settings& s = reading.settings;
  const Hamiltonian& h = reading.job.hamiltonian;
  if (s.damaged("contrl", "breit")) return;
  const std::string none = s.has("contrl", "breit") ? "by breit='none'; " : "by breit='none', the default; ";
  if (!h.hasBreit()) {
    reading.reject("contrl", "breitscf", none + "it belongs to breit='gaunt' and 'breit'");
    reading.reject("contrl", "breitfreq", none + "it belongs to breit='breit'");
    return;
  }
  if (h.repulsion == TwoElectronOperator::CoulombGaunt)
    reading.reject("contrl", "breitfreq", "by breit='gaunt'; it belongs to breit='breit'");
  else if (h.breitFrequency && h.scfRepulsion() != TwoElectronOperator::Coulomb)
    reading.reject("contrl", "breitfreq", "with breitscf=.true.; it is there in first order only");
  const auto fock = s.text("scf", "fock");
  if (h.scfRepulsion() != TwoElectronOperator::Coulomb && fock && *fock != "grid") {
    reading.fail("scf", "fock",
                 fmt::format("fock='{}' has no self-consistent Breit interaction; expected fock='grid', or "
                             "breitscf=.false. for first order",
                             *fock));
  }
}

void checkQed(JobReading& reading) {
  const Settings& s = reading.settings;
  const QedOptions& options = reading.job.hamiltonian.qed;
  const bool known = !s.damaged("contrl", "qedvp") && !s.damaged("contrl", "qedse");
  if (known && !options.any())
    reading.reject("contrl", "qedscf", "without a QED correction; it belongs to qedvp and qedse");
  const double charge = reading.job.nucleus.charge;
  if (options.selfEnergy && charge > kLastSelfEnergyCharge) {
    reading.fail("contrl", "qedse",
                 fmt::format("found qedse with znuc={:g}; the self-energy is known up to znuc={:g}", charge,
                             kLastSelfEnergyCharge));
  }
}

}  // namespace

TwoElectronOperator operatorNamed(const std::string& breit) {
  if (breit == "gaunt") return TwoElectronOperator::CoulombGaunt;
  return breit == "breit" ? TwoElectronOperator::CoulombBreit : TwoElectronOperator::Coulomb;
}

QedOptions qedNamed(const std::string& polarisation, const std::string& selfEnergy) {
  QedOptions options;
  options.vacuumPolarisation = polarisation != "none";
  options.kallenSabry = options.wichmannKroll = polarisation == "full";
  options.selfEnergy = selfEnergy != "none";
  if (selfEnergy == "valence") options.fit = SelfEnergyFit::Valence;
  return options;
}

void readHamiltonian(JobReading& reading) {
  const Settings& s = reading.settings;
  Hamiltonian& h = reading.job.hamiltonian;
  const auto treatment = [&](const char* keyword) {
    return s.logical("contrl", keyword).value_or(false) ? Treatment::SelfConsistent : Treatment::FirstOrder;
  };
  h.oneElectron = oneElectronOperatorNamed(s.text("contrl", "hamiltonian").value_or("dirac"))
                      .value_or(OneElectronOperator::Dirac);
  h.repulsion = operatorNamed(s.text("contrl", "breit").value_or("none"));
  if (h.hasBreit()) h.breitTreatment = treatment("breitscf");
  h.breitFrequency = h.hasBreit() && s.logical("contrl", "breitfreq").value_or(false);
  h.qed = qedNamed(s.text("contrl", "qedvp").value_or("none"), s.text("contrl", "qedse").value_or("none"));
  if (h.qed.any()) h.qedTreatment = treatment("qedscf");
  if (!reading.jobTypeKnown) return;
  checkJob(reading);
  // Any other job reports these keywords as not its own.
  const bool limit = reading.job.type == JobType::Limit;
  if (reading.job.type != JobType::Energy && !limit) return;
  if (!checkTwoComponent(reading)) return;
  checkBreit(reading);
  checkQed(reading);
}

}  // namespace prophet
