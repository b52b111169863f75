#include "atoms/configurations/level_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/binomial.hpp>
#include <map>
#include <numeric>

#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

/// n and number of the symmetry.
using NumberedSpinor = std::pair<int, int>;

LevelSpace::Part partOf(const std::string& text) {
  LevelSpace::Part part;
  part.shells = parseShells(text);
  part.text = text;
  part.states = 1;
  int odd = 0;
  for (const Shell& s : part.shells) {
    part.states *= boost::math::binomial_coefficient<double>(static_cast<unsigned>(s.capacity()),
                                                             static_cast<unsigned>(s.electrons));
    odd += s.l * s.electrons;
  }
  part.odd = odd % 2 != 0;
  return part;
}

int electronsOf(const LevelSpace::Part& part) {
  return std::accumulate(part.shells.begin(), part.shells.end(), 0,
                         [](int sum, const Shell& s) { return sum + s.electrons; });
}

/// The shell that holds a spinor; nullptr where it is empty.
const Shell* shellOf(const LevelSpace::Part& part, const NumberedSpinor& place) {
  const Symmetry symmetry = Symmetry::fromIndex(place.second);
  for (const Shell& s : part.shells)
    if (s.n == place.first && s.l == symmetry.l() && s.has(symmetry.twoJ()) && s.electrons > 0) return &s;
  return nullptr;
}

/// All ways to distribute the electrons of a configuration over the open spinors.
void distribute(const LevelSpace& space, int configuration, std::size_t next, RelativisticConfiguration& row,
                std::map<const Shell*, int>& left, std::vector<RelativisticConfiguration>& list) {
  if (next == space.open.size()) {
    if (std::all_of(left.begin(), left.end(), [](const auto& s) { return s.second == 0; }))
      list.push_back(row);
    return;
  }
  const LevelSpinor& spinor = space.open[next];
  const Shell* shell =
      shellOf(space.configurations[usize(configuration)], {spinor.n, spinor.symmetry.index()});
  const int most = shell ? std::min(left[shell], spinor.symmetry.degeneracy()) : 0;
  for (int electrons = 0; electrons <= most; ++electrons) {
    row.electrons[next] = electrons;
    if (shell) left[shell] -= electrons;
    distribute(space, configuration, next + 1, row, left, list);
    if (shell) left[shell] += electrons;
  }
}

std::vector<NumberedSpinor> placesOf(const std::vector<LevelSpace::Part>& parts) {
  std::vector<NumberedSpinor> places;
  for (const auto& part : parts)
    for (const Shell& s : part.shells)
      for (const int twoJ : {2 * s.l - 1, 2 * s.l + 1})
        if (twoJ > 0 && s.has(twoJ) && s.electrons > 0)
          places.emplace_back(s.n, Symmetry{twoJ > 2 * s.l ? -s.l - 1 : s.l}.index());
  std::sort(places.begin(), places.end(), [](const NumberedSpinor& a, const NumberedSpinor& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  });
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

Configuration averageOf(const LevelSpace& space) {
  std::vector<ConfigurationShare> parts;
  for (const auto& part : space.configurations)
    parts.push_back({part.states / space.states(), parseConfiguration(part.text)});
  return averageConfigurations(parts);
}

}  // namespace

double LevelSpace::states() const {
  double sum = 0;
  for (const Part& part : configurations) sum += part.states;
  return sum;
}

int LevelSpace::openElectrons() const {
  const auto& row = distributions.front().electrons;
  return std::accumulate(row.begin(), row.end(), 0);
}

LevelSpace levelSpace(const std::string& configurations) {
  LevelSpace space;
  int column = 0;  // where a configuration begins in the text
  for (const std::string& text : split(configurations, '|')) {
    try {
      space.configurations.push_back(partOf(trimmed(text)));
    } catch (const ConfigurationError& error) {
      const std::size_t first = text.find_first_not_of(" \t");
      const int blanks = first == std::string::npos ? 0 : static_cast<int>(first);
      throw ConfigurationError(configurations, error.column + column + blanks, error.reason);
    }
    column += static_cast<int>(text.size()) + 1;
    const int electrons = electronsOf(space.configurations.back()),
              first = electronsOf(space.configurations[0]);
    if (electrons != first)
      throw Error(
          fmt::format("the configurations must have the same number of electrons; '{}' has {}, '{}' has {}",
                      space.configurations[0].text, first, trimmed(text), electrons));
  }
  const std::vector<NumberedSpinor> places = placesOf(space.configurations);
  if (places.empty()) throw Error("a configuration without electrons has no levels");
  int bits = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool full =
        std::all_of(space.configurations.begin(), space.configurations.end(), [&](const auto& part) {
          const Shell* shell = shellOf(part, places[i]);
          return shell && shell->full();
        });
    LevelSpinor spinor{places[i].first, Symmetry::fromIndex(places[i].second), static_cast<int>(i)};
    (full ? space.closed : space.open).push_back(spinor);
    if (!full) bits += spinor.symmetry.degeneracy();
  }
  if (bits > kMostPlaces)
    throw Error(fmt::format("the open shells have {} places for electrons; at most {} are possible", bits,
                            kMostPlaces));
  space.average = averageOf(space);
  std::vector<std::string> texts;
  std::map<std::vector<int>, int> known;  // distributions, and whose they are
  for (std::size_t c = 0; c < space.configurations.size(); ++c) {
    RelativisticConfiguration row{static_cast<int>(c), std::vector<int>(space.open.size(), 0)};
    std::map<const Shell*, int> left;
    for (const LevelSpinor& s : space.open)
      if (const Shell* shell = shellOf(space.configurations[c], {s.n, s.symmetry.index()}))
        left[shell] = shell->electrons;
    const std::size_t before = space.distributions.size();
    distribute(space, static_cast<int>(c), 0, row, left, space.distributions);
    for (std::size_t i = before; i < space.distributions.size(); ++i) {
      const auto [place, isNew] = known.try_emplace(space.distributions[i].electrons, static_cast<int>(c));
      if (!isNew && place->second != static_cast<int>(c))
        throw Error(fmt::format("the configurations '{}' and '{}' share states; name each once",
                                space.configurations[usize(place->second)].text,
                                space.configurations[c].text));
    }
    texts.push_back(space.configurations[c].text);
  }
  space.average.description = fmt::format("{}", fmt::join(texts, " | "));
  return space;
}

const Shell* openShellOfOneJ(const LevelSpace& space) {
  for (const LevelSpace::Part& part : space.configurations)
    for (const Shell& s : part.shells)
      if (s.twoJ != 0 && std::ranges::any_of(space.open, [&](const LevelSpinor& o) {
            return o.n == s.n && o.symmetry.l() == s.l;
          }))
        return &s;
  return nullptr;
}

Configuration averageOfConfigurations(const std::string& text, int symmetries) {
  if (text.find('|') == std::string::npos) return parseConfiguration(text, symmetries);
  Configuration average = levelSpace(text).average;
  if (static_cast<int>(average.symmetries.size()) < symmetries) average.symmetries.resize(usize(symmetries));
  return average;
}

}  // namespace prophet
