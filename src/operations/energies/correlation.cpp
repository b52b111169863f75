#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "atoms/atom/configuration.hpp"
#include "atoms/atom/default_configuration.hpp"
#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/calculation/problem_json.hpp"
#include "atoms/core_valence/valence_properties.hpp"
#include "atoms/correlation/added_functions.hpp"
#include "atoms/correlation/correlation_engine.hpp"
#include "atoms/correlation/natural_spinors.hpp"
#include "atoms/correlation/partial_waves.hpp"
#include "atoms/correlation/second_order.hpp"
#include "atoms/correlation/self_energy.hpp"
#include "atoms/limit/wavefunction.hpp"
#include "bases/optimise/correlating_search.hpp"
#include "bases/optimise/diffuse_search.hpp"
#include "core/common/error.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/catalogue/job_operation.hpp"
#include "operations/catalogue/nuclear_moments.hpp"
#include "operations/execution/execution.hpp"
#include "operations/jobs/job_warnings.hpp"
#include "operations/record/report.hpp"

namespace prophet {
namespace {

// Second order is of first order in the errors of the spinors, as levels are.
constexpr double kResidual = 1e-10;
/// Times Z^2 hartree: virtual spinors above add less than 1e-8 hartree.
constexpr double kHighestEnergy = 1000;
constexpr int kDefaultL = 10, kDefaultValenceL = 8, kMostL = 20;
/// Hartree: excitations below are near degeneracies.
constexpr double kSmallGap = 0.05;
/// Bohr: He takes 3 s of one processor, and ten times that at twice as much.
constexpr double kLargestBox = 200;
/// Bohr times the charge that a valence electron sees.
constexpr double kValenceRadius = 75;
/// Operations that one processor does with its sums, 1/s.
constexpr double kOperationsPerSecond = 2.5e10;

/// Which ones are correlated.
enum class Electrons { All, Valence, CoreValence };

struct CorrelationRequest : NuclearMoments {
  std::string frozen, inner, valence;
  std::optional<int> largestL;
  std::optional<double> radius;
  bool noErrorEstimate = false, virtualOnly = false, corePolarisation = false;
  Electrons electrons = Electrons::All;
};

RequestTable<CorrelationRequest> correlationTable() {
  using O = CorrelationRequest;
  RequestTable<O> t;
  t.add(
      "electrons", &O::electrons,
      Names<Electrons>{
          {"all", Electrons::All}, {"valence", Electrons::Valence}, {"core-valence", Electrons::CoreValence}},
      "which electrons are correlated: all (except frozen), valence, or core-valence (valence plus outer "
      "core)");
  t.add("frozen", &O::frozen,
        "closed shells whose electrons are not correlated: '1s 2s 2p', or a core '[Ne]'")
      .called("SHELLS");
  t.add("inner", &O::inner,
        "closed shells whose electrons are correlated with those of others, but not among themselves")
      .called("SHELLS");
  t.add("virtual_only", &O::virtualOnly,
        "no excitations into open shells; electrons leave with the energy of the field of their own shell");
  t.add("lmax", &O::largestL, "largest l of virtual spinors")
      .from(0, kMostL)
      .byDefault("that of the basis set; at the numerical limit 10, and with valence 8");
  t.add(
       "valence", &O::valence,
       "instead of the energy of all electrons: energies of one electron outside of the closed shells, or of "
       "a hole in them, in these shells, '6s 6p 5d'")
      .called("SHELLS");
  t.add("box_radius", &O::radius, "where virtual spinors end; at the numerical limit")
      .in("bohr")
      .from(1, 1000)
      .byDefault("where the occupied ones have vanished; with valence 75 over the charge that it sees");
  t.add("no_error_estimate", &O::noErrorEstimate,
        "do not repeat the sum with fewer splines; at the numerical limit");
  t.add("core_polarisation", &O::corePolarisation,
        "also hyperfine constants of the valence states, and E1, M1 and E2 between them, with the response "
        "of the "
        "closed shells (random-phase approximation) and with Brueckner orbitals")
      .onlyWith({"valence"});
  addNuclearMoments(t);
  return t;
}

/// "[Ne]" or "1s 2s" as shells; how many electrons they are given does not matter.
std::vector<Shell> shellsOf(const char* setting, const std::string& text) {
  if (text.empty()) return {};
  return ofSetting(setting, [&] { return parseShells(text); });
}

/// Refuses shells that are not closed in the configuration.
void requireClosed(const char* setting, const std::vector<Shell>& shells,
                   const Configuration& configuration) {
  for (const Shell& shell : shells) {
    for (int a = 0; a < 2 * shell.l + 1; ++a) {
      const Symmetry symmetry = Symmetry::fromIndex(a);
      if (symmetry.l() != shell.l || !shell.has(symmetry.twoJ())) continue;
      const std::vector<SpinorOccupation>& spinors = configuration.occupationOf(a).spinors;
      const auto own = std::ranges::find(spinors, shell.n - shell.l - 1, &SpinorOccupation::number);
      if (own != spinors.end() && !own->open) continue;
      throw SettingError(
          setting,
          fmt::format("found {}, which {} in {}; expected closed shells", shell.name(),
                      own == spinors.end() ? "has no electrons" : "is open", configuration.description));
    }
  }
}

void refuseHamiltonian(const ResolvedJob& job) {
  const Hamiltonian& h = job.calculation.problem.hamiltonian;
  if (h.hasBreit())
    throw SettingError("breit", "second order has the Coulomb interaction alone; expected 'none'");
  if (h.hasCorrections())
    throw SettingError("", "second order is that of a free atom without QED potentials and charged shells");
  if (job.job.isLimit() && !kindOf(h.oneElectron).hasLimit)
    throw SettingError("hamiltonian", fmt::format("'{}' has no numerical limit; name a basis set with "
                                                  "functions for correlation",
                                                  nameOf(h.oneElectron)));
  if (!job.job.isLimit() && job.job.basisType == BasisType::Library && job.job.libraryName.empty())
    throw SettingError("library",
                       "is missing; second order needs a basis set with functions for correlation, such as "
                       "'prophet-tz', or spinors='limit'");
}

/// What is asked for, with nothing left to choose.
struct CorrelationJob {
  Calculation calculation;
  std::vector<Shell> frozen, valence;
  int largestL = 0;
  std::vector<Shell> inner;
  bool virtualOnly = false, radiusGiven = false, corePolarisation = false;

