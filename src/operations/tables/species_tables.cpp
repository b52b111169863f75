#include "operations/tables/species_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/shell_list.hpp"
#include "atoms/breit/breit.hpp"
#include "atoms/calculation/compute.hpp"
#include "atoms/configurations/level_space.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/properties/properties.hpp"
#include "atoms/qed/qed.hpp"
#include "atoms/scf/settled_spinors.hpp"
#include "atoms/subshells/bessel_averages.hpp"
#include "atoms/subshells/compton_profile.hpp"
#include "atoms/subshells/ionisation.hpp"
#include "atoms/subshells/kinetic_energies.hpp"
#include "core/common/constants.hpp"
#include "core/common/files.hpp"
#include "core/common/index.hpp"
#include "core/common/listed_words.hpp"
#include "core/common/stopwatch.hpp"
#include "matter/scattering/gaussian_fit.hpp"
#include "operations/jobs/resolve.hpp"
#include "operations/materials/species_settings.hpp"
#include "operations/materials/species_words.hpp"
#include "operations/spectra/nist_levels.hpp"
#include "operations/tables/table_errors.hpp"

namespace prophet {
namespace {

using constants::kElectronvoltsPerHartree;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kLargestBessel = 6;
constexpr int kMostGaussians = 5;
constexpr double kPerAngstrom = constants::kAngstromsPerBohr;

/// Subshells that are taken together, in the order of n, l, j.
struct SpeciesGroup {
  std::string label;
  int n = 0, l = 0, twoJ = 0;  ///< twoJ 0: both; n 0: the whole
  std::vector<int> members;
  double electrons = 0;
};

std::vector<SpeciesGroup> shellGroups(const std::vector<Spinor>& spinors, ShellLevel level) {
  std::vector<int> order;
  for (int i = 0; i < static_cast<int>(spinors.size()); ++i)
    if (spinors[usize(i)].occupation > 0) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](int i) {
    const Spinor& s = spinors[usize(i)];
    return std::tuple(s.n, s.symmetry.l(), s.symmetry.twoJ());
  });
  std::vector<SpeciesGroup> groups;
  for (const int i : order) {
    const Spinor& s = spinors[usize(i)];
    SpeciesGroup g{s.label(), s.n, s.symmetry.l(), s.symmetry.twoJ(), {}, 0};
    if (level == ShellLevel::Nl) g = {Shell{g.n, g.l}.name(), g.n, g.l, 0, {}, 0};
    if (level == ShellLevel::Atom) g = {"atom", 0, 0, 0, {}, 0};
    if (groups.empty() || groups.back().label != g.label) groups.push_back(std::move(g));
    groups.back().members.push_back(i);
    groups.back().electrons += s.occupation;
  }
  return groups;
}

/// The mean of columns over the electrons of a group; of the whole their sum.
Eigen::VectorXd meanOf(const SpeciesGroup& g, const std::vector<Spinor>& spinors,
                       const Eigen::MatrixXd& columns) {
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(columns.rows());
  for (const int i : g.members) sum += spinors[usize(i)].occupation * columns.col(i);
  return g.n == 0 ? sum : Eigen::VectorXd(sum / g.electrons);
}

/// The same of numbers.
double meanOf(const SpeciesGroup& g, const std::vector<Spinor>& spinors,
              const std::function<double(int)>& value) {
  double sum = 0;
  for (const int i : g.members) sum += spinors[usize(i)].occupation * value(i);
  return g.n == 0 ? sum : sum / g.electrons;
}

struct ShellRow {
  SpeciesGroup group;
  double binding = kNan, bindingError = kNan, breit = kNan, breitError = kNan, qed = kNan, qedError = kNan;
  std::string method;
  double kinetic = kNan, beb = kNan, square = kNan, kineticError = kNan, bebError = kNan, squareError = kNan;
  bool bound = true;
};
struct MomentRow {
  std::string label;
  int k = 0;
  double value = 0, error = 0;
};
struct ProfileRow {
  std::string label;
  double at = 0, value = 0, error = 0;
};
struct BesselRow {
  std::string label;
  double s = 0;
  std::vector<double> j{};
  double error = 0;
};
struct FitRow {
  std::string label;
  int k = 0;
  GaussianFit fit;
  double largestS = 0;
};
struct BebRow {
  std::string label;
  double binding = 0, kinetic = 0, electrons = 0, bindingError = 0, kineticError = 0;
  std::string source;
};
struct CrossSectionRow {
  double energy = 0, beb = 0, relativistic = 0, bebError = 0, relativisticError = 0;
};

// Beside values that a column of CSV each is for: report and CSV have no column of theirs.
const ColumnKind kErrorBeside{"error", "", "error of the value by basis or grid, not by the model", "-"};
ColumnKind errorIn(const char* unit) {
  ColumnKind kind = kErrorBeside;
  kind.unit = unit;
  return kind;
}
const ColumnKind kLabel{"label", "", "subshell, shell, or `atom` for the sum over all"};

