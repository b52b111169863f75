#include "bases/audit/exponent_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "bases/formats/exchange_formats.hpp"

namespace prophet {
namespace {

ExponentList listOf(const BasisSet& basis, int place, const Configuration& configuration) {
  const SymmetryBasis& s = basis.symmetries[static_cast<std::size_t>(place)];
  ExponentList list{s.symmetry.label(), s.symmetry.l(), {place}, s.exponents, false};
  std::sort(list.exponents.begin(), list.exponents.end(), std::greater<>());
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

}  // namespace prophet
