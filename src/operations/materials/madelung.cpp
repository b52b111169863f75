#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/common/constants.hpp"
#include "core/common/stopwatch.hpp"
#include "core/common/text.hpp"
#include "matter/madelung/charge_sums.hpp"
#include "matter/madelung/charged_cell.hpp"
#include "matter/madelung/direct_ewald.hpp"
#include "matter/madelung/spme.hpp"
#include "matter/structure/structure.hpp"
#include "operations/catalogue/catalogue.hpp"
#include "operations/materials/many_atoms.hpp"

namespace prophet {
namespace {

using constants::kAngstromsPerBohr;

/// 1 hartree/bohr^3, CODATA 2022.
constexpr double kGigapascals = 29421.015697;

enum class Method { Automatic, Ewald, Spread, Gather, Filter };

struct MadelungRequest {
  std::string file, block;
  ChargeSource charges;
  Method method = Method::Automatic;
  double tolerance = 1e-8;
  std::optional<int> order;
  std::optional<MeshSize> mesh;
  std::optional<double> beta, cutoff;  ///< 1/angstrom, angstrom
  ChargePrecision precision = ChargePrecision::Double;
  bool background = false;
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
  t.add("file", &R::file,
        "a crystal or periodic box (.cif; extended XYZ with Lattice=); of several frames all are computed")
      .called("FILE")
      .asWord();
  t.add("block", &R::block, kBlockHelp).called("NAME").onlyWith({"file"});
  t.add("charges", ValueType::Any,
        "a list such as Na=1,Cl=-1 (e), column (charge, charges or initial_charges of extended XYZ, "
        "_atom_site_charge of CIF) or oxidation (ions)",
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
  t.add("precision", &R::precision, prophet::namesOf<ChargePrecision>(),
        "of a particle mesh on the processor; mixed is faster and good to 1e-6 of the potentials")
      .byDefault("double");
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
  s.precision = r.precision;
  if (r.beta) s.beta = *r.beta * kAngstromsPerBohr;
  if (r.cutoff) s.cutoff = *r.cutoff / kAngstromsPerBohr;
  return s;
}

/// Warns of parameters that miss the tolerance.
void judge(const SpmeErrors& errors, const MadelungRequest& request, Record& record) {
  const double error = errors.all();
  if (error > kErrorsMiss * request.tolerance)
    record.warn(
        "tolerance_missed",
        fmt::format("the estimated error is {:.1e} of the potentials, above the tolerance of {:g}: it "
                    "comes from the given splitting, cutoff, mesh or order",
                    error, request.tolerance));
}

/// Whether the sum is that of a particle mesh; else it is Ewald's.
bool onMesh(const MadelungRequest& r, const Execution& execution, const ChargedCell& cell) {
  const bool asked = r.order || r.mesh || r.beta || r.cutoff || r.tolerance != MadelungRequest{}.tolerance ||
                     r.precision != ChargePrecision::Double;
  const bool onGpu = execution.backend != BackendRequest::Cpu && !execution.decides();
  if (r.method == Method::Ewald) {
    if (asked)
      throw SettingError("method",
                         "ewald is exact and takes no order, mesh, beta, cutoff, tolerance or precision");
    if (onGpu)
      throw SettingError("method", "ewald is computed on the CPU; for a GPU take spread, gather or filter");
    return false;
  }
  return r.method != Method::Automatic || asked || onGpu || cell.sites() > kFewSites;
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

/// A frame with its sums.
struct SummedFrame {
  ChargedStructure charged;
  Electrostatics sums;
  double nearest;  ///< angstrom
};

double pressureOf(const SummedFrame& f) { return f.sums.pressure(f.charged.cell.volume()); }

/// One column after the other from the sites of all frames.
template <class Values>
Eigen::MatrixXd sitesOfAll(const std::vector<SummedFrame>& frames, Eigen::Index width, Values values) {
  Eigen::Index rows = 0, at = 0;
  for (const SummedFrame& f : frames) rows += f.charged.cell.sites();
  Eigen::MatrixXd all(rows, width);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const Eigen::Index sites = frames[k].charged.cell.sites();
    all.middleRows(at, sites) = values(frames[k], k);
    at += sites;
  }
  return all;
}

Table sitesOf(const std::vector<SummedFrame>& frames) {
  using F = const SummedFrame&;
  Table table{"sites", {}, Table::Layout::Rows};
  std::vector<std::string> labels;
  for (const SummedFrame& f : frames)
    labels.insert(labels.end(), f.charged.labels.begin(), f.charged.labels.end());
  const auto numbers = [&](auto values) { return Eigen::VectorXd(sitesOfAll(frames, 1, values).col(0)); };
  const auto vectors = [&](auto values) { return Eigen::MatrixX3d(sitesOfAll(frames, 3, values)); };
  table.columns = {
      {"label", "", labels, "label of the site in the file", "", "site"},
      {"charge", "e", numbers([](F f, std::size_t) { return Eigen::MatrixXd(f.charged.cell.charges); }),
       "charge", "{:.4f}"},
      {"potential", "hartree/e", numbers([](F f, std::size_t) { return Eigen::MatrixXd(f.sums.potentials); }),
       "potential of the other charges", "{:.12f}"},
      {"field", "hartree/(e bohr)",
       vectors([](F f, std::size_t) { return Eigen::MatrixXd(f.sums.fields.transpose()); }),
       "electric field, three components", "{:.3e}"},
      {"force", "hartree/bohr", vectors([](F f, std::size_t) {
         return Eigen::MatrixXd(f.sums.forces(f.charged.cell.charges).transpose());
       }),
       "force, three components", "-"},
      {"frame", "1", numbers([](F f, std::size_t k) {
         return Eigen::MatrixXd(
             Eigen::VectorXd::Constant(f.charged.cell.sites(), static_cast<double>(k) + 1));
       }),
       "number of the frame, from 1", "-"}};
  table.columns.back().whole = true;
  return table;
}

Table energiesOf(const std::vector<SummedFrame>& frames) {
  const auto count = static_cast<Eigen::Index>(frames.size());
  Eigen::VectorXd energies(count), pressures(count), nearest(count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const SummedFrame& f = frames[static_cast<std::size_t>(k)];
    energies(k) = f.sums.energy;
    pressures(k) = pressureOf(f);
    nearest(k) = f.nearest;
  }
  Table table{"energies", {}, Table::Layout::Rows};
  table.columns = {
      {"frame", "1", Eigen::VectorXd(Eigen::VectorXd::LinSpaced(count, 1, static_cast<double>(count))),
       "number of the frame, from 1"},
      {"energy_of_frame", "hartree", energies, "electrostatic energy of its cell", "{:.12f}", "energy"},
      {"pressure_of_frame", "hartree/bohr^3", pressures, "electrostatic pressure", "{:.6e}", "pressure"},
      {"nearest_distance_of_frame", "angstrom", nearest, "shortest distance between two sites", "{:.6f}",
       "nearest distance"}};
  table.columns.front().whole = true;
  if (count == 1) table.mostRows = 0;  // the report has it
  return table;
}

Json matrixJson(const Eigen::Matrix3d& m) {
  Json rows = Json::array();
  for (int i = 0; i < 3; ++i) rows.push_back({m(i, 0), m(i, 1), m(i, 2)});
  return rows;
}

/// Puts the results of the first frame into the record.
void addResults(const SummedFrame& frame, std::size_t frames, Record& record) {
  const ChargedStructure& s = frame.charged;
  const Electrostatics& sums = frame.sums;
  const ChargedCell& cell = s.cell;
  using Place = Quantity::Place;
  const auto add = [&](const char* key, const char* label, Json value, const std::string& shown,
                       Place place = Place::Body) {
    record.quantities.push_back({key, label, std::move(value), shown, place});
  };
  const double volume = cell.volume() * std::pow(kAngstromsPerBohr, 3);
  const double nearest = frame.nearest, pressure = pressureOf(frame);
  add("frames", frames > 1 ? "frames" : "", frames,
      frames > 1 ? fmt::format("{}, of which the following lines are about the first", frames) : "");
  add("site_count", "sites", cell.sites(), fmt::format("{} in {:.6f} angstrom^3", cell.sites(), volume));
  add("volume_angstrom3", "volume", volume, "");
  add("energy_hartree", "energy of a cell", sums.energy, fmt::format("{:.12f} hartree", sums.energy),
      Place::Result);
  add("nearest_distance_angstrom", "nearest distance", nearest, fmt::format("{:.8f} angstrom", nearest));
  const std::optional<double> constant =
      isNeutral(cell) ? std::optional<double>(madelungConstant(cell, s.kinds, sums.energy)) : std::nullopt;
  const double unit = commonCharge(cell.charges);
  add("madelung_constant", "Madelung constant", constant ? Json(*constant) : Json(),
      constant ? fmt::format("{:.13f} (of a formula unit, nearest distance, charges in units of {:g} e)",
                             *constant, unit)
               : "",
      Place::Result);
  add("unit_charge", "unit of the charges", unit, "");
  add("pressure_hartree_per_bohr3", "pressure", pressure,
      fmt::format("{:.9e} hartree/bohr^3 = {:.4f} GPa", pressure, pressure * kGigapascals));
  add("virial_hartree", "virial", matrixJson(sums.virial), "");
}

/// Sums over one frame after the other; what the first one decides holds for all of the same cell.
class ChargesOfFrames {
 public:
  ChargesOfFrames(const MadelungRequest& request, const Execution& execution, Record& record)
      : request_(request), execution_(execution), record_(record) {}