Table shellsTable(const std::vector<ShellRow>& rows) {
  using Row = const ShellRow&;
  return {
      "shells",
      {columnOf(rows, kLabel, [](Row r) { return r.group.label; }),
       columnOf(rows, {"n", "1", "principal quantum number", "{:.0f}"}, [](Row r) { return r.group.n; }),
       columnOf(rows, {"l", "1", "orbital angular momentum", "{:.0f}"}, [](Row r) { return r.group.l; }),
       columnOf(rows, {"two_j", "1", "twice the angular momentum; 0: of both j", "{:.0f}"},
                [](Row r) { return r.group.twoJ; }),
       columnOf(rows, {"occupation", "1", "electrons", "{:.6g}"}, [](Row r) { return r.group.electrons; }),
       columnOf(rows, {"binding_energy", "hartree", "energy that takes an electron out", "{:.6f}"},
                [](Row r) { return r.binding; }),
       columnOf(rows, {"binding_energy_eV", "eV", "the same", "{:.3f}"},
                [](Row r) { return r.binding * kElectronvoltsPerHartree; }),
       columnOf(rows,
                {"binding_error", "hartree", "error of it by basis, grid and first order, not by the model",
                 "{:.1e}"},
                [](Row r) { return r.bindingError; }),
       columnOf(rows, {"binding_method", "", "`koopmans` (minus the spinor's energy) or `delta-scf`"},
                [](Row r) { return r.method; }),
       columnOf(rows, {"breit", "hartree", "what the Breit interaction adds to it in first order", "{:.6f}"},
                [](Row r) { return r.breit; }),
       columnOf(
           rows,
           {"breit_error", "hartree", "error of breit: the field does not answer in first order", "{:.1e}"},
           [](Row r) { return r.breitError; }),
       columnOf(rows, {"qed", "hartree", "what the radiative corrections add to it in first order", "{:.6f}"},
                [](Row r) { return r.qed; }),
       columnOf(rows, {"qed_error", "hartree", "error of qed, of the same kind", "{:.1e}"},
                [](Row r) { return r.qedError; }),
       columnOf(rows,
                {"kinetic_energy", "hartree", "<c alpha.p + (beta - 1)c^2> of an electron (atom: of all)",
                 "{:.6f}"},
                [](Row r) { return r.kinetic; }),
       columnOf(rows, {"beb_kinetic_energy", "hartree", "<c alpha.p>/2, U of the BEB model", "{:.6f}"},
                [](Row r) { return r.beb; }),
       columnOf(rows, {"momentum_square", "bohr^-2", "<p^2>", "{:.6f}"}, [](Row r) { return r.square; }),
       columnOf(rows, {"kinetic_error", "hartree", "error of kinetic_energy", "{:.1e}"},
                [](Row r) { return r.kineticError; }),
       columnOf(rows, {"beb_kinetic_error", "hartree", "error of beb_kinetic_energy", "-"},
                [](Row r) { return r.bebError; }),
       columnOf(rows, {"momentum_square_error", "bohr^-2", "error of momentum_square", "-"},
                [](Row r) { return r.squareError; }),
       columnOf(rows, {"bound", "", "`yes`, or `no` where its electrons gain energy by leaving"},
                [](Row r) { return std::string(r.bound ? "yes" : "no"); })},
      Table::Layout::Rows,
      400};
}

Table momentsTable(const std::vector<MomentRow>& rows) {
  using Row = const MomentRow&;
  return {"moments",
          {columnOf(rows, kLabel, [](Row r) { return r.label; }),
           columnOf(rows, {"k", "1", "power", "{:.0f}"}, [](Row r) { return r.k; }),
           columnOf(rows, {"value", "bohr^k", "<r^k>; empty where the integral does not exist", "{:.8g}"},
                    [](Row r) { return r.value; }),
           columnOf(rows, {"error", "bohr^k", "its error by basis or grid", "{:.1e}"},
                    [](Row r) { return r.error; })},
          Table::Layout::Rows,
          60};
}

Table profileTable(const char* key, const ColumnKind& at, const ColumnKind& value,
                   const std::vector<ProfileRow>& rows, bool labels) {
  using Row = const ProfileRow&;
  Table t{key, {}, Table::Layout::Columns};
  if (labels) t.columns.push_back(columnOf(rows, kLabel, [](Row r) { return r.label; }));
  t.columns.push_back(columnOf(rows, at, [](Row r) { return r.at; }));
  t.columns.push_back(columnOf(rows, value, [](Row r) { return r.value; }));
  t.columns.push_back(columnOf(rows, errorIn(value.unit.c_str()), [](Row r) { return r.error; }));
  return t;
}

Table comptonTable(const std::vector<ProfileRow>& rows) {
  return profileTable("compton", {"p", "1/bohr", "momentum along the scattering vector", "{:.6g}"},
                      {"J", "bohr", "Compton profile of one electron (atom: of all)", "{:.7g}"}, rows, true);
}
Table formFactorTable(const std::vector<ProfileRow>& rows) {
  return profileTable(
      "form_factors", {"q", "1/angstrom", "momentum transfer 4 pi sin(theta)/lambda", "{:.6g}"},
      {"f", "electrons", "X-ray form factor of all electrons of the label", "{:.8g}"}, rows, true);
}
Table incoherentTable(const std::vector<ProfileRow>& rows) {
  return profileTable(
      "incoherent", {"q", "1/angstrom", "momentum transfer 4 pi sin(theta)/lambda", "{:.6g}"},
      {"S", "electrons", "incoherent scattering function of the average of the configuration", "{:.8g}"},
      rows, false);
}

Table besselTable(const std::vector<BesselRow>& rows) {
  using Row = const BesselRow&;
  Table t{"bessel",
          {columnOf(rows, kLabel, [](Row r) { return r.label; }),
           columnOf(rows, {"s", "1/angstrom", "sin(theta)/lambda", "{:.6g}"}, [](Row r) { return r.s; })},
          Table::Layout::Columns};
  for (std::size_t k = 0; k <= kLargestBessel; k += 2)
    t.columns.push_back(columnOf(
        rows, {fmt::format("j{}", k), "1", fmt::format("<j_{}> of an electron of the shell", k), "{:.7f}"},
        [k](Row r) { return r.j[k / 2]; }));
  t.columns.push_back(columnOf(rows, errorIn("1"), [](Row r) { return r.error; }));
  return t;
}

