#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "atoms/configurations/excitations.hpp"
#include "atoms/lines/lines.hpp"
#include "atoms/lines/two_photon.hpp"
#include "core/common/constants.hpp"
#include "core/common/index.hpp"
#include "core/common/listed_words.hpp"
#include "core/common/text.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/setting_values.hpp"
#include "operations/record/report.hpp"
#include "operations/spectra/calibrated_levels.hpp"
#include "operations/spectra/core_valence_levels.hpp"
#include "operations/spectra/isotope_request.hpp"
#include "operations/spectra/level_list.hpp"
#include "operations/spectra/level_sequence.hpp"
#include "operations/transitions/lines_batch.hpp"
#include "operations/transitions/relaxed_levels.hpp"

namespace prophet {
namespace {

using constants::kInverseCentimetresPerHartree;

constexpr double kMostLines = 2e6;  // of a list without a cut

/// docs/theory/lines.md has the comparison with experiment.
constexpr const char* kAccuracyOfLines =
    "no correlation beyond the configurations named: strengths of allowed lines are off by 33 % in the "
    "median of 89 resonance multiplets (45 % in common spinors), of a third of them by more than half, "
    "wavelengths by 3 %, strengths of intercombination lines by factors; configurations can be displaced "
    "against each other by electronvolts; the difference of the two gauges shows what is missing, --virtuals "
    "adds it, and observed energies (observed=FILE) improve rates";

constexpr const char* kShortAccuracyOfLines =
    "no correlation beyond the configurations named: strengths of allowed lines are off by 33 % in the "
    "median, "
    "wavelengths by 3 %, strengths of intercombination lines by factors (-v says more)";

constexpr const char* kAccuracyOfCalibrated =
    "each line has errors of its energy and of log gf (one standard deviation): 0.2 of allowed lines in "
    "which the gauges agree, more where they differ and where the mixing of the levels is unsure; no "
    "correlation beyond the configurations named";

constexpr const char* kAccuracyWithExcitations =
    "correlation of the excited shells as far as the virtual shells hold it: strengths of allowed lines are "
    "off by 3 % in the median of 31 resonance multiplets with up to three valence electrons, wavelengths by "
    "1 %; the difference of the two gauges shows what is missing";

struct LinesOptions : FitRequest, CalibrateRequest, IonsRequest, IsotopeRequest {
  std::vector<std::string> multipoles{"E1", "M1", "E2", "M2"};
  double leastGf = 0;
  std::optional<Relaxed> relaxed;
  std::string observed, table;
};

RequestTable<LinesOptions> linesTable() {
  using O = LinesOptions;
  RequestTable<O> t;
  t.add("multipoles", &O::multipoles, "of the photons: E1, M1, E2, M2, E3, M3")
      .called("NAMES")
      .byDefault("E1 M1 E2 M2");
  t.add("least_gf", &O::leastGf, "leave out lines with a smaller weighted oscillator strength")
      .from(0)
      .byDefault("0");
  t.add("relaxed", &O::relaxed, wordsOf<Relaxed>(),
        "spinors of their own for the configurations of each parity, or for each configuration, which then "
        "does not mix with others; lines between them by biorthonormal spinors")
      .byDefault(
          "parity, where both parities are there; none of several ions, with fit, virtuals and a calibration")
      .notWith({"fit", "calibrate"});
  t.add("observed", &O::observed,
        "take energies of levels from this CSV file (columns J, parity, energy in cm^-1, and perhaps index) "
        "where it has both levels of a line; they decide which one is the upper one")
      .isFile(FileUse::Read);
  addFitSettings(t);
  addCalibrateSettings(t);
  t.add("lines_csv", &O::table, "write the lines to this file as CSV").isFile(FileUse::Write);
  addIsotopeSettings(t);
  addIonsSettings(t);
  t.afterwards([](const O& o) {
    if (!o.any()) {
      if (!o.hdf5.empty()) throw SettingError("lines_hdf5", "is for several ions; expected hdf5");
      return;
    }
    refuseTogether(kIonsOfBatch, {{"observed", !o.observed.empty()},
                                  {"isotope_shifts", o.isotopeShifts},
                                  {"fit", !o.fit.empty()},
                                  {"relaxed", o.relaxed.value_or(Relaxed::None) != Relaxed::None},
                                  {"lines_csv", !o.table.empty()}});
  });
  return t;
}

/// In air of 15 degrees and 101325 Pa, between 200 and 2000 nm in vacuum; not a number elsewhere. Source:
/// E. R. Peck and K. Reeder, J. Opt. Soc. Am. 62 (1972) 958, as the NIST Atomic Spectra Database has it.
double inAir(double vacuum) {
  if (vacuum < 200 || vacuum > 2000) return std::nan("");
  const double square = 1e6 / (vacuum * vacuum);  // of the wave number in 1/micrometre
  return vacuum / (1 + 1e-8 * (8060.51 + 2480990 / (132.274 - square) + 17455.7 / (39.32957 - square)));
}

double wavelength(double energy) { return 1e7 / (energy * kInverseCentimetresPerHartree); }

/// Observed energies of the levels, hartree; not a number where the file has none.
std::vector<double> observedEnergies(const std::string& path, const AtomProblem& problem,
                                     const std::vector<Level>& levels) {
  std::vector<double> energies(levels.size(), std::nan(""));
  if (path.empty()) return energies;
  const std::vector<ObservedIon> ions = readObservedLevels(path);
  if (ions.size() > 1) throw Error(path + ": has several ions; expected the levels of one");
  if (const auto& ion = ions.front().ion;
      ion && (ion->z != problem.nucleus.charge || ion->z - ion->charge != problem.configuration.electrons()))
    throw Error(
        fmt::format("{}: has levels of {}; expected those of {}", path, ion->name, atomName(problem)));
  for (const ObservedLevel& o : ions.front().levels) {
    const auto found = std::ranges::find_if(
        levels, [&](const Level& l) { return l.twoJ == o.twoJ && l.odd == o.odd && l.index == o.index; });
    if (found == levels.end())
      throw Error(fmt::format("{}: there is no level number {} with J = {} and parity {}", path, o.index,
                              halves(o.twoJ), o.odd ? "-" : "+"));
    requireTerm(o, *found);
    energies[usize(found - levels.begin())] = o.energy;
  }
  return energies;
}

/// The lines with the energies of experiment where both levels are there, which also decide which of them is
/// the upper one. Levels that experiment does not resolve keep their computed difference.
LineList withObserved(LineList list, const std::vector<double>& observed) {
  for (Line& l : list.lines) {
    const double difference = observed[usize(l.upper)] - observed[usize(l.lower)];
    l.observed = std::abs(difference) > 0;
    if (l.observed) l.energy = std::abs(difference);
    if (l.observed) l.energyError = 0;
    if (difference < 0) std::swap(l.upper, l.lower);
  }
  list.sort();
  return list;
}

}  // namespace

Table lineTable(const std::vector<RatedLine>& lines, const std::vector<Level>& levels, bool inFile,
                bool isotopeShifts) {
  using L = const RatedLine&;
  const auto upper = [&](L l) -> const Level& { return levels[usize(l.line.upper)]; };
  const auto lower = [&](L l) -> const Level& { return levels[usize(l.line.lower)]; };
  const auto electric = [](L l, double value) {
    return l.line.multipole.magnetic ? std::optional<double>() : value;
  };
  Table table{"lines", {}, Table::Layout::Rows, 0};
  const auto add = [&](bool wanted, const ColumnKind& kind, const auto& valueOf) {
    if (wanted) table.columns.push_back(columnOf(lines, kind, valueOf));
  };
  add(true, {"type", "", "E1, M1, E2, M2, E3 or M3"}, [](L l) { return l.line.multipole.name(); });
  add(true, {"lower", "1", "place of the lower level in `levels`, from 0"}, [](L l) { return l.line.lower; });
  add(true, {"upper", "1", "place of the upper level in `levels`, from 0"}, [](L l) { return l.line.upper; });
  add(!inFile, {"lower_label", "", "label of the lower level"}, [&](L l) { return lower(l).label; });
  add(!inFile, {"lower_J", "1", "its total angular momentum"}, [&](L l) { return 0.5 * lower(l).twoJ; });
  add(!inFile, {"upper_label", "", "label of the upper level"}, [&](L l) { return upper(l).label; });
  add(!inFile, {"upper_J", "1", "its total angular momentum"}, [&](L l) { return 0.5 * upper(l).twoJ; });
  const auto inCentimetres = [](const Level& l) {
    return l.excitation * constants::kInverseCentimetresPerHartree;
  };
  add(!inFile, {"lower_cm-1", "1/cm", "computed energy of the lower level above the lowest one"},
      [&](L l) { return inCentimetres(lower(l)); });
  add(!inFile, {"upper_cm-1", "1/cm", "computed energy of the upper level above the lowest one"},
      [&](L l) { return inCentimetres(upper(l)); });
  add(true, {"energy", "hartree", "energy of the photon; the observed one where both levels were observed"},
      [](L l) { return l.line.energy; });
  add(!inFile,
      {"observed", "1",
       "1 where the energy is that of experiment, from the file of `observed`; 0 where it is computed"},
      [](L l) { return static_cast<int>(l.line.observed); });
  add(!inFile, {"wavelength_vacuum", "nm", "wavelength in vacuum"},
      [](L l) { return wavelength(l.line.energy); });
  add(!inFile, {"wavelength_air", "nm", "wavelength in air, between 200 and 2000 nm"},
      [](L l) { return inAir(wavelength(l.line.energy)); });
  add(true,
      {"S", "1",
       "line strength in the length gauge, e^2 a0^(2k) of electric and µB^2 a0^(2k-2) of magnetic multipoles "
       "of order k"},
      [](L l) { return l.line.strength; });
  add(true, {"gf", "1", "weighted oscillator strength"}, [](L l) { return l.length.gf; });
  add(true, {"A", "1/s", "rate of spontaneous emission"}, [](L l) { return l.length.rate; });
  add(!inFile, {"branching", "1", "share of the line in all rates from its upper level"},
      [](L l) { return l.branching; });
  add(!inFile, {"S_velocity", "1", "line strength in the velocity gauge; `null` of magnetic multipoles"},
      [&](L l) { return electric(l, l.line.velocityStrength); });
  add(true, {"gf_velocity", "1", "weighted oscillator strength in the velocity gauge"},
      [&](L l) { return inFile ? l.velocity.gf : electric(l, l.velocity.gf); });
  add(!inFile, {"A_velocity", "1/s", "rate in the velocity gauge"},
      [&](L l) { return electric(l, l.velocity.rate); });
  add(!inFile || std::ranges::any_of(lines, [](L l) { return l.line.energyError > 0; }),
      {"energy_error", "hartree",
       "of the computed energy, where the levels were calibrated or have core-valence correlation; else 0"},
      [](L l) { return l.line.energyError; });
  add(!inFile || std::ranges::any_of(lines, [](L l) { return l.line.gfError > 0; }),
      {"log_gf_error", "1", "of log10(gf), one standard deviation, where the levels were calibrated; else 0"},
      [](L l) { return l.line.gfError; });
  if (isotopeShifts)
    addIsotopeColumns(
        lines, ", upper less lower level",
        [&](L l) { return shiftBetween(upper(l).isotope, lower(l).isotope); }, table);
  return table;
}

namespace {

std::string levelName(const Level& l) { return fmt::format("{} J={}", l.label, halves(l.twoJ)); }

std::size_t levelWidth(const std::vector<Level>& levels) {
  std::size_t width = 5;
  for (const Level& l : levels) width = std::max(width, levelName(l).size());
  return width;
}

/// Whether the ratio of the gauges says something: within a configuration the velocity form is next to
/// nothing, whatever the strength.
bool hasVelocity(const Line& line, const Level& upper, const Level& lower) {
  return !line.multipole.magnetic && leadingConfiguration(upper) != leadingConfiguration(lower);
}

/// What is known of levels beside their lines.
struct Decays {
  std::vector<double> lives, twoPhoton;  ///< lifetimes, s; rates by two photons, 1/s
  std::optional<double> limit;           ///< of ionisationLimit
};

/// Levels, with their lifetimes where one is finite.
std::string levelText(const std::vector<Level>& levels, const Decays& decays, const NuclearMoments& nucleus,
                      std::size_t rows) {
  const std::vector<double>& lives = decays.lives;
  const bool alive = std::ranges::any_of(lives, [](double life) { return std::isfinite(life); });
  const std::size_t width = levelWidth(levels);
  std::string text =
      fmt::format("\n  {:<{}}  {:>14}{}{}\n", "level", width, "energy [cm^-1]",
                  alive ? fmt::format("  {:>12}", "lifetime [s]") : "", nucleusHeading(nucleus));
  for (std::size_t i = 0; i < std::min(levels.size(), rows); ++i)
    text += fmt::format("  {:<{}} {}{:>14.3f}{}{}\n", levelName(levels[i]), width,
                        markOf(levels[i], decays.limit), levels[i].excitation * kInverseCentimetresPerHartree,
                        std::isfinite(lives[i])  ? fmt::format("  {:>12.4e}", lives[i])
                        : alive && nucleus.any() ? std::string(14, ' ')
                                                 : "",
                        nucleusCells(levels[i], nucleus));
  text +=
      moreRows(levels.size(), std::min(levels.size(), rows), levels.size() - rows == 1 ? "level" : "levels");
  text += autoionisingText(levels, decays.limit);
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (decays.twoPhoton[i] > 0)
      text += fmt::format("  the lifetime of {} counts its decay by two photons, {:.4e} 1/s\n",
                          levelName(levels[i]), decays.twoPhoton[i]);
  return text;
}

/// Levels and the strongest lines, for people; no tables that would have nothing in them.
std::string listText(const std::vector<RatedLine>& lines, const std::vector<Level>& levels,
                     const Decays& decays, const NuclearMoments& nucleus, std::size_t rows) {
  std::string text = levels.size() > 1 ? levelText(levels, decays, nucleus, rows) : "";
  if (lines.empty()) return text;
  const std::size_t width = levelWidth(levels);
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t i) { return lines[i].length.rate; });
  if (order.size() > rows) order.resize(rows);
  const bool calibrated = std::ranges::any_of(lines, [](const RatedLine& l) { return l.line.gfError > 0; });
  const bool hasShifts = levels.front().isotope.has_value();
  text += fmt::format("\n  {:>16}{}  {:>4}  {:>10}{}  {:>10}  {:>9}  {}{:<{}}  {}\n", "wavelength [nm]",
                      calibrated ? "    error" : "", "type", "gf", calibrated ? "  log gf" : "", "A [1/s]",
                      "velocity", hasShifts ? isotopeHeading() + "  " : "", "upper", width, "lower");
  for (const std::size_t i : order) {
    const RatedLine& l = lines[i];
    const Level &upper = levels[usize(l.line.upper)], &lower = levels[usize(l.line.lower)];
    text += fmt::format(
        "  {:>16.6f}{}{} {:>4}  {:>10.3e}{}  {:>10.3e}  {:>9}  {}{:<{}}  {}\n", wavelength(l.line.energy),
        l.line.observed ? '*' : ' ',
        calibrated ? fmt::format(" {:>7.2g}", wavelength(l.line.energy) * l.line.energyError / l.line.energy)
                   : "",
        l.line.multipole.name(), l.length.gf, calibrated ? fmt::format("  +-{:4.2f}", l.line.gfError) : "",
        l.length.rate,
        hasVelocity(l.line, upper, lower) ? fmt::format("{:.3f}", l.velocity.gf / l.length.gf) : "",
        hasShifts ? isotopeCells(shiftBetween(upper.isotope, lower.isotope)) + "  " : "", levelName(upper),
        width, levelName(lower));
  }
  if (std::ranges::any_of(lines, [](const RatedLine& l) { return l.line.observed; }))
    text += "  (*: at the observed energy; the others at the computed one)\n";
  text += moreRows(lines.size(), order.size(), "lines with smaller rates");
  return text;
}

