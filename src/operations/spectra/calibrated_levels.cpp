#include "operations/spectra/calibrated_levels.hpp"
#include "core/common/index.hpp"
#include "operations/catalogue/setting_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "atoms/atom/elements.hpp"
#include "core/common/constants.hpp"
#include "core/common/text.hpp"
#include "core/common/threads.hpp"
#include "operations/spectra/nist_levels.hpp"

namespace prophet {

template <>
const Names<Calibrate>& namesOf() {
  static const Names<Calibrate> names{
      {"none", Calibrate::None}, {"nist", Calibrate::Nist}, {"rule", Calibrate::Rule}};
  return names;
}

namespace {

constexpr double kPerHartree = constants::kInverseCentimetresPerHartree;
constexpr int kMostRaises = 6;
// Errors of log10(gf): of E1 lines whose gauges agree, of others, and where nothing is known.
constexpr double kDipoleError = 0.2, kOtherError = 0.15, kMostGfError = 2;

/// What correlation adds to the energy of a configuration, hartree, but for what configurations of one ion
/// have in common: with each f and d electron, with each of them beyond the half shell, with pairs of s and
/// with p electrons. Fitted to the lowest levels of configurations of 42 ions (docs/theory/levels.md).
struct Shifts {
  double f, fBeyond, d, dBeyond, pairs, p;  ///< cm^-1
  double scatter;                           ///< of differences, cm^-1
};
constexpr Shifts kLanthanides{9713, 16450, 1043, 0, 3786, -2799, 1376};
constexpr Shifts kIronGroup{0, 0, 5098, 7150, 5008, -1688, 3902};
constexpr Shifts kOthers{9390, 17089, 1517, 9230, 4934, -2974, 2498};
constexpr Shifts kNoShifts{0, 0, 0, 0, 0, 0, 5000};
constexpr int kFirstElement = 20, kHighestCharge = 3;

bool hasOpenDOrF(const LevelSpace::Part& part) {
  return std::ranges::any_of(part.shells,
                             [](const Shell& s) { return s.l >= 2 && s.electrons > 0 && !s.full(); });
}

/// Whether the shifts were fitted to such ions: up to charge 3, from calcium on, with an open d or f shell.
bool isUsual(const LevelSpace& space, int z, int charge) {
  return z >= kFirstElement && charge <= kHighestCharge &&
         std::ranges::any_of(space.configurations, hasOpenDOrF);
}

const Shifts& shiftsOf(const LevelSpace& space, int z, int charge) {
  if (!isUsual(space, z, charge)) return kNoShifts;
  if (z >= 57 && z <= 71) return kLanthanides;
  return z >= 21 && z <= 30 ? kIronGroup : kOthers;
}

double correlationShift(const Shifts& s, const LevelSpace::Part& part) {
  double sum = 0;
  for (const Shell& shell : part.shells) {
    const double n = shell.electrons, beyond = std::max(0.0, n - shell.capacity() / 2.0);
    if (shell.l == 0 && n == 2) sum += s.pairs;
    if (shell.l == 1) sum += s.p * n;
    if (shell.l == 2) sum += s.d * n + s.dBeyond * beyond;
    if (shell.l == 3) sum += s.f * n + s.fBeyond * beyond;
  }
  return sum / kPerHartree;
}

/// Element and charge. Throws SettingError where there is no such element.
std::pair<int, int> ionOf(const LevelSpinors& atom) {
  const AtomProblem& problem = atom.job.calculation.problem;
  const auto z = elementOfCharge(problem.nucleus.charge);
  if (!z) throw SettingError("calibrate", "is for nuclei of elements");
  return {*z, *z - static_cast<int>(std::lround(atom.space.average.electrons()))};
}

/// Whether the open shells of all configurations are (n-2)f, (n-1)d, ns and np of one n, as those of valence
/// electrons are and core holes and series are not.
bool areValence(const LevelSpace& space) {
  std::set<std::pair<int, int>> open;  // l and n
  int n = 0;
  for (const LevelSpace::Part& part : space.configurations)
    for (const Shell& s : part.shells)
      if (s.electrons > 0 && !s.full()) {
        open.insert({s.l, s.n});
        n = std::max(n, s.n + std::max(0, s.l - 1));
      }
  return std::ranges::all_of(open, [&](const auto& shell) {
    return shell.first <= 3 && shell.second == n - std::max(0, shell.first - 1);
  });
}

/// Whether several configurations of an open d or f shell compete, of an ion that the shifts hold for.
bool compete(const LevelSpinors& atom) {
  const LevelSpace& space = atom.space;
  const auto z = elementOfCharge(atom.job.calculation.problem.nucleus.charge);
  if (!z || openShellOfOneJ(space)) return false;
  const int charge = *z - static_cast<int>(std::lround(space.average.electrons()));
  if (*z < kFirstElement || charge < 0 || charge > kHighestCharge) return false;
  return std::ranges::count_if(space.configurations, hasOpenDOrF) > 1 && areValence(space);
}

/// The mean energy of all states of a configuration in spinors of its own.
double relaxedAverage(const LevelSpace::Part& part, const AtomRequest& request, const Execution& execution) {
  LevelSpinors spinors = levelJob(withConfiguration(request, part.text), execution);
  computeField(spinors, execution, false);
  return averageEnergies(spinors.space, spinors.result, spinors.hamiltonian).front();
}

/// For configurations in `wanted` the energy of the average above that of `ground`: of spinors of their own,
/// less what correlation makes of the difference.
std::vector<std::optional<double>> averagesByRule(const LevelSpinors& atom, const std::set<int>& wanted,
                                                  int ground, const Shifts& shifts,
                                                  const AtomRequest& request, Execution execution,
                                                  int threads) {
  const auto& parts = atom.space.configurations;
  std::vector<std::optional<double>> list(parts.size());
  if (wanted.empty() || parts.size() == 1) return list;
  const std::vector<double> common = averageEnergies(atom.space, atom.result, atom.hamiltonian);
  const auto at = [&](int c) -> const LevelSpace::Part& { return parts[usize(c)]; };
  const auto of = [&](int c) {
    return relaxedAverage(at(c), request, execution) - common[usize(c)] - correlationShift(shifts, at(c));
  };
  // Each on one thread, so that the last digits do not depend on how many there are.
  execution.threads = 1;
  std::vector<int> fields{ground};
  for (const int c : wanted)
    if (c != ground) fields.push_back(c);
  std::vector<double> energies(fields.size());
  ThreadPool(std::max(1, threads)).forEach(static_cast<int>(fields.size()), [&](int i, int) {
    energies[usize(i)] = of(fields[usize(i)]);
  });
  for (std::size_t i = 1; i < fields.size(); ++i) list[usize(fields[i])] = energies[i] - energies.front();
  return list;
}

/// The levels that NIST has of the configurations, but for those of a J that they have not.
std::vector<KnownLevel> knownLevels(const LevelSpinors& atom, int z, int charge) {
  std::set<std::pair<int, bool>> there;
  for (const LevelCount::Block& b : countLevels(atom.space).blocks) there.insert({b.twoJ, b.odd});
  std::vector<KnownLevel> list;
  for (std::size_t c = 0; c < atom.space.configurations.size(); ++c) {
    const LevelSpace::Part& part = atom.space.configurations[c];
    for (const NistLevel& l : allNistLevels(z, charge, part))
      if (there.contains({l.twoJ, part.odd}))
        list.push_back({l.twoJ, part.odd, static_cast<int>(c), l.energy / kPerHartree, l.term});
  }
  return list;
}

/// The levels of a file.
std::vector<KnownLevel> levelsOfFile(const std::string& path, const LevelSpinors& atom) {
  std::vector<KnownLevel> list;
  const auto [z, charge] = ionOf(atom);
  const ObservedIon ion = readObservedLevels(path).front();
  if (ion.ion && (ion.ion->z != z || ion.ion->charge != charge))
    throw Error(
        fmt::format("{}: has levels of {}; expected those of {}", path, ion.ion->name, ionName(z, charge)));
  std::set<std::pair<int, bool>> there;
  for (const LevelCount::Block& b : countLevels(atom.space).blocks) there.insert({b.twoJ, b.odd});
  for (const ObservedLevel& l : ion.levels) {
    const int c = placeOf(atom.space, l.configuration);
    const std::string where =
        fmt::format("{}: the level of J = {} at {:.10g} cm^-1", path, halves(l.twoJ), kPerHartree * l.energy);
    if (c < 0)
      throw Error(fmt::format("{} is of '{}', which is none of the configurations {}", where, l.configuration,
                              referencesText(atom)));
    if (l.odd != atom.space.configurations[usize(c)].odd)
      throw Error(
          fmt::format("{} has parity {}, and '{}' has not", where, l.odd ? '-' : '+', l.configuration));
    if (!there.contains({l.twoJ, l.odd}))
      throw Error(where + ": the configurations have no level of this J and parity");
    list.push_back({l.twoJ, l.odd, c, l.energy, plainTerm(l.term), l.weight});
  }
  return list;
}

/// Takes the weight of the levels that are held out.
void holdOut(const std::string& what, const LevelSpace& space, std::vector<KnownLevel>& levels) {
  if (what.empty()) return;
  if (what == "blocks") {
    std::set<std::pair<bool, int>> blocks;
    for (const KnownLevel& l : levels) blocks.insert({l.odd, l.twoJ});
    int number = 0;
    for (const auto& [odd, twoJ] : blocks)
      if (number++ % 3 == 2)
        for (KnownLevel& l : levels)
          if (l.twoJ == twoJ && l.odd == odd) l.weight = 0;
    return;
  }
  for (const std::string& text : split(what, '|')) {
    const int c = ofSetting("held_out", [&] { return placeOf(space, trimmed(text)); });
    KnownLevel* lowest = nullptr;
    for (KnownLevel& l : levels)
      if (l.configuration == c) {
        if (!lowest || l.energy < lowest->energy) lowest = &l;
        l.weight = 0;
      }
    if (lowest) lowest->weight = 1;
    if (c < 0)
      throw SettingError("held_out", fmt::format("'{}' is none of the configurations; expected 'blocks' or "
                                                 "some of them",
                                                 trimmed(text)));
  }
}

Json deviationsJson(const CalibrationDeviations& d) {
  if (d.levels == 0) return Json();
  return {{"levels", d.levels}, {"mean", d.mean}, {"mean_relative", d.share}};
}

}  // namespace

CalibrateRequest withUsualCalibration(CalibrateRequest wanted, const LevelSpinors& atom, bool isFree) {
  if (wanted.calibrate) return wanted;
  wanted.isUsual = true;
  wanted.calibrate = isFree && !atom.excited && compete(atom) ? Calibrate::Rule : Calibrate::None;
  return wanted;
}

bool hasObservedLevels(const LevelSpinors& atom) {
  const std::pair<int, int> ion = ionOf(atom);
  return std::ranges::any_of(atom.space.configurations, [&](const LevelSpace::Part& part) {
    return !allNistLevels(ion.first, ion.second, part).empty();
  });
}

bool isCalibration(const FitRequest& fit) {
  return !fit.fit.empty() &&
         ofSetting("fit", [&] { return namesConfigurations(readObservedLevels(fit.fit)); });
}

std::optional<CalibratedField> calibrateField(LevelSpinors& atom, const CalibrateRequest& wanted,
                                              const FitRequest& fit, const AtomRequest& request,
                                              const Execution& execution, const CalibrationTools& tools) {
  const bool ofFile = !fit.fit.empty();
  if (wanted.calibrate.value_or(Calibrate::None) == Calibrate::None && !ofFile) return {};
  if (atom.excited) refuseTogether("virtuals=", {{"calibrate", true}});
  if (openShellOfOneJ(atom.space))
    throw SettingError("calibrate", "is of whole shells; name no shells of one j");
  if (atom.space.openElectrons() == 0) return {};  // a single level
  const auto [z, charge] = ionOf(atom);
  CalibratedField field;
  field.source = ofFile ? "fit" : nameOf(*wanted.calibrate);
  field.isUsual = wanted.isUsual && !ofFile;
  const Shifts& shifts = shiftsOf(atom.space, z, charge);
  field.averageScatter = shifts.scatter / kPerHartree;
  const std::string ground = groundOfExperiment(atom);
  if (!ground.empty()) field.ground = placeOf(atom.space, ground);
  CalibrationRequest made;
  made.classes = splitWords(fmt::format("{}", fmt::join(ofFile ? fit.parameters : wanted.classes, " ")));
  made.z = z;
  made.charge = charge;
  made.threads = tools.threads > 0 ? tools.threads : execution.threadsOrAll();
  made.checkpoint = execution.checkpoint;
  made.engine = tools.engine;
  made.angular = tools.angular;
  made.phases = tools.phases;
  if (ofFile) made.levels = ofSetting("fit", [&] { return levelsOfFile(fit.fit, atom); });
  if (wanted.calibrate == Calibrate::Nist) made.levels = knownLevels(atom, z, charge);
  holdOut(wanted.heldOut, atom.space, made.levels);
  std::set<int> withLevels, without;
  const KnownLevel* lowest = nullptr;
  for (const KnownLevel& l : made.levels)
    if (l.weight > 0) {
      withLevels.insert(l.configuration);
      if (!lowest || l.energy < lowest->energy) lowest = &l;
    }
  made.ground = lowest ? lowest->configuration : std::max(0, field.ground);
  for (int c = 0; c < static_cast<int>(atom.space.configurations.size()); ++c) {
    const bool has = withLevels.contains(c);
    field.sources.push_back(has ? field.source : "rule");
    if (!has) without.insert(c);
  }
  try {
    made.averages = Phases::of(tools.phases, "fit_averages", [&] {
      return averagesByRule(atom, without, made.ground, shifts, request, execution, made.threads);
    });
  } catch (const NotConvergedError& e) {
    if (!field.isUsual) throw;
    atom.result.warnings.push_back(
        {"calibration_failed",
         fmt::format("the levels are as computed, not calibrated by rule, as the field of a configuration "
                     "alone failed: {}",
                     e.what())});
    return {};
  }
  made.averageScatter = field.averageScatter;
  try {
    field.calibration = calibrate(atom.space, atom.result, atom.hamiltonian, made);
  } catch (const FitParameterError& e) {
    throw SettingError(ofFile ? "fit_parameters" : "calibrate_classes", e.what());
  }
  return field;
}

LevelResult calibratedLevels(const LevelSpinors& atom, std::optional<CalibratedField>& calibrated,
                             LevelOptions options) {
  if (!calibrated) return computeLevels(atom.space, atom.result, atom.hamiltonian, options);
  for (int raises = 0;; ++raises) {
    const LevelParameters parameters = calibrated->calibration.parametersOfLevels(options.vectors);
    options.parameters = &parameters;
    LevelResult levels = computeLevels(atom.space, atom.result, atom.hamiltonian, options);
    if (calibrated->ground < 0 || raises == kMostRaises ||
        !calibrated->calibration.keepGround(levels.levels, calibrated->ground))
      return levels;
    calibrated->raised = true;
  }
}

std::vector<double> assignedEnergies(const CalibratedField& calibrated, const std::vector<Level>& levels) {
  std::vector<double> energies(levels.size(), std::nan(""));
  for (const CalibratedLevel& known : calibrated.calibration.levels) {
    const auto found = std::ranges::find_if(levels, [&](const Level& l) {
      return l.twoJ == known.known.twoJ && l.odd == known.known.odd && l.index == known.index;
    });
    if (found != levels.end()) energies[usize(found - levels.begin())] = known.known.energy;
  }
  return energies;
}

void addLineErrors(const std::optional<CalibratedField>& calibrated, const std::vector<Level>& levels,
                   LineList& lines, int threads) {
  if (!calibrated) return;
  const Calibration::Differences differences = calibrated->calibration.differencesOf(levels);
  constexpr std::size_t kAtOnce = 10000;
  const auto pieces = static_cast<int>((lines.lines.size() + kAtOnce - 1) / kAtOnce);
  ThreadPool(std::max(1, threads)).forEach(pieces, [&](int piece, int) {
    const std::size_t first = usize(piece) * kAtOnce;
    for (std::size_t i = first; i < std::min(first + kAtOnce, lines.lines.size()); ++i) {
      Line& l = lines.lines[i];
      l.energyError = differences.errorBetween(l.upper, l.lower);
      // In decades: what is left out of all lines, the gauges, the vectors, and the energy.
      const bool isDipole = l.multipole == Multipole{};
      const double gauges =
          isDipole ? std::min(kMostGfError, std::abs(std::log10(l.velocityStrength / l.strength))) : 0;
      const double ofEnergy = (2 * l.multipole.rank - 1) * std::log10(1 + l.energyError / l.energy);
      l.gfError = std::min(kMostGfError, std::hypot(std::hypot(isDipole ? kDipoleError : kOtherError, gauges),
                                                    std::hypot(l.spread, ofEnergy)));
    }
  });
}

void addCalibration(const std::optional<CalibratedField>& calibrated, const LevelSpace& space,
                    Record& record) {
  if (!calibrated) {
    record.quantities.push_back({"calibration", "calibration", "none",
                                 space.configurations.size() > 1 ? "none: the levels are as computed" : "",
                                 Quantity::Place::Details});
    return;
  }
  const Calibration& c = calibrated->calibration;
  std::string shown =
      c.fitted.levels == 0
          ? fmt::format("averages of configurations and factors by rule, no observed levels{}",
                        calibrated->isUsual ? ", as several configurations have an open d or f shell "
                                              "(--calibrate none leaves it out)"
                                            : "")
          : fmt::format(
                "{} levels{}, {:.0f} cm^-1 ({:.1f} %) off in the mean; {:.0f} cm^-1 ({:.1f} %) "
                "without the levels of the same J and parity",
                c.fitted.levels, calibrated->source == "nist" ? " of NIST" : "", kPerHartree * c.fitted.mean,
                100 * c.fitted.share, kPerHartree * c.predicted.mean, 100 * c.predicted.share);
  if (c.heldOut.levels > 0)
    shown += fmt::format("; {} levels held out, {:.0f} cm^-1 ({:.1f} %) off", c.heldOut.levels,
                         kPerHartree * c.heldOut.mean, 100 * c.heldOut.share);
  record.quantities.push_back(
      {"calibration", "calibration", calibrated->source, shown, Quantity::Place::Accuracy});
  Json parameters = Json::array(), configurations = Json::array();
  std::string factors;
  for (const FittedParameter& p : c.parameters) {
    parameters.push_back(
        {{"parameter", p.name}, {"computed", p.computed}, {"fitted", p.fitted}, {"standard_error", p.error}});
    if (p.isFactor)
      factors += fmt::format("{}{} {:.3f} +- {:.3f}", factors.empty() ? "" : ", ", p.name, p.fitted, p.error);
  }
  std::string byRule;
  for (std::size_t i = 0; i < space.configurations.size(); ++i) {
    const auto levels = std::ranges::count_if(
        c.levels, [&](const CalibratedLevel& l) { return l.known.configuration == static_cast<int>(i); });
    configurations.push_back({{"configuration", space.configurations[i].text},
                              {"average_from", calibrated->sources[i]},
                              {"levels", levels},
                              {"scatter", c.scatter[i]}});
    if (calibrated->sources[i] == "rule" && calibrated->source != "rule")
      byRule += (byRule.empty() ? "" : ", ") + space.configurations[i].text;
  }
  const auto unsure = std::ranges::count_if(c.levels, [](const CalibratedLevel& l) { return l.isUnsure; });
  record.quantities.push_back({"fit",
                               "factors",
                               {{"fitted", deviationsJson(c.fitted)},
                                {"predicted", deviationsJson(c.predicted)},
                                {"held_out", deviationsJson(c.heldOut)},
                                {"unassigned", c.unassigned},
                                {"unsure", unsure},
                                {"steps", c.steps},
                                {"parameters", parameters},
                                {"configurations", configurations}},
                               factors});
  if (!byRule.empty())
    record.warn(
        "calibrated_by_rule",
        fmt::format("no levels are known of {}: the averages are from separate fields and shifts, good "
                    "to some {:.0f} cm^-1",
                    byRule, kPerHartree * calibrated->averageScatter));
  if (calibrated->raised)
    record.warn("configurations_raised",
                fmt::format("other configurations would have lain below the ground configuration {} of NIST, "
                            "and were raised above it",
                            space.configurations[usize(calibrated->ground)].text));
}

}  // namespace prophet
