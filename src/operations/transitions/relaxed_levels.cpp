#include "operations/transitions/relaxed_levels.hpp"
#include "core/common/index.hpp"
#include "operations/catalogue/setting_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "operations/record/report.hpp"

namespace prophet {

template <>
const Names<Relaxed>& namesOf() {
  static const Names<Relaxed> names{
      {"none", Relaxed::None}, {"parity", Relaxed::Parity}, {"configurations", Relaxed::Configurations}};
  return names;
}

namespace {

/// The configurations of each group, by their places in the space.
std::vector<std::vector<int>> groupsOf(const LevelSpace& space, Relaxed relaxed) {
  std::vector<std::vector<int>> groups;
  std::map<int, std::size_t> known;
  for (std::size_t i = 0; i < space.configurations.size(); ++i) {
    const int number = static_cast<int>(i);
    const int key = relaxed == Relaxed::Parity ? static_cast<int>(space.configurations[i].odd) : number;
    const auto [place, isNew] = known.try_emplace(key, groups.size());
    if (isNew) groups.emplace_back();
    groups[place->second].push_back(number);
  }
  if (groups.size() < 2)
    throw SettingError("relaxed", relaxed == Relaxed::Parity
                                      ? "needs configurations of both parities; expected 'none' or "
                                        "'configurations'"
                                      : "needs several configurations; expected 'none'");
  return groups;
}

/// The term of closed shells alone, with the shells that other configurations have open.
std::string closedLabel(const LevelSpace& all, const LevelSpace::Part& part, const std::string& label) {
  std::string text;
  for (const Shell& s : part.shells)
    if (s.electrons > 0 && std::ranges::any_of(all.open, [&](const LevelSpinor& o) {
          return o.n == s.n && o.symmetry.l() == s.l;
        }))
      text += fmt::format("{}{} ", s.name(), s.electrons);
  return text + label;
}

/// Makes levels of a group into levels of the whole space.
std::vector<Level> inWhole(const LevelSpace& all, const LevelSpace& own, const std::vector<int>& group,
                           std::vector<Level> levels) {
  for (Level& l : levels) {
    if (own.open.empty()) l.label = closedLabel(all, all.configurations[usize(group.front())], l.label);
    l.configuration = group[usize(l.configuration)];
    for (auto* parts : {&l.terms, &l.couplings})
      for (LevelPart& p : *parts) p.configuration = group[usize(p.configuration)];
  }
  return levels;
}

/// Sorts the levels of all groups and numbers them; returns where each one came to lie.
std::vector<int> mergeLevels(LevelResult& all) {
  std::vector<int> order(all.levels.size()), places(order.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int i) { return all.levels[usize(i)].energy; });
  std::vector<Level> sorted;
  std::map<std::pair<int, bool>, int> counts;
  for (std::size_t i = 0; i < order.size(); ++i) {
    Level& l = sorted.emplace_back(std::move(all.levels[usize(order[i])]));
    places[usize(order[i])] = static_cast<int>(i);
    l.index = ++counts[{l.twoJ, l.odd}];
    all.states += l.twoJ + 1;
    all.average += (l.twoJ + 1) * (l.energy - sorted.front().energy);
  }
  all.average = sorted.front().energy + all.average / all.states;
  for (Level& l : sorted) {
    l.excitation = l.energy - sorted.front().energy;
    l.relative = l.energy - all.average;
  }
  all.levels = std::move(sorted);
  return places;
}

}  // namespace

RelaxedJob relaxedLevels(const AtomRequest& request, LevelSpinors& whole, Relaxed relaxed,
                         const Execution& execution, const LevelOptions& options) {
  if (whole.excited) refuseTogether("virtuals=", {{"relaxed", true}});
  RelaxedJob job;
  for (const std::vector<int>& group : groupsOf(whole.space, relaxed)) {
    std::string text;
    for (const int c : group) text += (text.empty() ? "" : " | ") + whole.space.configurations[usize(c)].text;
    LevelSpinors& spinors = job.groups.emplace_back(levelJob(withConfiguration(request, text), execution));
    computeField(spinors, execution, options.isotopeShifts);
    job.own.push_back(computeLevels(spinors.space, spinors.result, spinors.hamiltonian,
                                    {.finer = spinors.finer ? &*spinors.finer : nullptr,
                                     .propertiesOfFiner = spinors.hasChosenBasis(),
                                     .vectors = true,
                                     .isotopeShifts = options.isotopeShifts,
                                     .threads = execution.threadsOrAll(),
                                     .checkpoint = execution.checkpoint,
                                     .progress = showingLevels(execution),
                                     .engine = options.engine}));
    const std::vector<Level> levels = inWhole(whole.space, spinors.space, group, job.own.back().levels);
    job.all.levels.insert(job.all.levels.end(), levels.begin(), levels.end());
  }
  whole.hamiltonian = job.groups.front().hamiltonian;
  const std::vector<int> merged = mergeLevels(job.all);
  auto next = merged.begin();
  for (const LevelResult& own : job.own) {
    job.places.emplace_back(next, next + static_cast<std::ptrdiff_t>(own.levels.size()));
    next += static_cast<std::ptrdiff_t>(own.levels.size());
  }
  return job;
}

LineList relaxedLines(const LevelSpinors& whole, const RelaxedJob& job, const LineOptions& options) {
  std::vector<RelaxedLevels> groups;
  for (std::size_t i = 0; i < job.groups.size(); ++i)
    groups.push_back({job.groups[i].space, job.groups[i].result, job.own[i], job.places[i]});
  return computeRelaxedLines(whole.space, groups, whole.hamiltonian, options);
}

void addGroups(const RelaxedJob& job, Record& record) {
  Json list = Json::array();
  std::string shown;
  for (const LevelSpinors& g : job.groups) {
    const double energy = g.result.energy.withCorrections();
    list.push_back({{"configurations", referencesText(g)}, {"field_energy", energy}});
    shown += fmt::format("{}{} ({:.10f} hartree)", shown.empty() ? "" : "; ", referencesText(g), energy);
    for (const Warning& w : warningsToShow(g)) record.warn(w.id, referencesText(g) + ": " + w.text);
  }
  record.quantities.push_back({"relaxed", "spinors each of", std::move(list), std::move(shown)});
}

}  // namespace prophet