/// A rule of `excite` out of the outermost shell of the first configuration, or an open one below a full p
/// shell, into the lowest one of the other parity that has room: "3s->3p".
std::string usualExcitation(const LevelSpace& space) {
  const std::vector<Shell>& shells = space.configurations.front().shells;
  Shell from, open;
  for (const Shell& s : shells) {
    if (s.electrons == 0) continue;
    const auto isOutside = [&](const Shell& other) {
      return std::pair(s.n, s.l) > std::pair(other.n, other.l);
    };
    if (isOutside(from)) from = s;
    if (!s.full() && isOutside(open)) open = s;
  }
  if (from.l == 1 && from.full() && open.n > 0) from = open;
  const int l = from.l > 0 ? from.l - 1 : 1;
  int n = l + 1;
  const auto isFull = [&](const Shell& s) { return s.n == n && s.l == l && s.full(); };
  while (std::ranges::any_of(shells, isFull)) ++n;
  return Shell{from.n, from.l}.name() + "->" + Shell{n, l}.name();
}

/// Why multipoles have no lines between these levels, and what would have; empty where nothing forbids them.
std::string forbidden(const LevelSpace& space, std::size_t levels, const std::vector<Multipole>& multipoles) {
  if (levels == 1)
    return fmt::format(
        "there is a single level; name more configurations, or excitations, such as excite='{}'",
        usualExcitation(space));
  const bool odd = space.configurations.front().odd;
  if (std::ranges::any_of(space.configurations, [&](const auto& c) { return c.odd != odd; })) return "";
  std::string none;
  for (const Multipole& m : multipoles)
    if ((m.rank % 2 == 1) != m.magnetic) none += (none.empty() ? "" : ", ") + m.name();
  if (none.empty()) return "";
  return fmt::format(
      "no {} lines, as all configurations have {} parity; name one of {} parity as well, or "
      "excitations, such as excite='{}'",
      none, odd ? "odd" : "even", odd ? "even" : "odd", usualExcitation(space));
}

