#include "atoms/scf/screening.hpp"

#include <algorithm>
#include <iterator>

#include "atoms/atom/elements.hpp"

namespace prophet {
namespace {

struct ScreeningRow {
  int z, symmetry;  ///< symmetry by its index: s+, p-, p+, ...; -1: what an added electron changes
  double charges[kScreeningTerms];
};

/// Ascending in z, then in symmetry. Written by studies/screening-table.
constexpr ScreeningRow kScreeningRows[] = {
#include "atoms/scf/screening_table.inc"
};

/// Ions beyond these have cores that differ from the neutral atom's; free ions with two electrons too many
/// are not bound, and an SCF that starts from this potential does not end.
constexpr double kMostAdded = 1.5, kMostMissing = 8.5;

/// nullptr where the table has none.
const ScreeningRow* rowOf(int z, int symmetry) {
  const auto before = [](const ScreeningRow& a, const ScreeningRow& b) {
    return a.z != b.z ? a.z < b.z : a.symmetry < b.symmetry;
  };
  const ScreeningRow* row = std::lower_bound(std::begin(kScreeningRows), std::end(kScreeningRows),
                                             ScreeningRow{z, symmetry, {}}, before);
  return row != std::end(kScreeningRows) && row->z == z && row->symmetry == symmetry ? row : nullptr;
}

bool isNear(double nuclearCharge, double electrons) {
  const double missing = nuclearCharge - electrons;
  return electrons > 1.0 && missing > -kMostAdded && missing < std::min(kMostMissing, 0.5 * nuclearCharge);
}

}  // namespace

std::array<double, kScreeningTerms> screeningRates(int z) {
  constexpr double kSlowest = 0.5, kFastestOfCharge = 2.0;
  std::array<double, kScreeningTerms> rates{};
  const double ratio = std::pow(kFastestOfCharge * z / kSlowest, 1.0 / (kScreeningTerms - 1));
  for (int k = 0; k < kScreeningTerms; ++k) rates[k] = kSlowest * std::pow(ratio, k);
  return rates;
}

std::optional<Screening> tabulatedScreening(double nuclearCharge, double electrons,
                                            const Symmetry& symmetry) {
  if (!(nuclearCharge >= 0.5 && nuclearCharge < kLastElement + 0.5) || !isNear(nuclearCharge, electrons))
    return {};
  const int z = static_cast<int>(std::lround(nuclearCharge));
  const ScreeningRow *row = rowOf(z, symmetry.index()), *electron = rowOf(z, -1);
  if (!row || !electron) return {};
  Screening s{screeningRates(z), {}};
  for (int k = 0; k < kScreeningTerms; ++k)
    s.charges[k] = row->charges[k] + (electrons - z) * electron->charges[k];
  return s;
}

}  // namespace prophet