  SummedFrame of(const Structure& structure) {
    SummedFrame frame{chargedStructure(structure, request_.charges), {}, 0};
    const ChargedCell& cell = frame.charged.cell;
    checkCharges(cell, net());
    if (!begun_) mesh_ = onMesh(request_, execution_, cell);
    frame.sums = mesh_ ? byMesh(cell) : byEwald(cell);
    frame.nearest = (mesh_ ? *frame.sums.nearest : nearestDistance(cell)) * kAngstromsPerBohr;
    begun_ = true;
    return frame;
  }

 private:
  NetCharge net() const { return request_.background ? NetCharge::Background : NetCharge::Refused; }

  Electrostatics byEwald(const ChargedCell& cell) {
    const int threads = execution_.threadsOrAll();
    if (!begun_) {
      record_.device = fmt::format("CPU, {} {}", threads, threads == 1 ? "thread" : "threads");
      record_.quantities.push_back({"method", "method", "ewald", "Ewald's sum, to rounding"});
    }
    return directEwald(cell, net(), threads);
  }

  Electrostatics byMesh(const ChargedCell& cell) {
    if (!begun_ || vectors_ != cell.vectors || sites_ != cell.sites()) {
      parameters_ = chosenParameters(cell, spmeRequestOf(request_));
      const SpmeErrors errors = estimatedErrors(cell, parameters_);
      requireUseful(errors, request_.tolerance);
      if (!begun_) {
        judge(errors, request_, record_);
        engine_ = openEngine<SpmeEngine>(execution_, secondsOnProcessor(cell, parameters_) > kGpuStart);
        addParameters(parameters_, errors, record_);
      }
      vectors_ = cell.vectors;
      sites_ = cell.sites();
    }
    Electrostatics sums = sumsOfMesh(*engine_, cell, parameters_);
    record_.device = engine_.device();
    return sums;
  }

