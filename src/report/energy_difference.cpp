#include "report/energy_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/constants.hpp"
#include "common/csv.hpp"
#include "report/moved_electrons.hpp"

namespace prophet {
namespace {

const char* nameOf(DifferenceKind kind) {
  switch (kind) {
    case DifferenceKind::Ionisation:
      return "ionisation energy";
    case DifferenceKind::Affinity:
      return "electron affinity";
    case DifferenceKind::Excitation:
      return "excitation energy";
    case DifferenceKind::Plain:
      break;
  }
  return "difference";
}

DifferenceKind kindOf(const ComparedResult& first, const ComparedResult& second) {
  if (first.z != second.z) return DifferenceKind::Plain;
  if (first.charge != second.charge)
    return second.charge > first.charge ? DifferenceKind::Ionisation : DifferenceKind::Affinity;
  const bool same = first.spinors.empty() || second.spinors.empty()
                        ? first.configuration == second.configuration
                        : movedElectrons(first, second).empty();
  return same ? DifferenceKind::Plain : DifferenceKind::Excitation;
}

std::string titleOf(DifferenceKind kind, const ComparedResult& first, const ComparedResult& second) {
  if (kind == DifferenceKind::Plain) {
    return first.z == second.z ? fmt::format("difference of two calculations of {}", first.species())
                               : fmt::format("difference of {} and {}", second.species(), first.species());
  }
  const int electrons = std::abs(second.charge - first.charge);
  const std::string several = electrons > 1 ? fmt::format(", {} electrons", electrons) : "";
  return fmt::format("{} of {}{}{}", nameOf(kind), first.species(), several, movedElectrons(first, second));
}

/// What may spoil the comparison.
std::vector<std::string> notesOn(const ComparedResult& first, const ComparedResult& second) {
  std::vector<std::string> notes;
  for (const ComparedResult* r : {&first, &second}) {
    if (r->status != "converged") notes.push_back(fmt::format("{} is {}", r->name, r->status));
  }
  for (const auto& [name, value] : first.settings) {
    const auto other = std::find_if(second.settings.begin(), second.settings.end(),
                                    [&n = name](const auto& s) { return s.first == n; });
    if (other != second.settings.end() && other->second != value)
      notes.push_back(fmt::format("{} differs: {}; {}", name, value, other->second));
  }
  return notes;
}

std::string row(const std::string& what, double hartree) {
  return fmt::format("  {:<22} {:>18.10f} {:>18.8f} {:>20.3f}\n", what, hartree,
                     hartree * constants::kElectronvoltsPerHartree,
                     hartree * constants::kInverseCentimetresPerHartree);
}

std::string stateLine(char letter, const ComparedResult& r) {
  std::string text = fmt::format("  {}  {}: {}, {}, {:.10f} hartree", letter, r.name, r.species(),
                                 r.configuration, r.energy);
  if (r.error) text += fmt::format(" (error {:.1e})", *r.error);
  return text + "\n";
}

/// What an id of a batch without input files says beside the ion: "Fe2+ fermi universal". A configuration
/// there is part of the state.
std::string choiceIn(const ComparedResult& r) {
  if (r.name.rfind(r.species() + " ", 0) != 0) return "";
  const std::string rest = r.name.substr(r.species().size()), configuration = " " + r.configuration;
  return rest.rfind(configuration, 0) == 0 ? rest.substr(configuration.size()) : rest;
}

/// States that may be compared share this.
std::string seriesOf(const ComparedResult& r) {
  std::string key = fmt::format("{:012.6f}", r.z);
  for (const auto& [name, value] : r.settings) key += "|" + value;
  return key + choiceIn(r);
}

bool isLower(const ComparedResult* a, const ComparedResult* b) { return a->energy < b->energy; }

/// All differences of one element.
void addSeries(std::vector<const ComparedResult*> states, std::vector<EnergyDifference>& list) {
  std::map<int, std::vector<const ComparedResult*>> byCharge;
  for (const ComparedResult* s : states) byCharge[s->charge].push_back(s);
  for (auto& [charge, group] : byCharge) std::sort(group.begin(), group.end(), isLower);
  for (auto i = byCharge.begin(); i != byCharge.end(); ++i) {
    for (std::size_t k = 1; k < i->second.size(); ++k) {
      EnergyDifference d = differenceOf(*i->second[0], *i->second[k]);
      if (d.kind == DifferenceKind::Excitation) list.push_back(std::move(d));
    }
    const auto next = std::next(i);
    if (next == byCharge.end() || next->first != i->first + 1) continue;
    if (i->first < 0) {
      list.push_back(differenceOf(*next->second[0], *i->second[0]));
    } else {
      for (const ComparedResult* ion : next->second) list.push_back(differenceOf(*i->second[0], *ion));
    }
  }
}

}  // namespace

EnergyDifference differenceOf(const ComparedResult& first, const ComparedResult& second) {
  EnergyDifference d;
  d.kind = kindOf(first, second);
  d.name = titleOf(d.kind, first, second);
  d.notes = notesOn(first, second);
  const bool backwards = d.kind == DifferenceKind::Affinity;
  d.from = backwards ? second : first;
  d.to = backwards ? first : second;
  d.total = d.to.energy - d.from.energy;
  for (const auto& [name, value] : d.to.parts) {
    const auto other = std::find_if(d.from.parts.begin(), d.from.parts.end(),
                                    [&n = name](const auto& p) { return p.first == n; });
    if (other != d.from.parts.end()) d.parts.emplace_back(name, value - other->second);
  }
  return d;
}

std::vector<EnergyDifference> differencesAmong(const std::vector<ComparedResult>& results) {
  std::map<std::string, std::vector<const ComparedResult*>> series;
  for (const ComparedResult& r : results) {
    if (r.status == "converged") series[seriesOf(r)].push_back(&r);
  }
  std::vector<EnergyDifference> list;
  for (const auto& [key, states] : series) addSeries(states, list);
  return list;
}

std::string differenceText(const EnergyDifference& d) {
  std::string text = fmt::format("{}: E(B) - E(A)\n", d.name);
  text += stateLine('A', d.from) + stateLine('B', d.to);
  text += fmt::format("  {:<22} {:>18} {:>18} {:>20}\n", "", "hartree", "eV", "cm^-1");
  text += row("total", d.total);
  for (const auto& [name, value] : d.parts) text += row("  " + name, value);
  for (const std::string& note : d.notes) text += "  note: " + note + "\n";
  return text;
}

std::string differenceTable(const std::vector<EnergyDifference>& differences) {
  std::size_t width = 10;
  for (const EnergyDifference& d : differences) width = std::max(width, d.name.size());
  std::string text = fmt::format("{:<{}} {:>18} {:>14} {:>16}\n", "", width, "hartree", "eV", "cm^-1");
  for (const EnergyDifference& d : differences) {
    text += fmt::format("{:<{}} {:>18.10f} {:>14.6f} {:>16.2f}\n", d.name, width, d.total,
                        d.total * constants::kElectronvoltsPerHartree,
                        d.total * constants::kInverseCentimetresPerHartree);
  }
  return text;
}

std::string differenceCsv(const std::vector<EnergyDifference>& differences) {
  std::string text = "difference,kind,from,to,hartree,eV,cm^-1\n";
  for (const EnergyDifference& d : differences) {
    text += fmt::format("{},{},{},{},{},{},{}\n", csvField(d.name), nameOf(d.kind), csvField(d.from.name),
                        csvField(d.to.name), d.total, d.total * constants::kElectronvoltsPerHartree,
                        d.total * constants::kInverseCentimetresPerHartree);
  }
  return text;
}

}  // namespace prophet
