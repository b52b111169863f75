#include "cudaprophet/compute.hpp"

#include "atoms/calculation/compute.hpp"
#include "atoms/properties/properties.hpp"
#include "frontends/api/convert.hpp"
#include "operations/jobs/job_warnings.hpp"

namespace cudaprophet {
namespace {

Result computed(const Atom& atom, const BasisSet* basis, bool limit, const Settings& settings) {
  return translated([&] {
    if (settings.threads < 1) throw prophet::Error("threads must be at least 1");
    prophet::ResolvedJob job = resolved(atom, basis, limit, settings);
    if (!limit && settings.properties) job.calculation.inBasis().keepSpinors = true;
    prophet::Result found = prophet::compute(job.calculation, {settings.threads});
    prophet::addJobWarnings(job, found);
    if (!settings.properties || !found.wavefunction) return resultOf(found, job.choices);
    const prophet::Properties properties = propertiesOf(job.calculation, found);
    found.warnings = allWarnings(found, properties);
    Result result = resultOf(found, job.choices);
    for (const prophet::PropertyValue& p : propertyValues(properties.tables))
      result.properties.push_back({p.table, p.label, p.key, p.unit, p.value});
    return result;
  });
}

}  // namespace

Result compute(const Atom& atom, const Settings& settings) {
  return computed(atom, nullptr, false, settings);
}
Result compute(const Atom& atom, const BasisSet& basis, const Settings& settings) {
  return computed(atom, &basis, false, settings);
}
Result limit(const Atom& atom, const Settings& settings) { return computed(atom, nullptr, true, settings); }

}  // namespace cudaprophet
