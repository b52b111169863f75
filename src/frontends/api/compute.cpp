#include "cudaprophet/compute.hpp"

#include "atoms/properties/properties.hpp"
#include "frontends/api/convert.hpp"

namespace cudaprophet {
namespace {

Result resultFor(const Atom& atom, const BasisSet* basis, bool limit, const Settings& settings) {
  return translated([&] {
    const auto found = computed(atom, basis, limit, settings);
    Result result = resultOf(*found);
    if (!settings.properties || !found->result.wavefunction) return result;
    const prophet::Properties properties = propertiesOf(found->job.calculation, found->result);
    result.warnings.clear();
    for (const prophet::Warning& w : allWarnings(found->result, properties))
      result.warnings.push_back({w.id, w.text});
    for (const prophet::PropertyValue& p : propertyValues(properties.tables))
      result.properties.push_back({p.table, p.label, p.key, p.unit, p.value});
    return result;
  });
}

}  // namespace

Result compute(const Atom& atom, const Settings& settings) {
  return resultFor(atom, nullptr, false, settings);
}
Result compute(const Atom& atom, const BasisSet& basis, const Settings& settings) {
  return resultFor(atom, &basis, false, settings);
}
Result limit(const Atom& atom, const Settings& settings) { return resultFor(atom, nullptr, true, settings); }

}  // namespace cudaprophet