/// Commands for the same ion that have lines, with `usual` for its default configuration; empty where the
/// nucleus is that of no element.
std::string commandsWithLines(const LevelSpinors& spinors, bool usual) {
  const AtomProblem& problem = spinors.job.calculation.problem;
  const auto z = elementOfCharge(problem.nucleus.charge);
  if (!z) return "";
  const std::string command =
      "cudaprophet lines " +
      ionName(*z, *z - static_cast<int>(std::lround(problem.configuration.electrons())));
  const std::string rule = usualExcitation(spinors.space);
  return fmt::format("\n  More configurations have lines, for example:\n\n{}    {} --configs '{}'\n",
                     usual ? fmt::format("    {} --excite '{}'\n", command, rule) : "", command,
                     configurationsByRules(referencesText(spinors), rule));
}

std::vector<Multipole> multipolesOf(const std::vector<std::string>& texts) {
  std::vector<Multipole> list;
  for (const std::string& text : texts)
    for (const std::string& word : listedWords(text)) {
      const Multipole m = multipoleNamed(word);
      if (std::ranges::find(list, m) == list.end()) list.push_back(m);
    }
  if (list.empty()) throw Error("names no multipole; expected E1, M1, E2, M2, E3 or M3");
  return list;
}

LineOptions lineOptions(const LinesOptions& o) {
  LineOptions wanted;
  wanted.multipoles = ofSetting("multipoles", [&] { return multipolesOf(o.multipoles); });
  wanted.leastGf = o.leastGf;
  return wanted;
}