Table fitsTable(const std::vector<FitRow>& rows) {
  using Row = const FitRow&;
  Table t{"fits",
          {columnOf(rows, kLabel, [](Row r) { return r.label; }),
           columnOf(rows, {"k", "1", "rank of <j_k>", "{:.0f}"}, [](Row r) { return r.k; })},
          Table::Layout::Rows,
          60};
  for (std::size_t i = 0; i < kMostGaussians; ++i) {
    const auto part = [i](const std::vector<double>& list) {
      return i < list.size() ? std::optional<double>(list[i]) : std::nullopt;
    };
    t.columns.push_back(columnOf(rows,
                                 {fmt::format("A{}", i + 1), "1",
                                  "amplitude of a Gaussian; <j_k> of k > 0 is s^2 times the sum", "{:.6g}"},
                                 [part](Row r) { return part(r.fit.a); }));
    t.columns.push_back(columnOf(rows, {fmt::format("b{}", i + 1), "angstrom^2", "its exponent", "{:.6g}"},
                                 [part](Row r) { return part(r.fit.b); }));
  }
  t.columns.push_back(columnOf(rows, {"D", "1", "the constant", "{:.6g}"}, [](Row r) { return r.fit.c; }));
  t.columns.push_back(columnOf(rows, {"s_max", "1/angstrom", "end of the range that was fitted", "{:.4g}"},
                               [](Row r) { return r.largestS; }));
  t.columns.push_back(columnOf(rows,
                               {"largest_error", "1", "largest error of the fit in its range", "{:.2e}"},
                               [](Row r) { return r.fit.largestError; }));
  t.columns.push_back(columnOf(rows, {"rms", "1", "root of its mean square", "{:.2e}"},
                               [](Row r) { return r.fit.rmsError; }));
  return t;
}

Table bebTable(const std::vector<BebRow>& rows) {
  using Row = const BebRow&;
  return {
      "beb",
      {columnOf(rows, kLabel, [](Row r) { return r.label; }),
       columnOf(rows, {"B", "eV", "binding energy", "{:.4f}"}, [](Row r) { return r.binding; }),
       columnOf(rows, {"U", "eV", "<c alpha.p>/2 of an electron", "{:.4f}"}, [](Row r) { return r.kinetic; }),
       columnOf(rows, {"N", "1", "electrons", "{:.6g}"}, [](Row r) { return r.electrons; }),
       columnOf(rows, {"source", "", "of B: `koopmans`, `delta-scf` or `experiment`"},
                [](Row r) { return r.source; }),
       columnOf(
           rows,
           {"B_error", "eV", "error of B by basis, grid and first order, empty for experiment", "{:.1e}"},
           [](Row r) { return r.bindingError; }),
       columnOf(rows, {"U_error", "eV", "error of U", "{:.1e}"}, [](Row r) { return r.kineticError; })},
      Table::Layout::Rows,
      400};
}

Table crossSectionsTable(const std::vector<CrossSectionRow>& rows) {
  using Row = const CrossSectionRow&;
  return {
      "cross_sections",
      {columnOf(rows, {"T", "eV", "energy of the electron", "{:.6g}"}, [](Row r) { return r.energy; }),
       columnOf(rows,
                {"beb", "angstrom^2", "cross section of ionisation, binary-encounter Bethe model", "{:.6g}"},
                [](Row r) { return r.beb; }),
       columnOf(rows, {"rbeb", "angstrom^2", "the same with relativistic kinematics", "{:.6g}"},
                [](Row r) { return r.relativistic; }),
       columnOf(rows, {"beb_error", "angstrom^2", "what the errors of B and U make of beb", "{:.1e}"},
                [](Row r) { return r.bebError; }),
       columnOf(rows, {"rbeb_error", "angstrom^2", "the same of rbeb", "{:.1e}"},
                [](Row r) { return r.relativisticError; })},
      Table::Layout::Columns,
      400};
}

/// What is at hand for the tables of one species.
struct Source {
  const TablesRequest& request;
  const Calculation& calculation;
  const Result& result;
  const SubshellFunctions& functions;
  const TableErrors& errors;
  SpeciesTables& out;
  bool atLimit() const { return calculation.isLimit(); }
};

/// What the Breit interaction or QED adds to the binding energy of each spinor in first order, and its error.
struct FirstOrder {
  std::vector<double> shifts, errors;
};

/// Binding energies of each spinor, and what was added to them.
struct Bindings {
  std::vector<double> energies;
  FirstOrder breit, qed;
  std::vector<double> orderErrors;  ///< of the energies, because of first order; 0 without it
};

std::vector<double> breitOf(const Source& s) {
  if (s.atLimit()) {
    std::vector<double> shifts;
    for (const Spinor& spinor : s.result.spinors) shifts.push_back(spinor.breit.value_or(kNan));
    return shifts;
  }
  const Configuration& configuration = s.calculation.problem.configuration;
  std::vector<OccupiedSpinors> spinors;
  const StartSpinors& own = *s.result.coefficients;
  for (std::size_t a = 0; a < own.large.size(); ++a) {
    OccupiedSpinors& o = spinors.emplace_back();
    o.large = own.large[a];
    o.small = own.small[a];
    o.occupation.resize(o.large.cols());
    for (int i = 0; i < o.occupation.size(); ++i)
      o.occupation(i) = configuration.occupation(static_cast<int>(a), i);
  }
  ThreadPool pool(1);
  const RadialGrid grid = fockGrid(own.basis);
  const BreitInteraction interaction(own.basis, grid, s.request.repulsion);
  return breitShifts(own.basis, grid, configuration, spinors, interaction, pool);
}

/// The same atom with what its problem has in first order in the self-consistent field.
Calculation inField(const Calculation& calculation) {
  Calculation field = calculation;
  Hamiltonian& h = field.problem.hamiltonian;
  h.breitTreatment = h.qedTreatment = Treatment::SelfConsistent;
  return field;
}

std::vector<double> absoluteDifferences(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> list;
  for (std::size_t i = 0; i < a.size(); ++i) list.push_back(std::abs(a[i] - b[i]));
  return list;
}

