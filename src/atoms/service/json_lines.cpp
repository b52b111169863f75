#include "atoms/service/json_lines.hpp"

#include <nlohmann/json.hpp>

#include "atoms/calculation/problem_json.hpp"
#include "core/common/json_text.hpp"

namespace prophet {
namespace {

/// As the JSON of a single run has them (docs/json.md).
void addCorrections(const EnergyBreakdown& energy, nlohmann::ordered_json& json) {
  const std::vector<EnergyPart> corrections = correctionsOf(energy);
  for (const EnergyPart& part : corrections)
    json[isBreit(part.id) ? "breit" : "qed"] =
        part.treatment == Treatment::SelfConsistent ? "self-consistent" : "first order";
  json["total_with_corrections"] = energy.withCorrections();
}

/// Lists for each symmetry, one entry for each of its spinors.
void addSpinors(const std::vector<Spinor>& spinors, nlohmann::ordered_json& json) {
  for (const Spinor& s : spinors) json["orbital_energies"][s.symmetry.label()].push_back(s.energy);
  for (const Spinor& s : spinors) json["labels"][s.symmetry.label()].push_back(s.label());
  for (const Spinor& s : spinors) json["occupations"][s.symmetry.label()].push_back(s.occupation);
  for (const Spinor& s : spinors) {
    if (s.meanRadius) json["mean_radii"][s.symmetry.label()].push_back(*s.meanRadius);
  }
}

}  // namespace

std::string jsonLine(const std::string& id, const Result& result, const nlohmann::ordered_json& job) {
  nlohmann::ordered_json json;
  json["id"] = id;
  json["status"] = nameOf(result.status);
  if (!result.reason.empty()) json["reason"] = result.reason;
  json["schema_version"] = kJsonLinesSchema;
  json.update(job);
  if (result.status != Status::Failed) {
    json["energy"] = result.energy.total;
    json["converged"] = result.ok();
    for (const EnergyPart& part : result.energy.parts) json[keyOf(part.id)] = part.value;
    for (const EnergyPart& part : result.energy.parts) json["energy_parts"][keyOf(part.id)] = part.value;
    addCorrections(result.energy, json);
    json["virial_ratio"] = result.virialRatio;
    json["iterations"] = result.iterations;
    if (const auto error = errorEstimate(result)) json["error_estimate"] = *error;
    if (result.basisError) {
      json["basis_error_estimate"] = result.basisError->value;
      json["basis"]["error_estimate"] = result.basisError->value;
      json["basis"]["error_known"] = result.basisError->known;
      json["basis"]["prolapse_estimate"] = result.basisError->prolapse;
    }
    if (result.limit && result.status != Status::Unbound)
      json["estimated_error"] = result.limit->estimatedError;
    addSpinors(result.spinors, json);
  }
  for (const Warning& w : result.warnings) json["warnings"].push_back({{"id", w.id}, {"text", w.text}});
  if (!result.provenance.remark.empty()) json["remark"] = result.provenance.remark;
  return jsonText(json) + "\n";
}

}  // namespace prophet
