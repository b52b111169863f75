#include "operations/energies/energy_difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/ionisation_energies.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/default_basis/default_basis.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "operations/energies/compared_result.hpp"
#include "operations/record/report.hpp"

namespace prophet {
namespace {

constexpr const char* kVirtualsKeyword = "$levels virtuals";
constexpr double kCommonError = 2e-6;  // relative, of a density that is no basis set's

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

/// Whether the settings are the same; another method only changes how an energy is found.
bool sameCalculation(const ComparedResult& first, const ComparedResult& second) {
  return std::ranges::all_of(differingSettings(first, second),
                             [](const SettingDifference& d) { return d.name == kMethod; });
}

DifferenceKind kindOf(const ComparedResult& first, const ComparedResult& second) {
  if (!sameCalculation(first, second)) return DifferenceKind::Plain;
  if (first.charge != second.charge)
    return second.charge > first.charge ? DifferenceKind::Ionisation : DifferenceKind::Affinity;
  const bool same = first.spinors.empty() || second.spinors.empty()
                        ? first.configuration == second.configuration
                        : movedElectrons(first, second).empty();
  return same ? DifferenceKind::Plain : DifferenceKind::Excitation;
}

std::string titleOf(DifferenceKind kind, const ComparedResult& first, const ComparedResult& second) {
  if (kind == DifferenceKind::Plain) {
    const std::string other = second.species() == first.species() ? "" : " and " + second.species();
    return fmt::format("difference of two calculations of {}{}{}", first.species(), other,
                       movedElectrons(first, second));
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
  for (const SettingDifference& d : differingSettings(first, second))
    notes.push_back(fmt::format("{} differs: {}; {}", d.name, d.first, d.second));
  return notes;
}

/// Errors of both results; nothing where one is unknown.
std::optional<double> errorOf(const ComparedResult& from, const ComparedResult& to) {
  if (!from.error || !to.error) return std::nullopt;
  if (*from.error * *to.error < 0) return std::abs(*from.error) + std::abs(*to.error);
  return std::max(std::abs(*from.error), std::abs(*to.error));
}

std::optional<WithError> changeOf(const std::optional<WithError>& from, const std::optional<WithError>& to) {
  if (!from || !to) return std::nullopt;
  WithError d{to->value - from->value, {}};
  if (from->error && to->error) d.error = *from->error + *to->error;
  return d;
}

/// rho(0) is the mean density times a constant of the nucleus, whose error shows in the difference only as
/// the share that it is of rho(0); unless the densities are those of basis sets, with larger errors of their
/// own.
std::optional<WithError> densityChange(const ComparedResult& from, const ComparedResult& to) {
  std::optional<WithError> d = changeOf(from.density, to.density);
  if (!d || !d->error || !from.meanDensity || !to.meanDensity) return d;
  const double share =
      std::max(*from.density->error / from.density->value, *to.density->error / to.density->value);
  const std::optional<WithError> mean = changeOf(from.meanDensity, to.meanDensity);
  const double ratio = to.density->value / to.meanDensity->value;
  if (share < kCommonError && mean->error) d->error = ratio * *mean->error + share * std::abs(d->value);
  return d;
}

/// A unit of a table: its width, and most decimals.
struct UnitColumn {
  double factor;
  int width, decimals;
};
constexpr UnitColumn kHartree{1, 18, 10}, kElectronvolts{constants::kElectronvoltsPerHartree, 18, 8},
    kInverseCentimetres{constants::kInverseCentimetresPerHartree, 20, 3};

/// A value with the digits that its error leaves.
std::string cell(const UnitColumn& column, double value, const std::optional<double>& error) {
  return fmt::format(" {:>{}}",
                     withinError(value * column.factor, error.value_or(0) * column.factor, column.decimals),
                     column.width);
}

std::string row(const std::string& what, double hartree, const std::optional<double>& error) {
  std::string text = fmt::format("  {:<22}", what);
  for (const UnitColumn& c : {kHartree, kElectronvolts, kInverseCentimetres}) text += cell(c, hartree, error);
  return text + "\n";
}

std::string errorRow(double error) {
  std::string text = fmt::format("  {:<22}", "  error, at most");
  for (const UnitColumn& c : {kHartree, kElectronvolts, kInverseCentimetres})
    text += fmt::format(" {:>{}.1e}", error * c.factor, c.width);
  return text + "\n";
}

std::string stateLine(char letter, const ComparedResult& r) {
  std::string text = fmt::format("  {}  {}: {}, {}, {} hartree", letter, r.name, r.species(),
                                 r.configuration + (r.level.empty() ? "" : ", " + r.level),
                                 withinError(r.energy, std::abs(r.error.value_or(0))));
  if (r.error) text += fmt::format(" (error {:.1e})", *r.error);
  return text + "\n";
}

/// 1 hartree/bohr^2 in MHz/fm^2.
constexpr double kFieldShiftUnit =
    constants::kMegahertzPerHartree / (constants::kFemtometresPerBohr * constants::kFemtometresPerBohr);

std::string uncertain(const WithError& number, double factor, const char* unit) {
  const double value = number.value * factor;
  if (!number.error) return fmt::format("{:.6g} {} (error unknown)", value, unit);
  const double error = *number.error * factor;
  return fmt::format("{} +- {:.2g} {}", withinError(value, error), error, unit);
}

/// Its own columns of a table; blank where it is not known.
std::string narrowCell(const std::optional<WithError>& number, double factor) {
  if (!number) return fmt::format(" {:>14} {:>9}", "", "");
  const double value = number->value * factor, error = number->error.value_or(0) * factor;
  const std::string errorText = number->error ? fmt::format("{:.1e}", error) : "";
  return fmt::format(" {:>14} {:>9}", withinError(value, error, 6), errorText);
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
  for (const auto& [name, value] : r.given.value_or(std::map<std::string, std::string>()))
    key += "|" + name + value;
  return key + choiceIn(r);
}

bool isLower(const ComparedResult* a, const ComparedResult* b) { return a->energy < b->energy; }

/// All differences of one element.
void addSeries(std::vector<const ComparedResult*> states, std::vector<EnergyDifference>& list) {
  std::map<int, std::vector<const ComparedResult*>> byCharge;
  for (const ComparedResult* s : states) byCharge[s->charge].push_back(s);
  for (auto& [charge, group] : byCharge) std::ranges::sort(group, isLower);
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

/// Whether a state is of the configuration that experiment has as the ground one.
bool isGround(const ComparedResult& r, int z) {
  if (r.charge < 0 || r.charge >= z) return false;
  try {
    const DefaultConfiguration known = defaultConfiguration(z, r.charge);
    return known.source == ConfigurationSource::Nist &&
           configurationText(parseShells(known.text)) == configurationText(parseShells(r.configuration));
  } catch (const Error&) {
    return false;  // an average over a list of configurations
  }
}

/// Every electron's energy is summed.
void addExperiment(EnergyDifference& d) {
  const auto z = elementOfCharge(d.from.z);
  const bool bare = z && d.to.charge == *z;
  if (d.kind != DifferenceKind::Ionisation || !z || !isGround(d.from, *z) || !(bare || isGround(d.to, *z)))
    return;
  WithError sum{0, 0.0};
  for (int charge = d.from.charge; charge < d.to.charge; ++charge) {
    const std::optional<NistIonisationEnergy> known = nistIonisationEnergy(*z, charge);
    if (!known) return;
    sum.value += known->electronvolts;
    if (known->uncertainty && sum.error)
      *sum.error += *known->uncertainty;
    else
      sum.error.reset();
    // The least certain kind of several counts: theoretical, semi-empirical, measured.
    d.experimentKind = d.experimentKind.empty() ? known->kind : std::max(d.experimentKind, known->kind);
  }
  d.experiment = sum;
}

std::string experimentText(const EnergyDifference& d) {
  const WithError& e = *d.experiment;
  return fmt::format("NIST {} eV",
                     e.error ? withinError(e.value, *e.error, 6) : fmt::format("{:.6g}", e.value));
}

}  // namespace

EnergyDifference differenceOf(const ComparedResult& first, const ComparedResult& second) {
  if (first.z != second.z)
    throw Error(
        fmt::format("{} ({}) and {} ({}) are different elements, whose energy difference is not meaningful; "
                    "compare results of one element, or request all differences, element by element",
                    first.name, first.species(), second.name, second.species()));
  EnergyDifference d;
  d.kind = kindOf(first, second);
  d.name = titleOf(d.kind, first, second);
  d.notes = notesOn(first, second);
  const bool backwards = d.kind == DifferenceKind::Affinity;
  d.from = backwards ? second : first;
  d.to = backwards ? first : second;
  d.total = d.to.energy - d.from.energy;
  d.error = errorOf(d.from, d.to);
  d.density = densityChange(d.from, d.to);
  d.energySlope = changeOf(d.from.energySlope, d.to.energySlope);
  for (const auto& [name, value] : d.to.parts) {
    const auto other =
        std::ranges::find_if(d.from.parts, [&n = name](const auto& p) { return p.first == n; });
    if (other != d.from.parts.end()) d.parts.emplace_back(name, value - other->second);
  }
  addExperiment(d);
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
  text += row("total", d.total, d.error);
  if (d.error) text += errorRow(*d.error);
  if (d.experiment)
    text += fmt::format("  {:<41} {:>18}  {}, between the lowest levels\n", "NIST",
                        experimentText(d).substr(5, experimentText(d).size() - 8), d.experimentKind);
  for (const auto& [name, value] : d.parts) text += row("  " + name, value, d.error);
  if (d.density) text += "  density at the nucleus  " + uncertain(*d.density, 1, "electrons/bohr^3") + "\n";
  if (d.energySlope)
    text += "  field shift            " + uncertain(*d.energySlope, kFieldShiftUnit, "MHz/fm^2") + "\n";
  for (const std::string& note : d.notes) text += "  note: " + note + "\n";
  return text;
}

std::string shortText(const EnergyDifference& d) {
  const double eV = d.total * constants::kElectronvoltsPerHartree;
  const double error = d.error.value_or(0) * constants::kElectronvoltsPerHartree;
  std::string text = withinError(eV, error, 6) + " eV";
  if (d.error) text += fmt::format(", error of the basis sets at most {:.1g}", error);
  return d.experiment ? text + "; " + experimentText(d) : text;
}

std::string whatDifferencesAre(const std::vector<EnergyDifference>& differences) {
  const auto all = [&](const auto& is) {
    return std::ranges::all_of(differences,
                               [&](const EnergyDifference& d) { return is(d.from) && is(d.to); });
  };
  const auto none = [&](const auto& is) { return all([&](const ComparedResult& r) { return !is(r); }); };
  const auto isOfLevels = [](const ComparedResult& r) { return !r.level.empty(); };
  const auto isKohnSham = [](const ComparedResult& r) { return r.kohnSham; };
  const auto hasVirtuals = [](const ComparedResult& r) {
    return r.given && r.given->contains(kVirtualsKeyword);
  };
  if (all(isKohnSham))
    return "Differences of Kohn-Sham energies, with the functional's correlation; open shells are "
           "spherical.\n";
  if (!none(isKohnSham) || (!all(isOfLevels) && !none(isOfLevels)))
    return "Differences of energies that are not of one kind.\n";
  if (none(isOfLevels)) return "Differences of averages of configuration over all J, without correlation.\n";
  return none(hasVirtuals)
             ? "Differences of lowest levels, without correlation beyond the configurations named.\n"
             : "Differences of lowest levels, with correlation as far as the virtual shells hold it.\n";
}

std::string differenceTable(const std::vector<EnergyDifference>& differences) {
  std::size_t width = 10;
  bool atNucleus = false, known = false;
  for (const EnergyDifference& d : differences) {
    width = std::max(width, d.name.size());
    atNucleus = atNucleus || d.density || d.energySlope;
    known = known || d.experiment;
  }
  std::string text =
      fmt::format("{:<{}} {:>18} {:>9} {:>18} {:>20}", "", width, "hartree", "error", "eV", "cm^-1");
  if (known) text += fmt::format(" {:>14}", "NIST [eV]");
  if (atNucleus)
    text += fmt::format(" {:>14} {:>9} {:>14} {:>9}", "rho(0)/bohr^-3", "error", "MHz/fm^2", "error");
  text += "\n";
  for (const EnergyDifference& d : differences) {
    text += fmt::format("{:<{}}", d.name, width) + cell(kHartree, d.total, d.error) +
            fmt::format(" {:>9}", d.error ? fmt::format("{:.1e}", *d.error) : "") +
            cell(kElectronvolts, d.total, d.error) + cell(kInverseCentimetres, d.total, d.error);
    if (known)
      text += fmt::format(
          " {:>14}",
          d.experiment ? withinError(d.experiment->value, d.experiment->error.value_or(1e-4), 6) : "");
    if (atNucleus) text += narrowCell(d.density, 1) + narrowCell(d.energySlope, kFieldShiftUnit);
    text += "\n";
  }
  return text + whatDifferencesAre(differences);
}

Table differenceColumns(const std::vector<EnergyDifference>& differences) {
  using D = const EnergyDifference&;
  const auto column = [&](const ColumnKind& kind, const auto& value) {
    return columnOf(differences, kind, value);
  };
  const auto valueOf = [](const std::optional<WithError>& n, double factor) {
    return n ? std::optional<double>(n->value * factor) : std::nullopt;
  };
  const auto errorOf = [](const std::optional<WithError>& n, double factor) {
    return n && n->error ? std::optional<double>(*n->error * factor) : std::nullopt;
  };
  return {
      "differences",
      {column({"difference", "", "what the difference is called and which shell changes"},
              [](D d) { return d.name; }),
       column({"kind", "",
               "`ionisation energy`, `electron affinity`, `excitation energy` or `difference of two "
               "calculations`"},
              [](D d) { return std::string(nameOf(d.kind)); }),
       column({"from", "", "file or job of the first state"}, [](D d) { return d.from.name; }),
       column({"to", "", "file or job of the second state"}, [](D d) { return d.to.name; }),
       column({"hartree", "hartree", "energy difference"}, [](D d) { return d.total; }),
       column({"eV", "eV", "the same"}, [](D d) { return d.total * constants::kElectronvoltsPerHartree; }),
       column({"cm^-1", "cm^-1", "the same"},
              [](D d) { return d.total * constants::kInverseCentimetresPerHartree; }),
       column({"error_hartree", "hartree", "largest error that the two basis sets can cause"},
              [](D d) { return d.error; }),
       column({"density_bohr^-3", "bohr^-3", "difference of the electron density at the nucleus"},
              [&](D d) { return valueOf(d.density, 1); }),
       column({"density_error", "bohr^-3", "its estimated error"},
              [&](D d) { return errorOf(d.density, 1); }),
       column({"field_shift_MHz_per_fm^2", "MHz/fm^2", "difference of `energy_slope`: field-shift factor"},
              [&](D d) { return valueOf(d.energySlope, kFieldShiftUnit); }),
       column({"field_shift_error", "MHz/fm^2", "its estimated error"},
              [&](D d) { return errorOf(d.energySlope, kFieldShiftUnit); }),
       column(
           {"nist_eV", "eV", "NIST's ionisation energy between the lowest levels, of ground configurations"},
           [](D d) { return d.experiment ? std::optional<double>(d.experiment->value) : std::nullopt; })},
      Table::Layout::Rows};
}

namespace {

/// The lowest state in jj coupling.
struct Coupling {
  std::vector<std::string> shells;  ///< open ones with a large splitting
  double splitting = 0;             ///< the largest of theirs, hartree
  std::string configuration;        ///< the lowest jj configuration
};

/// In a set made for this very configuration: states of jj coupling have other spinors than averages.
double energyOf(double z, const std::string& configuration) {
  NucleusRequest request;
  request.charge = z;
  request.model = NuclearModel::Gaussian;
  AtomProblem problem{makeNucleus(request), parseConfiguration(configuration), {}};
  const auto noLibrary = [](int) { return std::optional<LibraryEntry>(); };
  DefaultBasis chosen = chooseBasis(problem, noLibrary);
  const Result result = computeOrReason(calculationIn(std::move(chosen.basis), std::move(problem)));
  return result.ok() ? result.energy.total : std::nan("");
}

/// Splitting of a shell, hartree; 0 where the result does not say.
double splittingOf(const ComparedResult& state, const Shell& shell) {
  const auto low = state.spinors.find(fmt::format("{}{}/2", shell.name(), 2 * shell.l - 1));
  const auto high = state.spinors.find(fmt::format("{}{}/2", shell.name(), 2 * shell.l + 1));
  if (low == state.spinors.end() || high == state.spinors.end()) return 0;
  return high->second.energy - low->second.energy;
}

Coupling couplingOf(const ComparedResult& state) {
  Coupling c;
  for (const Shell& shell : parseShells(state.configuration)) {
    if (shell.twoJ > 0 || shell.l == 0 || shell.full()) continue;
    const double splitting = splittingOf(state, shell);
    if (splitting <= kSmallSplitting) continue;
    c.shells.push_back(shell.name());
    c.splitting = std::max(c.splitting, splitting);
  }
  c.configuration = lowestJjConfiguration(state.configuration, c.shells);
  return c;
}

/// Energies of configurations, each computed once.
class Energies {
 public:
  double of(double z, const std::string& configuration) {
    const auto [place, isNew] = known_.try_emplace({z, configuration}, 0.0);
    if (isNew) place->second = energyOf(z, configuration);
    return place->second;
  }
  /// The lower one of the jj configuration, which is left in `coupling`, and the average.
  double lowest(const ComparedResult& state, Coupling& coupling) {
    const double jj = of(state.z, coupling.configuration);
    if (coupling.shells.empty() || jj <= of(state.z, state.configuration)) return jj;
    coupling.configuration = state.configuration;
    return of(state.z, state.configuration);
  }

 private:
  std::map<std::pair<double, std::string>, double> known_;
};

/// The note on one difference; empty where it needs none.
std::string noteOn(const EnergyDifference& d, Energies& energies) {
  if (d.kind == DifferenceKind::Plain || d.from.z != d.to.z) return "";
  Coupling from = couplingOf(d.from), to = couplingOf(d.to);
  if (from.shells.empty() && to.shells.empty()) return "";
  const double difference = energies.lowest(d.to, to) - energies.lowest(d.from, from);
  if (!std::isfinite(difference)) return "";
  const Coupling& wider = from.splitting > to.splitting ? from : to;
  return fmt::format(
      "note: {}: spin-orbit splitting of {} {:.2f} eV; the lowest jj configurations, {} and {}, give {:.2f} "
      "eV "
      "(Dirac-Coulomb)\n",
      d.name, fmt::join(wider.shells, " "), wider.splitting * constants::kElectronvoltsPerHartree,
      from.configuration, to.configuration, difference * constants::kElectronvoltsPerHartree);
}

}  // namespace

std::string lowestJjConfiguration(const std::string& configuration, const std::vector<std::string>& split) {
  std::vector<Shell> result;
  for (const Shell& shell : parseShells(configuration)) {
    if (shell.full() || std::ranges::find(split, shell.name()) == split.end()) {
      result.push_back(shell);
      continue;
    }
    Shell low = shell, high = shell;
    low.twoJ = 2 * shell.l - 1;
    high.twoJ = 2 * shell.l + 1;
    low.electrons = std::min(shell.electrons, low.capacity());
    high.electrons = shell.electrons - low.electrons;
    result.push_back(low);
    result.push_back(high);
  }
  return configurationText(std::move(result));
}

std::string couplingNotes(const std::vector<EnergyDifference>& differences) {
  Energies energies;
  std::string text;
  for (const EnergyDifference& d : differences) {
    try {
      text += noteOn(d, energies);
    } catch (const ConfigurationError&) {
      // an average over a list of configurations: it has no string
    }
  }
  return text;
}

}  // namespace prophet
