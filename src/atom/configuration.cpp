#include "atom/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace prophet {
namespace {

double binomial(int n, int k) {
  double value = 1.0;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

std::vector<int> openIndices(const std::vector<bool>& open) {
  std::vector<int> indices;
  for (int i = 0; i < static_cast<int>(open.size()); ++i)
    if (open[i]) indices.push_back(i);
  return indices;
}

int degeneracyOf(int symmetry) { return Symmetry::fromIndex(symmetry).degeneracy(); }
std::string labelOf(int symmetry) { return Symmetry::fromIndex(symmetry).label(); }

void checkRow(const OpenOccupations& row, std::size_t number, const std::vector<int>& symmetries) {
  if (row.size() != symmetries.size())
    throw Error(fmt::format("configuration {} has {} occupations, but {} spinors are open", number,
                            row.size(), symmetries.size()));
  for (std::size_t a = 0; a < row.size(); ++a)
    if (row[a] < 0 || row[a] > degeneracyOf(symmetries[a]))
      throw Error(fmt::format("configuration {} puts {} electrons in the open spinor of {}; expected 0 to {}",
                              number, row[a], labelOf(symmetries[a]), degeneracyOf(symmetries[a])));
}

void checkList(const std::vector<OpenOccupations>& list, const std::vector<int>& symmetries) {
  if (list.empty() && !symmetries.empty())
    throw Error("there are open spinors but no configuration of their electrons: give a list, or autogen");
  for (std::size_t i = 0; i < list.size(); ++i) {
    checkRow(list[i], i + 1, symmetries);
    const int first = std::accumulate(list[0].begin(), list[0].end(), 0);
    const int electrons = std::accumulate(list[i].begin(), list[i].end(), 0);
    if (electrons != first)
      throw Error(
          fmt::format("configuration {} has {} electrons in the open spinors, but configuration 1 has {}",
                      i + 1, electrons, first));
    const auto same = std::find(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i), list[i]);
    if (const auto j = static_cast<std::size_t>(same - list.begin()); j < i)
      throw Error(fmt::format("configuration {} repeats configuration {}", i + 1, j + 1));
  }
}

/// Averages over a list of configurations, each weighted by its number of determinants.
struct Averages {
  std::vector<double> n;  ///< <n_a>
  Eigen::MatrixXd pairs;  ///< <n_a n_b>, on the diagonal <n_a (n_a - 1)>
};

Averages averagesOf(const std::vector<OpenOccupations>& list, const std::vector<int>& symmetries) {
  const auto count = symmetries.size();
  Averages averages{std::vector<double>(count, 0.0), Eigen::MatrixXd::Zero(count, count)};
  double total = 0.0;
  for (const auto& row : list) {
    double weight = 1.0;
    for (std::size_t a = 0; a < count; ++a) weight *= binomial(degeneracyOf(symmetries[a]), row[a]);
    total += weight;
    for (std::size_t a = 0; a < count; ++a) {
      averages.n[a] += weight * row[a];
      for (std::size_t b = 0; b < count; ++b)
        averages.pairs(a, b) += weight * row[a] * (row[b] - (a == b ? 1 : 0));
    }
  }
  for (auto& n : averages.n) n /= total;
  averages.pairs /= total;
  return averages;
}

void checkPartlyFilled(double n, int symmetry) {
  if (n <= 0.0)
    throw Error(fmt::format("no configuration puts an electron in the open spinor of {}: do not open it",
                            labelOf(symmetry)));
  if (n >= degeneracyOf(symmetry))
    throw Error(fmt::format("the open spinor of {} is full in every configuration: count it as closed",
                            labelOf(symmetry)));
}

void distribute(const std::vector<int>& capacities, int electrons, OpenOccupations& row,
                std::vector<OpenOccupations>& list) {
  if (row.size() == capacities.size()) {
    if (electrons == 0) list.push_back(row);
    return;
  }
  for (int n = std::min(electrons, capacities[row.size()]); n >= 0; --n) {
    row.push_back(n);
    distribute(capacities, electrons - n, row, list);
    row.pop_back();
  }
}

}  // namespace

double Configuration::electrons() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < symmetries.size(); ++i)
    sum += symmetries[i].closed * degeneracyOf(static_cast<int>(i)) +
           (symmetries[i].open ? symmetries[i].openElectrons : 0.0);
  return sum;
}

bool Configuration::hasOpenShells() const {
  return std::any_of(symmetries.begin(), symmetries.end(), [](const auto& s) { return s.open; });
}

double Configuration::occupation(int symmetry, int number) const {
  const auto& s = symmetries[symmetry];
  if (number < s.closed) return degeneracyOf(symmetry);
  return s.open && number == s.closed ? s.openElectrons : 0.0;
}

double Configuration::exchangeDefect(int a, int b) const {
  if (!symmetries[a].open || !symmetries[b].open) return 0.0;
  return 1.0 - openPairWeights(a, b) / (symmetries[a].openElectrons * symmetries[b].openElectrons);
}

Configuration averageConfigurations(const std::vector<int>& closed, const std::vector<bool>& open,
                                    const std::vector<OpenOccupations>& list,
                                    const std::string& description) {
  if (closed.size() != open.size())
    throw Error(fmt::format("closed spinors are given for {} symmetries, open ones for {}", closed.size(),
                            open.size()));
  for (std::size_t i = 0; i < closed.size(); ++i)
    if (closed[i] < 0)
      throw Error(fmt::format("{} closed spinors of {}: expected 0 or more", closed[i],
                              labelOf(static_cast<int>(i))));
  const auto indices = openIndices(open);
  checkList(list, indices);

  Configuration result;
  result.description = description;
  result.symmetries.resize(closed.size());
  result.openPairWeights = Eigen::MatrixXd::Zero(closed.size(), closed.size());
  for (std::size_t i = 0; i < closed.size(); ++i) result.symmetries[i].closed = closed[i];
  if (indices.empty()) return result;
  const auto averages = averagesOf(list, indices);
  for (std::size_t a = 0; a < indices.size(); ++a) {
    const int i = indices[a];
    checkPartlyFilled(averages.n[a], i);
    result.symmetries[i].open = true;
    result.symmetries[i].openElectrons = averages.n[a];
    for (std::size_t b = 0; b < indices.size(); ++b)
      result.openPairWeights(i, indices[b]) = averages.pairs(a, b);
    const double g = degeneracyOf(i);
    result.openPairWeights(i, i) *= g / (g - 1.0);
  }
  return result;
}

std::vector<OpenOccupations> allDistributions(const std::vector<bool>& open, int electrons) {
  std::vector<int> capacities;
  for (const int i : openIndices(open)) capacities.push_back(degeneracyOf(i));
  const int room = std::accumulate(capacities.begin(), capacities.end(), 0);
  if (electrons < 0 || electrons > room)
    throw Error(fmt::format("{} electrons do not fit in the open spinors, which hold {}", electrons, room));
  std::vector<OpenOccupations> list;
  OpenOccupations row;
  distribute(capacities, electrons, row, list);
  return list;
}

}  // namespace prophet