  double nuclearCharge() const { return calculation.problem.nucleus.charge; }
};

/// The electrons of valenceOf or coreValenceOf in the place of what settings name.
void takeElectrons(const CorrelationRequest& o, CorrelationJob& c) {
  if (!o.frozen.empty() || !o.inner.empty() || !o.valence.empty())
    throw SettingError("electrons", "goes with 'frozen', 'inner' and 'valence' only as 'all'");
  const int z = static_cast<int>(std::lround(c.nuclearCharge()));
  const CorrelatedShells shells = ofSetting("electrons", [&] {
    if (o.electrons == Electrons::CoreValence) return coreValenceOf(z);
    return c.calculation.problem.configuration.electrons() > z ? negativeIonShells(z) : valenceOf(z);
  });
  c.frozen = shells.frozen;
  c.inner = shells.inner;
  c.virtualOnly = shells.virtualOnly || o.virtualOnly;
}

/// Energies of one electron or hole are those beside closed shells: names the ion that has them.
void requireClosedShells(const AtomProblem& problem) {
  const Configuration& c = problem.configuration;
  const auto z = elementOfCharge(problem.nucleus.charge);
  if (!c.hasOpenShells() || !z) return;
  // The nearest ion whose ground state has closed shells: with fewer electrons, or with one more.
  const auto isClosed = [&](int charge) {
    return charge < *z && !parseConfiguration(defaultConfiguration(*z, charge).text).hasOpenShells();
  };
  const int own = static_cast<int>(std::lround(problem.nucleus.charge - c.electrons()));
  int charge = own + 1;
  if (!isClosed(charge) && own >= 0 && isClosed(own - 1)) charge = own - 1;
  while (charge > own && charge < *z - 2 && !isClosed(charge)) ++charge;
  throw SettingError("valence",
                     fmt::format("is of one electron or hole outside of closed shells, and '{}' has "
                                 "open ones; ask for that of {}",
                                 c.description, ionName(*z, charge)));
}

/// Refuses atoms without electrons outside of closed shells, and spinors without small components.
void requirePolarisable(const Calculation& calculation, const std::vector<Shell>& valence) {
  const AtomProblem& problem = calculation.problem;
  if (!problem.hamiltonian.isFourComponent())
    throw SettingError(
        "core_polarisation",
        fmt::format("has operators between large and small components, and '{}' has no small ones; "
                    "expected hamiltonian='dirac'",
                    nameOf(problem.hamiltonian.oneElectron)));
  for (const Shell& shell : valence)
    for (int a = 0; a < problem.configuration.occupiedSymmetries(); ++a)
      for (const SpinorOccupation& o : problem.configuration.occupationOf(a).spinors)
        if (const Symmetry s = Symmetry::fromIndex(a);
            s.l() == shell.l && shell.has(s.twoJ()) && s.l() + 1 + o.number == shell.n)
          throw SettingError(
              "core_polarisation",
              fmt::format("is that of an electron outside of the closed shells, and {} is one of "
                          "them; take it out of 'valence'",
                          shell.name()));
}

CorrelationJob correlationJob(const ResolvedJob& job, const CorrelationRequest& o) {
  refuseHamiltonian(job);
  if (!o.valence.empty()) requireClosedShells(job.calculation.problem);
  CorrelationJob c{job.calculation,
                   shellsOf("frozen", o.frozen),
                   shellsOf("valence", o.valence),
                   0,
                   shellsOf("inner", o.inner),
                   o.virtualOnly};
  if (!c.valence.empty() && (o.virtualOnly || !o.inner.empty()))
    throw SettingError(o.virtualOnly ? "virtual_only" : "inner", "does not go with 'valence'");
  const Configuration& configuration = c.calculation.problem.configuration;
  if (o.virtualOnly && !configuration.hasOpenShells())
    throw SettingError("virtual_only",
                       fmt::format("leaves out excitations into open shells, and '{}' has none; omit it",
                                   configuration.description));
  requireClosed("frozen", c.frozen, configuration);
  requireClosed("inner", c.inner, configuration);
  if (o.electrons != Electrons::All) takeElectrons(o, c);
  c.corePolarisation = o.corePolarisation;
  if (o.corePolarisation) requirePolarisable(c.calculation, c.valence);
  if (o.any() && !o.corePolarisation)
    throw SettingError(o.moment ? "moment" : "quadrupole",
                       "is of hyperfine constants, which come with 'core_polarisation'");
  const bool limit = c.calculation.isLimit();
  for (const auto& [setting, given] :
       {std::pair("box_radius", o.radius.has_value()), std::pair("no_error_estimate", o.noErrorEstimate)})
    if (!limit && given) throw SettingError(setting, "belongs to spinors='limit'");
  if (o.radius && *o.radius > kLargestBox && c.valence.empty())
    throw SettingError(
        "box_radius",
        fmt::format("found {:g}; expected at most {:g} bohr without 'valence': virtual spinors fill "
                    "the box, and beyond all electrons more of them only take time",
                    *o.radius, kLargestBox));
  c.largestL = o.largestL.value_or(!limit ? kMostL : c.valence.empty() ? kDefaultL : kDefaultValenceL);
  if (limit) {
    LimitMethod& method = std::get<LimitMethod>(c.calculation.method);
    method.residualThreshold = kResidual;
    if (o.radius) {
      method.largestRadius = *o.radius;
      c.radiusGiven = true;
    } else if (!c.valence.empty()) {
      const double charge = c.nuclearCharge() - configuration.electrons();
      method.largestRadius = kValenceRadius / std::max(charge, 1.0);
    }
  } else {
    prepareToCorrelate(c.calculation.inBasis(),
                       o.electrons == Electrons::Valence ? valenceGroups : coreValenceGroups);
  }
  return c;
}

/// What is computed at one resolution.
struct Computed {
  Result field;
  SecondOrder energy;
  std::vector<ValenceState> valence;
  std::optional<ValenceProperties> properties;
  std::vector<NaturalSpinor> natural;  ///< of basis sets
  Eigen::Index spinors = 0;            ///< virtual ones, without their projections
  int largestL = 0;
};

OrbitalSpace orbitalSpace(const CorrelationJob& job, const Result& field, ThreadPool& pool) {
  const AtomProblem& problem = job.calculation.problem;
  if (job.calculation.isLimit())
    return OrbitalSpace::ofSplines(problem, field, job.largestL,
                                   kHighestEnergy * job.nuclearCharge() * job.nuclearCharge(), pool);
  const BasisMethod& method = job.calculation.inBasis();
  return OrbitalSpace::inBasis(problem, method.basis, method.scf.dependencyThreshold, field, job.largestL,
                               pool);
}

/// What is being summed, for people who wait for it; `seconds`: as estimated, 0: unknown.
std::string workText(const Computed& c, double seconds) {
  const std::string time =
      seconds < 60 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("sums over {} virtual spinors{}", c.spinors, seconds >= 1 ? ", about " + time : "");
}

/// Electrons from which all sums at the limit are worth a GPU, so that it may start before their size is
/// known.
constexpr double kElectronsForGpu = 36;

/// What forms the sums.
struct Sums {
  std::optional<Opened<CorrelationEngine>> engine;
  WorkerThreads start{};  ///< opens `engine` while processors compute the field
};

/// The engine is opened here for the first of several spaces, where it was not before the work was known.
Computed computed(const CorrelationJob& job, const Execution& e, ThreadPool& pool, Sums& sums) {
  std::optional<Opened<CorrelationEngine>>& engine = sums.engine;
  Computed c;
  c.field = compute(job.calculation, {e.threadsOrAll(), nullptr, e.checkpoint});
  if (c.field.status == Status::Unbound && job.radiusGiven)
    throw SettingError("box_radius",
                       fmt::format("found {:g} bohr, where the occupied spinors have not vanished; "
                                   "expected more, or leave it out",
                                   job.calculation.limit().largestRadius));
  if (!c.field.ok() || !c.field.wavefunction)
    throw NotConvergedError(
        fmt::format("the field has no spinors to compute correlation with: {}", c.field.reason));
  const OrbitalSpace space = orbitalSpace(job, c.field, pool);
  const Configuration& configuration = job.calculation.problem.configuration;
  for (const SymmetryOrbitals& s : space.symmetries()) c.spinors += s.virtuals();
  c.largestL = space.largestL();
  CorrelationOptions options;
  options.frozen = job.frozen;
  options.pool = &pool;
  options.checkpoint = e.checkpoint;
  options.inner = job.inner;
  options.virtualOnly = job.virtualOnly;
  const double seconds =
      (job.valence.empty() ? secondOrderOperations(space, configuration, options)
                           : valenceOperations(space, configuration, job.valence, options)) /
      kOperationsPerSecond;
  sums.start.join();
  if (!engine) engine = openEngine<CorrelationEngine>(e, seconds > kGpuStart);
  options.engine = engine->engine.get();
  const double expected = engine->library ? 0 : seconds / e.threadsOrAll();
  constexpr double kLong = 10;
  if (expected > kLong) e.announce(workText(c, expected));
  e.show({.unit = "", .note = workText(c, expected)});
  const auto sum = [&] {
    if (job.valence.empty())
      c.energy = secondOrder(space, configuration, options);
    else
      c.valence = valenceStates(space, configuration, job.valence, options);
  };
  try {
    sum();
  } catch (const DeviceError& refusal) {  // such as memory that does not suffice
    if (e.backend != BackendRequest::Automatic) throw;
    engine->engine = hostCorrelationEngine();
    engine->library.reset();
    engine->note = fmt::format("CPU, because {}", refusal.what());
    options.engine = engine->engine.get();
    sum();
  }
  if (job.corePolarisation) {
    e.show({.unit = "", .note = "core polarisation"});
    c.properties = valenceProperties(space, configuration, job.frozen, c.valence,
                                     lightSpeedOf(job.calculation.problem.hamiltonian), pool, e.checkpoint);
  }
  if (job.valence.empty() && !job.calculation.isLimit())
    c.natural = naturalSpinors(space, secondOrderDensity(space, configuration, options));
  return c;
}

/// Without a coarse sum the error of the mesh, the larger part, is not known, and none is stated.
WaveLimit limitOf(const std::vector<double>& waves, const std::vector<double>* coarse) {
  return coarse == nullptr ? WaveLimit{extrapolatedWaves(waves).value, std::nan("")}
                           : extrapolatedWaves(waves, *coarse);
}

WaveLimit correlationOf(const Computed& fine, const std::optional<Computed>& coarse, bool limit) {
  if (!limit) return {fine.energy.energy, 0};
  return limitOf(fine.energy.waves, coarse ? &coarse->energy.waves : nullptr);
}

Table pairTable(const std::vector<PairEnergy>& pairs, const std::vector<double>& limits, bool limit) {
  using P = const PairEnergy&;
  return {
      "pairs",
      {columnOf(pairs, {"first", "", "one spinor of the pair"}, [](P p) { return p.first; }),
       columnOf(pairs, {"second", "", "the other"}, [](P p) { return p.second; }),
       columnOf(pairs, {"energy", "hartree", "energy of the pair in the spinors that were made", "{:.8f}"},
                [](P p) { return p.energy; }),
       columnOf(limits,
                {"limit", "hartree",
                 "the same of all functions and all l, at the numerical limit; in a basis set `energy`",
                 limit ? "{:.8f}" : "-"},
                [](double value) { return value; })},
      Table::Layout::Rows};
}

/// What excitations of one l add.
struct PartialWave {
  int l;
  double energy, singles;
};

Table waveTable(const std::vector<PartialWave>& waves, bool singles) {
  using W = const PartialWave&;
  return {
      "partial_waves",
      {columnOf(
           waves,
           {"l", "1", "largest l of the excitations that are counted, and of no lower increment", "{:.0f}"},
           [](W w) { return w.l; }),
       columnOf(waves, {"energy", "hartree", "what they add", "{:.10f}"}, [](W w) { return w.energy; }),
       columnOf(waves,
                {"singles", "hartree", "what single excitations of this l add", singles ? "{:.10f}" : "-"},
                [](W w) { return w.singles; })},
      Table::Layout::Rows};
}

Table naturalTable(const std::vector<NaturalSpinor>& natural) {
  using N = const NaturalSpinor&;
  return {"natural",
          {columnOf(natural,
                    {"spinor", "",
                     "name of the occupied spinor that it is like; virtual ones continue the numbers n of "
                     "their symmetry"},
                    [](N s) { return s.label(); }),
           columnOf(natural, {"occupation", "1", "electrons in its 2j + 1 places", "{:.8f}"},
                    [](N s) { return s.electrons; })},
          Table::Layout::Rows};
}

struct ValenceRow {
  const ValenceState& state;
  WaveLimit second;
};

Table valenceTable(const std::vector<ValenceRow>& rows, bool limit, bool hasError) {
  using R = const ValenceRow&;
  return {
      "states",
      {columnOf(rows, {"spinor", "", "spinor of one electron or hole outside of closed shells"},
                [](R r) { return r.state.label; }),
       columnOf(rows, {"kind", "", "`electron`, or `hole` where the spinor is one of the closed shells'"},
                [](R r) { return std::string(r.state.hole ? "hole" : "electron"); }),
       columnOf(rows, {"energy", "hartree", "energy in the field of the closed shells", "{:.8f}"},
                [](R r) { return r.state.energy; }),
       columnOf(rows,
                {"second_order", "hartree", "what second order adds in the spinors that were made", "{:.8f}"},
                [](R r) { return r.state.secondOrder; }),
       columnOf(rows,
                {"limit", "hartree",
                 "the same of all functions and all l, at the numerical limit; in a basis set "
                 "`second_order`",
                 limit ? "{:.8f}" : "-"},
                [](R r) { return r.second.value; }),
       columnOf(rows, {"limit_error", "hartree", "estimated error of it", hasError ? "{:.1e}" : "-"},
                [](R r) { return r.second.error; }),
       columnOf(rows, {"brueckner", "hartree", "energy of the Brueckner orbital", "{:.8f}"},
                [](R r) { return r.state.brueckner; }),
       columnOf(rows,
                {"smallest_excitation", "hartree", "smallest energy difference that was divided by", "-"},
                [](R r) { return r.state.smallestGap; })},
      Table::Layout::Rows,
      kShownRows,
      "valence"};
}

/// Columns of one constant by the four methods; of the nucleus of `moments` where it has the moment.
template <class Rows, class ValueOf>
void addConstant(const Rows& rows, const std::string& name, const std::string& meaning, bool shown,
                 const ValueOf& valueOf, Table& table) {
  const std::string digits = shown ? "{:.3f}" : "-";
  const auto add = [&](const char* method, const char* of, double PolarisedValue::*member) {
    table.columns.push_back(columnOf(rows, {name + method + "_MHz", "MHz", meaning + of, digits},
                                     [&](const auto& row) -> std::optional<double> {
                                       const std::optional<PolarisedValue> v = valueOf(row);
                                       return v ? std::optional<double>((*v).*member) : std::nullopt;
                                     }));
  };
  add("", ", in the field of the closed shells", &PolarisedValue::bare);
  add("_polarised", ", with the response of the closed shells", &PolarisedValue::polarised);
  add("_brueckner", ", with that and Brueckner orbitals", &PolarisedValue::brueckner);
  add("_radiated", ", with these and structural radiation and normalisation", &PolarisedValue::radiated);
}

/// The constant of the nucleus, from that which is stated for units.
std::optional<PolarisedValue> ofNucleus(const std::optional<PolarisedValue>& unit,
                                        const std::function<std::optional<double>(double)>& scaled) {
  if (!unit) return std::nullopt;
  return PolarisedValue{*scaled(unit->bare), *scaled(unit->polarised), *scaled(unit->brueckner),
                        *scaled(unit->radiated)};
}

Table hyperfineTable(const std::vector<ValenceHyperfine>& rows, const NuclearMoments& nucleus) {
  using R = const ValenceHyperfine&;
  Table table{"hyperfine",
              {columnOf(rows, {"spinor", "", "spinor of one electron outside of closed shells"},
                        [](R r) { return r.spinor; })},
              Table::Layout::Rows};
  addConstant(
      rows, "A", "magnetic hyperfine constant for mu_I/I = 1 nuclear magneton", !nucleus.moment,
      [](R r) { return std::optional<PolarisedValue>(r.a); }, table);
  addConstant(
      rows, "B", "electric hyperfine constant for Q = 1 barn", !nucleus.quadrupole, [](R r) { return r.b; },
      table);
  if (nucleus.moment)
    addConstant(
        rows, "A_nucleus", "magnetic hyperfine constant of the nucleus", true,
        [&](R r) { return ofNucleus(r.a, [&](double v) { return nucleus.magnetic(v); }); }, table);
  if (nucleus.quadrupole)
    addConstant(
        rows, "B_nucleus", "electric hyperfine constant of the nucleus", true,
        [&](R r) { return ofNucleus(r.b, [&](double v) { return nucleus.electric(v); }); }, table);
  return table;
}

Table transitionTable(const std::vector<ValenceTransition>& rows) {
  using T = const ValenceTransition&;
  return {
      "transitions",
      {columnOf(rows, {"lower", "", "spinor of the lower state"}, [](T t) { return t.lower; }),
       columnOf(rows, {"upper", "", "spinor of the upper state"}, [](T t) { return t.upper; }),
       columnOf(rows, {"multipole", "", "`E1`, `M1` or `E2`"}, [](T t) { return t.multipole; }),
       columnOf(
           rows,
           {"energy", "hartree", "energy between the states in the field of the closed shells", "{:.6f}"},
           [](T t) { return t.energy; }),
       columnOf(rows, {"brueckner_energy", "hartree", "the same of Brueckner orbitals", "{:.6f}"},
                [](T t) { return t.bruecknerEnergy; }),
       columnOf(rows,
                {"element", "1",
                 "reduced matrix element in the length gauge: e a0 of E1, µB of M1, e a0^2 of E2 (r^2 C^2); "
                 "in the field of the closed shells, positive by choice of sign",
                 "{:.5f}"},
                [](T t) { return t.element.bare; }),
       columnOf(rows,
                {"element_polarised", "1",
                 "the same with the response of the closed shells, at the frequency of `energy`", "{:.5f}"},
                [](T t) { return t.element.polarised; }),
       columnOf(
           rows,
           {"element_brueckner", "1",
            "the same with that and Brueckner orbitals, at the frequency of `brueckner_energy`", "{:.5f}"},
           [](T t) { return t.element.brueckner; }),
       columnOf(rows,
                {"element_radiated", "1", "the same with these and structural radiation and normalisation",
                 "{:.5f}"},
                [](T t) { return t.element.radiated; })},
      Table::Layout::Rows};
}

/// Hyperfine constants and multipoles of the valence states.
void addProperties(const ValenceProperties& properties, const NuclearMoments& nucleus, Record& record) {
  if (properties.truncated)
    record.warn("core_polarisation_waves",
                "virtual spinors of the largest l keep closed shells from some of their excitations: core "
                "polarisation is not complete; take a larger 'lmax' or a set with functions of higher l");
  record.tables.push_back(hyperfineTable(properties.hyperfine, nucleus));
  if (!properties.transitions.empty()) record.tables.push_back(transitionTable(properties.transitions));
}

void addEnergy(const Computed& fine, const std::optional<Computed>& coarse, bool limit, Record& record) {
  const double field = fine.field.energy.withCorrections();
  const WaveLimit all = correlationOf(fine, coarse, limit);
  using Place = Quantity::Place;
  const auto add = [&](const char* key, const char* label, Json value, std::string shown,
                       Place place = Place::Details) {
    record.quantities.push_back({key, label, std::move(value), std::move(shown), place});
  };
  add("correlation_energy", "correlation energy, second order", all.value,
      !limit   ? fmt::format("{:.10f} hartree", all.value)
      : coarse ? fmt::format("{:.10f} hartree, all l, error about {:.1g}", all.value, all.error)
               : fmt::format("{:.10f} hartree, all l, error not estimated", all.value),
      Place::Result);
  if (limit) {
    add("correlation_error", "", coarse ? Json(all.error) : Json(), "");
    add("computed_correlation_energy", "of the spinors below", fine.energy.energy,
        fmt::format("{:.10f} hartree", fine.energy.energy));
  }
  if (fine.energy.singles != 0)
    add("singles_energy", "of it single excitations", fine.energy.singles,
        fmt::format("{:.10f} hartree", fine.energy.singles));
  add("total_energy", "field and correlation", field + all.value,
      fmt::format("{:.10f} hartree", field + all.value), Place::Result);
  if (!limit)
    add("", "accuracy", {}, "second order in this basis set; its error is not estimated", Place::Accuracy);
  add("smallest_excitation", "smallest excitation", fine.energy.smallestGap,
      fmt::format("{:.6f} hartree", fine.energy.smallestGap));
  if (fine.energy.smallestGap < kSmallGap)
    record.warn(
        "small_denominator",
        fmt::format("the smallest excitation of second order has {:.4f} hartree: states outside of the "
                    "configuration lie as low as those in it, and second order means little",
                    fine.energy.smallestGap));
  add("radial_integrals", "radial integrals", fine.energy.integrals,
      fmt::format("{:.3g}", fine.energy.integrals));

  const std::vector<PairEnergy>& pairs = fine.energy.pairs;
  std::vector<double> limits;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    limits.push_back(limit ? limitOf(pairs[i].waves, coarse ? &coarse->energy.pairs[i].waves : nullptr).value
                           : pairs[i].energy);
  record.tables.push_back(pairTable(pairs, limits, limit));
  std::vector<PartialWave> waves;
  for (std::size_t l = 0; l < fine.energy.waves.size(); ++l)
    waves.push_back({static_cast<int>(l), fine.energy.waves[l], fine.energy.singleWaves[l]});
  record.tables.push_back(waveTable(waves, fine.energy.singles != 0));
}

/// Natural spinors, those with most electrons in each place first.
void addNatural(std::vector<NaturalSpinor> natural, Record& record) {
  if (natural.empty()) return;
  std::ranges::stable_sort(natural, std::ranges::greater(),
                           [](const NaturalSpinor& s) { return s.electrons / s.symmetry.degeneracy(); });
  record.tables.push_back(naturalTable(natural));
}

void addValence(const Computed& fine, const std::optional<Computed>& coarse, bool limit, Record& record) {
  std::vector<ValenceRow> rows;
  for (std::size_t i = 0; i < fine.valence.size(); ++i) {
    const ValenceState& s = fine.valence[i];
    rows.push_back({s, limit ? limitOf(s.waves, coarse ? &coarse->valence[i].waves : nullptr)
                             : WaveLimit{s.secondOrder, 0}});
    if (!s.hole && s.energy > 0)
      record.warn(
          "unbound_valence",
          fmt::format("{} is not bound {}", s.label,
                      limit ? "within the radius where virtual spinors end; give a larger 'box_radius'"
                            : "in this basis set: its energies are those of a free electron in the "
                              "set's functions and mean nothing; take an ion that binds it, or "
                              "spinors='limit'"));
  }
  const ValenceState& first = fine.valence.front();
  record.quantities.push_back({"",
                               "energy of " + first.label,
                               {},
                               fmt::format("{:.8f} hartree of the Brueckner orbital, {:.8f} in the field",
                                           first.brueckner, first.energy),
                               Quantity::Place::Result});
  record.quantities.push_back({"",
                               "accuracy",
                               {},
                               "second order in the correlation with the closed shells",
                               Quantity::Place::Accuracy});
  record.tables.push_back(valenceTable(rows, limit, coarse.has_value()));
  struct Wave {
    const ValenceState& state;
    std::size_t l;
  };
  std::vector<Wave> waves;
  for (const ValenceState& s : fine.valence)
    for (std::size_t l = 0; l < s.waves.size(); ++l) waves.push_back({s, l});
  record.tables.push_back(
      {"partial_waves",
       {columnOf(waves, {"spinor", ""}, [](const Wave& w) { return w.state.label; }),
        columnOf(waves, {"l", "1"}, [](const Wave& w) { return static_cast<int>(w.l); }),
        columnOf(waves, {"energy", "hartree"}, [](const Wave& w) { return w.state.waves[w.l]; })},
       Table::Layout::Rows,
       0});
}

/// The spinors of a field at the limit, which those of another mesh hardly differ from.
LimitStart startFrom(const Result& field) {
  LimitStart start{std::dynamic_pointer_cast<const LimitWavefunction>(field.wavefunction),
                   -std::numeric_limits<double>::infinity()};
  for (const Spinor& s : field.spinors) start.highestEnergy = std::max(start.highestEnergy, s.energy);
  return start;
}

Record correlation(const AtomRequest& request, const CorrelationRequest& o, const Execution& e) {
  const Stopwatch watch;
  const ResolvedJob resolved = resolvedFor(request, e);
  CorrelationJob job = correlationJob(resolved, o);
  const bool limit = job.calculation.isLimit();
  ThreadPool pool(e.threadsOrAll());
  e.show({.unit = "", .note = "field"});
  Sums sums;
  const bool worth = limit && job.calculation.problem.configuration.electrons() >= kElectronsForGpu;
  if (e.backend == BackendRequest::Cuda || (worth && e.decides()))
    sums.start.start(1, [&](int) { sums.engine = openEngine<CorrelationEngine>(e, true); });
  const Computed fine = computed(job, e, pool, sums);
  std::optional<Computed> coarse;
  if (limit && !o.noErrorEstimate) {
    LimitMethod& method = std::get<LimitMethod>(job.calculation.method);
    method.density /= kCoarserCells;
    method.start = startFrom(fine.field);
    job.corePolarisation = false;
    coarse = computed(job, e, pool, sums);
  }
  const AtomProblem& problem = job.calculation.problem;
  Record record;
  record.title = fmt::format("Second order of {}, {}", atomName(problem), problem.configuration.description);
  record.quantities.push_back({"energy_of", "energies of", energyMeaning(problem), energyMeaning(problem)});
  Result field = fine.field;
  addJobWarnings(resolved, field);
  const Json description = jobJson(resolved.calculation);
  for (const auto& [key, value] : description.items())
    if (key != "job") record.quantities.push_back({key, "", value});
  record.quantities.push_back(
      {"spinors", "spinors", limit ? "limit" : "basis",
       limit ? std::string("numerical limit") : job.calculation.inBasis().basis.description});
  record.quantities.push_back({"virtual_spinors", "virtual spinors", fine.spinors,
                               fmt::format("{} to l = {}", fine.spinors, fine.largestL)});
  record.quantities.push_back({"frozen", "frozen shells", o.frozen, o.frozen});
  record.quantities.push_back({"field_energy", "energy of the field", field.energy.withCorrections(),
                               fmt::format("{:.10f} hartree", field.energy.withCorrections()),
                               Quantity::Place::Details});
  for (const Warning& w : field.warnings)
    if (w.id != "scf_fallback") record.warn(w.id, w.text);
  if (job.valence.empty()) {
    addEnergy(fine, coarse, limit, record);
    addNatural(fine.natural, record);
  } else {
    addValence(fine, coarse, limit, record);
    const NuclearMoments moments = momentsOf(o, request.job);
    if (fine.properties) addProperties(*fine.properties, moments, record);
    if (fine.properties) addMoments(moments, "", record);
  }
  record.csvComments = false;
  record.device = sums.engine->device();
  record.seconds = watch.seconds();
  ToldReport report{e};
  const double first = job.valence.empty()
                           ? fine.field.energy.withCorrections() + correlationOf(fine, coarse, limit).value
                           : fine.valence.front().brueckner;
  report(e.brief ? fmt::format("{:.10f}\n", first) : recordText(record, e.style));
  record.report = report.text;
  return record;
}

}  // namespace

Operation correlationOperation() {
  Operation o;
  o.name = jobName(JobType::Correlation);
  o.summary = "correlation energy of second order";
  o.description =
      "The correlation energy of second order (MP2) of closed shells, or around the average of a "
      "configuration "
      "with open shells, in any basis set with its virtual spinors, or at the numerical limit: all pairs of "
      "spinors, by partial waves, extrapolated in l. With valence: energies of one electron or hole outside "
      "of "
      "closed shells, with the self-energy of second order, and of Brueckner orbitals; their hyperfine "
      "constants "
      "and transition elements with core polarisation." +
      std::string(kAtomAndKeywords);
  o.example = "correlation ATOM";
  o.examples = {"correlation Ne", "correlation Na+ --valence 3s", "correlation Rn --lmax 8",
                "correlation Na+ --valence '3s 3p' --core-polarisation"};
  o.brief =
      "field and correlation, of open shells around the average of the configuration; with valence the "
      "Brueckner energy of the first shell";
  o.tables = [] {
    return std::vector{pairTable({}, {}, true),
                       valenceTable({}, true, true),
                       waveTable({}, true),
                       naturalTable({}),
                       hyperfineTable({}, {.moment = 1, .spin = 1, .quadrupole = 1}),
                       transitionTable({})};
  };
  o.onGpus = true;
  return jobOperation(JobType::Correlation, std::move(o), correlationTable(), correlation);
}

}  // namespace prophet
