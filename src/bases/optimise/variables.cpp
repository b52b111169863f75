#include "bases/optimise/variables.hpp"

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

constexpr double kSmallest = 1e-6, kLargestLogarithm = 300.0;

double safeExp(double x) { return std::exp(std::clamp(x, -kLargestLogarithm, kLargestLogarithm)); }

}  // namespace

std::vector<double> toVariables(const std::vector<WellTemperedParameters>& groups) {
  std::vector<double> x;
  for (const WellTemperedParameters& p : groups) {
    x.push_back(std::log(p.alpha));
    x.push_back(std::log(p.beta - 1.0));
    x.push_back(std::log(std::max(p.delta, kSmallest)));
    x.push_back(std::log(std::max(p.gamma, kSmallest)));
  }
  return x;
}

std::vector<WellTemperedParameters> fromVariables(const std::vector<double>& x) {
  std::vector<WellTemperedParameters> groups(x.size() / 4);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const double* v = &x[4 * g];
    groups[g] = {safeExp(v[0]), 1.0 + safeExp(v[1]), safeExp(v[2]), safeExp(v[3])};
    // 1 + exp(-40) is 1: beta must stay above.
    groups[g].beta = std::max(groups[g].beta, 1.0 + 1e-12);
  }
  return groups;
}

std::string parametersText(const std::vector<WellTemperedParameters>& groups) {
  std::string text;
  for (const WellTemperedParameters& p : groups)
    text += fmt::format(" {} {} {} {}", p.alpha, p.beta, p.delta, p.gamma);
  return text;
}

