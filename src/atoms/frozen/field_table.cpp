#include "atoms/frozen/field_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "atoms/frozen/table_trial.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

bool FieldTable::contains(const std::vector<double>& exponents) const {
  return std::all_of(exponents.begin(), exponents.end(), [&](double zeta) { return nodes.contains(zeta); });
}

BasisShortfall FieldTable::shortfall(const std::vector<double>& exponents) const {
  try {
    const TableTrial trial(*this, exponents);
    const BasisShortfall s = trial.shortfall();
    if (std::isfinite(s.rise + s.prolapse)) return s;
  } catch (const Error&) {  // too few, or near-dependent beyond what LAPACK can handle
  }
  return {kInfinite, 0.0};
}

ShortfallSlopes FieldTable::shortfallWithSlopes(const std::vector<double>& exponents) const {
  TableTrial trial(*this, exponents, true);
  return trial.slopes();
}

}  // namespace prophet
