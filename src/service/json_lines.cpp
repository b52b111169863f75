#include "service/json_lines.hpp"

#include <nlohmann/json.hpp>

namespace prophet {
namespace {

/// As the JSON of a single run has them (docs/json.md).
void addCorrections(const EnergyBreakdown& energy, nlohmann::ordered_json& json) {
  const std::vector<EnergyPart> corrections = correctionsOf(energy);
  for (const EnergyPart& part : corrections)
    json[isBreit(part.id) ? "breit" : "qed"] =
        part.treatment == Treatment::SelfConsistent ? "self-consistent" : "first order";
  if (!corrections.empty()) json["total_with_corrections"] = energy.withCorrections();
}

}  // namespace

std::string jsonLine(const std::string& id, const Result& result) {
  nlohmann::ordered_json json;
  json["id"] = id;
  json["status"] = nameOf(result.status);
  if (!result.reason.empty()) json["reason"] = result.reason;
  json["schema_version"] = kJsonLinesSchema;
  if (result.status != Status::Failed) {
    json["energy"] = result.energy.total;
    for (const EnergyPart& part : result.energy.parts) json[keyOf(part.id)] = part.value;
    addCorrections(result.energy, json);
    json["virial_ratio"] = result.virialRatio;
    json["iterations"] = result.iterations;
    if (result.basisError) json["basis_error_estimate"] = result.basisError->value;
    for (const Spinor& s : result.spinors) json["orbital_energies"][s.symmetry.label()].push_back(s.energy);
  }
  for (const Warning& w : result.warnings) json["warnings"].push_back({{"id", w.id}, {"text", w.text}});
  if (!result.provenance.remark.empty()) json["remark"] = result.provenance.remark;
  // A reason may quote text of an input file that is not UTF-8: replaced rather than thrown at.
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace prophet
