#include "atoms/frozen/tabulated_field.hpp"

#include <limits>

#include "core/common/error.hpp"

namespace prophet {

TabulatedField::TabulatedField(const FrozenField& field, const TrialMeans& means)
    : field_(field), means_(means) {
  if (!field.nucleus().attraction()) return;
  for (int a = 0; a < field.symmetries(); ++a) {
    tables_.push_back(field.table(a));
    kept_.push_back(means.device ? means.device->keep(tables_.back()) : -1);
  }
}

TabulatedField::~TabulatedField() {
  for (const int table : kept_) {
    if (means_.device) means_.device->drop(table);
  }
}

std::optional<ShortfallSlopes> TabulatedField::slopes(int symmetry,
                                                      const std::vector<double>& exponents) const {
  const auto a = static_cast<std::size_t>(symmetry);
  if (static_cast<int>(exponents.size()) < occupied(symmetry) || tables_.empty()) return std::nullopt;
  if (!tables_[a].contains(exponents)) return std::nullopt;
  if (means_.device) {
    if (auto outcome = means_.device->slopes(kept_[a], exponents)) return outcome;
  }
  const Permits::Hold hold(means_.host);
  try {
    return tables_[a].shortfallWithSlopes(exponents);
  } catch (const Error&) {
    return std::nullopt;  // near-dependent beyond what LAPACK can handle
  }
}

BasisShortfall TabulatedField::shortfall(int symmetry, const std::vector<double>& exponents) const {
  const auto a = static_cast<std::size_t>(symmetry);
  if (static_cast<int>(exponents.size()) < occupied(symmetry))
    return {std::numeric_limits<double>::infinity(), 0.0};
  const bool tabulated = !tables_.empty() && tables_[a].contains(exponents);
  if (tabulated && means_.device) {
    if (const auto outcome = means_.device->measure(kept_[a], exponents)) return *outcome;
  }
  const Permits::Hold hold(means_.host);
  return tabulated ? tables_[a].shortfall(exponents) : field_.shortfall(symmetry, exponents);
}

}  // namespace prophet