namespace {

std::vector<double> ascending(const SymmetryBasis& basis) {
  std::vector<double> list = basis.exponents;
  std::ranges::sort(list);
  if (list.empty())
    throw Error(fmt::format("the set to optimise has no functions of {}", basis.symmetry.label()));
  const auto twice = std::ranges::adjacent_find(list);
  if (twice != list.end()) {
    throw Error(fmt::format("the set to optimise has the exponent {:g} of {} twice; remove one", *twice,
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

RatioVariables::RatioVariables(RatioBounds bounds)
    : low_(std::log(bounds.least)), high_(std::log(bounds.most)) {
  if (!(bounds.least > 1.0) || !(bounds.most > bounds.least)) {
    throw Error(
        fmt::format("ratios of neighbouring exponents from {:g} to {:g}; expected two numbers above 1, the "
                    "smaller one first",
                    bounds.least, bounds.most));
  }
}

Eigen::VectorXd RatioVariables::toVariables(const std::vector<std::vector<double>>& lists) const {
  constexpr double kInside = 0.01;
  std::vector<double> v;
  for (const auto& list : lists) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i == 0) {
        v.push_back(std::log(list[0]));
        continue;
      }
      const double share = (std::log(list[i] / list[i - 1]) - low_) / (high_ - low_);
      const double inside = std::clamp(share, kInside, 1.0 - kInside);
      v.push_back(std::log(inside / (1.0 - inside)));
    }
  }
  return Eigen::Map<Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

std::vector<std::vector<double>> RatioVariables::toLists(
    const Eigen::VectorXd& v, const std::vector<std::vector<double>>& shape) const {
  std::vector<std::vector<double>> lists = shape;
  Eigen::Index k = 0;
  for (auto& list : lists) {
    double logarithm = 0.0;
    for (std::size_t i = 0; i < list.size(); ++i, ++k) {
      logarithm = i == 0 ? v(k) : logarithm + low_ + (high_ - low_) / (1.0 + std::exp(-v(k)));
      list[i] = std::exp(logarithm);
    }
  }
  return lists;
}

Eigen::VectorXd RatioVariables::gradient(const Eigen::VectorXd& v, const Eigen::VectorXd& byExponents,
                                         const std::vector<std::vector<double>>& shape) const {
  Eigen::VectorXd g(v.size());
  Eigen::Index end = v.size();
  for (auto list = shape.rbegin(); list != shape.rend(); ++list) {
    const Eigen::Index first = end - static_cast<Eigen::Index>(list->size());
    double above = 0.0;  // a ratio moves all exponents from its own on
    for (Eigen::Index k = end - 1; k >= first; --k) {
      above += byExponents(k);
      const double share = 1.0 / (1.0 + std::exp(-v(k)));
      g(k) = k == first ? above : above * (high_ - low_) * share * (1.0 - share);
    }
    end = first;
  }
  return g;
}

namespace {

/// Adds sum over the ladder's functions of dE/d ln zeta times d ln zeta/d(the four variables of the group),
/// from ln zeta_k = ln alpha + sum over j = 2 .. k of ln beta + ln(1 + gamma (j/M)^delta).
void addLadder(const WellTemperedParameters& p, int start, int length, const Eigen::VectorXd& byExponents,
               Eigen::Ref<Eigen::VectorXd> sum) {
  Eigen::Vector4d slope(1.0, 0.0, 0.0, 0.0);
  for (int k = 1; k < start + byExponents.size(); ++k) {
    if (k > 1) {
      const double x = static_cast<double>(k) / length, bend = p.gamma * std::pow(x, p.delta);
      slope(1) += (p.beta - 1.0) / p.beta;
      slope(2) += bend * std::log(x) * p.delta / (1.0 + bend);
      slope(3) += bend / (1.0 + bend);
    }
    if (k >= start) sum += byExponents(k - start) * slope;
  }
}

int lengthOf(const WellTemperedSpec& spec, std::size_t a) {
  int length = spec.start[a] + spec.functions[a] - 1;
  if (spec.pool == LadderPool::Symmetry) return length;
  for (std::size_t b = 0; b < spec.functions.size(); ++b)
    if (spec.group[b] == spec.group[a]) length = std::max(length, spec.start[b] + spec.functions[b] - 1);
  return length;
}

}  // namespace

ListVariables::ListVariables(ExponentLists lists, RatioBounds bounds, std::optional<std::size_t> only)
    : lists_(std::move(lists)), ratios_(bounds), first_(only.value_or(0)), moving_(lists_.lists) {
  if (only) moving_.assign(1, lists_.lists.at(*only));
}

ExponentLists ListVariables::lists(const Eigen::VectorXd& v) const {
  ExponentLists lists = lists_;
  std::ranges::copy(ratios_.toLists(v, moving_), lists.lists.begin() + static_cast<std::ptrdiff_t>(first_));
  return lists;
}

Eigen::VectorXd ListVariables::natural(const Eigen::VectorXd& v,
                                       const std::vector<Eigen::VectorXd>& byExponents) const {
  Eigen::Index before = 0;
  for (std::size_t list = 0; list < first_; ++list)
    before += static_cast<Eigen::Index>(lists_.lists[list].size());
  return lists_.gather(byExponents).segment(before, v.size());
}

Eigen::VectorXd ListVariables::gradient(const Eigen::VectorXd& v,
                                        const std::vector<Eigen::VectorXd>& byExponents) const {
  return ratios_.gradient(v, natural(v, byExponents), moving_);
}

Eigen::VectorXd LadderVariables::start() const {
  const std::vector<double> x = toVariables(spec_.groups);
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

WellTemperedSpec LadderVariables::spec(const Eigen::VectorXd& v) const {
  WellTemperedSpec spec = spec_;
  spec.groups = fromVariables({v.data(), v.data() + v.size()});
  return spec;
}

Eigen::VectorXd LadderVariables::gradient(const Eigen::VectorXd& v,
                                          const std::vector<Eigen::VectorXd>& byExponents) const {
  const WellTemperedSpec at = spec(v);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(v.size());
  for (std::size_t a = 0; a < byExponents.size(); ++a) {
    const int group = at.group[a] - 1;
    addLadder(at.groups[group], at.start[a], lengthOf(at, a), byExponents[a],
              sum.segment(4 * static_cast<Eigen::Index>(group), 4));
  }
  return sum;
}

}  // namespace prophet
