#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/nuclear_charge.hpp"
#include "atoms/functional/functional_slopes.hpp"
#include "core/common/text.hpp"
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
    reading.reject("contrl", "c", "by hamiltonian='nonrel', which has no speed of light");
  const Job& job = reading.job;
  if (!kindOf(kind).hasBasis && job.type != JobType::Limit)
    return reading.fail("contrl", "hamiltonian",
                        fmt::format("hamiltonian='{}' has a numerical limit only; expected jobtype='limit', "
                                    "or another hamiltonian",
                                    nameOf(kind)));
  if ((!job.isLimit() && job.type != JobType::Chain) || kindOf(kind).hasLimit) return;
  reading.fail("contrl", "hamiltonian",
               fmt::format("there is no numerical limit of hamiltonian='{}'; expected 'dirac', 'nonrel' or "
                           "'koelling-harmon'",
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
    reading.reject("contrl", "breitfreq", "with breitscf=.true.; it is available in first order only");
  const auto fock = s.text("scf", "fock");
  if (h.scfRepulsion() != TwoElectronOperator::Coulomb && fock && *fock != "grid") {
    reading.fail("scf", "fock",
                 fmt::format("fock='{}' has no self-consistent Breit interaction; expected fock='grid', or "
                             "breitscf=.false. for first order",
                             *fock));
  }
}

void checkFunctional(JobReading& reading) {
  const Hamiltonian& h = reading.job.hamiltonian;
  if (h.isKoellingHarmon() && reading.job.type == JobType::Limit) {
    try {
      requireScalarFunctional(h.functional, h.spin);
    } catch (const Error& error) {
      return reading.fail("contrl", h.isKohnSham() ? "functional" : "hamiltonian", error.what());
    }
  }
  if (!h.isKohnSham())
    return reading.reject("contrl", "spin", "without a density functional; it belongs to 'functional'");
  try {
    functionalOf(h);
  } catch (const Error& error) {
    return reading.fail("contrl", "functional", error.what());
  }
  if (h.scfRepulsion() != TwoElectronOperator::Coulomb)
    reading.reject("contrl", "breitscf",
                   fmt::format("by functional='{}', beside which the Breit interaction is available in first "
                               "order only",
                               h.functional));
  const auto fock = reading.settings.text("scf", "fock");
  if (fock && *fock != "grid")
    reading.fail("scf", "fock",
                 fmt::format("fock='{}' has no density functionals; expected fock='grid' beside "
                             "functional='{}'",
                             *fock, h.functional));
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
  const std::string functional = canonicalFunctional(s.text("contrl", "functional").value_or("none"));
  if (functional != "none") h.functional = functional;
  h.spin = valueNamed<SpinPolarisation>(s.text("contrl", "spin").value_or("none"))
               .value_or(SpinPolarisation::None);
  const std::string usual = findKeyword("contrl", "breit")->usualOf(reading.job.type);
  h.repulsion = operatorNamed(s.text("contrl", "breit").value_or(h.isFourComponent() ? usual : "none"));
  if (h.hasBreit()) h.breitTreatment = treatment("breitscf");
  h.breitFrequency = h.hasBreit() && s.logical("contrl", "breitfreq").value_or(false);
  h.qed = qedNamed(s.text("contrl", "qedvp").value_or("none"), s.text("contrl", "qedse").value_or("none"));
  if (h.qed.any()) h.qedTreatment = treatment("qedscf");
  if (!reading.jobTypeKnown) return;
  checkJob(reading);
  // Any other job reports these keywords as not its own.
  if (!reading.job.isField()) return;
  if (reading.job.type == JobType::Energy || reading.job.type == JobType::Limit) checkFunctional(reading);
  if (!checkTwoComponent(reading)) return;
  checkBreit(reading);
  checkQed(reading);
}

namespace {

/// A keyword of $nuc that says how a charge is distributed.
struct ModelUse {
  std::string keyword;
  std::optional<NuclearModel> only;  ///< the model that uses it; empty: all that have a size
  bool size = true;                  ///< whether it gives the size

  std::string models() const {
    return "nucmdl=" + (only ? std::to_string(static_cast<int>(*only)) : numbersOfExtended());
  }
};

std::vector<ModelUse> modelUses() {
  std::vector<ModelUse> uses;
  for (const NuclearCharge* charge : nuclearCharges()) {
    for (const NuclearKeyword& k : charge->keywords) uses.push_back({k.keyword, charge->model, k.size});
  }
  uses.push_back({"rms", {}});
  uses.push_back({"mass", {}});
  return uses;
}

/// Keywords that the model does not use. A library set's own model is not known yet: what belongs to a single
/// model then needs nucmdl.
void checkModelUse(JobReading& reading) {
  const bool libraryDecides = !reading.job.nuclearModelGiven && reading.job.basisType == BasisType::Library;
  const NuclearModel model = reading.job.nucleus.model;
  for (const ModelUse& known : modelUses()) {
    if (!reading.settings.has("nuc", known.keyword)) continue;
    ModelUse use = known;
    if (use.keyword == "rnuc" && reading.job.nucleus.measuredRadius) use.only.reset();
    if (libraryDecides) {
      if (use.only) {
        reading.fail("nuc", use.keyword,
                     fmt::format("'{}' needs {} beside it in $nuc", use.keyword, use.models()));
      }
    } else if (use.only ? *use.only != model : model == NuclearModel::Point) {
      reading.reject(
          "nuc", use.keyword,
          fmt::format("by nucmdl={} ({}{}); it belongs to {}", static_cast<int>(model), nameOf(model),
                      reading.job.nuclearModelGiven ? "" : ", the default here", use.models()));
    }
  }
}

/// Of radius or exponent, rms and mass only the first one given decides the size; a measured radius is that
/// of the mass.
void checkOneSize(JobReading& reading) {
  std::string first;
  for (const ModelUse& use : modelUses()) {
    if (!use.size || !reading.settings.has("nuc", use.keyword)) continue;
    if (first.empty()) {
      first = use.keyword;
    } else if (first != "rnuc" || use.keyword != "mass" || !reading.job.nucleus.measuredRadius) {
      reading.reject("nuc", use.keyword,
                     fmt::format("beside '{}', which already gives the size of the nucleus", first));
    }
  }
}

}  // namespace

void readNucleus(JobReading& reading) {
  const Settings& s = reading.settings;
  if (s.group("nuc") == nullptr) {
    return reading.fail("nuc", "", "the group $nuc is missing; expected at least '$nuc znuc=... $end'");
  }
  if (!reading.require("nuc", "znuc")) return;
  const std::size_t errorsBefore = reading.diagnostics.size();
  Job& job = reading.job;
  NucleusRequest& nucleus = job.nucleus;
  nucleus.charge = s.number("nuc", "znuc").value_or(0);
  for (const NuclearCharge* charge : nuclearCharges()) {
    for (const NuclearKeyword& k : charge->keywords) nucleus.*k.given = s.number("nuc", k.keyword);
  }
  nucleus.measuredRadius = nucleus.radius && *nucleus.radius == kMeasuredRadius;
  if (nucleus.measuredRadius) nucleus.radius.reset();
  nucleus.massNumber = s.number("nuc", "mass");
  nucleus.rmsFemtometres = s.number("nuc", "rms");
  job.nuclearModelGiven = s.has("nuc", "nucmdl");
  const NuclearModel byDefault = defaultNuclearModel(job.basisType, job.type);
  nucleus.model = static_cast<NuclearModel>(s.integer("nuc", "nucmdl").value_or(static_cast<int>(byDefault)));
  if (s.damaged("nuc", "nucmdl") || !reading.basisTypeKnown) return;
  checkModelUse(reading);
  checkOneSize(reading);
  const auto own = s.ofGroup("nuc");
  const bool damaged = std::ranges::any_of(own, [](const GivenKeyword* setting) { return setting->damaged; });
  if (damaged || s.damaged("contrl", "c") || reading.diagnostics.size() > errorsBefore) return;
  // Reported with the basis.
  if (!job.libraryName.empty() && !elementOfCharge(nucleus.charge)) return;
  if (nucleus.model == NuclearModel::Point && nucleus.charge >= job.hamiltonian.speedOfLight) {
    return reading.fail(
        "nuc", "znuc",
        fmt::format("found znuc={:g} with a point nucleus; expected less than c={:.10g}, or another nucmdl",
                    nucleus.charge, job.hamiltonian.speedOfLight));
  }
  try {
    makeNucleus(nucleus);
  } catch (const Error& error) {
    reading.fail("nuc", "znuc", error.what());
  }
}

namespace {

bool given(const JobReading& reading, const char* group) { return reading.settings.group(group) != nullptr; }

void readWatson(JobReading& reading) {
  const bool charge = reading.require("watson", "charge"), radius = reading.require("watson", "radius");
  if (!charge || !radius) return;
  const Settings& s = reading.settings;
  reading.job.hamiltonian.shell = {s.number("watson", "charge").value_or(0),
                                   s.number("watson", "radius").value_or(1)};
}

void readCrystal(JobReading& reading) {
  const bool file = reading.require("crystal", "file"), site = reading.require("crystal", "site");
  if (!file || !site) return;
  const Settings& s = reading.settings;
  reading.job.crystal = {s.text("crystal", "file").value_or(""), s.text("crystal", "site").value_or(""),
                         s.text("crystal", "charges").value_or(""), s.text("crystal", "block").value_or("")};
}

}  // namespace

void readEmbedding(JobReading& reading) {
  const bool watson = given(reading, "watson"), crystal = given(reading, "crystal");
  if (watson) readWatson(reading);
  if (crystal) readCrystal(reading);
  if (!watson && !crystal) return;
  const char* group = crystal ? "crystal" : "watson";
  if (watson && crystal)
    return reading.fail(
        "crystal", "", "$crystal beside $watson: both give the charges around the ion; expected one of them");
  const Hamiltonian& h = reading.job.hamiltonian;
  if (!h.isFourComponent())
    return reading.fail(group, "",
                        fmt::format("${} with hamiltonian='{}'; it belongs to hamiltonian='dirac'", group,
                                    nameOf(h.oneElectron)));
  if (reading.job.isLimit() && h.qed.any() && !h.qedInScf())
    reading.fail(
        group, "",
        fmt::format("${} with QED corrections in first order; expected qedscf=.true. in $contrl", group));
}

}  // namespace prophet
