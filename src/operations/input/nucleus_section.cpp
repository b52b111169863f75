#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/nuclear_charge.hpp"
#include "operations/input/sections.hpp"

namespace prophet {
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
  // As jobs/resolve.cpp: point where the input brings its own functions.
  const bool ownFunctions = job.basisType == BasisType::WellTempered || job.basisType == BasisType::ReadIn;
  const NuclearModel defaultModel =
      ownFunctions && job.type != JobType::Chain ? NuclearModel::Point : NuclearModel::Gaussian;
  nucleus.model =
      static_cast<NuclearModel>(s.integer("nuc", "nucmdl").value_or(static_cast<int>(defaultModel)));
  if (s.damaged("nuc", "nucmdl") || !reading.basisTypeKnown) return;
  checkModelUse(reading);
  checkOneSize(reading);
  const auto own = s.ofGroup("nuc");
  const bool damaged =
      std::any_of(own.begin(), own.end(), [](const GivenKeyword* setting) { return setting->damaged; });
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

}  // namespace prophet
