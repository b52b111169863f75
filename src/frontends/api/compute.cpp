#include "cudaprophet/compute.hpp"

#include "atoms/calculation/compute.hpp"
#include "frontends/api/convert.hpp"

namespace cudaprophet {
namespace {

Result computed(const Atom& atom, const BasisSet* basis, bool limit, const Settings& settings) {
  return translated([&] {
    if (settings.threads < 1) throw prophet::Error("threads must be at least 1");
    const prophet::ResolvedJob job = resolved(atom, basis, limit, settings);
    return resultOf(prophet::compute(job.calculation, {settings.threads}), job.choices);
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
