#include "operations/spectra/core_valence_levels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/basis/library.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "atoms/correlation/added_functions.hpp"
#include "atoms/correlation/partial_waves.hpp"
#include "atoms/qed/qed.hpp"
#include "atoms/valence/isotope_fields.hpp"
#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/text.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/jobs/job_warnings.hpp"
#include "operations/record/report.hpp"
#include "operations/spectra/isotope_request.hpp"
#include "operations/spectra/level_list.hpp"
#include "operations/spectra/level_spinors.hpp"
#include "operations/spectra/nist_levels.hpp"

namespace prophet {
namespace {

using constants::kInverseCentimetresPerHartree;

/// The field's equations; Sigma is of first order in the errors of its spinors.
constexpr double kFieldResidual = 1e-10;
/// The density of the mesh: energies of levels differ by 1e-6 hartree from those of the default's.
constexpr double kMeshDensity = 0.7;
/// Bohr times the charge that the outermost electron sees: the wall of the spinors' box.
constexpr double kBox = 60;
constexpr double kHighestExcited = 1000;  // hartree, of spinors that the core is excited to
/// Spinors of each symmetry, and how many are eigenvectors: of one or two electrons, and of more, whose
/// spinors are those of the atom's own field.
constexpr int kSpinorsOfTwo = 12, kSpinorsOfMore = 10, kEigenvectorsOfMore = 3;
/// The largest l of these spinors; those of l = 4 serve the distance between electrons alone.
constexpr int kLargestL = 4, kBoundL = 3;
constexpr double kLargeThree = 1e-3;      // hartree, of differences of Sigma_3: a warning
constexpr std::size_t kMostAlone = 6;     // configurations that are computed without correlation as well
constexpr double kSmallExcitation = 0.3;  // hartree, of the core
constexpr double kNearExcitation = 1;     // hartree, of a core that ends with a full d or f shell

constexpr const char* kCoreValenceAccuracy =
    "the correlation of the core with the valence electrons by perturbation theory; nine of ten levels of "
    "experiment lie within the stated errors";
constexpr const char* kBasisAccuracy =
    "the correlation of the core with the valence electrons by perturbation theory in this basis set, whose "
    "own error is not in the stated ones";
constexpr const char* kEmpiricalAccuracy =
    "the correlation of the core with the valence electrons by perturbation theory, multiplied by empirical "
    "factors; the stated errors are those of computations without factors";

/// A closed core and the configurations of what is above it.
struct Split {
  std::string core;  ///< "[Ar] 3d10"
  std::vector<LevelSpace::Part> configurations;
  int electrons = 0;           ///< above the core
  std::vector<Shell> valence;  ///< shells above it of the first configuration
};

/// The noble gas below the valence electrons of all configurations, and full d and f shells above it.
Split splitOf(const std::string& text) {
  Split made;
  for (const std::string& one : split(text, '|')) {
    LevelSpace::Part part;
    part.text = trimmed(one);
    part.shells = parseShells(part.text);
    int l = 0;
    for (const Shell& s : part.shells) l += s.l * s.electrons;
    part.odd = l % 2 != 0;
    made.configurations.push_back(std::move(part));
  }
  const auto isFull = [&](int n, int l) {
    return std::ranges::all_of(made.configurations, [&](const LevelSpace::Part& part) {
      const auto counts = electronsOf(part.shells);
      const auto found = counts.find({n, l, 0});
      return found != counts.end() && found->second == 4 * l + 2;
    });
  };
  int electrons = 0;
  for (const Shell& s : made.configurations.front().shells) electrons += s.electrons;
  std::vector<Shell> core;
  for (const char* gas : {"[Rn]", "[Xe]", "[Kr]", "[Ar]", "[Ne]", "[He]"}) {
    const std::vector<Shell> shells = parseShells(gas);
    int held = 0;
    for (const Shell& s : shells) held += s.electrons;
    if (held >= electrons || !std::ranges::all_of(shells, [&](const Shell& s) { return isFull(s.n, s.l); }))
      continue;
    core = shells;
    break;
  }
  const auto inCore = electronsOf(core);
  for (const Shell& s : made.configurations.front().shells) {
    if (inCore.contains({s.n, s.l, 0})) continue;
    if (s.l >= 2 && isFull(s.n, s.l))
      core.push_back({s.n, s.l, 0, s.electrons});
    else if (s.electrons > 0)
      made.valence.push_back({s.n, s.l, 0, s.electrons});
  }
  made.electrons = electrons;
  for (const Shell& s : core) made.electrons -= s.electrons;
  made.core = core.empty() ? "" : configurationText(core);
  return made;
}

/// What is wrong with a request that this method does not hold for.
void requireSplit(const Split& split, const AtomProblem& problem) {
  if (split.electrons == 0)
    throw SettingError("core_valence", fmt::format("'{}' has no electrons above closed shells",
                                                   problem.configuration.description));
  if (split.electrons > kMostValenceElectrons)
    throw SettingError(
        "core_valence",
        fmt::format(
            "is of one to four electrons above a closed core, and '{}' has {}: 'calibrate' takes what "
            "correlation does from levels of NIST, and 'virtuals' computes that of the outer electrons",
            problem.configuration.description, split.electrons));
  if (split.core.empty())
    throw SettingError("core_valence",
                       fmt::format("'{}' has no core: 'virtuals' computes the correlation of its electrons",
                                   problem.configuration.description));
  if (!problem.hamiltonian.isFourComponent())
    throw SettingError("hamiltonian", "core_valence is of Dirac's; expected 'dirac'");
  if (problem.hamiltonian.breitFrequency)
    throw SettingError("breitfreq", "core_valence takes the Breit interaction of frequency zero");
}

/// What is wrong with a basis set, or with what is asked for in one.
void requireBasis(const ResolvedJob& job) {
  if (job.calculation.inBasis().chosen)
    throw SettingError("basis",
                       "is missing: core_valence with spinors='basis' needs a set with functions for "
                       "correlation, such as prophet-tz");
  if (job.calculation.problem.hamiltonian.hasBreit())
    throw SettingError("breit",
                       "core_valence in a basis set has the Coulomb interaction alone; expected 'none', "
                       "or no basis set");
  if (job.job.coreValence.allWaves)
    throw SettingError("core_extrapolation",
                       "follows partial waves at the numerical limit; leave out the basis set");
}

/// Energies of levels above the ion's ground level in NIST's database, cm^-1; not a number where no
/// level there is known to be the same.
std::vector<double> nistExcitations(const ValenceLevels& r, const AtomProblem& problem) {
  const int ion = static_cast<int>(std::lround(problem.nucleus.charge - problem.configuration.electrons()));
  std::vector<KnownConfiguration> known;
  if (const auto z = elementOfCharge(problem.nucleus.charge))
    for (const LevelSpace::Part& part : r.configurations) known.push_back(knownConfiguration(*z, ion, part));
  return besideComputed(known, r.levels, false);
}

/// Excitation energies of the lowest configurations alone, each in spinors of its own, hartree; not a number
/// where there are none. They are computed beside each other, a field by few threads, and in the default set
/// of each: at the limit fields of open shells take twenty times as long, and change levels of mercury by at
/// most 3 cm^-1.
std::vector<double> withoutCorrelation(const ValenceLevels& r, const AtomRequest& request,
                                       const Execution& e) {
  std::vector<double> energies(r.levels.size(), std::nan(""));
  std::vector<int> shown;  // configurations, by their lowest levels
  for (const Level& l : r.levels)
    if (std::ranges::find(shown, l.configuration) == shown.end()) shown.push_back(l.configuration);
  if (shown.size() > kMostAlone) shown.resize(kMostAlone);
  const int most = e.threadsOrAll();
  ThreadPool pool(std::clamp(static_cast<int>(shown.size()), 1, most));
  Execution own = e;
  own.threads = most / pool.threads();
  own.progress = {};
  own.checkpoint = {};  // which is for the thread that called
  pass(e.checkpoint);
  pool.forEach(static_cast<int>(shown.size()), [&](int number, int) {
    const int c = shown[static_cast<std::size_t>(number)];
    AtomRequest one = withConfiguration(request, r.configurations[static_cast<std::size_t>(c)].text);
    one.job.limitSpinors = false;
    one.job.basisType = BasisType::Library;
    one.job.libraryName.clear();
    try {
      LevelSpinors spinors = levelJob(one, own);
      computeField(spinors, own, false);
      const LevelResult alone =
          computeLevels(spinors.space, spinors.result, spinors.hamiltonian, {.threads = own.threads});
      for (std::size_t i = 0; i < r.levels.size(); ++i) {
        const Level& l = r.levels[i];
        if (l.configuration != c) continue;
        const auto same = std::ranges::find_if(alone.levels, [&](const Level& a) {
          return a.twoJ == l.twoJ && !a.terms.empty() && !l.terms.empty() &&
                 a.terms.front().name == l.terms.front().name;
        });
        if (same != alone.levels.end()) energies[i] = same->energy;
      }
    } catch (const Interrupted&) {
      throw;
    } catch (const Error&) {
      // A field that does not converge: the column is empty.
    }
  });
  const double zero = energies.empty() ? 0 : energies.front();
  for (double& energy : energies) energy -= zero;
  return energies;
}

/// A level and what stands beside it.
struct ListedLevel {
  const Level& level;
  const ValenceLevel& detail;
  double alone, nist;  ///< hartree and cm^-1; not a number: unknown
};

Table coreValenceTable(const std::vector<ListedLevel>& rows, const NuclearMoments& nucleus,
                       bool isotopeShifts) {
  using R = const ListedLevel&;
  const auto finite = [](double value) {
    return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
  };
  constexpr double unit = kInverseCentimetresPerHartree;
  Table table{
      "level_table",
      {columnOf(rows, {"J", "1", "total angular momentum"}, [](R r) { return 0.5 * r.level.twoJ; }),
       columnOf(rows, {"parity", "", "`+` or `-`"}, [](R r) { return std::string(r.level.odd ? "-" : "+"); }),
       columnOf(rows, {"index", "1", "number among the levels of this J and parity, from 1"},
                [](R r) { return r.level.index; }),
       columnOf(rows, {"energy_hartree", "hartree", "total energy"}, [](R r) { return r.level.energy; }),
       columnOf(rows, {"excitation_cm-1", "1/cm", "energy above the lowest level"},
                [](R r) { return r.level.excitation * unit; }),
       columnOf(rows, {"error_cm-1", "1/cm", "of it; nine of ten levels of experiment lie within it"},
                [](R r) { return r.detail.error * unit; }),
       columnOf(rows, {"configuration_cm-1", "1/cm", "the same of the configuration alone"},
                [&](R r) { return finite(r.alone * unit); }),
       columnOf(rows, {"valence_cm-1", "1/cm", "the same without the core's correlation"},
                [](R r) { return r.detail.valence * unit; }),
       columnOf(rows, {"label", "", "term with the open shells"}, [](R r) { return r.level.label; }),
       columnOf(rows, {"percent", "1", "share of the state that the label names, %"},
                [](R r) { return r.level.percent; }),
       columnOf(rows, {"g", "1", "Landé factor of the point magnetic moment"},
                [](R r) { return r.level.twoJ > 0 ? std::optional<double>(r.level.g) : std::nullopt; }),
       columnOf(
           rows, {"A_MHz", "MHz", "magnetic hyperfine constant for mu_I/I = 1 nuclear magneton"},
           [](R r) { return r.level.twoJ > 0 ? std::optional<double>(r.level.hyperfineA) : std::nullopt; }),
       columnOf(
           rows, {"B_MHz", "MHz", "electric hyperfine constant for Q = 1 barn"},
           [](R r) { return r.level.twoJ > 1 ? std::optional<double>(r.level.hyperfineB) : std::nullopt; }),
       columnOf(rows, {"nist_cm-1", "1/cm", "energy in NIST's database above the ground level"},
                [&](R r) { return finite(r.nist); })},
      Table::Layout::Quantity,
      0};
  addNucleusColumns(
      rows, [](R r) -> const Level& { return r.level; }, nucleus, table);
  if (isotopeShifts)
    addIsotopeColumns(
        rows, "", [](R r) { return r.level.isotope; }, table);
  return table;
}

std::string coreValenceLines(const std::vector<ListedLevel>& rows, const NuclearMoments& nucleus,
                             Eigen::Index most) {
  const std::size_t shown = std::min(rows.size(), static_cast<std::size_t>(most));
  std::size_t width = 5;
  for (std::size_t i = 0; i < shown; ++i) width = std::max(width, rows[i].level.label.size());
  std::string text =
      fmt::format("\n  {:{}}          configuration     valence      core-valence\n", "", width) +
      fmt::format(
          "  {:<{}}   J      alone [cm^-1]     alone [cm^-1]   [cm^-1]   error      g      "
          "%      NIST [cm^-1]{}\n",
          "level", width, nucleusHeading(nucleus));
  const std::optional<IsotopeShift>& first = rows.front().level.isotope;
  if (first) text.insert(text.size() - 1, "  " + isotopeHeading());
  const auto number = [](double value, int digits) {
    return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : std::string();
  };
  constexpr double unit = kInverseCentimetresPerHartree;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [level, detail, alone, nist] = rows[i];
    text += fmt::format("  {:<{}}  {:>4}  {:>13}  {:>13}  {:>12.2f}  {:>6.0f}  {:>7}  {:>5.1f}  {:>12}{}\n",
                        level.label, width, halves(level.twoJ), number(alone * unit, 2),
                        number(detail.valence * unit, 2), level.excitation * unit, detail.error * unit,
                        level.twoJ > 0 ? fmt::format("{:.4f}", level.g) : "", level.percent, number(nist, 2),
                        nucleusCells(level, nucleus));
    if (first) text.insert(text.size() - 1, "  " + isotopeCells(shiftBetween(level.isotope, first)));
  }
  return text + moreRows(rows.size(), shown, rows.size() - shown == 1 ? "level" : "levels");
}

/// "p1/2".
std::string symmetryName(Symmetry s) { return fmt::format("{}{}/2", letterOfL(s.l()), s.twoJ()); }

/// Lowest levels of one electron above a core in NIST's database, by the energies that remove it.
std::vector<SigmaFactor> fittedFactors(const AtomProblem& problem, const std::string& core, int largestL) {
  const std::vector<Shell> inner = parseShells(core);
  int electrons = 1;
  for (const Shell& s : inner) electrons += s.electrons;
  const auto z = elementOfCharge(problem.nucleus.charge);
  const int charge = static_cast<int>(std::lround(problem.nucleus.charge)) - electrons;
  std::vector<LevelSpace::Part> parts;
  for (int l = 0; l <= largestL; ++l) {
    const auto held = std::ranges::count_if(inner, [&](const Shell& s) { return s.l == l; });
    LevelSpace::Part& part = parts.emplace_back();
    part.shells = inner;
    part.shells.push_back({l + 1 + static_cast<int>(held), l, 0, 1});
    part.text = configurationText(part.shells);
    part.odd = l % 2 != 0;
  }
  const std::optional<NistIonisation> ion = z ? nistIonisation(*z, charge, parts) : std::nullopt;
  if (!ion)
    throw SettingError("fit_sigma", fmt::format("NIST's database has no ionisation energy of {} with one "
                                                "electron above {}: give factors by 'sigma_factors'",
                                                atomName(problem), core));
  std::vector<SigmaFactor> list;
  for (std::size_t l = 0; l < parts.size(); ++l) {
    std::vector<NistLevel> known = allNistLevels(*z, charge, parts[l]);
    // A ground configuration with one level need not be in the tables.
    if (known.empty() && ion->ground == l && l == 0) known = {{1, 0, ""}};
    for (const Symmetry s : firstSymmetries(2 * largestL + 1))
      for (const NistLevel& level : known)
        if (s.l() == static_cast<int>(l) && s.twoJ() == level.twoJ)
          list.push_back({s, 1, level.energy / kInverseCentimetresPerHartree - ion->energy});
  }
  return list;
}

/// What Sigma is multiplied by. "p1/2" goes before "p", which is of both symmetries.
std::vector<SigmaFactor> factorsOf(const CoreValenceRequest& wanted, const Split& split, int largestL,
                                   const AtomProblem& problem) {
  if (wanted.screening.size() > 0 && wanted.iteratedRings)
    throw SettingError("screening_factors",
                       "stands for what core_rings='iterated' computes: give core_rings='second' with it");
  if (wanted.fitSigma) {
    if (split.electrons > 2)
      throw SettingError(
          "fit_sigma",
          fmt::format("is of one or two electrons above the core, and '{}' has {}: fit the ion with one, and "
                      "give the factors that it reports as 'sigma_factors'",
                      problem.configuration.description, split.electrons));
    return fittedFactors(problem, split.core, std::min(largestL, kBoundL));
  }
  const std::vector<Symmetry> all = firstSymmetries(2 * largestL + 1);
  std::vector<SigmaFactor> list;
  for (const bool whole : {false, true})
    for (const auto& [name, factor] : wanted.sigmaFactors) {
      bool isKnown = false;
      for (const Symmetry s : all) {
        const bool isWhole = name == std::string(1, letterOfL(s.l()));
        if (!isWhole && name != symmetryName(s)) continue;
        isKnown = true;
        if (isWhole == whole && std::ranges::find(list, s, &SigmaFactor::type) == list.end())
          list.push_back({s, factor});
      }
      if (!isKnown)
        throw SettingError("sigma_factors",
                           fmt::format("'{}' is no symmetry of the valence electrons; expected one from s to "
                                       "{}, or one with its j such as p1/2",
                                       name, letterOfL(largestL)));
    }
  std::ranges::sort(list, {}, [](const SigmaFactor& f) { return f.type.index(); });
  return list;
}

/// A closed core, and what is asked for of the electrons above it.
struct CoreField {
  Split parts;
  Configuration core;
  double energy = 0;  ///< of the core, hartree
  OrbitalSpace orbitals;
  ValenceRequest valence;
};

CoreField coreField(const ResolvedJob& job, const CoreValenceRequest& wanted, ThreadPool& pool,
                    const Execution& e) {
  const AtomProblem& problem = job.calculation.problem;
  const Split parts = splitOf(problem.configuration.description);
  requireSplit(parts, problem);
  const bool isPair = parts.electrons <= 2;
  int largestL = wanted.largestL.value_or(parts.electrons == 1 ? kBoundL : kLargestL);
  const std::vector<SigmaFactor> factors = factorsOf(wanted, parts, largestL, problem);
  if (wanted.allWaves && wanted.largestInnerL + 1 < kLeastWaves)
    throw SettingError("core_extrapolation",
                       fmt::format("follows the last of at least {} partial waves: give core_lmax={} or more",
                                   kLeastWaves, kLeastWaves - 1));
  // The closed core alone makes the field.
  Calculation core = job.calculation;
  core.problem.configuration = parseConfiguration(parts.core);
  const double charge = problem.nucleus.charge - problem.configuration.electrons() + 1;
  if (core.isLimit()) {
    LimitMethod& method = std::get<LimitMethod>(core.method);
    method.residualThreshold = kFieldResidual;
    method.density = kMeshDensity;
    method.largestRadius = kBox / std::max(1.0, charge);
  } else {
    largestL = std::min(largestL, core.inBasis().basis.largestL());
  }
  e.show({.unit = "", .note = "field of the core"});
  const Result field = compute(core, {e.threadsOrAll(), nullptr, e.checkpoint});
  if (!field.ok() || !field.wavefunction)
    throw NotConvergedError(
        fmt::format("the field of the core {} has no spinors: {}", parts.core, field.reason));
  const int innerL = std::max(wanted.largestInnerL, largestL);
  CoreField made{parts,
                 core.problem.configuration,
                 field.energy.withCorrections(),
                 core.isLimit()
                     ? OrbitalSpace::ofSplines(core.problem, field, innerL, kHighestExcited, pool)
                     : OrbitalSpace::inBasis(core.problem, core.inBasis().basis,
                                             core.inBasis().scf.dependencyThreshold, field, innerL, pool),
                 {}};
  ValenceRequest& r = made.valence;
  r.electrons = parts.electrons;
  const int spinors = wanted.spinors.value_or(isPair ? kSpinorsOfTwo : kSpinorsOfMore);
  r.spinors.perSymmetry = r.spinors.screened = spinors;
  r.spinors.largestL = largestL;
  if (!wanted.largestL) r.spinors.boundL = kBoundL;
  r.spinors.eigenvectors = std::min(isPair ? r.spinors.eigenvectors : kEigenvectorsOfMore, spinors);
  if (!isPair) r.spinors.inField = parts.valence;
  for (const std::string& shell : wanted.inner)
    r.spinors.frozen.push_back(ofSetting("frozen_core", [&] { return shellNamed(shell); }));
  ofSetting("frozen_core", [&] { activeSpinors(made.orbitals, OpenGroups(made.core), r.spinors.frozen); });
  const Hamiltonian& h = problem.hamiltonian;
  r.field = {problem.nucleus, h.speedOfLight, qedOperators(problem.nucleus, h.speedOfLight, h.qed)};
  if (h.shell.any()) r.field.extra.push_back(shellOperator(h.shell));
  r.core = parts.core;
  r.ionCharge = std::max(1.0, charge);
  r.roots = wanted.lowest;
  r.iteratedRings = wanted.iteratedRings;
  r.allWaves = wanted.allWaves;
  r.spinors.screening.assign(wanted.screening.begin(), wanted.screening.end());
  r.factors = factors;
  r.corePolarisation = wanted.corePolarisation;
  r.structuralRadiation = wanted.corePolarisation;
  e.show({.unit = "", .note = "correlation of the core with the valence electrons"});
  return made;
}

/// Whether what the core does is multiplied by numbers that are not computed.
bool isEmpirical(const CoreValenceRequest& wanted) {
  return wanted.screening.size() > 0 || !wanted.sigmaFactors.empty() || wanted.fitSigma;
}

void addFactors(const CoreValenceRequest& wanted, const std::vector<SigmaFactor>& factors, Record& record) {
  if (!isEmpirical(wanted)) return;
  if (wanted.screening.size() > 0) {
    Json list = Json::array();
    for (const double f : wanted.screening) list.push_back(f);
    record.quantities.push_back({"screening_factors", "factors of screening", std::move(list),
                                 fmt::format("{:.4g}", fmt::join(wanted.screening, ", "))});
  }
  Json list = Json::array();
  std::string text;
  for (const SigmaFactor& f : factors) {
    Json& row = list.emplace_back(Json{{"symmetry", symmetryName(f.type)}, {"factor", f.factor}});
    if (f.fitted) row["removal_energy"] = -*f.fitted;
    text += fmt::format("{}{} {:.4f}", text.empty() ? "" : ", ", symmetryName(f.type), f.factor);
  }
  if (!factors.empty())
    record.quantities.push_back({"sigma_factors", "factors of Sigma_1", std::move(list), text});
  record.warn(
      "empirical_factors",
      fmt::format("the correlation of the core is multiplied by {}: energies are not of theory alone, "
                  "and the stated errors are those of computations without factors",
                  wanted.fitSigma
                      ? "factors that give the core with one electron NIST's lowest levels, which "
                        "are no test of them"
                      : "factors that were given"));
}

/// Atom, nucleus and Hamiltonian, and how the configuration was understood.
void addCore(const ResolvedJob& job, const std::string& core, double smallestExcitation,
             const std::vector<SigmaFactor>& factors, Record& record) {
  const Hamiltonian& h = job.calculation.problem.hamiltonian;
  const Json description = jobJson(job.calculation);
  for (const auto& [key, value] : description.items())
    if (key != "job") record.quantities.push_back({key, "", value});
  if (const std::string& remark = job.job.configuration.remark; !remark.empty())
    record.warn("charge_from_configuration", remark);
  record.quantities.push_back({"core", "core", core, core});
  record.quantities.push_back({"ci_hamiltonian", "Hamiltonian", hamiltonianText(h), hamiltonianText(h)});
  record.quantities.push_back({"smallest_core_excitation", "core excitation", smallestExcitation,
                               fmt::format("{:.4f} hartree at least", smallestExcitation),
                               Quantity::Place::Details});
  addFactors(job.job.coreValence, factors, record);
  if (smallestExcitation < kSmallExcitation)
    record.warn(
        "core_excitation",
        fmt::format("an electron of the core is excited to a valence spinor by {:.3f} hartree alone: "
                    "levels in which that shell is open are missing, and others are less certain than "
                    "is stated",
                    smallestExcitation));
  const std::vector<Shell> shells = parseShells(core);
  if (!shells.empty() && shells.back().l >= 2 && smallestExcitation < kNearExcitation)
    record.warn(
        "near_shell",
        fmt::format("the core ends with the full shell {}, which lies close to the valence electrons: "
                    "levels of such atoms and ions deviate from NIST's by 1.7 % in the median (others: "
                    "0.4 %), strengths are too large by up to 18 % (32 % above 4f14), and levels with "
                    "a hole in that shell are missing",
                    shells.back().name()));
}

/// Sigma is of spinors of the whole field: the Breit interaction is in it. A set of the library has its
/// functions for the correlation of the core.
ResolvedJob coreValenceJob(const AtomRequest& request, const Execution& e) {
  ResolvedJob job = resolvedFor(request, e);
  job.calculation.problem.hamiltonian.breitTreatment = Treatment::SelfConsistent;
  if (job.calculation.isLimit()) return job;
  requireBasis(job);
  prepareToCorrelate(job.calculation.inBasis(), coreValenceGroups);
  return job;
}

std::string aboveCore(int electrons, const std::string& core) {
  return fmt::format("with core-valence correlation, {} electron{} above {}", electrons,
                     electrons == 1 ? "" : "s", core);
}

}  // namespace