/// Rates at which levels decay by two photons to the ground level, where that is computed; 1/s.
std::vector<double> twoPhotonRates(const LevelSpinors& spinors, const std::vector<Level>& levels) {
  std::vector<double> rates(levels.size(), 0.0);
  const auto& configurations = spinors.space.configurations;
  const auto isOf = [&](std::size_t c, std::vector<std::pair<int, int>> shells) {  // n and electrons of ns
    std::vector<std::pair<int, int>> own;
    for (const Shell& s : configurations[c].shells) {
      if (s.electrons == 0) continue;
      own.emplace_back(s.n, s.l == 0 ? s.electrons : 0);
    }
    return own == shells;
  };
  const AtomProblem& problem = spinors.job.calculation.problem;
  const int electrons = static_cast<int>(std::lround(problem.configuration.electrons()));
  const std::vector<std::pair<int, int>> ground{{1, electrons}};
  const std::vector<std::pair<int, int>> excited = electrons == 1
                                                       ? std::vector<std::pair<int, int>>{{2, 1}}
                                                       : std::vector<std::pair<int, int>>{{1, 1}, {2, 1}};
  bool hasGround = false;
  for (std::size_t c = 0; c < spinors.references(); ++c) hasGround = hasGround || isOf(c, ground);
  if (!hasGround) return rates;
  const double rate = twoPhotonRate(electrons, problem.nucleus.charge, problem.hamiltonian.speedOfLight);
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (levels[i].twoJ == electrons % 2 && isOf(leadingConfiguration(levels[i]), excited)) rates[i] = rate;
  return rates;
}

