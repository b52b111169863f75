#include "operations/audit/exponent_remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "atoms/atom/elements.hpp"
#include "bases/formats/exchange_formats.hpp"

namespace prophet {
namespace {

ExponentList listOf(const BasisSet& basis, int place, const Configuration& configuration) {
  const SymmetryBasis& s = basis.symmetries[place];
  ExponentList list{s.symmetry.label(), s.symmetry.l(), {place}, s.exponents, false};
  std::ranges::sort(list.exponents, std::greater<>());
  list.occupied = configuration.occupationOf(place).occupied() > 0;
  return list;
}

}  // namespace

std::vector<ExponentList> exponentLists(const BasisSet& basis, const Configuration& configuration) {
  std::vector<ExponentList> lists;
  for (int a = 0; a < static_cast<int>(basis.symmetries.size()); ++a) {
    ExponentList list = listOf(basis, a, configuration);
    if (list.l == 0) list.label = "s";
    ExponentList* before = lists.empty() || lists.back().l != list.l ? nullptr : &lists.back();
    if (before && before->exponents == list.exponents) {
      before->label = std::string(1, letterOfL(list.l));
      before->symmetries.push_back(a);
      before->occupied = before->occupied || list.occupied;
    } else {
      lists.push_back(std::move(list));
    }
  }
  return lists;
}

std::string occupiedSizes(const std::vector<ExponentList>& lists) {
  std::string text;
  for (const ExponentList& list : lists)
    if (list.occupied)
      text += fmt::format("{}{}{}", text.empty() ? "" : " ", list.exponents.size(), list.label);
  return text;
}

SmallestOverlap smallestOverlapOf(const std::vector<ExponentList>& lists) {
  SmallestOverlap least;
  for (const ExponentList& list : lists) {
    const double eigenvalue = smallestOverlap(list.l, list.exponents);
    if (eigenvalue < least.eigenvalue) least = {eigenvalue, list.label};
  }
  return least;
}

namespace {

constexpr int kReach = 4;
constexpr std::size_t kFewest = 3;

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::ranges::sort(values);
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

namespace {

constexpr std::size_t kShortestList = 6;
constexpr std::size_t kNeighbours = 4;

/// Median of the gaps nearest to gap i, itself left out.
double localGap(const std::vector<double>& gaps, std::size_t i) {
  std::vector<std::size_t> others;
  for (std::size_t k = 0; k < gaps.size(); ++k)
    if (k != i) others.push_back(k);
  const auto distance = [i](std::size_t k) { return k > i ? k - i : i - k; };
  std::ranges::stable_sort(others, [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
  std::vector<double> near;
  for (std::size_t k = 0; k < std::min(kNeighbours, others.size()); ++k) near.push_back(gaps[others[k]]);
  return median(near);
}

AuditRemark pairRemark(const ExponentList& list, std::size_t i, const char* kind, const std::string& why) {
  return {kind, list.label,
          fmt::format("{}: exponents {} and {} of {} ({:.6g}, {:.6g}) have the ratio {:.4g}{}", list.label,
                      i + 1, i + 2, list.exponents.size(), list.exponents[i], list.exponents[i + 1],
                      list.exponents[i] / list.exponents[i + 1], why)};
}

void addGaps(const ExponentList& list, std::vector<AuditRemark>& remarks) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < list.exponents.size(); ++i)
    gaps.push_back(std::log(list.exponents[i - 1] / list.exponents[i]));
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    if (gaps[i] < std::log(kNearDuplicate)) {
      remarks.push_back(pairRemark(list, i, "near_duplicate", ""));
    } else if (list.occupied && list.exponents.size() >= kShortestList) {
      const double local = localGap(gaps, i);
      if (gaps[i] > kWideGap * local || gaps[i] < kNarrowGap * local)
        remarks.push_back(
            pairRemark(list, i, "odd_gap", fmt::format(", those beside them {:.4g}", std::exp(local))));
    }
  }
}

bool monotonic(const std::vector<double>& x) {
  return std::ranges::is_sorted(x) || std::ranges::is_sorted(x, std::greater<>());
}

/// Whether some function is made of several primitives.
bool isContracted(const ContractedShell& shell) {
  return std::ranges::any_of(shell.functions, [](const std::vector<double>& c) {
    return std::ranges::count_if(c, [](double x) { return x != 0.0; }) > 1;
  });
}

}  // namespace

std::vector<AuditRemark> gapRemarks(const std::vector<ExponentList>& lists) {
  std::vector<AuditRemark> remarks;
  for (const ExponentList& list : lists) addGaps(list, remarks);
  return remarks;
}

std::vector<AuditRemark> shellRemarks(const ElementBasis& file) {
  std::vector<AuditRemark> remarks;
  bool contracted = false;
  for (std::size_t i = 0; i < file.contracted.size(); ++i) {
    const ContractedShell& shell = file.contracted[i];
    if (shell.role != "orbital") continue;
    const std::string letter(1, letterOfL(shell.l));
    contracted = contracted || isContracted(shell);
    if (!monotonic(shell.exponents))
      remarks.push_back(
          {"order", letter,
           fmt::format("{}: the exponents of shell {} of the file are not in order", letter, i + 1)});
  }
  if (contracted) remarks.push_back({"contracted", "", "contracted in the file; uncontracted here"});
  return remarks;
}

}  // namespace prophet
