#include "bases/audit/row_trend.hpp"

#include <algorithm>
#include <cmath>

#include "atoms/atom/periodic_rows.hpp"

namespace prophet {
namespace {

constexpr int kReach = 4;
constexpr std::size_t kFewest = 3;

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

std::optional<TrendValue> trendAt(int z, const std::vector<TrendPoint>& points) {
  std::vector<TrendPoint> others;
  for (const TrendPoint& p : points)
    if (p.z != z && std::abs(p.z - z) <= kReach && rowOfBlock(p.z) == rowOfBlock(z)) others.push_back(p);
  if (others.size() < kFewest) return std::nullopt;
  std::vector<double> slopes, carried, residuals;
  for (std::size_t i = 0; i < others.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (others[i].z != others[j].z)
        slopes.push_back((others[i].value - others[j].value) / (others[i].z - others[j].z));
  const double slope = median(slopes);
  for (const TrendPoint& p : others) carried.push_back(p.value + slope * (z - p.z));
  TrendValue trend;
  trend.expected = median(carried);
  for (const double value : carried) residuals.push_back(std::abs(value - trend.expected));
  trend.scatter = median(residuals);
  return trend;
}

}  // namespace prophet