CoreValenceResult computeCoreValence(const AtomRequest& request, const std::vector<Multipole>& multipoles,
                                     bool isotopeShifts, const Execution& e) {
  CoreValenceResult result{coreValenceJob(request, e), {}, 0, 0, {}, {}, {}, momentsOf({}, request.job)};
  ThreadPool pool(e.threadsOrAll());
  CoreField field = coreField(result.job, request.job.coreValence, pool, e);
  ValenceRequest& r = field.valence;
  result.core = field.parts.core;
  result.electrons = field.parts.electrons;
  result.largestL = r.spinors.largestL;
  r.multipoles = multipoles;
  if (!request.job.configuration.groundState) r.configurations = field.parts.configurations;
  const Opened<CorrelationEngine> engine = openEngine<CorrelationEngine>(e, true);
  result.device = engine.device();
  result.levels =
      valenceLevels(field.orbitals, field.core, field.energy, r, *engine.engine, pool, e.checkpoint);
  if (result.levels.levels.empty())
    throw NotConvergedError(
        "no level of the named configurations is among the lowest ones of its J and parity");
  result.space.configurations = result.levels.configurations;
  if (isotopeShifts) {
    e.show({.unit = "", .note = "isotope shifts"});
    addIsotopeShifts(field.orbitals, field.core, r, *engine.engine, pool, e.checkpoint, result.levels);
  }
  return result;
}

