#include "bases/optimise/exponent_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

std::vector<double> ascending(const SymmetryBasis& basis) {
  std::vector<double> list = basis.exponents;
  std::sort(list.begin(), list.end());
  if (list.empty())
    throw Error(fmt::format("the set to optimise has no functions of {}", basis.symmetry.label()));
  const auto twice = std::adjacent_find(list.begin(), list.end());
  if (twice != list.end()) {
    throw Error(fmt::format("the set to optimise has the exponent {:g} of {} twice; leave one out", *twice,
                            basis.symmetry.label()));
  }
  return list;
}

/// One list for two.
std::vector<double> merged(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return a.size() > b.size() ? a : b;
  std::vector<double> mean(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) mean[i] = std::sqrt(a[i] * b[i]);
  return mean;
}

/// Where in `longer` a stretch of the size of `shorter` is nearest to it.
int nearestStretch(const std::vector<double>& longer, const std::vector<double>& shorter) {
  double least = std::numeric_limits<double>::infinity();
  int best = 0;
  for (std::size_t first = 0; first + shorter.size() <= longer.size(); ++first) {
    double distance = 0.0;
    for (std::size_t i = 0; i < shorter.size(); ++i)
      distance += std::pow(std::log(longer[first + i] / shorter[i]), 2);
    if (distance < least) {
      least = distance;
      best = static_cast<int>(first);
    }
  }
  return best;
}

/// Takes the lists of l = 2, 3, ... out where l - 2 has one.
void joinFamilies(ExponentLists& shared) {
  const std::vector<std::vector<double>> ofL = shared.lists;
  std::vector<int> first(ofL.size(), 0);
  for (std::size_t l = 2; l < ofL.size(); ++l) {
    const std::vector<double>& head = ofL[l % 2];
    if (ofL[l].size() > head.size()) {
      throw Error(fmt::format(
          "shared='family': {} has {} functions, more than the {} of {} that it shares with",
          letterOfL(static_cast<int>(l)), ofL[l].size(), head.size(), letterOfL(static_cast<int>(l) % 2)));
    }
    first[l] = nearestStretch(head, ofL[l]);
  }
  for (ExponentLists::Place& place : shared.places) {
    place.first = first[place.list];
    place.list %= 2;
  }
  shared.lists.resize(std::min<std::size_t>(ofL.size(), 2));
}

}  // namespace

template <>
const Names<Sharing>& namesOf() {
  static const Names<Sharing> kNames = {
      {"l", Sharing::ByL}, {"j", Sharing::ByJ}, {"family", Sharing::ByFamily}};
  return kNames;
}

int ExponentLists::size() const {
  std::size_t sum = 0;
  for (const auto& list : lists) sum += list.size();
  return static_cast<int>(sum);
}

BasisSet ExponentLists::basis() const {
  BasisSet basis;
  basis.description = "optimised exponents";
  for (std::size_t a = 0; a < places.size(); ++a) {
    const Place& place = places[a];
    const auto from = lists[place.list].begin() + place.first;
    basis.symmetries.push_back({Symmetry::fromIndex(static_cast<int>(a)), {from, from + place.count}});
  }
  return basis;
}

Eigen::VectorXd ExponentLists::gather(const std::vector<Eigen::VectorXd>& gradient) const {
  std::vector<Eigen::Index> offset{0};
  for (const auto& list : lists) offset.push_back(offset.back() + static_cast<Eigen::Index>(list.size()));
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(size());
  for (std::size_t a = 0; a < places.size(); ++a)
    sum.segment(offset[places[a].list] + places[a].first, places[a].count) += gradient[a];
  return sum;
}

ExponentLists shareExponents(const BasisSet& basis, int symmetries, Sharing sharing) {
  if (static_cast<int>(basis.symmetries.size()) < symmetries)
    throw Error(fmt::format("the set to optimise has no functions of {}",
                            Symmetry::fromIndex(static_cast<int>(basis.symmetries.size())).label()));
  ExponentLists shared;
  for (int a = 0; a < symmetries; ++a) {
    const std::vector<double> own = ascending(basis.symmetries[a]);
    const bool second = sharing != Sharing::ByJ && a > 0 && a % 2 == 0;  // p+ after p-, ...
    if (second) {
      shared.lists.back() = merged(shared.lists.back(), own);
    } else {
      shared.lists.push_back(own);
    }
    shared.places.push_back({static_cast<int>(shared.lists.size()) - 1, 0, 0});
  }
  for (ExponentLists::Place& place : shared.places)
    place.count = static_cast<int>(shared.lists[place.list].size());
  if (sharing == Sharing::ByFamily) joinFamilies(shared);
  return shared;
}

}  // namespace prophet
