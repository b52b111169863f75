#include "atoms/atom/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "atoms/atom/shell_list.hpp"
#include "core/common/index.hpp"

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
    if (const auto j = usize(same - list.begin()); j < i)
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

constexpr double kSameWeight = 1e-12;

bool sameOccupation(const SymmetryOccupation& low, const SymmetryOccupation& high, int l) {
  if (low.occupied() != high.occupied()) return false;
  for (int i = 0; i < low.occupied(); ++i) {
    const SpinorOccupation &a = low.spinors[i], &b = high.spinors[i];
    const double share = a.electrons / (2 * l), other = b.electrons / (2 * l + 2);
    if (a.number != b.number || a.open != b.open || std::abs(share - other) > kSameWeight) return false;
  }
  return true;
}

}  // namespace

bool treatsBothJAlike(const Configuration& configuration) {
  for (int low = 1; low < configuration.occupiedSymmetries(); low += 2) {
    const int l = (low + 1) / 2;
    if (!sameOccupation(configuration.occupationOf(low), configuration.occupationOf(low + 1), l))
      return false;
  }
  const Eigen::MatrixXd reduction = configuration.openReduction();
  for (int low = 1; low < configuration.occupiedSymmetries(); low += 2) {
    const int first = configuration.firstOpen(low), other = configuration.firstOpen(low + 1);
    if (first < 0) continue;
    const auto count = static_cast<Eigen::Index>(configuration.occupationOf(low).openPositions().size());
    const auto difference = reduction.middleRows(first, count) - reduction.middleRows(other, count);
    if (difference.cwiseAbs().maxCoeff() > kSameWeight) return false;
  }
  return true;
}

SymmetryOccupation SymmetryOccupation::aufbau(int degeneracy, int closed, double openElectrons) {
  SymmetryOccupation result;
  for (int i = 0; i < closed; ++i) result.spinors.push_back({i, static_cast<double>(degeneracy), false});
  if (openElectrons > 0.0) result.spinors.push_back({closed, openElectrons, true});
  return result;
}

int SymmetryOccupation::closed() const {
  return static_cast<int>(
      std::count_if(spinors.begin(), spinors.end(), [](const auto& s) { return !s.open; }));
}

std::vector<int> SymmetryOccupation::openPositions() const {
  std::vector<int> positions;
  for (int i = 0; i < occupied(); ++i) {
    if (spinors[i].open) positions.push_back(i);
  }
  return positions;
}

double SymmetryOccupation::openElectrons() const {
  double sum = 0.0;
  for (const auto& s : spinors) sum += s.open ? s.electrons : 0.0;
  return sum;
}

bool SymmetryOccupation::isAufbau() const {
  for (int i = 0; i < occupied(); ++i)
    if (spinors[i].number != i || (spinors[i].open && i + 1 < occupied())) return false;
  return true;
}

double Configuration::electrons() const {
  double sum = 0.0;
  for (const auto& symmetry : symmetries) {
    for (const auto& s : symmetry.spinors) sum += s.electrons;
  }
  return sum;
}

bool Configuration::hasOpenShells() const {
  return std::any_of(symmetries.begin(), symmetries.end(), [](const auto& s) { return s.open(); });
}

bool Configuration::isAufbau() const {
  return std::all_of(symmetries.begin(), symmetries.end(), [](const auto& s) { return s.isAufbau(); });
}

std::vector<OpenSpinor> Configuration::openSpinors() const {
  std::vector<OpenSpinor> list;
  for (int a = 0; a < static_cast<int>(symmetries.size()); ++a)
    for (int i = 0; i < symmetries[a].occupied(); ++i)
      if (symmetries[a].spinors[i].open) list.push_back({a, i});
  return list;
}

int Configuration::firstOpen(int symmetry) const {
  if (!occupationOf(symmetry).open()) return -1;
  int before = 0;
  for (int a = 0; a < symmetry; ++a) before += symmetries[a].occupied() - symmetries[a].closed();
  return before;
}

const SymmetryOccupation& Configuration::occupationOf(int symmetry) const {
  static const SymmetryOccupation none;
  return symmetry < static_cast<int>(symmetries.size()) ? symmetries[symmetry] : none;
}