void addCoreValence(const CoreValenceResult& result, const std::string& what, Record& record) {
  const AtomProblem& problem = result.job.calculation.problem;
  const ValenceLevels& levels = result.levels;
  record.title =
      fmt::format("{} of {} {}", what, atomName(problem), aboveCore(result.electrons, result.core));
  addCore(result.job, result.core, levels.smallestExcitation, levels.factors, record);
  Json configurations = Json::array();
  for (const auto& part : levels.configurations) configurations.push_back(part.text);
  using In = Quantity::Place;
  const Level& lowest = levels.levels.front();
  const auto add = [&](const char* key, const char* label, Json value, std::string shown = "",
                       In place = In::Body) {
    record.quantities.push_back({key, label, std::move(value), std::move(shown), place});
  };
  add("configurations", "", std::move(configurations));
  const bool limit = result.job.calculation.isLimit();
  add("spinors", "spinors", limit ? "limit" : "basis",
      fmt::format("{} of the valence electrons to l = {}, in the field of the core{}", levels.spinors,
                  result.largestL, limit ? "" : ", " + result.job.calculation.inBasis().basis.description));
  add("ground_energy", "lowest level", lowest.energy,
      fmt::format("{:.8f} hartree, {}, J = {} (without correlation inside the core)", lowest.energy,
                  lowest.label, halves(lowest.twoJ)),
      In::Result);
  add("removal_energy", "removal of an electron", levels.removal,
      fmt::format("{:.8f} hartree, {:.5f} eV", levels.removal,
                  levels.removal * constants::kElectronvoltsPerHartree),
      In::Result);
  addMoments(result.moments, "", record);
  const char* accuracy = isEmpirical(result.job.job.coreValence) ? kEmpiricalAccuracy
                         : limit                                 ? kCoreValenceAccuracy
                                                                 : kBasisAccuracy;
  add("accuracy", "accuracy", accuracy, accuracy, In::Accuracy);
  double three = 0;
  for (const ValenceLevel& level : levels.details)
    three = std::max(three, std::abs(level.threeElectrons - levels.details.front().threeElectrons));
  if (three > kLargeThree)
    record.warn(
        "three_electrons",
        fmt::format("the interaction of three valence electrons by way of the core (Sigma_3), which is "
                    "not in the energies, changes their differences by up to {:.0f} cm^-1; it is in the "
                    "errors",
                    three * kInverseCentimetresPerHartree));
  if (result.electrons > 2 && result.moments.any())
    record.warn(
        "hyperfine_of_several",
        "of three and four electrons the constants A lack much of the spin polarisation of inner s shells: "
        "measured ones of B to Tl are larger by up to 10 % for J = 1/2 and 29 % for J = 3/2, where that of "
        "Tl has the other sign");
  if (const auto above = std::ranges::count_if(
          levels.lines.lines, [&](const Line& line) { return line.energy > levels.largestFrequency; });
      above > 0)
    record.warn("response_frequency",
                fmt::format("{} of {} lines have frequencies above {:.4f} hartree, where excitations of the "
                            "core begin: its response is that to light of this frequency, and their "
                            "strengths are less certain than others",
                            above, levels.lines.lines.size(), levels.largestFrequency));
  record.device = result.device;
}

