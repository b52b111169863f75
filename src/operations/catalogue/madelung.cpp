#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/text.hpp"
#include "matter/madelung/charged_cell.hpp"
#include "matter/madelung/direct_ewald.hpp"
#include "matter/madelung/spme.hpp"
#include "matter/structure/structure.hpp"
#include "operations/catalogue/catalogue.hpp"

namespace prophet {
namespace {

using constants::kAngstromsPerBohr;

/// Up to so many sites Ewald's sum takes no longer than a mesh.
constexpr Eigen::Index kFewSites = 512;
/// Parts of the potentials by which an estimated error leaves no digit right; and factor by which estimates
/// miss.
constexpr double kUseless = 0.03, kMissed = 3;
/// 1 hartree/bohr^3, CODATA 2022.
constexpr double kGigapascals = 29421.015697;

enum class Method { Automatic, Ewald, Spread, Gather, Filter };

struct MadelungRequest {
  std::string file;
  ChargeSource charges;
  Method method = Method::Automatic;
  double tolerance = 1e-8;
  std::optional<int> order;
  std::optional<MeshSize> mesh;
  std::optional<double> beta, cutoff;  ///< 1/angstrom, angstrom
  bool background = false;
  bool meshAsked = false;  ///< some setting of a particle mesh is given
};

/// {"Na": 1} or the texts of parseChargeSource.
ChargeSource chargesOf(const Json& value) {
  if (value.is_string()) return parseChargeSource(value.get<std::string>());
  if (!value.is_object())
    throw Error("found " + value.dump() + "; expected charges by kind, column or oxidation");
  std::string text;
  for (const auto& [kind, charge] : value.items())
    text += (text.empty() ? "" : ",") + kind + "=" + charge.dump();
  return parseChargeSource(text);
}

/// "72", "72,80,96", 72, [72, 80, 96].
MeshSize meshOf(const Json& value) {
  constexpr const char* kExpected = "one number of points or three, whole numbers from 5 to 4096";
  std::vector<double> points;
  if (value.is_string()) {
    for (const std::string& word : split(value.get<std::string>(), ','))
      points.push_back(parseDouble(trimmed(word)).value_or(0));
  } else if (value.is_number()) {
    points = {value.get<double>()};
  } else if (value.is_array()) {
    for (const Json& item : value) points.push_back(item.is_number() ? item.get<double>() : 0);
  }
  const auto fits = [](double n) { return n >= 5 && n <= 4096 && n == std::floor(n); };
  if ((points.size() != 1 && points.size() != 3) || !std::all_of(points.begin(), points.end(), fits))
    throw Error("found " + value.dump() + "; expected " + kExpected);
  MeshSize mesh{};
  for (std::size_t d = 0; d < 3; ++d) mesh[d] = static_cast<int>(points[points.size() == 1 ? 0 : d]);
  return mesh;
}

RequestTable<MadelungRequest> madelungTable() {
  using R = MadelungRequest;
  RequestTable<R> t;
  const std::vector<std::string> meshSettings = {"order", "mesh", "beta", "cutoff", "tolerance"};
  t.add("file", &R::file, "a crystal or periodic box (.cif; extended XYZ with Lattice=)")
      .called("FILE")
      .asWord();
  t.add("charges", ValueType::Any,
        "a list such as Na=1,Cl=-1 (e), column (charge of extended XYZ) or oxidation (the ions' names)",
        [](R& r, const Json& v) { r.charges = chargesOf(v); })
      .called("LIST")
      .byDefault("the column if there is one, otherwise oxidation");
  t.add("method", &R::method,
        Names<Method>{{"ewald", Method::Ewald},
                      {"spread", Method::Spread},
                      {"gather", Method::Gather},
                      {"filter", Method::Filter}},
        "Ewald's sum, or a particle mesh with one of three assignments of the charges")
      .byDefault("ewald up to 512 sites, otherwise spread");
  t.add("tolerance", &R::tolerance,
        "error of the potentials of a particle mesh relative to their root mean square")
      .from(1e-13, 0.1)
      .byDefault("1e-8");
  t.add("order", &R::order, "order of the B-splines of the mesh").from(4, 12).byDefault("from the tolerance");
  t.add("mesh", ValueType::Any, "points of the mesh along a, b and c, 72 or 72,80,96",
        [](R& r, const Json& v) { r.mesh = meshOf(v); })
      .called("POINTS")
      .byDefault("from the tolerance");
  t.add("beta", &R::beta, "splitting parameter of the mesh")
      .in("1/angstrom")
      .above(0, 1e4)
      .byDefault("from the tolerance");
  t.add("cutoff", &R::cutoff, "cutoff of the sum over pairs")
      .in("angstrom")
      .above(0, 1e4)
      .byDefault("from the tolerance");
  t.add("background", &R::background,
        "compensate a net charge by a uniform background instead of refusing it");
  t.afterwards([](const R& r) {
    if (!r.mesh || !r.order) return;
    for (const int points : *r.mesh)
      if (points <= *r.order) throw SettingError("mesh", "needs more points along each axis than order");
  });
  return t;
}

SpmeRequest spmeRequestOf(const MadelungRequest& r) {
  SpmeRequest s;
  if (r.method == Method::Gather) s.assignment = Assignment::Gather;
  if (r.method == Method::Filter) s.assignment = Assignment::Filter;
  s.tolerance = r.tolerance;
  s.order = r.order;
  s.mesh = r.mesh;
  if (r.beta) s.beta = *r.beta * kAngstromsPerBohr;
  if (r.cutoff) s.cutoff = *r.cutoff / kAngstromsPerBohr;
  return s;
}

/// Refuses parameters with which the sums mean nothing, and warns of those that miss the tolerance.
void judge(const SpmeErrors& errors, const MadelungRequest& request, Record& record) {
  const double error = errors.all();
  if (!(error < std::max(kUseless, kMissed * request.tolerance)))
    throw Error(fmt::format(
        "with this splitting, cutoff, mesh and order the estimated error is {:.2g} of the potentials; omit "
        "beta, cutoff, mesh or order so that the program chooses them from the tolerance",
        error));
  if (error > kMissed * request.tolerance)
    record.warn(
        "tolerance_missed",
        fmt::format("the estimated error is {:.1e} of the potentials, above the tolerance of {:g}: it "
                    "comes from the given splitting, cutoff, mesh or order",
                    error, request.tolerance));
}

/// By particle mesh, or by Ewald's sum.
bool onMesh(const MadelungRequest& r, const Execution& execution, const ChargedCell& cell) {
  const bool asked = r.order || r.mesh || r.beta || r.cutoff || r.tolerance != MadelungRequest{}.tolerance;
  if (r.method == Method::Ewald) {
    if (asked)
      throw SettingError("method", "ewald is exact and takes no order, mesh, beta, cutoff or tolerance");
    if (execution.backend == BackendRequest::Cuda)
      throw SettingError("method",
                         "ewald is computed on the CPU; with backend cuda, take spread, gather or filter");
    return false;
  }
  return r.method != Method::Automatic || asked || execution.backend == BackendRequest::Cuda ||
         cell.sites() > kFewSites;
}

void addParameters(const SpmeParameters& p, const SpmeErrors& errors, Record& record) {
  record.quantities.push_back({"method", "method", nameOf(p.assignment),
                               fmt::format("particle mesh ({}), order {}, {} x {} x {} points",
                                           nameOf(p.assignment), p.order, p.mesh[0], p.mesh[1], p.mesh[2])});
  const double beta = p.beta / kAngstromsPerBohr, cutoff = p.cutoff * kAngstromsPerBohr;
  record.quantities.push_back({"parameters",
                               "splitting, cutoff, error",
                               {{"order", p.order},
                                {"mesh", p.mesh},
                                {"beta_per_angstrom", beta},
                                {"cutoff_angstrom", cutoff},
                                {"estimated_error_pairs", errors.pairs},
                                {"estimated_error_mesh", errors.mesh}},
                               fmt::format("{:.6f} 1/angstrom, {:.4f} angstrom, {:.1e} of the potentials",
                                           beta, cutoff, errors.all())});
}

Table sitesOf(const ChargedStructure& s, const Electrostatics& sums) {
  Table table{"sites", {}, Table::Layout::Rows, {"", "{:.4f}", "{:.12f}", "{:.3e}", "-"}};
  table.columns = {{"label", "", s.labels, "site"},
                   {"charge", "e", s.cell.charges},
                   {"potential", "hartree/e", sums.potentials},
                   {"field", "hartree/(e bohr)", Eigen::MatrixX3d(sums.fields.transpose())},
                   {"force", "hartree/bohr", Eigen::MatrixX3d(sums.forces(s.cell.charges).transpose())}};
  return table;
}

Json matrixJson(const Eigen::Matrix3d& m) {
  Json rows = Json::array();
  for (int i = 0; i < 3; ++i) rows.push_back({m(i, 0), m(i, 1), m(i, 2)});
  return rows;
}

void addResults(const ChargedStructure& s, const Electrostatics& sums, Record& record) {
  const ChargedCell& cell = s.cell;
  const auto add = [&](const char* key, const char* label, Json value, const std::string& shown) {
    record.quantities.push_back({key, label, std::move(value), shown});
  };
  const double volume = cell.volume() * std::pow(kAngstromsPerBohr, 3);
  const double nearest = nearestDistance(cell) * kAngstromsPerBohr, pressure = sums.pressure(cell.volume());
  add("site_count", "sites", cell.sites(), fmt::format("{} in {:.6f} angstrom^3", cell.sites(), volume));
  add("volume_angstrom3", "volume", volume, "");
  add("energy_hartree", "energy of a cell", sums.energy, fmt::format("{:.12f} hartree", sums.energy));
  add("nearest_distance_angstrom", "nearest distance", nearest, fmt::format("{:.8f} angstrom", nearest));
  const bool neutral = std::abs(cell.charges.sum()) < 1e-6 * cell.charges.cwiseAbs().sum();
  const std::optional<double> constant =
      neutral ? std::optional<double>(madelungConstant(cell, s.kinds, sums.energy)) : std::nullopt;
  const double unit = commonCharge(cell.charges);
  add("madelung_constant", "Madelung constant", constant ? Json(*constant) : Json(),
      constant ? fmt::format("{:.13f} (of a formula unit, nearest distance, charges in units of {:g} e)",
                             *constant, unit)
               : "");
  add("unit_charge", "unit of the charges", unit, "");
  add("pressure_hartree_per_bohr3", "pressure", pressure,
      fmt::format("{:.9e} hartree/bohr^3 = {:.4f} GPa", pressure, pressure * kGigapascals));
  add("virial_hartree", "virial", matrixJson(sums.virial), "");
}

Record madelung(const MadelungRequest& request, const Execution& execution) {
  const Stopwatch watch;
  Record record;
  if (request.file.empty() && !execution.atoms)
    throw SettingError("file", "is missing; expected a file of atoms");
  const std::string name = request.file.empty() ? "the atoms" : request.file;
  const Structure structure = request.file.empty() ? *execution.atoms : readStructure(request.file);
  record.title = "Charges of " + name;
  record.quantities.push_back({"file", "file", request.file.empty() ? Json() : Json(request.file)});
  record.warn("structure", structure.warnings);
  try {
    const ChargedStructure charged = chargedStructure(structure, request.charges);
    const ChargedCell& cell = charged.cell;
    const NetCharge net = request.background ? NetCharge::Background : NetCharge::Refused;
    Electrostatics sums;
    if (onMesh(request, execution, cell)) {
      check(cell, net);
      const SpmeParameters parameters = chosenParameters(cell, spmeRequestOf(request));
      const SpmeErrors errors = estimatedErrors(cell, parameters);
      judge(errors, request, record);
      const auto engine = openSpmeEngine(execution, secondsOnProcessor(cell, parameters));
      sums = engine->compute(cell, parameters, nullptr);
      record.device = engine.device();
      addParameters(parameters, errors, record);
    } else {
      const int threads = execution.threadsOrAll();
      sums = directEwald(cell, net, threads);
      record.device = fmt::format("CPU, {} {}", threads, threads == 1 ? "thread" : "threads");
      record.quantities.push_back({"method", "method", "ewald", "Ewald's sum, to rounding"});
    }
    addResults(charged, sums, record);
    record.tables.push_back(sitesOf(charged, sums));
  } catch (const RequestErrors&) {
    throw;
  } catch (const Error& e) {
    throw Error(name + ": " + e.what());
  }
  record.seconds = watch.seconds();
  return record;
}

}  // namespace

Operation madelungOperation() {
  Operation o;
  o.name = "madelung";
  o.summary = "energy, potential and forces of the charges of a crystal";
  o.description =
      "Energy, potentials, fields, forces and pressure of the point charges of a crystal or a periodic box "
      "(.cif; extended XYZ with Lattice=), and its Madelung constant.";
  o.example = "madelung nacl.cif --charges Na=1,Cl=-1";
  o.onGpus = o.takesAtoms = true;
  o.table = "site, charge, potential, fields and forces";
  return operationOf(std::move(o), madelungTable(), madelung);
}

}  // namespace prophet
