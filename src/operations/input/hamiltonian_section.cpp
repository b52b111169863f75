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

void applyHamiltonian(JobReading& reading) {
  Hamiltonian& h = reading.job.hamiltonian;
  const Keyword& breit = *findKeyword("contrl", "breit");
  const std::string* ofJob = h.isFourComponent() ? jobDefault(breit, reading.job.type) : nullptr;
  if (ofJob && !reading.settings.text("contrl", "breit")) breit.read(reading.job, *ofJob);
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

/// Only the first given one of radius or exponent, rms and mass decides the size; a measured radius is that
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

void applyNucleus(JobReading& reading) {
  const Settings& s = reading.settings;
  if (s.group("nuc") == nullptr) {
    return reading.fail("nuc", "", "the group $nuc is missing; expected at least '$nuc znuc=... $end'");
  }
  if (!reading.require("nuc", "znuc")) return;
  const std::size_t errorsBefore = reading.diagnostics.size();
  Job& job = reading.job;
  NucleusRequest& nucleus = job.nucleus;
  job.nuclearModelGiven = s.has("nuc", "nucmdl");
  if (!job.nuclearModelGiven) nucleus.model = defaultNuclearModel(job.basisType, job.type);
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

}  // namespace

void applyEmbedding(JobReading& reading) {
  const bool watson = given(reading, "watson"), crystal = given(reading, "crystal");
  for (const char* keyword : {"charge", "radius"})
    if (watson) reading.require("watson", keyword);
  for (const char* keyword : {"file", "site"})
    if (crystal) reading.require("crystal", keyword);
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
