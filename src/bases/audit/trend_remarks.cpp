#include "bases/audit/trend_remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bases/audit/row_trend.hpp"

namespace prophet {
namespace {

double quantityOf(const AuditShare& share, bool prolapse) { return prolapse ? share.prolapse : share.lack(); }

const AuditShare* shareOf(const AuditRow& row, int l) {
  for (const AuditShare& share : row.shares)
    if (share.l == l) return &share;
  return nullptr;
}

/// Logarithms of less would follow rounding.
double logarithmOf(const AuditRow& row, const AuditShare& share, bool prolapse) {
  return std::log(std::max(quantityOf(share, prolapse), row.resolution));
}

/// Below it a difference is nothing to speak of.
double floorOf(const AuditRow& row) {
  return std::max({kOutlierShare * std::abs(row.energy.value_or(0)), kOutlierHartree, row.resolution});
}

void addErrorOutlier(const std::vector<AuditRow>& rows, AuditRow& row, const AuditShare& share,
                     bool prolapse) {
  std::vector<TrendPoint> points;
  for (const AuditRow& other : rows)
    if (const AuditShare* its = shareOf(other, share.l))
      points.push_back({other.z, logarithmOf(other, *its, prolapse)});
  const auto trend = trendAt(row.z, points);
  if (!trend) return;
  const double value = quantityOf(share, prolapse), expected = std::exp(trend->expected);
  const double far = std::max(std::log(kOutlierFactor), kScatters * trend->scatter);
  if (value - expected < floorOf(row) || std::log(value) - trend->expected < far) return;
  const std::string letter(1, letterOfL(share.l));
  row.remarks.push_back(
      {prolapse ? "prolapse_outlier" : "error_outlier", letter,
       fmt::format("{}: {} {:.2e} hartree, its neighbours lead to expect {:.2e}: {:.2e} more", letter,
                   prolapse ? "prolapse of" : "lacks", value, expected, value - expected)});
}

const ExponentList* listOf(const AuditRow& row, const ExponentList& like) {
  for (const ExponentList& list : row.lists)
    if (list.label == like.label && list.exponents.size() == like.exponents.size()) return &list;
  return nullptr;
}

/// The smaller of the gaps beside exponent i, in ln zeta.
double gapBeside(const std::vector<double>& zeta, std::size_t i) {
  double gap = INFINITY;
  if (i > 0) gap = std::min(gap, std::log(zeta[i - 1] / zeta[i]));
  if (i + 1 < zeta.size()) gap = std::min(gap, std::log(zeta[i] / zeta[i + 1]));
  return gap;
}

/// What the neighbours' exponents number i lead to expect; empty where too few have lists of this size.
std::optional<TrendValue> exponentTrend(const std::vector<AuditRow>& rows, const ExponentList& list, int z,
                                        std::size_t i) {
  std::vector<TrendPoint> points;
  for (const AuditRow& other : rows)
    if (const ExponentList* its = listOf(other, list))
      points.push_back({other.z, std::log(its->exponents[i])});
  return trendAt(z, points);
}

/// "3, 5-7" of places counted from 0.
std::string placesText(const std::vector<std::size_t>& places) {
  std::string text;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::size_t begin = k;
    while (k + 1 < places.size() && places[k + 1] == places[k] + 1) ++k;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", places[begin] + 1);
    if (k > begin) text += fmt::format("-{}", places[k] + 1);
  }
  return text;
}

void addExponentOutliers(const std::vector<AuditRow>& rows, const ExponentList& list,
                         std::vector<AuditRemark>& remarks, int z) {
  std::vector<std::size_t> off;
  std::size_t furthest = 0;
  double largest = 0, expected = 0;
  for (std::size_t i = 0; i < list.exponents.size(); ++i) {
    const auto trend = exponentTrend(rows, list, z, i);
    if (!trend) return;
    const double distance = std::abs(std::log(list.exponents[i]) - trend->expected);
    if (distance < std::max(kExponentShare * gapBeside(list.exponents, i), kScatters * trend->scatter))
      continue;
    off.push_back(i);
    if (distance <= largest) continue;
    largest = distance;
    furthest = i;
    expected = std::exp(trend->expected);
  }
  if (off.empty()) return;
  remarks.push_back(
      {"exponent_outlier", list.label,
       fmt::format("{}: exponent{} {} of {} off the trend of the neighbours', most of all number {}: {:.6g}, "
                   "where they lead to expect {:.6g}",
                   list.label, off.size() > 1 ? "s" : "", placesText(off), list.exponents.size(),
                   furthest + 1, list.exponents[furthest], expected)});
}

}  // namespace

void addTrendRemarks(std::vector<AuditRow>& rows) {
  for (AuditRow& row : rows) {
    for (const AuditShare& share : row.shares) {
      addErrorOutlier(rows, row, share, false);
      addErrorOutlier(rows, row, share, true);
    }
    for (const ExponentList& list : row.lists)
      if (list.occupied) addExponentOutliers(rows, list, row.remarks, row.z);
  }
}

}  // namespace prophet