int Configuration::occupiedSymmetries() const {
  int count = static_cast<int>(symmetries.size());
  while (count > 0 && symmetries[count - 1].spinors.empty()) --count;
  return count;
}

double Configuration::occupation(int symmetry, int position) const {
  const auto& spinors = occupationOf(symmetry).spinors;
  return position < static_cast<int>(spinors.size()) ? spinors[position].electrons : 0.0;
}

Eigen::MatrixXd Configuration::openReduction() const {
  const auto open = openSpinors();
  const auto count = static_cast<Eigen::Index>(open.size());
  Eigen::MatrixXd reduction(count, count);
  for (Eigen::Index a = 0; a < count; ++a)
    for (Eigen::Index b = 0; b < count; ++b)
      reduction(a, b) = 1.0 - openPairWeights(a, b) / (occupation(open[a].symmetry, open[a].position) *
                                                       occupation(open[b].symmetry, open[b].position));
  return reduction;
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
  std::vector<double> electrons(closed.size(), 0.0);
  if (!indices.empty()) {
    auto averages = averagesOf(list, indices);
    for (std::size_t a = 0; a < indices.size(); ++a) {
      checkPartlyFilled(averages.n[a], indices[a]);
      electrons[indices[a]] = averages.n[a];
      const double g = degeneracyOf(indices[a]);
      averages.pairs(a, a) *= g / (g - 1.0);
    }
    result.openPairWeights = averages.pairs;
  }
  for (std::size_t i = 0; i < closed.size(); ++i)
    result.symmetries.push_back(
        SymmetryOccupation::aufbau(degeneracyOf(static_cast<int>(i)), closed[i], electrons[i]));
  return result;
}

namespace {

/// Electrons of one spinor in a configuration, and its place in openSpinors() where it is open there.
struct Occupied {
  double electrons = 0;
  std::optional<Eigen::Index> open{};
};

Occupied occupied(const Configuration& configuration, int symmetry, int number) {
  Eigen::Index open = std::max(0, configuration.firstOpen(symmetry));
  for (const SpinorOccupation& spinor : configuration.occupationOf(symmetry).spinors) {
    if (spinor.number == number) return {spinor.electrons, spinor.open ? std::optional(open) : std::nullopt};
    if (spinor.open) ++open;
  }
  return {};
}

/// w_ab, of closed and empty spinors too.
double pairWeight(const Configuration& configuration, const Occupied& a, const Occupied& b) {
  return a.open && b.open ? configuration.openPairWeights(*a.open, *b.open) : a.electrons * b.electrons;
}

/// The numbers of all spinors of a symmetry that hold electrons in one of the configurations, ascending.
std::set<int> occupiedNumbers(const std::vector<ConfigurationShare>& parts, int symmetry) {
  std::set<int> numbers;
  for (const auto& part : parts)
    for (const SpinorOccupation& s : part.configuration.occupationOf(symmetry).spinors)
      numbers.insert(s.number);
  return numbers;
}

}  // namespace

Configuration averageConfigurations(const std::vector<ConfigurationShare>& parts) {
  Configuration result;
  int symmetries = 0;
  for (const auto& part : parts) symmetries = std::max(symmetries, part.configuration.occupiedSymmetries());
  result.symmetries.resize(usize(symmetries));
  std::vector<std::vector<Occupied>> open;  // each in all parts
  for (int a = 0; a < symmetries; ++a) {
    const double full = degeneracyOf(a);
    for (const int number : occupiedNumbers(parts, a)) {
      std::vector<Occupied> each;
      double electrons = 0;
      for (const auto& [share, configuration] : parts) {
        each.push_back(occupied(configuration, a, number));
        electrons += share * each.back().electrons;
      }
      const bool closed =
          std::ranges::all_of(each, [&](const Occupied& o) { return !o.open && o.electrons == full; });
      result.symmetries[a].spinors.push_back({number, closed ? full : electrons, !closed});
      if (!closed) open.push_back(std::move(each));
    }
  }
  const auto count = static_cast<Eigen::Index>(open.size());
  result.openPairWeights = Eigen::MatrixXd::Zero(count, count);
  for (Eigen::Index a = 0; a < count; ++a)
    for (Eigen::Index b = 0; b < count; ++b)
      for (std::size_t i = 0; i < parts.size(); ++i)
        result.openPairWeights(a, b) +=
            parts[i].share * pairWeight(parts[i].configuration, open[a][i], open[b][i]);
  return result;
}