/// The result of a calculation that only an error is made of, with settled spinors; none, with a warning,
/// where it fails.
std::optional<Result> resultForErrors(const Source& s, Calculation field, const Checkpoint& checkpoint) {
  const Hamiltonian& h = field.problem.hamiltonian;
  const bool known = field.isLimit() && h.breitTreatment == Treatment::FirstOrder;
  if (known) return s.result;
  try {
    if (!field.isLimit()) {
      field.inBasis().start = s.result.coefficients;
      settleSpinors(field.inBasis().scf);
    }
    Result result = prophet::compute(field, {1, nullptr, checkpoint});
    if (result.ok() && result.spinors.size() == s.result.spinors.size()) return result;
  } catch (const ResourceError&) {
    throw;
  } catch (const Error&) {  // the warning says what the user can do
  }
  s.out.warnings.push_back(
      {"no_error", "has no error of first order, as the field with the interaction does not converge"});
  return {};
}

/// Shifts of spinor energies as those of binding energies. Their errors are what the field makes of them, in
/// which the other spinors answer and screen the nucleus differently, and what the basis does.
/// `without`: the result without the interaction, for errors.
FirstOrder firstOrder(const Source& s, const std::optional<Result>& without,
                      const std::vector<double>& shifts, const Calculation& alone,
                      const Checkpoint& checkpoint) {
  const std::size_t n = shifts.size();
  FirstOrder first{std::vector<double>(n), std::vector<double>(n, kNan)};
  std::vector<double> answered(n, kNan);
  const auto field = without ? resultForErrors(s, inField(alone), checkpoint) : std::nullopt;
  if (field)
    for (std::size_t i = 0; i < n; ++i) answered[i] = without->spinors[i].energy - field->spinors[i].energy;
  for (std::size_t i = 0; i < n; ++i) {
    first.shifts[i] = -shifts[i];
    const double answer = answered[i] - first.shifts[i];
    first.errors[i] = std::abs(answer) + s.errors.shift(shifts[i]) + s.errors.answer(answer);
  }
  return first;
}

Bindings koopmans(const Source& s, const Checkpoint& checkpoint) {
  const std::size_t n = s.result.spinors.size();
  const std::vector<double> none(n, kNan);
  Bindings b{{}, {none, none}, {none, none}, std::vector<double>(n, 0.0)};
  const Hamiltonian& h = s.calculation.problem.hamiltonian;
  const bool hasBreit = h.hasBreit() && h.breitTreatment == Treatment::FirstOrder,
             hasQed = h.qed.any() && !h.qedInScf();
  const auto without = hasBreit || hasQed ? resultForErrors(s, s.calculation, checkpoint) : std::nullopt;
  if (hasBreit) {
    Calculation alone = s.calculation;
    alone.problem.hamiltonian.qed = {};
    b.breit = firstOrder(s, without, breitOf(s), alone, checkpoint);
  }
  if (hasQed) {
    Calculation alone = s.calculation;
    alone.problem.hamiltonian.repulsion = TwoElectronOperator::Coulomb;
    b.qed = firstOrder(
        s, without,
        firstOrderShifts(s.functions, qedOperators(s.calculation.problem.nucleus, h.speedOfLight, h.qed)),
        alone, checkpoint);
  }
  for (std::size_t i = 0; i < n; ++i) {
    double energy = -s.result.spinors[i].energy;
    for (const FirstOrder* part : {&b.breit, &b.qed}) {
      if (std::isnan(part->shifts[i])) continue;
      energy += part->shifts[i];
      b.orderErrors[i] += part->errors[i];
    }
    b.energies.push_back(energy);
  }
  return b;
}

/// Differences to the ion with a hole in each subshell, or, where both j of an open shell are averaged, in
/// the shell.
std::vector<double> energiesOfHoles(const Source& s, const Checkpoint& checkpoint) {
  const std::vector<Spinor>& spinors = s.result.spinors;
  std::vector<double> energies(spinors.size(), kNan);
  const bool wholeShells = std::ranges::none_of(s.request.levelsOf(TableTopic::Binding),
                                                [](ShellLevel level) { return level == ShellLevel::J; });
  std::map<std::string, double> known;
  for (std::size_t i = 0; i < spinors.size(); ++i) {
    const Spinor& spinor = spinors[i];
    if (spinor.occupation <= 0) continue;
    const std::string shell = Shell{spinor.n, spinor.symmetry.l()}.name();
    std::string hole = wholeShells ? shell : spinor.label();
    const std::string& text = s.out.configuration;
    std::string without;
    try {
      without = withHoles(text, hole);
    } catch (const Error&) {
      hole = shell;
      try {
        without = withHoles(text, hole);
      } catch (const Error& e) {
        s.out.warnings.push_back({"no_hole", fmt::format("{}: {}", hole, e.what())});
        continue;
      }
    }
    if (!known.contains(hole)) {
      double energy = kNan;
      try {
        Calculation ion = s.calculation;
        ion.problem.configuration = parseConfiguration(
            without, static_cast<int>(s.calculation.problem.configuration.symmetries.size()));
        if (ion.problem.configuration.electrons() == 0) {
          energy = 0;
        } else {
          if (!ion.isLimit()) ion.inBasis().start = s.result.coefficients;
          const Result result = prophet::compute(ion, {1, nullptr, checkpoint});
          if (result.status != Status::Converged) throw Error(result.reason);
          energy = result.energy.withCorrections();
        }
      } catch (const ResourceError&) {
        throw;
      } catch (const Error& e) {
        s.out.warnings.push_back(
            {"no_hole", fmt::format("{} has no binding energy by delta-scf: {}", hole, e.what())});
      }
      known[hole] = energy;
    }
    energies[i] = known[hole] - s.result.energy.withCorrections();
  }
  return energies;
}

