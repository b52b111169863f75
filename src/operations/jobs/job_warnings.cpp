#include "operations/jobs/job_warnings.hpp"

#include <fmt/format.h>

#include "atoms/atom/atomic_masses.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "atoms/basis/collection_names.hpp"
#include "atoms/basis/library.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "operations/jobs/basis_source.hpp"

namespace prophet {
namespace {

void warnOfPoint(const ResolvedJob& c, std::vector<Warning>& warnings) {
  const bool given = c.job.basisType == BasisType::WellTempered || c.job.basisType == BasisType::ReadIn;
  if (!given || c.job.nuclearModelGiven || !c.calculation.problem.nucleus.isPoint()) return;
  warnings.push_back(
      {"point_nucleus_by_default",
       fmt::format("the nucleus is a point because the input gives the functions (bastype='{}') and names no "
                   "nuclear model; everywhere else the default is Gaussian: name the model, nucmdl=1 or 3",
                   c.job.basisType == BasisType::WellTempered ? "wtbs" : "rdin")});
}

void warnOfFile(const ResolvedJob& c, std::vector<Warning>& warnings) {
  const auto z = elementOfCharge(c.job.nucleus.charge);
  if (!z || (c.job.basisType != BasisType::File && !isLibraryPath(c.job.libraryName))) return;
  const NuclearModel model = c.calculation.problem.nucleus.model;
  const std::filesystem::path file = basisFileOf(c.job, *z);
  const BasisFileSets sets = readBasisSets(file, *z);
  const auto made = sets.nuclei.find(*z);
  if (made == sets.nuclei.end() || made->second == model) return;
  warnings.push_back(
      {"basis_made_for_something_else",
       fmt::format("the set of {} is for a {} nucleus, and this one is {}; nucmdl={} takes "
                   "the set's",
                   file.string(), nameOf(made->second), nameOf(model), static_cast<int>(made->second))});
}

/// The rule for default bases and its estimate of the error are tried for nuclei of about the size that
/// elements have.
void warnOfSize(const ResolvedJob& c, std::vector<Warning>& warnings) {
  constexpr double kFactor = 5.0, kMassPerCharge = 2.5;
  const Nucleus& nucleus = c.calculation.problem.nucleus;
  const double usual = defaultRms(kMassPerCharge * nucleus.charge);
  const bool chosen = c.job.basisType == BasisType::Library && c.job.libraryName.empty();
  if (!chosen || c.calculation.isLimit() || nucleus.isPoint() ||
      (nucleus.rms < kFactor * usual && nucleus.rms > usual / kFactor))
    return;
  const double fm = constants::kFemtometresPerBohr;
  warnings.push_back(
      {"unusual_nucleus",
       fmt::format("nuclei of this charge have an rms radius of about {:.3g} fm, and this one has {:.3g} fm: "
                   "neither the basis that is chosen automatically nor the estimate of its error has been "
                   "tested for it; jobtype='limit' needs no basis",
                   usual * fm, nucleus.rms * fm)});
}

/// The mass number gives the size of the nucleus, whatever it is.
void warnOfIsotope(const ResolvedJob& c, std::vector<Warning>& warnings) {
  const std::optional<double>& mass = c.job.nucleus.massNumber;
  const auto z = elementOfCharge(c.job.nucleus.charge);
  if (!mass || !z || mayBeIsotope(*z, *mass)) return;
  warnings.push_back(
      {"no_such_isotope",
       fmt::format("there is no isotope of {} with the mass number {:g}, from which the size of "
                   "the nucleus is computed all the same",
                   symbolOf(*z), *mass)});
}

}  // namespace

std::vector<Warning> jobWarnings(const ResolvedJob& job) {
  std::vector<Warning> warnings;
  if (const std::string& remark = job.job.configuration.remark; !remark.empty())
    warnings.push_back({"charge_from_configuration", remark});
  const ConfigurationRequest& electrons = job.job.configuration;
  if (!electrons.text.empty() && !electrons.changed) {
    if (std::string remark = emptyInnerShells(electrons.text); !remark.empty())
      warnings.push_back({"empty_inner_shell", std::move(remark)});
  }
  warnOfIsotope(job, warnings);
  warnOfPoint(job, warnings);
  warnOfFile(job, warnings);
  warnOfSize(job, warnings);
  return warnings;
}

void addJobWarnings(const ResolvedJob& job, Result& result) {
  const std::vector<Warning> found = jobWarnings(job);
  result.warnings.insert(result.warnings.begin(), found.begin(), found.end());
}

}  // namespace prophet