/// What has spinors of its own where the request does not say it.
Relaxed usualGroups(const LevelSpinors& spinors, const LinesOptions& o, const CalibrateRequest& calibrate) {
  if (spinors.excited || !o.fit.empty() || calibrate.calibrate != Calibrate::None) return Relaxed::None;
  const auto odd = std::ranges::count_if(spinors.space.configurations, [](const auto& c) { return c.odd; });
  const bool both = odd > 0 && odd < std::ssize(spinors.space.configurations);
  return both ? Relaxed::Parity : Relaxed::None;
}

/// Lines between levels with core-valence correlation.
Record coreValenceLines(const AtomRequest& request, const LinesOptions& o, const Execution& e) {
  const Stopwatch watch;
  refuseTogether("core_valence=", {{"fit", !o.fit.empty()},
                                   {"calibrate", o.calibrate.has_value()},
                                   {"relaxed", o.relaxed.has_value()},
                                   {"observed", !o.observed.empty()},
                                   {"excite", !o.excite.empty()}});
  std::vector<Multipole> multipoles{{1, false}, {1, true}};
  if (o.multipoles != LinesOptions().multipoles)
    multipoles = ofSetting("multipoles", [&] { return multipolesOf(o.multipoles); });
  for (const Multipole& m : multipoles)
    if (m.magnetic && m.rank != 1)
      throw SettingError("multipoles",
                         fmt::format("lines with core_valence are E1, E2, E3 and M1; found {}", m.name()));
  const CoreValenceResult result = computeCoreValence(request, multipoles, o.isotopeShifts, e);
  const std::vector<Level>& levels = result.levels.levels;
  LineList list = result.levels.lines;
  const double c = result.job.calculation.problem.hamiltonian.speedOfLight;
  if (o.leastGf > 0) {
    LineList cut;
    cut.leftOut.assign(levels.size(), 0.0);
    for (const Line& line : list.lines) cut.add(line, levels[usize(line.upper)].twoJ, o.leastGf, c);
    list = std::move(cut);
  }
  const RatedLines all = rated(list, levels, c);
  Decays decays{{}, std::vector<double>(levels.size(), 0.0), {}};
  for (const double rate : all.decayRates) decays.lives.push_back(1 / rate);
  Record record;
  addCoreValence(result, "Lines", record);
  Json listed = Json::array();
  for (std::size_t i = 0; i < levels.size(); ++i) {
    Json& level = listed.emplace_back(coreValenceJson(result, i));
    level["lifetime"] = std::isfinite(decays.lives[i]) ? Json(decays.lives[i]) : Json();
  }
  record.quantities.push_back(
      {"possible_lines", "lines", static_cast<double>(result.levels.lines.lines.size()),
       fmt::format("{} between {} levels", all.lines.size(), levels.size()), Quantity::Place::Result});
  if (all.lines.empty())
    record.warn("no_lines",
                "these multipoles have no line between these levels; name others, or more configurations");
  const std::optional<double> ratio = list.gaugeRatio();
  record.quantities.push_back({"gauge_ratio", "velocity over length", ratio ? Json(*ratio) : Json(),
                               ratio ? fmt::format("{:.3f}, the median of strong E1 lines", *ratio) : "",
                               Quantity::Place::Accuracy});
  record.quantities.push_back({"levels", "", std::move(listed)});
  addIsotopeAccuracy(o.isotopeShifts, true, record);
  record.tables = {lineTable(all.lines, levels, false, o.isotopeShifts)};
  record.seconds = watch.seconds();
  record.body = listText(all.lines, levels, decays, result.moments, usize(e.style.rows.value_or(kShownRows)));
  if (e.brief) record.report = fmt::format("{:.10f}\n", levels.front().energy);
  if (!o.table.empty()) e.write(o.table, recordCsv(record));
  return record;
}