  const MadelungRequest& request_;
  const Execution& execution_;
  Record& record_;
  bool begun_ = false, mesh_ = false;
  Opened<SpmeEngine> engine_;
  SpmeParameters parameters_;
  Eigen::Matrix3d vectors_ = Eigen::Matrix3d::Zero();
  Eigen::Index sites_ = 0;
};

Record madelung(const MadelungRequest& request, const Execution& execution) {
  const Stopwatch watch;
  Record record;
  AtomFrames input(request.file, request.block, execution);
  record.title = "Charges of " + input.name();
  record.quantities.push_back({"file", "file", request.file.empty() ? Json() : Json(request.file)});
  ChargesOfFrames sums(request, execution, record);
  std::vector<SummedFrame> frames;
  std::vector<std::string> warnings;
  while (const auto structure = input.next()) {
    addWarnings(warnings, structure->warnings);
    try {
      frames.push_back(sums.of(*structure));
    } catch (const RequestErrors&) {
      throw;
    } catch (const Error& e) {
      const std::string which = frames.empty() ? "" : fmt::format(", frame {}", frames.size() + 1);
      throw Error(input.name() + which + ": " + e.what());
    }
    execution.show({"frames", frames.size(), 0});
  }
  record.warn("structure", warnings);
  if (request.background &&
      std::ranges::all_of(frames, [](const SummedFrame& f) { return isNeutral(f.charged.cell); }))
    record.warn("no_background",
                "every cell is neutral: there is no background, and background= changes nothing");
  addResults(frames.front(), frames.size(), record);
  record.tables.push_back(sitesOf(frames));
  record.tables.push_back(energiesOf(frames));
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
  o.tables = [] { return std::vector{sitesOf({}), energiesOf({})}; };
  return operationOf(std::move(o), madelungTable(), madelung);
}

}  // namespace prophet