Json coreValenceJson(const CoreValenceResult& result, std::size_t i) {
  Json level = levelJson(result.space, result.levels.levels[i], false, {}, result.moments);
  level["g_anomaly"] = Json();
  level["valence"] = result.levels.details[i].valence;
  level["core_valence"] = result.levels.levels[i].excitation;
  level["error"] = result.levels.details[i].error;
  if (result.electrons > 2) level["sigma_3"] = result.levels.details[i].threeElectrons;
  return level;
}

Record coreValenceLevels(const AtomRequest& request, const NuclearMoments& moments, bool isotopeShifts,
                         const Execution& e) {
  const Stopwatch watch;
  CoreValenceResult result = computeCoreValence(request, {}, isotopeShifts, e);
  result.moments = moments;
  const ValenceLevels& levels = result.levels;
  const AtomProblem& problem = result.job.calculation.problem;
  const std::vector<double> nist = nistExcitations(levels, problem);
  const std::vector<double> alone = withoutCorrelation(levels, request, e);
  std::vector<ListedLevel> rows;
  for (std::size_t i = 0; i < levels.levels.size(); ++i)
    rows.push_back({levels.levels[i], levels.details[i], alone[i], nist[i]});
  Record record;
  addCoreValence(result, "Levels", record);
  Json list = Json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Json& level = list.emplace_back(coreValenceJson(result, i));
    level["configuration_alone"] = std::isfinite(alone[i]) ? Json(alone[i]) : Json();
    if (std::isfinite(nist[i])) level["nist_excitation_energy"] = nist[i] / kInverseCentimetresPerHartree;
  }
  record.quantities.push_back({"levels", "", std::move(list)});
  addIsotopeAccuracy(isotopeShifts, true, record);
  record.tables = {coreValenceTable(rows, moments, isotopeShifts)};
  record.seconds = watch.seconds();
  record.body = coreValenceLines(rows, moments, e.style.rows.value_or(kShownRows));
  record.report =
      e.brief ? fmt::format("{:.10f}\n", levels.levels.front().energy) : recordText(record, e.style);
  e.tell(record.report);
  return record;
}