Record lines(const AtomRequest& given, const LinesOptions& o, const Execution& e) {
  if (given.job.coreValence.coreValence) return coreValenceLines(given, o, e);
  const Stopwatch watch;
  const AtomRequest request = o.excite.empty() ? given : withExcited(given, o.excite, e);
  LineOptions wanted = lineOptions(o);
  wanted.threads = e.threadsOrAll();
  wanted.checkpoint = e.checkpoint;
  LevelSpinors spinors = levelJob(request, e);
  const bool withVirtuals = spinors.excited.has_value();
  if (withVirtuals) refuseTogether("virtuals=", {{"fit", !o.fit.empty()}});
  const double count = countLines(spinors.space, wanted.multipoles, spinors.wanted);
  if (o.leastGf == 0 && count > kMostLines)
    throw SettingError(
        "least_gf",
        fmt::format("there are {:.3g} lines, more than {:g}; give the smallest gf of a line that is "
                    "listed, such as 1e-4, or fewer multipoles",
                    count, kMostLines));
  if (e.rankCount() > 1)
    throw SettingError("batch", "lines of a single atom are computed by one process; expected several ions");
  const LevelCount size = requireMemory(spinors);
  announceSize(size, e);
  const Opened<LevelEngine> engine = openEngine<LevelEngine>(e, size.seconds > kLevelSecondsForGpu);
  e.show({.unit = "", .note = "spinors of the average"});
  wanted.engine = engine.engine.get();
  const CalibrateRequest calibrate =
      withUsualCalibration(o, spinors, o.fit.empty() && !o.relaxed.has_value());
  const Relaxed groups = o.relaxed.value_or(usualGroups(spinors, o, calibrate));
  const bool relaxes = groups != Relaxed::None;
  const RelaxedJob relaxed = relaxes
                                 ? relaxedLevels(request, spinors, groups, e,
                                                 {.isotopeShifts = o.isotopeShifts, .engine = wanted.engine})
                                 : RelaxedJob();
  FitRequest counted = o, assigned = o;  // levels by their numbers, or by what they are
  (isCalibration(o) ? counted : assigned).fit.clear();
  const SequenceFit sequence =
      relaxes ? SequenceFit() : computeFittedField(spinors, counted, request, e, o.isotopeShifts);
  std::optional<CalibratedField> calibrated;
  if (!relaxes)
    calibrated = calibrateField(spinors, calibrate, assigned, request, e, {.engine = wanted.engine});
  const LevelResult r = relaxes ? relaxed.all
                                : calibratedLevels(spinors, calibrated,
                                                   {.wanted = spinors.wanted,
                                                    .finer = spinors.finer ? &*spinors.finer : nullptr,
                                                    .propertiesOfFiner = spinors.hasChosenBasis(),
                                                    .vectors = true,
                                                    .isotopeShifts = o.isotopeShifts,
                                                    .correction = sequence.correction(),
                                                    .threads = e.threadsOrAll(),
                                                    .checkpoint = e.checkpoint,
                                                    .progress = showingLevels(e),
                                                    .engine = engine.engine.get()});
  requireCredible(spinors, r);
  requireTerms(sequence, r.levels);
  const std::vector<double> observed = ofSetting(
      "observed", [&] { return observedEnergies(o.observed, spinors.job.calculation.problem, r.levels); });
  e.show({.unit = "", .note = fmt::format("{:g} lines", count)});
  LineList computed = relaxes ? relaxedLines(spinors, relaxed, wanted)
                              : computeLines(spinors.space, spinors.result, spinors.hamiltonian, r, wanted);
  addLineErrors(calibrated, r.levels, computed, e.threadsOrAll());
  const AtomProblem& problem = spinors.job.calculation.problem;
  Decays decays{{},
                twoPhotonRates(spinors, r.levels),
                ionisationLimit(spinors.space, spinors.references(), problem, r.levels)};
  const RatedLines all = rated(withObserved(computed, observed), r.levels,
                               spinors.hamiltonian.field.speedOfLight, decays.twoPhoton);
  const std::vector<RatedLine>& list = all.lines;
  for (const double rate : all.decayRates)
    decays.lives.push_back(1 / rate);  // infinite without a line downwards

  const NuclearMoments moments = momentsOf({}, given.job);
  Record record;
  record.title = fmt::format("Lines of {}, {}", atomName(problem), referencesText(spinors));
  addField(spinors, record);
  if (relaxes) addGroups(relaxed, record);
  using Place = Quantity::Place;
  const auto add = [&](const char* key, const char* label, Json value, std::string shown = "",
                       Place place = Place::Body) {
    record.quantities.push_back({key, label, std::move(value), std::move(shown), place});
  };
  std::vector<double> errors, nist;
  if (calibrated) errors = calibrated->calibration.errorsOf(r.levels);
  if (calibrated) nist = assignedEnergies(*calibrated, r.levels);
  Json levels = Json::array();
  for (std::size_t i = 0; i < r.levels.size(); ++i) {
    Json& level = levels.emplace_back(levelJson(spinors.space, r.levels[i], false, decays.limit, moments));
    level["lifetime"] = std::isfinite(decays.lives[i]) ? Json(decays.lives[i]) : Json();
    level["two_photon_rate"] = decays.twoPhoton[i] > 0 ? Json(decays.twoPhoton[i]) : Json();
    if (calibrated) level["error"] = errors[i];
    if (i < nist.size() && std::isfinite(nist[i])) level["nist_excitation_energy"] = nist[i];
    if (std::isfinite(observed[i])) level["observed_energy"] = observed[i];
  }
  add("ci_hamiltonian", "Hamiltonian", hamiltonianText(problem.hamiltonian),
      hamiltonianText(problem.hamiltonian));
  add("average_energy", "mean of all levels", r.average, fmt::format("{:.10f} hartree", r.average),
      Place::Details);
  add("ground_energy", "lowest level", r.levels.front().energy,
      fmt::format("{:.10f} hartree, {}", r.levels.front().energy, levelName(r.levels.front())),
      Place::Result);
  std::string why = forbidden(spinors.space, r.levels.size(), wanted.multipoles);
  const bool none = count == 0;
  if (none && why.empty())
    why = "these multipoles have no line between these levels; name others, or more configurations";
  add("possible_lines", "lines", count,
      none ? fmt::format("none between {} level{}", r.levels.size(), r.levels.size() == 1 ? "" : "s")
           : fmt::format("{} between {} levels{}", list.size(), r.levels.size(),
                         o.leastGf > 0 ? fmt::format(", of {:g} without the cut in gf", count) : ""),
      Place::Result);
  if (none)
    record.warn("no_lines", why);
  else if (!why.empty())
    add("forbidden", "not among them", why, why);
  const std::optional<double> ratio = computed.gaugeRatio();
  add("gauge_ratio", "velocity over length", ratio ? Json(*ratio) : Json(),
      ratio ? fmt::format("{:.3f}, the median of strong E1 lines", *ratio) : "", Place::Accuracy);
  const char* accuracy = withVirtuals ? kAccuracyWithExcitations
                         : calibrated ? kAccuracyOfCalibrated
                                      : kAccuracyOfLines;
  const bool isShort = withVirtuals || calibrated;
  if (!none && !isShort) add("", "accuracy", {}, kShortAccuracyOfLines, Place::Accuracy);
  add("accuracy", isShort ? "accuracy" : "accuracy in full", accuracy, none ? "" : accuracy,
      isShort ? Place::Accuracy : Place::Details);
  addCalibration(calibrated, spinors.space, record);
  addLimit(decays.limit, record);
  addHyperfine(moments, false, record);
  add("levels", "", std::move(levels));
  addIsotopeAccuracy(o.isotopeShifts, false, record);
  record.tables = {lineTable(list, r.levels, false, o.isotopeShifts)};
  if (!counted.fit.empty()) addFit(sequence.fit, sequence.ions, record);
  warnOfSequence(sequence, record);
  for (const Warning& w : warningsOfLowest(
           spinors, r.levels.front(), o.relaxed == Relaxed::Configurations ? "" : "--relaxed configurations"))
    record.warn(w.id, w.text);
  record.device = engine.device();
  record.seconds = watch.seconds();
  const auto rows = usize(e.style.rows.value_or(kShownRows));
  record.body = listText(list, r.levels, decays, moments, rows) +
                (none ? commandsWithLines(spinors, given.job.configuration.text.empty()) : "");
  if (e.brief) record.report = fmt::format("{:.10f}\n", r.levels.front().energy);
  if (!o.table.empty()) e.write(o.table, recordCsv(record));
  return record;
}

}  // namespace