Bindings deltaScf(const Source& s, const Checkpoint& checkpoint) {
  const std::size_t n = s.result.spinors.size();
  const std::vector<double> none(n, kNan);
  Bindings b{energiesOfHoles(s, checkpoint), {none, none}, {none, none}, std::vector<double>(n, 0.0)};
  const Hamiltonian& h = s.calculation.problem.hamiltonian;
  if (s.request.selfConsistent || !(h.hasBreit() || h.qed.any())) return b;
  // Total energies are stationary, so that first order leaves out second order only: the same in the field
  // tells how much.
  b.orderErrors = none;
  const Calculation calculation = inField(s.calculation);
  const auto result = resultForErrors(s, calculation, checkpoint);
  if (!result) return b;
  SpeciesTables unused = s.out;  // its warnings stand there already
  b.orderErrors = absoluteDifferences(
      b.energies,
      energiesOfHoles({s.request, calculation, *result, s.functions, s.errors, unused}, checkpoint));
  return b;
}

void addShells(const Source& s, const Bindings& b, const std::vector<KineticEnergies>& kinetic) {
  const std::vector<Spinor>& spinors = s.result.spinors;
  std::vector<ShellRow> rows;
  for (const ShellLevel level : s.request.levelsOf(TableTopic::Binding))
    for (const SpeciesGroup& g : shellGroups(spinors, level)) {
      const auto mean = [&](const auto& value) { return meanOf(g, spinors, value); };
      const auto at = [](int i) { return usize(i); };
      ShellRow& row = rows.emplace_back();
      row.group = g;
      row.kinetic = mean([&](int i) { return kinetic[at(i)].kinetic; });
      row.beb = mean([&](int i) { return kinetic[at(i)].halfVelocity; });
      row.square = mean([&](int i) { return kinetic[at(i)].momentumSquare; });
      row.kineticError = s.errors.kinetic(row.kinetic);
      row.bebError = s.errors.kinetic(row.beb);
      row.squareError = s.errors.kinetic(row.square);
      row.bound = std::ranges::all_of(g.members, [&](int i) { return spinors[at(i)].bound; });
      row.method = nameOf(s.request.binding);
      if (level == ShellLevel::Atom) continue;  // the sum of binding energies is no energy
      row.binding = mean([&](int i) { return b.energies[at(i)]; });
      row.breit = mean([&](int i) { return b.breit.shifts[at(i)]; });
      row.breitError = mean([&](int i) { return b.breit.errors[at(i)]; });
      row.qed = mean([&](int i) { return b.qed.shifts[at(i)]; });
      row.qedError = mean([&](int i) { return b.qed.errors[at(i)]; });
      row.bindingError = s.errors.binding(row.binding) + mean([&](int i) { return b.orderErrors[at(i)]; });
    }
  s.out.tables.push_back(shellsTable(rows));
}

void addMoments(const Source& s) {
  const std::vector<PowerMoments> moments = momentsOf(SpinorIntegrals(s.calculation.problem, s.result));
  std::vector<MomentRow> rows;
  for (const ShellLevel level : s.request.levelsOf(TableTopic::Moments))
    for (const SpeciesGroup& g : shellGroups(s.result.spinors, level))
      for (const int k : s.request.powers) {
        const double value =
            meanOf(g, s.result.spinors, [&](int i) { return moments[usize(i)].of(k).value_or(kNan); });
        rows.push_back({g.label, k, value, s.errors.moment(k, value)});
      }
  s.out.tables.push_back(momentsTable(rows));
}

/// Rows of the means of columns, which are functions at `x`.
template <class ErrorsOf>
std::vector<ProfileRow> profileRows(const Source& s, TableTopic topic, const Eigen::VectorXd& x,
                                    const Eigen::MatrixXd& columns, const ErrorsOf& errorsOf) {
  std::vector<ProfileRow> rows;
  for (const ShellLevel level : s.request.levelsOf(topic))
    for (const SpeciesGroup& g : shellGroups(s.result.spinors, level)) {
      const bool sum = topic == TableTopic::XrayFactor && g.n > 0;
      const Eigen::VectorXd mean = meanOf(g, s.result.spinors, columns) * (sum ? g.electrons : 1.0);
      const Eigen::VectorXd errors = errorsOf(g, mean);
      for (Eigen::Index i = 0; i < x.size(); ++i) rows.push_back({g.label, x[i], mean[i], errors[i]});
    }
  return rows;
}

void addProfiles(const Source& s, const std::vector<KineticEnergies>& kinetic) {
  const auto errorsOf = [&](const SpeciesGroup& g, const Eigen::VectorXd& J) {
    const double square =
        meanOf(g, s.result.spinors, [&](int i) { return kinetic[usize(i)].momentumSquare; });
    return s.errors.profile(s.request.p, J, std::sqrt(square), g.n == 0);
  };
  s.out.tables.push_back(comptonTable(
      profileRows(s, TableTopic::Compton, s.request.p, comptonProfiles(s.functions, s.request.p), errorsOf)));
}

void addFormFactors(const Source& s) {
  const Eigen::MatrixXd averages = evenBesselAverages(s.functions, s.request.q * kPerAngstrom, 0)[0];
  s.out.tables.push_back(formFactorTable(profileRows(s, TableTopic::XrayFactor, s.request.q, averages,
                                                     [&](const SpeciesGroup& g, const Eigen::VectorXd& f) {
                                                       return s.errors.formFactor(f, g.electrons, g.n == 0);
                                                     })));
}

void addIncoherent(const Source& s) {
  const IncoherentScattering scattering = incoherentScattering(s.functions, s.request.q * kPerAngstrom);
  s.out.slope = scattering.slope * kPerAngstrom * kPerAngstrom;
  const Eigen::VectorXd errors = s.errors.scattering(scattering.values);
  std::vector<ProfileRow> rows;
  for (Eigen::Index i = 0; i < s.request.q.size(); ++i)
    rows.push_back({"", s.request.q[i], scattering.values[i], errors[i]});
  s.out.tables.push_back(incoherentTable(rows));
}

