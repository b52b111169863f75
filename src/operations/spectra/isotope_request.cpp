#include "operations/spectra/isotope_request.hpp"

#include <fmt/format.h>

namespace prophet {
namespace {

/// docs/theory/levels.md has the comparison with experiment.
constexpr const char* kIsotopeAccuracy =
    "isotope shifts are expectation values of the levels: core polarisation and correlation with the core "
    "are "
    "not in them";

}  // namespace

std::optional<IsotopeShift> shiftBetween(const std::optional<IsotopeShift>& upper,
                                         const std::optional<IsotopeShift>& lower) {
  if (!upper || !lower) return {};
  IsotopeShift shift{upper->normal - lower->normal, upper->specific - lower->specific, {}};
  if (upper->field && lower->field) shift.field = *upper->field - *lower->field;
  return shift;
}

std::string isotopeCells(const IsotopeShift& shift) {
  return fmt::format("{:>13.4f}  {:>13.4f}  {:>12}", kMassShiftUnit * shift.normal,
                     kMassShiftUnit * shift.specific,
                     shift.field ? fmt::format("{:.4f}", kFieldShiftFactorUnit * *shift.field) : "");
}

void addIsotopeAccuracy(bool wanted, Record& record) {
  if (!wanted) return;
  record.quantities.push_back({"isotope_shift_accuracy", "isotope shifts", kIsotopeAccuracy, kIsotopeAccuracy,
                               Quantity::Place::Details});
}

}  // namespace prophet
