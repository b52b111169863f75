#include "service/json_lines.hpp"

#include <nlohmann/json.hpp>

namespace prophet {
namespace {

/// As the JSON of a single run has them (docs/json.md).
void addCorrections(const EnergyOutcome& outcome, nlohmann::ordered_json& json) {
  const std::vector<EnergyCorrection> corrections = outcome.corrections();
  for (const EnergyCorrection& part : corrections)
    json[part.kind == CorrectionKind::Breit ? "breit" : "qed"] =
        part.selfConsistent ? "self-consistent" : "first order";
  for (const EnergyCorrection& part : corrections) json[part.key()] = part.value;
  if (!corrections.empty())
    json["total_with_corrections"] = outcome.energy.total + firstOrderSum(corrections);
}

}  // namespace

std::string jsonLine(const EnergyOutcome& outcome) {
  nlohmann::ordered_json json;
  json["id"] = outcome.id;
  json["status"] = nameOf(outcome.status);
  if (!outcome.reason.empty()) json["reason"] = outcome.reason;
  if (outcome.status != EnergyStatus::Failed) {
    json["energy"] = outcome.energy.total;
    json["kinetic"] = outcome.energy.kinetic;
    json["nuclear"] = outcome.energy.nuclear;
    json["two_electron"] = outcome.energy.twoElectron;
    addCorrections(outcome, json);
    json["virial_ratio"] = outcome.virialRatio;
    json["iterations"] = outcome.iterations;
    for (const OrbitalEnergies& s : outcome.orbitals)
      json["orbital_energies"][s.symmetry.label()] = s.energies;
  }
  if (!outcome.remark.empty()) json["remark"] = outcome.remark;
  // A reason may quote text of an input file that is not UTF-8: replaced rather than thrown at.
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace prophet