std::vector<OpenOccupations> allDistributions(const std::vector<bool>& open, int electrons) {
  std::vector<int> capacities;
  for (const int i : openIndices(open)) capacities.push_back(degeneracyOf(i));
  const int room = std::accumulate(capacities.begin(), capacities.end(), 0);
  if (electrons < 0 || electrons > room)
    throw Error(
        fmt::format("{} electrons do not fit in the open spinors, which can hold {}", electrons, room));
  std::vector<OpenOccupations> list;
  OpenOccupations row;
  distribute(capacities, electrons, row, list);
  return list;
}

namespace {

/// An open spinor and the shell, of both j or its own, that it belongs to.
struct OpenPart {
  const Shell* shell;
  double degeneracy;
  double electrons() const { return degeneracy * shell->electrons / shell->capacity(); }
};

/// w_ab: within one shell of q electrons in m places the average over all its determinants; different shells
/// are filled independently, <n_a n_b> = <n_a><n_b>.
double pairWeight(const OpenPart& a, const OpenPart& b) {
  if (a.shell != b.shell) return a.electrons() * b.electrons();
  const double q = a.shell->electrons, m = a.shell->capacity();
  return a.degeneracy * b.degeneracy * q * (q - 1.0) / (m * (m - 1.0));
}

}  // namespace

Configuration parseConfiguration(const std::string& text, int symmetries) {
  auto shells = parseShells(text);
  std::sort(shells.begin(), shells.end(), [](const Shell& a, const Shell& b) {
    return std::tie(a.l, a.n, a.twoJ) < std::tie(b.l, b.n, b.twoJ);
  });
  int count = symmetries;
  for (const auto& shell : shells) count = std::max(count, 2 * shell.l + 1);
  Configuration configuration;
  configuration.description = text;
  configuration.symmetries.resize(count);
  std::vector<OpenPart> open;
  for (int a = 0; a < count; ++a) {
    const auto symmetry = Symmetry::fromIndex(a);
    for (const auto& shell : shells) {
      if (shell.l != symmetry.l() || !shell.has(symmetry.twoJ())) continue;
      const OpenPart part{&shell, static_cast<double>(symmetry.degeneracy())};
      if (!shell.full()) open.push_back(part);
      configuration.symmetries[a].spinors.push_back(
          {shell.n - shell.l - 1, shell.full() ? part.degeneracy : part.electrons(), !shell.full()});
    }
  }
  const auto parts = static_cast<Eigen::Index>(open.size());
  configuration.openPairWeights.resize(parts, parts);
  for (Eigen::Index a = 0; a < parts; ++a)
    for (Eigen::Index b = 0; b < parts; ++b)
      configuration.openPairWeights(a, b) = pairWeight(open[a], open[b]);
  return configuration;
}

Eigen::VectorXd openSpinShares(const Configuration& configuration) {
  struct OpenShell {
    double electrons = 0, room = 0;
  };
  const std::vector<OpenSpinor> open = configuration.openSpinors();
  const auto shellOf = [&](const OpenSpinor& o) {
    const int number = configuration.symmetries[usize(o.symmetry)].spinors[usize(o.position)].number;
    return std::pair(Symmetry::fromIndex(o.symmetry).l(), number);
  };
  std::map<std::pair<int, int>, OpenShell> shells;
  for (const OpenSpinor& o : open) {
    OpenShell& shell = shells[shellOf(o)];
    shell.electrons += configuration.occupation(o.symmetry, o.position);
    shell.room += degeneracyOf(o.symmetry);
  }
  Eigen::VectorXd shares(static_cast<Eigen::Index>(open.size()));
  for (std::size_t i = 0; i < open.size(); ++i) {
    const OpenShell& shell = shells.at(shellOf(open[i]));
    shares[static_cast<Eigen::Index>(i)] =
        std::min(shell.electrons, shell.room - shell.electrons) / shell.electrons;
  }
  return shares;
}

}  // namespace prophet
