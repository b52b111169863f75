#include <fmt/format.h>

#include <algorithm>

#include "atoms/atom/elements.hpp"
#include "operations/input/sections.hpp"

namespace prophet {
namespace {

/// Models that use a keyword of $nuc, as the digits of nucmdl.
struct ModelUse {
  const char* keyword;
  const char* models;
  const char* text;
};
constexpr ModelUse kUses[] = {{"rnuc", "2", "nucmdl=2"},
                              {"alpha", "3", "nucmdl=3"},
                              {"mass", "234", "nucmdl=2, 3 and 4"},
                              {"rms", "234", "nucmdl=2, 3 and 4"},
                              {"skin", "4", "nucmdl=4"}};

/// Keywords that the model does not use. A library set's own model is not known yet: what belongs to a single
/// model then needs nucmdl.
void checkModelUse(JobReading& reading) {
  const bool libraryDecides = !reading.job.nuclearModelGiven && reading.job.basisType == BasisType::Library;
  const NuclearModel model = reading.job.nucleus.model;
  const char digit = static_cast<char>('0' + static_cast<int>(model));
  for (const ModelUse& use : kUses) {
    if (!reading.settings.has("nuc", use.keyword)) continue;
    const bool measured = use.keyword == std::string("rnuc") && reading.job.nucleus.measuredRadius;
    const std::string models = measured ? "234" : use.models;
    if (libraryDecides) {
      if (models.size() == 1) {
        reading.fail("nuc", use.keyword,
                     fmt::format("'{}' needs {} beside it in $nuc", use.keyword, use.text));
      }
    } else if (models.find(digit) == std::string::npos) {
      reading.reject("nuc", use.keyword,
                     fmt::format("by nucmdl={} ({}{}); it belongs to {}", digit, nameOf(model),
                                 reading.job.nuclearModelGiven ? "" : ", the default here",
                                 measured ? "nucmdl=2, 3 and 4" : use.text));
    }
  }
}

/// Of radius or exponent, rms and mass only the first one given decides the size; a measured radius is that
/// of the mass.
void checkOneSize(JobReading& reading) {
  std::string first;
  for (const char* keyword : {"rnuc", "alpha", "rms", "mass"}) {
    if (!reading.settings.has("nuc", keyword)) continue;
    if (first.empty()) {
      first = keyword;
    } else if (first != "rnuc" || keyword != std::string("mass") || !reading.job.nucleus.measuredRadius) {
      reading.reject("nuc", keyword,
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
  nucleus.radius = s.number("nuc", "rnuc");
  nucleus.measuredRadius = nucleus.radius && *nucleus.radius == kMeasuredRadius;
  if (nucleus.measuredRadius) nucleus.radius.reset();
  nucleus.exponent = s.number("nuc", "alpha");
  nucleus.massNumber = s.number("nuc", "mass");
  nucleus.rmsFemtometres = s.number("nuc", "rms");
  nucleus.skinFemtometres = s.number("nuc", "skin");
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