/// Shells whose magnetic form factors are asked for.
std::vector<SpeciesGroup> magneticGroups(const Source& s) {
  std::vector<SpeciesGroup> groups = shellGroups(s.result.spinors, ShellLevel::Nl);
  std::set<std::string> named;
  for (const std::string& word : listedWords(s.request.shells)) named.insert(shellNamed(word).name());
  std::erase_if(groups, [&](const SpeciesGroup& g) {
    return named.empty() ? g.electrons > 4 * g.l + 2 - 1e-9 : !named.contains(g.label);
  });
  return groups;
}

void addMagnetic(const Source& s) {
  const std::vector<SpeciesGroup> groups = magneticGroups(s);
  if (groups.empty())
    s.out.warnings.push_back(
        {"no_open_shell",
         s.request.shells.empty()
             ? "has no open shell and so no magnetic form factor; name shells whose <j_k> you want"
             : fmt::format("has none of the shells {}", s.request.shells)});
  const double factor = 4 * constants::kPi * kPerAngstrom;  // from s to q in 1/bohr
  const std::vector<Eigen::MatrixXd> averages =
      evenBesselAverages(s.functions, s.request.s * factor, kLargestBessel);
  std::vector<BesselRow> rows;
  for (const SpeciesGroup& g : groups) {
    std::vector<Eigen::VectorXd> means;
    for (const Eigen::MatrixXd& average : averages) means.push_back(meanOf(g, s.result.spinors, average));
    const Eigen::VectorXd errors = s.errors.bessel(means.front());
    for (Eigen::Index i = 0; i < s.request.s.size(); ++i) {
      BesselRow& row = rows.emplace_back();
      row.label = g.label;
      row.s = s.request.s[i];
      for (const Eigen::VectorXd& mean : means) row.j.push_back(mean[i]);
      row.error = errors[i];
    }
  }
  s.out.tables.push_back(besselTable(rows));
  if (s.request.fit == 0) return;
  const FitForm form{"", s.request.fit, true, s.request.largestS, ""};
  const Eigen::VectorXd samples = fitSamples(form), square = samples.cwiseAbs2();
  const std::vector<Eigen::MatrixXd> values =
      evenBesselAverages(s.functions, samples * factor, kLargestBessel);
  std::vector<FitRow> fits;
  for (const SpeciesGroup& g : groups)
    for (std::size_t k = 0; k < values.size(); ++k) {
      const Eigen::VectorXd mean = meanOf(g, s.result.spinors, values[k]);
      fits.push_back({g.label, static_cast<int>(2 * k),
                      fitGaussians(form, samples, mean, k == 0 ? Eigen::VectorXd() : square), form.largestS});
    }
  s.out.tables.push_back(fitsTable(fits));
}

/// The ionisation energy of experiment, hartree, where it is known of the ground configuration.
std::optional<double> measuredIonisation(const SpeciesTables& s) {
  const auto known = nistIonisation(s.z, s.charge, levelSpace(s.configuration).configurations);
  return known ? std::optional<double>(known->energy) : std::nullopt;
}

void addBeb(const Source& s, const Bindings& b, const std::vector<KineticEnergies>& kinetic) {
  std::vector<BebRow> rows;
  std::vector<BinaryEncounterShell> shells;
  ShellLevel level = ShellLevel::J;
  for (const ShellLevel named : s.request.levelsOf(TableTopic::Beb))
    if (named != ShellLevel::Atom) level = named;
  for (const SpeciesGroup& g : shellGroups(s.result.spinors, level)) {
    const auto mean = [&](const auto& value) { return meanOf(g, s.result.spinors, value); };
    shells.push_back({mean([&](int i) { return b.energies[usize(i)]; }),
                      mean([&](int i) { return kinetic[usize(i)].halfVelocity; }), g.electrons});
    rows.push_back({g.label, 0, 0, g.electrons, s.errors.binding(shells.back().binding) + mean([&](int i) {
                                                  return b.orderErrors[usize(i)];
                                                }),
                    s.errors.kinetic(shells.back().kinetic), nameOf(s.request.binding)});
  }
  if (s.request.experiment && !shells.empty()) {
    const auto outermost = std::ranges::min_element(shells, {}, &BinaryEncounterShell::binding);
    if (const auto measured = measuredIonisation(s.out)) {
      outermost->binding = *measured;
      BebRow& row = rows[usize(outermost - shells.begin())];
      row.source = "experiment";
      row.bindingError = kNan;
    } else {
      s.out.warnings.push_back(
          {"no_experiment", "has no known ionisation energy; B of its outermost shell is computed"});
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].binding = shells[i].binding * kElectronvoltsPerHartree;
    rows[i].kinetic = shells[i].kinetic * kElectronvoltsPerHartree;
    rows[i].bindingError *= kElectronvoltsPerHartree;
    rows[i].kineticError *= kElectronvoltsPerHartree;
  }
  s.out.tables.push_back(bebTable(rows));
  if (s.request.energies.size() == 0) return;
  std::vector<CrossSectionRow> sections;
  const double c = s.calculation.problem.hamiltonian.speedOfLight;
  constexpr double kSquare = kPerAngstrom * kPerAngstrom;
  for (const double electronvolts : s.request.energies) {
    CrossSectionRow& row = sections.emplace_back();
    row.energy = electronvolts;
    const double energy = electronvolts / kElectronvoltsPerHartree;
    for (std::size_t i = 0; i < shells.size(); ++i) {
      const BinaryEncounterShell& shell = shells[i];
      const auto both = [&](const BinaryEncounterShell& one) {
        return Eigen::Vector2d(kSquare * bebCrossSection(one, energy),
                               kSquare * relativisticBebCrossSection(one, energy, c));
      };
      const Eigen::Vector2d value = both(shell);
      // What comes of the largest errors of B and U, either of which shifts all shells alike.
      BinaryEncounterShell weaker = shell, faster = shell;
      if (rows[i].source != "experiment") weaker.binding -= rows[i].bindingError / kElectronvoltsPerHartree;
      faster.kinetic += s.errors.kinetic(shell.kinetic);
      const Eigen::Vector2d error = (both(weaker) - value).cwiseAbs() + (both(faster) - value).cwiseAbs();
      row.beb += value[0];
      row.relativistic += value[1];
      row.bebError += error[0];
      row.relativisticError += error[1];
    }
  }
  s.out.tables.push_back(crossSectionsTable(sections));
}

