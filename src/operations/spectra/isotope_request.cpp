#include "operations/spectra/isotope_request.hpp"

#include <fmt/format.h>

namespace prophet {
namespace {

/// docs/theory/levels.md has the comparison with experiment.
constexpr const char* kIsotopeAccuracy =
    "isotope shifts are expectation values of the levels: core polarisation and correlation with the core "
    "are "
    "not in them";
/// docs/theory/core-valence.md has the comparison.
constexpr const char* kCorrelatedIsotopeAccuracy =
    "isotope shifts are derivatives of the levels' energies with core-valence correlation";

}  // namespace

std::optional<IsotopeShift> shiftBetween(const std::optional<IsotopeShift>& upper,
                                         const std::optional<IsotopeShift>& lower) {
  if (!upper || !lower) return {};
  IsotopeShift shift{upper->normal - lower->normal, upper->specific - lower->specific, {}};
  if (upper->field && lower->field) shift.field = *upper->field - *lower->field;
  return shift;
}

std::string isotopeHeading() {
  return fmt::format("{:>13}  {:>13}  {:>12}", "NMS [GHz u]", "SMS [GHz u]", "F [MHz/fm^2]");
}

std::string isotopeCells(const std::optional<IsotopeShift>& shift) {
  if (!shift) return std::string(isotopeHeading().size(), ' ');
  return fmt::format("{:>13.4f}  {:>13.4f}  {:>12}", kMassShiftUnit * shift->normal,
                     kMassShiftUnit * shift->specific,
                     shift->field ? fmt::format("{:.4f}", kFieldShiftFactorUnit * *shift->field) : "");
}

void addIsotopeAccuracy(bool wanted, bool correlated, Record& record) {
  if (!wanted) return;
  const char* text = correlated ? kCorrelatedIsotopeAccuracy : kIsotopeAccuracy;
  record.quantities.push_back(
      {"isotope_shift_accuracy", "isotope shifts", text, text, Quantity::Place::Details});
}

}  // namespace prophet
