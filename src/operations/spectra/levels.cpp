#include "atoms/levels/levels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "atoms/atom/elements.hpp"
#include "atoms/configurations/coupled_states.hpp"
#include "core/common/constants.hpp"
#include "core/common/index.hpp"
#include "core/common/text.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/setting_values.hpp"
#include "operations/record/report.hpp"
#include "operations/spectra/calibrated_levels.hpp"
#include "operations/spectra/core_valence_levels.hpp"
#include "operations/spectra/isotope_request.hpp"
#include "operations/spectra/level_list.hpp"
#include "operations/spectra/level_sequence.hpp"
#include "operations/spectra/nist_levels.hpp"

namespace prophet {
namespace {

using constants::kInverseCentimetresPerHartree;

/// What stands beside every list of levels; docs/engineering/levels.md has the comparison with experiment.
constexpr const char* kAccuracy =
    "no correlation beyond the configurations named: levels of ground configurations up to charge 3 lie 24 % "
    "too far apart in the median (16 to 36 % in eight cases of ten), fine structure is within 5 % for p, 10 "
    "% for f and 20 % for d shells; excited configurations that mix with others can be further off, and "
    "configurations can be displaced against each other by electronvolts (Ni+ 3d9 against 3d8 4s by 8.4 eV "
    "in common spinors, 2.1 eV by 'lines --relaxed configurations', 0.7 eV with --virtuals)";

/// docs/theory/how-good.md has the comparison with experiment.
constexpr const char* kHyperfineAccuracy =
    "without core polarisation: A of s electrons is 28 to 35 % too small (Li to Cs), B of p electrons 5 to "
    "24 % (Al, Cl, Ga, Br, In and I); of half-filled shells and of levels with small A the constants mean "
    "nothing";

constexpr const char* kAccuracyCalibrated =
    "each level has an error (one standard deviation) from the levels of NIST that the fit did not see, or "
    "from ions that were fitted";

constexpr const char* kShortAccuracy =
    "no correlation beyond the configurations named: levels lie 24 % too far apart in the median (-v says "
    "more)";

constexpr const char* kAccuracyAlone = "no correlation beyond the configuration named";

constexpr const char* kAccuracyWithVirtuals =
    "correlation of the excited shells as far as the virtual shells hold it; none of the other electrons";

struct LevelsOptions : FitRequest, CalibrateRequest, NuclearMoments, IsotopeRequest {
  std::string table;
  bool vectors = false, derivatives = false;
  LevelDetail labels = LevelDetail::Full;
};

RequestTable<LevelsOptions> levelsTable() {
  RequestTable<LevelsOptions> t;
  t.add("levels_csv", &LevelsOptions::table, "write the levels to this file as CSV").isFile(FileUse::Write);
  t.add("vectors", &LevelsOptions::vectors,
        "also give every level as a vector over the jj-coupled states: tables of --json, --hdf5 and Python");
  t.add(
      "derivatives", &LevelsOptions::derivatives,
      "also give the derivative of every level by F^k, G^k, R^k and zeta, at fixed energies of the averages");
  t.add("labels", &LevelsOptions::labels,
        {{"terms", LevelDetail::Full}, {"configurations", LevelDetail::Configurations}},
        "what levels are called after: terms, with couplings and properties beside them, or configurations "
        "alone, in a fifth of the time of ten thousand levels");
  addFitSettings(t);
  addCalibrateSettings(t);
  addNuclearMoments(t);
  addIsotopeSettings(t);
  return t;
}

const char* parityOf(const Level& l) { return l.odd ? "-" : "+"; }

Json partsJson(const std::vector<LevelPart>& parts, const char* name) {
  Json list = Json::array();
  for (const LevelPart& p : parts) list.push_back({{name, p.name}, {"percent", p.percent}});
  return list;
}

}  // namespace

Json levelJson(const LevelSpace& space, const Level& l, bool hasError, std::optional<double> limit,
               const NuclearMoments& moments) {
  Json json{{"J", 0.5 * l.twoJ},
            {"parity", parityOf(l)},
            {"index", l.index},
            {"energy", l.energy},
            {"excitation_energy", l.excitation},
            {"excitation_error", hasError ? Json(l.excitationError) : Json()},
            {"label", l.label},
            {"percent", l.percent}};
  if (!l.terms.empty()) {
    json["terms"] = partsJson(l.terms, "term");
    if (space.configurations.size() > 1)
      for (std::size_t i = 0; i < l.terms.size(); ++i)
        json["terms"][i]["configuration"] = space.configurations[usize(l.terms[i].configuration)].text;
  } else {
    json["terms"] = Json::array();
  }
  json["couplings"] = partsJson(l.couplings, "coupling");
  const auto above = [&](int twoJ, double value) {
    return l.hasProperties && l.twoJ > twoJ ? Json(value) : Json();
  };
  json["g"] = above(0, l.g);
  json["g_anomaly"] = above(0, l.gAnomaly);
  json["hyperfine_A_MHz"] = above(0, l.hyperfineA);
  json["hyperfine_B_MHz"] = above(1, l.hyperfineB);
  if (moments.moment) json["A_nucleus_MHz"] = l.twoJ > 0 ? Json(*moments.magnetic(l.hyperfineA)) : Json();
  if (moments.quadrupole) json["B_nucleus_MHz"] = l.twoJ > 1 ? Json(*moments.electric(l.hyperfineB)) : Json();
  json["mean_square_radius"] = above(-1, l.meanSquareRadius);
  json["density_at_nucleus"] = l.density > 0 ? Json(l.density) : Json();
  if (l.isotope) {
    json[kNormalShift] = kMassShiftUnit * l.isotope->normal;
    json[kSpecificShift] = kMassShiftUnit * l.isotope->specific;
    json[kFieldShift] = l.isotope->field ? Json(kFieldShiftFactorUnit * *l.isotope->field) : Json();
  }
  json["autoionising"] = limit ? Json(l.excitation > *limit) : Json();
  return json;
}

std::optional<double> ionisationLimit(const LevelSpace& space, std::size_t references,
                                      const AtomProblem& problem, const std::vector<Level>& levels) {
  const auto z = elementOfCharge(problem.nucleus.charge);
  if (!z) return {};
  const int charge = *z - static_cast<int>(std::lround(problem.configuration.electrons()));
  const auto known = nistIonisation(
      *z, charge,
      {space.configurations.begin(), space.configurations.begin() + static_cast<int>(references)});
  if (!known) return {};
  for (const Level& l : levels)
    if (usize(l.configuration) == known->ground) return l.excitation + known->energy;
  return {};
}

std::string autoionisingText(const std::vector<Level>& levels, std::optional<double> limit) {
  if (std::ranges::none_of(levels, [&](const Level& l) { return limit && l.excitation > *limit; })) return "";
  return "  * above the ionisation energy in NIST: may emit an electron, which this program does not "
         "compute\n";
}

std::string nucleusHeading(const NuclearMoments& nucleus) {
  return std::string(nucleus.moment ? "       A [MHz]" : "") + (nucleus.quadrupole ? "       B [MHz]" : "");
}

std::string nucleusCells(const Level& l, const NuclearMoments& nucleus) {
  const auto cell = [](bool wanted, std::optional<double> value) {
    return !wanted ? "" : value ? fmt::format("  {:>12.3f}", *value) : std::string(14, ' ');
  };
  return cell(nucleus.moment.has_value(), l.twoJ > 0 ? nucleus.magnetic(l.hyperfineA) : std::nullopt) +
         cell(nucleus.quadrupole.has_value(), l.twoJ > 1 ? nucleus.electric(l.hyperfineB) : std::nullopt);
}

void addLimit(std::optional<double> limit, Record& record) {
  record.quantities.push_back(
      {"ionisation_limit", "ionisation limit", limit ? Json(*limit) : Json(),
       limit ? fmt::format("{:.6f} eV above the lowest level (NIST's energy, from the lowest "
                           "level of NIST's ground configuration)",
                           *limit * constants::kElectronvoltsPerHartree)
             : "",
       Quantity::Place::Details});
}

void addHyperfine(const NuclearMoments& moments, bool details, Record& record) {
  record.quantities.push_back({"hyperfine_accuracy", "hyperfine constants", kHyperfineAccuracy,
                               details && !moments.any() ? kHyperfineAccuracy : "",
                               Quantity::Place::Details});
  addMoments(moments, kHyperfineAccuracy, record);
}

namespace {

/// Energies of the levels in experiment above the lowest one of the configurations, cm^-1; not a number
/// where it is not known.
std::vector<double> experimentOf(const LevelSpace& space, std::size_t references, const AtomProblem& problem,
                                 const std::vector<Level>& levels, bool all) {
  const std::vector<double> none(levels.size(), std::nan(""));
  const auto z = elementOfCharge(problem.nucleus.charge);
  if (!z || levels.size() < 2) return none;
  const int charge = *z - static_cast<int>(std::lround(problem.configuration.electrons()));
  if (references > 1) return besideComputed(*z, charge, space, references, levels, all);
  if (std::ranges::any_of(levels, [](const Level& l) { return l.referencePercent < 50; })) return none;
  return besideComputed(nistLevels(*z, charge, space.configurations.front()), levels, all);
}

/// The columns of --levels-csv; the report shows them too.
/// `experiment`: of experimentOf, one for each level.
Table levelTable(const std::vector<Level>& levels, const std::vector<double>& experiment,
                 const NuclearMoments& nucleus, bool isotopeShifts = false) {
  using L = const Level&;
  const auto above = [](L l, int twoJ, double value) {
    return l.hasProperties && l.twoJ > twoJ ? std::optional<double>(value) : std::nullopt;
  };
  const auto measured = [&](L l) { return experiment[usize(&l - levels.data())]; };
  Table table{
      "level_table",
      {columnOf(levels, {"J", "1", "total angular momentum"}, [](L l) { return 0.5 * l.twoJ; }),
       columnOf(levels, {"parity", "", "`+` or `-`"}, [](L l) { return std::string(parityOf(l)); }),
       columnOf(levels, {"index", "1", "number among the levels of this J and parity, from 1"},
                [](L l) { return l.index; }),
       columnOf(levels, {"energy_hartree", "hartree", "total energy"}, [](L l) { return l.energy; }),
       columnOf(levels, {"excitation_cm-1", "1/cm", "energy above the lowest level"},
                [](L l) { return l.excitation * kInverseCentimetresPerHartree; }),
       columnOf(levels, {"label", "", "term with the open shells and their parent terms"},
                [](L l) { return l.label; }),
       columnOf(levels, {"percent", "1", "share of the state that the label names, %"},
                [](L l) { return l.percent; }),
       columnOf(levels, {"g", "1", "Landé factor of the point magnetic moment"},
                [&](L l) { return above(l, 0, l.g); }),
       columnOf(levels, {"A_MHz", "MHz", "magnetic hyperfine constant for mu_I/I = 1 nuclear magneton"},
                [&](L l) { return above(l, 0, l.hyperfineA); }),
       columnOf(levels, {"B_MHz", "MHz", "electric hyperfine constant for Q = 1 barn"},
                [&](L l) { return above(l, 1, l.hyperfineB); }),
       columnOf(levels, {"nist_cm-1", "1/cm", "energy in NIST's database above the lowest known level"},
                measured)},
      Table::Layout::Quantity,
      0};
  addNucleusColumns(
      levels, [](L l) -> L { return l; }, nucleus, table);
  if (isotopeShifts)
    addIsotopeColumns(
        levels, "", [](L l) { return l.isotope; }, table);
  return table;
}

/// A row for each level and parameter, in the order of the levels.
void addDerivatives(const LevelResult& r, Record& record) {
  struct Slope {
    const Level& level;
    const SlaterParameter& parameter;
    double value;
  };
  std::vector<Slope> rows;
  for (const Level& l : r.levels)
    for (std::size_t p = 0; p < r.parameters.size(); ++p)
      rows.push_back({l, r.parameters[p], l.derivatives[p]});
  record.tables.push_back(
      {"derivatives",
       {columnOf(rows, {"J", "1"}, [](const Slope& s) { return 0.5 * s.level.twoJ; }),
        columnOf(rows, {"parity", ""}, [](const Slope& s) { return std::string(parityOf(s.level)); }),
        columnOf(rows, {"index", "1"}, [](const Slope& s) { return s.level.index; }),
        columnOf(rows, {"parameter", ""}, [](const Slope& s) { return nameOf(s.parameter); }),
        columnOf(rows, {"derivative", "1"}, [](const Slope& s) { return s.value; })},
       Table::Layout::Columns,
       0});
}

/// The coupled states of all J and parities, and the coefficients of all levels over them that are not zero.
void addVectors(const LevelSpace& space, const std::vector<LevelVectors>& list, Record& record) {
  struct State {
    const LevelVectors& block;
    std::size_t number;
  };
  struct Coefficient {
    const LevelVectors& block;
    Eigen::Index level, state;
  };
  std::vector<State> states;
  std::vector<Coefficient> coefficients;
  for (const LevelVectors& v : list) {
    for (std::size_t i = 0; i < v.states.size(); ++i) states.push_back({v, i});
    for (Eigen::Index l = 0; l < v.vectors().cols(); ++l)
      for (Eigen::Index s = 0; s < v.vectors().rows(); ++s)
        if (v.vectors()(s, l) != 0) coefficients.push_back({v, l, s});
  }
  const auto twoJ = [](const auto& x) { return 0.5 * x.block.twoJ; };
  const auto parity = [](const auto& x) { return std::string(x.block.odd ? "-" : "+"); };
  record.tables.push_back(
      {"coupled_states",
       {columnOf(states, {"J", "1"}, twoJ), columnOf(states, {"parity", ""}, parity),
        columnOf(states, {"state", "1"}, [](const State& s) { return static_cast<int>(s.number) + 1; }),
        columnOf(states, {"configuration", ""},
                 [&](const State& s) {
                   return space.configurations[usize(s.block.configurations[s.number])].text;
                 }),
        columnOf(states, {"coupling", ""}, [](const State& s) { return s.block.states[s.number]; })},
       Table::Layout::Columns,
       0});
  record.tables.push_back(
      {"vectors",
       {columnOf(coefficients, {"J", "1"}, twoJ), columnOf(coefficients, {"parity", ""}, parity),
        columnOf(coefficients, {"index", "1"},
                 [](const Coefficient& c) { return static_cast<int>(c.level) + 1; }),
        columnOf(coefficients, {"state", "1"},
                 [](const Coefficient& c) { return static_cast<int>(c.state) + 1; }),
        columnOf(coefficients, {"coefficient", "1"},
                 [](const Coefficient& c) { return c.block.vectors()(c.state, c.level); })},
       Table::Layout::Columns,
       0});
}

/// A table like those of spectroscopists: a line for each level.
/// Where there are virtual shells, it shows the share of the references too, in percent,
/// and where the levels are calibrated their errors.
std::string levelLines(const std::vector<Level>& levels, const std::vector<double>& experiment,
                       const std::vector<double>& errors, std::optional<double> limit, bool withVirtuals,
                       const NuclearMoments& nucleus, std::ptrdiff_t rows) {
  const std::size_t shown = std::min(levels.size(), usize(rows));
  const std::optional<IsotopeShift>& first = levels.front().isotope;  // the others are shown relative to it
  const bool hasShifts = first.has_value();
  const bool known = std::ranges::any_of(experiment, [](double e) { return std::isfinite(e); });
  std::size_t width = 5;
  for (std::size_t i = 0; i < shown; ++i) width = std::max(width, levels[i].label.size());
  std::string text = fmt::format("\n  {:<{}}  {:>5}  {:>14}{}  {:>12}  {:>8}  {:>6}{}{}\n", "level", width,
                                 "J", "energy [cm^-1]", errors.empty() ? "" : "   error", "energy [eV]", "g",
                                 "%", withVirtuals ? "  references [%]" : "", known ? "  NIST [cm^-1]" : "");
  text.insert(text.size() - 1, nucleusHeading(nucleus));
  if (hasShifts) text.insert(text.size() - 1, "  " + isotopeHeading());
  for (std::size_t i = 0; i < shown; ++i) {
    const Level& l = levels[i];
    text += fmt::format(
        "  {:<{}} {}{:>5}  {:>14.3f}{}  {:>12.6f}  {:>8}  {:>6.1f}{}{}\n", l.label, width, markOf(l, limit),
        halves(l.twoJ), l.excitation * kInverseCentimetresPerHartree,
        errors.empty() ? "" : fmt::format("  {:>6.0f}", errors[i] * kInverseCentimetresPerHartree),
        l.excitation * constants::kElectronvoltsPerHartree,
        l.hasProperties && l.twoJ > 0 ? fmt::format("{:.5f}", l.g) : "", l.percent,
        withVirtuals ? fmt::format("  {:>14.2f}", l.referencePercent) : "",
        std::isfinite(experiment[i])            ? fmt::format("  {:>12.2f}", experiment[i])
        : known && (nucleus.any() || hasShifts) ? std::string(14, ' ')
                                                : "");
    text.insert(text.size() - 1, nucleusCells(l, nucleus));
    if (hasShifts) text.insert(text.size() - 1, "  " + isotopeCells(shiftBetween(l.isotope, first)));
  }
  return text + moreRows(levels.size(), shown, levels.size() - shown == 1 ? "level" : "levels");
}

std::string namesOf(const std::vector<ShellName>& shells) {
  std::string text;
  for (const auto& [n, l] : shells) text += (text.empty() ? "" : " ") + Shell{n, l}.name();
  return text;
}

/// What the levels with virtual shells are made of, before they are computed.
std::vector<Quantity> excitationQuantities(const LevelSpinors& s, const LevelCount& count) {
  const double gigabytes = 1e-9 * count.bytes;
  return {{"virtual_shells", "virtual shells", namesOf(s.excited->virtuals), namesOf(s.excited->virtuals)},
          {"excited_shells", "excited shells", namesOf(s.excited->excited), namesOf(s.excited->excited)},
          {"virtual_spinors", "virtual spinors", s.job.job.virtuals.average ? "average" : "natural",
           s.job.job.virtuals.average ? "of the average over all states" : "natural"},
          {"expanded_configurations", "configurations", s.space.configurations.size(),
           fmt::format("{}", s.space.configurations.size())},
          {"expanded_states", "all states", s.space.states(), fmt::format("{:g}", s.space.states())},
          {"largest_block", "largest block", count.largest.levels,
           fmt::format("{:g} coupled states, J = {}", count.largest.levels, halves(count.largest.twoJ))},
          {"estimated_memory_GB", "estimated memory", gigabytes, fmt::format("{:.2g} GB", gigabytes)},
          {"estimated_seconds", "estimated time", count.seconds,
           fmt::format("{:.1g} s of one processor, beside that for the virtual spinors", count.seconds)}};
}

/// Electrons in each open spinor, mean over the states of the levels.
Table electronsTable(const LevelSpace& space, const LevelResult& r) {
  const auto electronsOf = [&](const LevelSpinor& s) {
    const std::ptrdiff_t place = &s - space.open.data();
    return r.density(place, place);
  };
  return {"spinor_electrons",
          {columnOf(space.open, {"spinor", ""}, [](const LevelSpinor& s) { return s.label(); }),
           columnOf(space.open, {"electrons", "1"}, electronsOf)},
          Table::Layout::Columns,
          0};
}

/// Throws SettingError where something is asked for that levels without terms and properties do not have.
void refuseWithoutProperties(const LevelsOptions& o, const NuclearMoments& moments) {
  if (o.labels == LevelDetail::Full) return;
  refuseTogether("labels='configurations'", {{"derivatives", o.derivatives},
                                             {"isotope_shifts", o.isotopeShifts},
                                             {"moment", moments.moment.has_value()},
                                             {"quadrupole", moments.quadrupole.has_value()}});
}

Record levels(const AtomRequest& request, const LevelsOptions& o, const Execution& e) {
  if (request.job.coreValence.coreValence) {
    refuseTogether("core_valence=", {{"fit", !o.fit.empty()},
                                     {"calibrate", o.calibrate.has_value()},
                                     {"vectors", o.vectors},
                                     {"derivatives", o.derivatives},
                                     {"labels", o.labels != LevelDetail::Full}});
    Record record = coreValenceLevels(request, momentsOf(o, request.job), o.isotopeShifts, e);
    if (!o.table.empty()) e.write(o.table, recordCsv(record));
    return record;
  }
  const Stopwatch watch;
  const NuclearMoments moments = momentsOf(o, request.job);
  refuseWithoutProperties(o, moments);
  LevelSpinors spinors = levelJob(request, e);
  const bool withVirtuals = spinors.excited.has_value();
  if (withVirtuals)
    refuseTogether(
        "virtuals=",
        {{"fit", !o.fit.empty()}, {"derivatives", o.derivatives}, {"labels", o.labels != LevelDetail::Full}});
  const LevelCount count = requireMemory(spinors);
  announceSize(count, e);
  const Opened<LevelEngine> engine = openEngine<LevelEngine>(e, count.seconds > kLevelSecondsForGpu);
  ToldReport report{e};
  Record excitations;
  if (withVirtuals) excitations.quantities = excitationQuantities(spinors, count);
  e.show({.unit = "", .note = "spinors of the average"});
  FitRequest counted = o, assigned = o;  // levels by their numbers, or by what they are
  (isCalibration(o) ? counted : assigned).fit.clear();
  const SequenceFit sequence = computeFittedField(spinors, counted, request, e, true);
  const Calculation& calculation = spinors.job.calculation;
  const LevelFit& fit = sequence.fit;
  const bool hasProperties = o.labels == LevelDetail::Full;
  const LevelOptions options{.wanted = spinors.wanted,
                             .detail = o.labels,
                             .finer = spinors.finer ? &*spinors.finer : nullptr,
                             .propertiesOfFiner = spinors.hasChosenBasis(),
                             .vectors = o.vectors,
                             .isotopeShifts = o.isotopeShifts,
                             .derivatives = o.derivatives,
                             .correction = sequence.correction(),
                             .threads = e.threadsOrAll(),
                             .checkpoint = e.checkpoint,
                             .progress = showingLevels(e),
                             .engine = engine.engine.get()};
  std::optional<CalibratedField> calibrated =
      calibrateField(spinors, withUsualCalibration(o, spinors, o.fit.empty()), assigned, request, e,
                     {.engine = engine.engine.get()});
  const LevelResult r = calibratedLevels(spinors, calibrated, options);
  requireCredible(spinors, r);
  requireTerms(sequence, r.levels);
  const AtomProblem& problem = calculation.problem;
  Record record;
  const std::size_t references = spinors.references();
  Json configurations = Json::array(), list = Json::array();
  for (std::size_t i = 0; i < references; ++i) configurations.push_back(spinors.space.configurations[i].text);
  record.title = fmt::format("Levels of {}, {}", atomName(problem), referencesText(spinors));
  addField(spinors, record);
  warnOfSequence(sequence, record);
  for (const Warning& w :
       warningsOfLowest(spinors, r.levels.front(), "'cudaprophet lines ION --relaxed configurations'"))
    record.warn(w.id, w.text);
  std::vector<double> experiment = experimentOf(spinors.space, references, problem, r.levels, !withVirtuals);
  std::vector<double> errors;
  if (calibrated) {
    errors = calibrated->calibration.errorsOf(r.levels);
    if (calibrated->source == "nist") experiment = assignedEnergies(*calibrated, r.levels);
    if (calibrated->source == "nist")
      for (double& energy : experiment) energy *= kInverseCentimetresPerHartree;
  }
  const std::optional<double> limit = ionisationLimit(spinors.space, references, problem, r.levels);
  const bool hasErrors = spinors.finer && hasProperties;
  for (std::size_t i = 0; i < r.levels.size(); ++i) {
    Json& level = list.emplace_back(levelJson(spinors.space, r.levels[i], hasErrors, limit, moments));
    if (withVirtuals) {
      const std::optional<double> gained = r.levels[i].correlation;
      level["reference_percent"] = r.levels[i].referencePercent;
      level["correlation_energy"] = gained ? Json(*gained) : Json();
    }
    if (calibrated) level["error"] = errors[i];
    if (std::isfinite(experiment[i]))
      level["nist_excitation_energy"] = experiment[i] / kInverseCentimetresPerHartree;
  }
  using Place = Quantity::Place;
  const auto add = [&](const char* key, const char* label, Json value, std::string shown = "",
                       Place place = Place::Body) {
    record.quantities.push_back({key, label, std::move(value), std::move(shown), place});
  };
  add("configurations", "", std::move(configurations));
  for (Quantity& q : excitations.quantities) {
    q.place = Place::Details;
    record.quantities.push_back(std::move(q));
  }
  add("ci_hamiltonian", "Hamiltonian", hamiltonianText(problem.hamiltonian),
      hamiltonianText(problem.hamiltonian));
  add("states", "states", r.states,
      fmt::format("{:g} in {} {}", r.states, r.levels.size(), r.levels.size() == 1 ? "level" : "levels"),
      Place::Result);
  add("average_energy", "mean of all levels", r.average, fmt::format("{:.10f} hartree", r.average),
      Place::Details);
  add("ground_energy", "lowest level", r.levels.front().energy,
      fmt::format("{:.10f} hartree, {}, J = {}", r.levels.front().energy, r.levels.front().label,
                  halves(r.levels.front().twoJ)),
      Place::Result);
  if (const auto gained = r.levels.front().correlation; withVirtuals && gained)
    add("ground_correlation_energy", "gained by virtuals", *gained, fmt::format("{:.10f} hartree", *gained));
  if (hasErrors) {
    double error = 0;
    for (const Level& l : r.levels) error = std::max(error, std::abs(l.excitationError));
    add("largest_excitation_error", "basis-set error", error,
        r.levels.size() == 1 ? ""
                             : fmt::format("of excitations at most {:.1g} cm^-1 (estimated)",
                                           error * kInverseCentimetresPerHartree),
        Place::Accuracy);
  }
  const bool alone = r.levels.size() == 1;
  const char* accuracy = withVirtuals ? kAccuracyWithVirtuals
                         : calibrated ? kAccuracyCalibrated
                         : alone      ? kAccuracyAlone
                                      : kAccuracy;
  const bool isShort = withVirtuals || calibrated || alone;
  if (!isShort) add("", "accuracy", {}, kShortAccuracy, Place::Accuracy);
  add("accuracy", isShort ? "accuracy" : "accuracy in full", accuracy, accuracy,
      isShort ? Place::Accuracy : Place::Details);
  addCalibration(calibrated, spinors.space, record);
  addLimit(limit, record);
  if (hasProperties) addHyperfine(moments, true, record);
  add("levels", "", std::move(list));
  addIsotopeAccuracy(o.isotopeShifts, false, record);
  record.tables = {levelTable(r.levels, experiment, moments, o.isotopeShifts)};
  if (withVirtuals) record.tables.push_back(electronsTable(spinors.space, r));
  if (!counted.fit.empty()) addFit(fit, sequence.ions, record);
  if (o.derivatives) addDerivatives(r, record);
  if (o.vectors) addVectors(spinors.space, r.vectors, record);
  record.device = engine.device();
  record.seconds = watch.seconds();
  record.body = (counted.fit.empty() ? "" : fitText(fit, sequence.ions)) +
                levelLines(r.levels, experiment, errors, limit, withVirtuals, moments,
                           e.style.rows.value_or(kShownRows)) +
                autoionisingText(r.levels, limit);
  report(e.brief ? fmt::format("{:.10f}\n", r.levels.front().energy) : recordText(record, e.style));
  record.report = report.text;
  if (!o.table.empty()) e.write(o.table, recordCsv(record));
  return record;
}

}  // namespace

Operation levelsOperation() {
  Operation o;
  o.name = jobName(JobType::Levels);
  o.summary = "energy levels of open shells";
  o.description =
      "All levels of one or several configurations (config='[He] 2s2 2p2 | [He] 2p4'), by configuration "
      "interaction in the spinors of their average: J, parity, energies, composition in LS and jj coupling, "
      "g factors and hyperfine constants; with isotope_shifts mass- and field-shift factors." +
      std::string(kAtomAndKeywords);
  o.example = "levels ATOM";
  o.examples = {"levels C", "levels Mg --core-valence", "levels U --config '5f3 6d1 7s2 | 5f4 7s2'"};
  o.brief = "the energy of the lowest level";
  o.onGpus = true;
  o.tables = [] {
    Table withMoments = levelTable({}, {}, {.moment = 1, .spin = 1, .quadrupole = 1});
    withMoments.firstWith = "moment, quadrupole";
    Table withShifts = levelTable({}, {}, {}, true);
    withShifts.firstWith = "isotope_shifts";
    return std::vector{levelTable({}, {}, {}), withMoments, withShifts};
  };
  return jobOperation(JobType::Levels, std::move(o), levelsTable(), levels);
}

}  // namespace prophet