Json packedTable(const Table& t) {
  Json columns = Json::object();
  for (const Column& c : t.columns) {
    if (c.isText()) {
      columns[c.key] = c.texts();
      continue;
    }
    const Eigen::VectorXd& numbers = c.numbers();
    std::vector<std::uint8_t> bytes(sizeof(double) * usize(numbers.size()));
    if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
    columns[c.key] = Json::binary(std::move(bytes));
  }
  return columns;
}

Table unpackedTable(Table kind, const Json& columns) {
  kind.columns.erase(kind.columns.begin());  // the species
  for (Column& c : kind.columns) {
    const Json& values = columns.at(c.key);
    if (!values.is_binary()) {
      c.values = values.get<std::vector<std::string>>();
      continue;
    }
    const auto& bytes = values.get_binary();
    Eigen::VectorXd numbers(static_cast<Eigen::Index>(bytes.size() / sizeof(double)));
    if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
    c.values = std::move(numbers);
  }
  return kind;
}

std::vector<Table> kindsWithoutSpecies() {
  return {shellsTable({}),     momentsTable({}),    comptonTable({}), besselTable({}),       fitsTable({}),
          incoherentTable({}), formFactorTable({}), bebTable({}),     crossSectionsTable({})};
}

}  // namespace

std::vector<Table> tableKinds() {
  // What a request has to ask for so that CSV has the table.
  const std::map<std::string, std::string> kWith{{"shells", ""},
                                                 {"moments", "what moments"},
                                                 {"compton", "what compton"},
                                                 {"bessel", "what magnetic"},
                                                 {"fits", "fit"},
                                                 {"incoherent", "what incoherent"},
                                                 {"form_factors", "what formfactor"},
                                                 {"beb", "what beb"},
                                                 {"cross_sections", "impact"}};
  std::vector<Table> kinds = kindsWithoutSpecies();
  for (Table& t : kinds) {
    t.columns.insert(t.columns.begin(), Column{"species", "", std::vector<std::string>{}, "the atom or ion"});
    t.firstWith = kWith.at(t.key);
  }
  return kinds;
}

std::vector<std::string> tableKeys(const TablesRequest& r) {
  std::vector<std::string> keys;
  const auto add = [&](const char* key) {
    if (std::ranges::find(keys, key) == keys.end()) keys.emplace_back(key);
  };
  for (const TableTopic topic : r.what) {
    switch (topic) {
      case TableTopic::Binding:
      case TableTopic::Kinetic:
        add("shells");
        break;
      case TableTopic::Moments:
        add("moments");
        break;
      case TableTopic::Compton:
        add("compton");
        break;
      case TableTopic::Magnetic:
        add("bessel");
        if (r.fit > 0) add("fits");
        break;
      case TableTopic::Incoherent:
        add("incoherent");
        break;
      case TableTopic::XrayFactor:
        add("form_factors");
        break;
      case TableTopic::Beb:
        add("beb");
        if (r.energies.size() > 0) add("cross_sections");
        break;
    }
  }
  return keys;
}

Calculation calculationOf(const TablesRequest& r, const Species& species, const Execution& execution) {
  Job job = jobOf(r, species, r.atLimit(), execution.basisSets);
  Hamiltonian& h = job.hamiltonian;
  h.oneElectron = r.hamiltonian;
  h.repulsion = r.repulsion;
  if (r.qed) h.qed = {true, true, true, true, SelfEnergyFit::InnerShell};
  h.breitTreatment = h.qedTreatment = r.selfConsistent ? Treatment::SelfConsistent : Treatment::FirstOrder;
  Calculation calculation = resolve(job).calculation;
  if (!calculation.isLimit()) calculation.inBasis().keepSpinors = true;
  return calculation;
}

namespace {

/// Tables from a result with its spinors.
void addTables(const TablesRequest& r, const Calculation& calculation, const Result& result,
               const Execution& execution, SpeciesTables& out) {
  Phases phases;
  const SubshellFunctions functions =
      Phases::of(&phases, "functions", [&] { return SubshellFunctions(calculation.problem, result); });
  const TableErrors errors(r, out.charge, execution.basisSets);
  const Source s{r, calculation, result, functions, errors, out};
  out.electrons = functions.electrons();
  const bool energies =
      r.wants(TableTopic::Binding) || r.wants(TableTopic::Kinetic) || r.wants(TableTopic::Beb);
  Bindings bindings;
  std::vector<KineticEnergies> kinetic;
  if (energies || r.wants(TableTopic::Compton))
    Phases::of(&phases, "energies", [&] {
      if (energies)
        bindings = r.binding == BindingMethod::Koopmans ? koopmans(s, execution.checkpoint)
                                                        : deltaScf(s, execution.checkpoint);
      kinetic = kineticEnergies(functions);
    });
  const auto make = [&](const std::string& key) {
    if (key == "shells") addShells(s, bindings, kinetic);
    if (key == "moments") addMoments(s);
    if (key == "compton") addProfiles(s, kinetic);
    if (key == "bessel") addMagnetic(s);
    if (key == "incoherent") addIncoherent(s);
    if (key == "form_factors") addFormFactors(s);
    if (key == "beb") addBeb(s, bindings, kinetic);
  };
  for (const std::string& key : tableKeys(r)) {
    pass(execution.checkpoint);
    if (key != "fits" && key != "cross_sections") Phases::of(&phases, key.c_str(), [&] { make(key); });
  }
  for (auto& phase : phases.seconds()) out.phases.push_back(std::move(phase));
}

/// Runs a step; errors of the species become its status and reason: one species must not spoil the others.
template <class Step>
void alone(SpeciesTables& out, const Step& step) {
  try {
    step();
  } catch (const ResourceError&) {
    throw;
  } catch (const RequestErrors&) {
    throw;
  } catch (const Error& e) {
    out.status = Status::Failed;
    out.reason = e.what();
    out.tables.clear();
  }
}

}  // namespace