CoreValenceParameters coreValenceParameters(const AtomRequest& request, Record& record, const Execution& e) {
  const ResolvedJob job = coreValenceJob(request, e);
  ThreadPool pool(e.threadsOrAll());
  CoreField field = coreField(job, request.job.coreValence, pool, e);
  ValenceRequest& r = field.valence;
  // Integrals are between two electrons at most, in the field of all; Sigma does not depend on how many
  // spinors there are for them.
  r.configurations = field.parts.configurations;
  r.spinors.largestL = 0;
  r.spinors.perSymmetry = 1;
  r.spinors.references.clear();
  for (const LevelSpace::Part& part : r.configurations)
    for (const Shell& s : part.shells) {
      const int inCore = static_cast<int>(
          std::ranges::count_if(parseShells(field.parts.core), [&](const Shell& c) { return c.l == s.l; }));
      r.spinors.largestL = std::max(r.spinors.largestL, s.l);
      r.spinors.perSymmetry = std::max(r.spinors.perSymmetry, s.n - s.l - inCore);
    }
  r.spinors.screened = r.spinors.eigenvectors = r.spinors.perSymmetry;
  r.spinors.boundL = r.spinors.largestL;
  if (r.electrons > 1) r.spinors.inField = field.parts.valence;
  r.electrons = std::min(r.electrons, 2);
  const ValenceIntegrals integrals =
      valenceIntegrals(field.orbitals, field.core, r, *hostCorrelationEngine(), pool, e.checkpoint);
  const AtomProblem& problem = job.calculation.problem;
  record.title =
      fmt::format("Slater integrals and spin-orbit parameters of {}, {}, {}", atomName(problem),
                  problem.configuration.description, aboveCore(field.parts.electrons, field.parts.core));
  addCore(job, field.parts.core, integrals.smallestExcitation, r.factors, record);
  const Calculation& c = job.calculation;
  record.quantities.push_back({"spinors", "spinors", c.isLimit() ? "limit" : "basis",
                               fmt::format("{}, in the field of the core and of the average above it",
                                           c.isLimit() ? "numerical limit" : c.inBasis().basis.description)});
  return {integrals.with, integrals.without};
}

}  // namespace prophet