Operation linesOperation() {
  Operation o;
  o.name = jobName(JobType::Lines);
  o.summary = "lines between the levels of configurations";
  o.description =
      "E1, M1, E2 and M2 lines between all levels of one or several configurations "
      "(configs='2p6 | 2p5 3s | 2p5 3d'; closed inner shells need no names), with full retardation, in "
      "the length and velocity gauges: wavelengths, line strengths S, weighted oscillator strengths gf, "
      "rates A, "
      "branching ratios and lifetimes." +
      std::string(kAtomAndKeywords);
  o.example = "lines ATOM";
  o.examples = {"lines Na --excite '3s->3p'", "lines Fe+ --configs '3d6 4s | 3d7 | 3d6 4p'",
                "lines C -o c.csv"};
  o.brief = "the energy of the lowest level";
  o.tables = [] {
    Table withShifts = lineTable({}, {}, false, true);
    withShifts.firstWith = "isotope_shifts";
    return std::vector{lineTable({}, {}), ionTable({}), withShifts};
  };
  o.onGpus = o.onRanks = true;
  o = jobOperation(JobType::Lines, std::move(o), linesTable(), lines);
  // Each of several ions is such a request.
  const auto table = std::make_shared<const RequestTable<LinesOptions>>(linesTable());
  const auto ionsIn = [table](Json& values) {
    if (!values.contains("batch") && !values.contains("batch_file")) return LinesOptions();
    const Json own = taken(table->settings(), values);
    refuseTogether(kIonsOfBatch, {{"core_valence", values.contains("core_valence")}});
    Json typed;
    return table->read(own, typed);
  };
  o.check = [ionsIn, single = o.check](const Json& values) {
    Json rest = values;
    const LinesOptions options = ionsIn(rest);
    options.any() ? checkLinesOfIons(rest, options) : single(values);
  };
  o.run = [ionsIn, single = o.run, name = o.name](const Json& values, const Execution& execution) {
    Json rest = values;
    const LinesOptions options = ionsIn(rest);
    if (!options.any()) return single(values, execution);
    CalibrateRequest calibrate = options;
    if (options.relaxed && !calibrate.calibrate) calibrate.calibrate = Calibrate::None;
    Record record = linesOfIons(rest, options, calibrate, lineOptions(options), execution);
    record.operation = name;
    record.request = values;
    return record;
  };
  return o;
}

}  // namespace prophet