SpeciesTask speciesTask(const TablesRequest& request, const Species& named, const Execution& execution) {
  SpeciesTask task;
  SpeciesTables& out = task.tables;
  out.name = named.name.empty() ? ionName(named.z, named.charge) : named.name;
  out.z = named.z;
  out.charge = named.charge;
  out.configuration = named.configuration;
  alone(out, [&] {
    const Species species = withMoves(named, request.holes, request.promotions);
    if (species.z - species.charge < 1) throw Error("has no electrons, and so no bound shells");
    if (!species.name.empty()) out.name = species.name;
    out.charge = species.charge;
    const Calculation calculation = calculationOf(request, species, execution);
    out.configuration = calculation.problem.configuration.description;
    out.nucleus = calculation.problem.nucleus.description();
    out.basis = calculation.isLimit() ? "numerical limit" : calculation.inBasis().basis.description;
    if (const std::string remark = named.remark(); !remark.empty())
      out.warnings.push_back({"charge_from_configuration", remark});
    task.calculation = calculation;
  });
  return task;
}

SpeciesTables tablesOf(const TablesRequest& request, SpeciesTask task, const Result& result, double seconds,
                       const Execution& execution) {
  SpeciesTables& out = task.tables;
  alone(out, [&] {
    out.phases.emplace_back("field", seconds);
    out.status = result.status;
    out.reason = result.reason;
    if (!out.ok()) return;
    out.energy = result.energy.withCorrections();
    out.energyError = result.limit        ? result.limit->estimatedError
                      : result.basisError ? std::abs(result.basisError->value)
                                          : kNan;
    addTables(request, *task.calculation, result, execution, out);
  });
  return std::move(out);
}

SpeciesTables speciesTables(const TablesRequest& request, const Species& named, const Execution& execution) {
  SpeciesTask task = speciesTask(request, named, execution);
  if (!task.calculation) return std::move(task.tables);
  Result result;
  const Stopwatch watch;
  alone(task.tables, [&] {
    result = prophet::compute(*task.calculation, {1, nullptr, execution.checkpoint});
  });
  if (!task.tables.reason.empty()) return std::move(task.tables);
  return tablesOf(request, std::move(task), result, watch.seconds(), execution);
}

std::string packed(const SpeciesTables& t) {
  Json json{{"name", t.name},
            {"z", t.z},
            {"charge", t.charge},
            {"texts", {t.configuration, t.nucleus, t.basis, nameOf(t.status), t.reason}},
            {"numbers", {t.energy, t.energyError, t.electrons, t.slope}},
            {"phases", t.phases},
            {"warnings", Json::array()},
            {"tables", Json::object()}};
  for (const RecordWarning& w : t.warnings) json["warnings"].push_back({w.id, w.text});
  for (const Table& table : t.tables) json["tables"][table.key] = packedTable(table);
  const std::vector<std::uint8_t> bytes = Json::to_cbor(json);
  return {bytes.begin(), bytes.end()};
}

SpeciesTables unpacked(const std::string& bytes) {
  const Json json = Json::from_cbor(bytes.begin(), bytes.end());
  SpeciesTables t;
  t.name = json["name"];
  t.z = json["z"];
  t.charge = json["charge"];
  const auto texts = json["texts"].get<std::vector<std::string>>();
  t.configuration = texts[0];
  t.nucleus = texts[1];
  t.basis = texts[2];
  t.status = statusNamed(texts[3]);
  t.reason = texts[4];
  const auto numbers = json["numbers"].get<std::vector<double>>();
  t.energy = numbers[0];
  t.energyError = numbers[1];
  t.electrons = numbers[2];
  t.slope = numbers[3];
  json["phases"].get_to(t.phases);
  for (const Json& w : json["warnings"]) t.warnings.push_back({w[0], w[1]});
  const std::vector<Table> kinds = tableKinds();
  for (const auto& [key, columns] : json["tables"].items())
    for (const Table& kind : kinds)
      if (kind.key == key) t.tables.push_back(unpackedTable(kind, columns));
  return t;
}

std::vector<Table> joined(const TablesRequest& request, const std::vector<SpeciesTables>& all) {
  std::vector<Table> tables;
  const std::vector<Table> kinds = tableKinds();
  for (const std::string& key : tableKeys(request)) {
    Table table = *std::ranges::find(kinds, key, &Table::key);
    table.firstWith.clear();
    std::vector<std::string> species;
    std::vector<std::pair<const SpeciesTables*, const Table*>> parts;
    Eigen::Index rows = 0;
    for (const SpeciesTables& s : all)
      for (const Table& part : s.tables) {
        if (part.key != key) continue;
        parts.emplace_back(&s, &part);
        rows += part.rows();
        species.insert(species.end(), usize(part.rows()), s.name);
      }
    for (std::size_t c = 1; c < table.columns.size(); ++c) {
      Column& column = table.columns[c];
      if (column.isText()) {
        std::vector<std::string> texts;
        for (const auto& [s, part] : parts) {
          const auto& own = part->columns[c - 1].texts();
          texts.insert(texts.end(), own.begin(), own.end());
        }
        column.values = std::move(texts);
        continue;
      }
      Eigen::VectorXd numbers(rows);
      Eigen::Index at = 0;
      for (const auto& [s, part] : parts) {
        numbers.segment(at, part->rows()) = part->columns[c - 1].numbers();
        at += part->rows();
      }
      column.values = std::move(numbers);
    }
    table.columns.front().values = std::move(species);
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace prophet
