#include "app/madelung_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/constants.hpp"
#include "common/json_text.hpp"
#include "common/utf8.hpp"
#include "common/version.hpp"
#include "madelung/madelung_constant.hpp"

namespace prophet {
namespace {

using constants::kAngstromsPerBohr;
using Json = nlohmann::ordered_json;

/// 1 hartree/bohr^3, CODATA 2022.
constexpr double kGigapascals = 29421.015697;

std::string methodName(const MadelungResult& r) {
  return r.parameters ? nameOf(r.parameters->assignment) : "ewald";
}

std::string parametersText(const MadelungResult& r) {
  if (!r.parameters) return "  method                 Ewald's sum, to rounding\n";
  const SpmeParameters& p = *r.parameters;
  const SpmeErrors errors = estimatedErrors(r.structure.cell, p);
  return fmt::format(
      "  method                 particle mesh ({}), order {}, {} x {} x {} points\n"
      "  splitting, cutoff      {:.6f} 1/angstrom, {:.4f} angstrom\n"
      "  estimated error        {:.1e} of the potentials (pairs {:.1e}, mesh {:.1e})\n",
      nameOf(p.assignment), p.order, p.mesh[0], p.mesh[1], p.mesh[2], p.beta / kAngstromsPerBohr,
      p.cutoff * kAngstromsPerBohr, errors.all(), errors.pairs, errors.mesh);
}

Json vectorJson(const Eigen::Vector3d& v) { return Json::array({v(0), v(1), v(2)}); }

Json parametersJson(const MadelungResult& r) {
  const SpmeParameters& p = *r.parameters;
  const SpmeErrors errors = estimatedErrors(r.structure.cell, p);
  return {{"order", p.order},
          {"mesh", p.mesh},
          {"beta_per_angstrom", p.beta / kAngstromsPerBohr},
          {"cutoff_angstrom", p.cutoff * kAngstromsPerBohr},
          {"estimated_error_pairs", errors.pairs},
          {"estimated_error_mesh", errors.mesh}};
}

}  // namespace

std::string madelungText(const MadelungResult& r) {
  constexpr Eigen::Index kMostRows = 24;
  const ChargedCell& cell = r.structure.cell;
  const double pressure = r.sums.pressure(cell.volume());
  std::string text = fmt::format("Charges of {}\n\n", r.file);
  text += fmt::format("  sites                  {} in {:.6f} angstrom^3\n", cell.sites(),
                      cell.volume() * std::pow(kAngstromsPerBohr, 3));
  text += parametersText(r);
  text += fmt::format("  computed on            {}{}\n", r.device, r.note.empty() ? "" : " (" + r.note + ")");
  text += fmt::format("  energy of a cell       {:.12f} hartree\n", r.sums.energy);
  text += fmt::format("  nearest distance       {:.8f} angstrom\n", r.nearest * kAngstromsPerBohr);
  if (r.constant) {
    text += fmt::format(
        "  Madelung constant      {:.13f} (of a formula unit, nearest distance, charges in units of {:g} "
        "e)\n",
        *r.constant, commonCharge(cell.charges));
  }
  text += fmt::format("  pressure               {:.9e} hartree/bohr^3 = {:.4f} GPa\n\n", pressure,
                      pressure * kGigapascals);
  text += "  site        charge   potential (hartree/e)   field x, y, z (hartree/(e bohr))\n";
  for (Eigen::Index i = 0; i < std::min(cell.sites(), kMostRows); ++i) {
    const Eigen::Vector3d field = r.sums.fields.col(i);
    text += fmt::format("  {:<8} {:>9.4f} {:>21.12f}   {:>13.6e} {:>13.6e} {:>13.6e}\n",
                        r.structure.labels[static_cast<std::size_t>(i)], cell.charges(i),
                        r.sums.potentials(i), field(0), field(1), field(2));
  }
  if (cell.sites() > kMostRows)
    text += fmt::format("  ... and {} more (--json has all)\n", cell.sites() - kMostRows);
  return text;
}

std::string madelungJson(const MadelungResult& r) {
  const ChargedCell& cell = r.structure.cell;
  Json json;
  json["program"] = fmt::format("cudaprophet {}", kVersion);
  json["file"] = utf8(r.file);
  json["method"] = methodName(r);
  json["device"] = r.device;
  if (r.parameters) json["parameters"] = parametersJson(r);
  json["warnings"] = r.warnings;
  json["energy_hartree"] = r.sums.energy;
  json["madelung_constant"] = r.constant ? Json(*r.constant) : Json();
  json["nearest_distance_angstrom"] = r.nearest * kAngstromsPerBohr;
  json["unit_charge"] = commonCharge(cell.charges);
  json["volume_angstrom3"] = cell.volume() * std::pow(kAngstromsPerBohr, 3);
  json["pressure_hartree_per_bohr3"] = r.sums.pressure(cell.volume());
  for (int row = 0; row < 3; ++row)
    json["virial_hartree"].push_back(vectorJson(r.sums.virial.row(row).transpose()));
  const Eigen::Matrix3Xd forces = r.sums.forces(cell.charges);
  json["sites"] = Json::array();
  for (Eigen::Index i = 0; i < cell.sites(); ++i) {
    Json site;
    site["label"] = r.structure.labels[static_cast<std::size_t>(i)];
    site["charge"] = cell.charges(i);
    site["potential"] = r.sums.potentials(i);
    site["field"] = vectorJson(r.sums.fields.col(i));
    site["force"] = vectorJson(forces.col(i));
    json["sites"].push_back(std::move(site));
  }
  return jsonText(json, cell.sites() > 1000 ? -1 : 2) + "\n";
}

}  // namespace prophet
