#include "bases/audit/exponent_remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bases/audit/row_trend.hpp"

namespace prophet {
namespace {

constexpr std::size_t kShortestList = 6;
constexpr std::size_t kNeighbours = 4;

/// Median of the gaps nearest to gap i, itself left out.
double localGap(const std::vector<double>& gaps, std::size_t i) {
  std::vector<std::size_t> others;
  for (std::size_t k = 0; k < gaps.size(); ++k)
    if (k != i) others.push_back(k);
  const auto distance = [i](std::size_t k) { return k > i ? k - i : i - k; };
  std::stable_sort(others.begin(), others.end(),
                   [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
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
  return std::is_sorted(x.begin(), x.end()) || std::is_sorted(x.begin(), x.end(), std::greater<>());
}

/// Whether some function is made of several primitives.
bool isContracted(const ContractedShell& shell) {
  return std::any_of(shell.functions.begin(), shell.functions.end(), [](const std::vector<double>& c) {
    return std::count_if(c.begin(), c.end(), [](double x) { return x != 0.0; }) > 1;
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
