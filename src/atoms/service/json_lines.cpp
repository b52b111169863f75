#include "atoms/service/json_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "atoms/calculation/problem_json.hpp"
#include "core/common/checksum.hpp"
#include "core/common/error.hpp"
#include "core/common/json_text.hpp"

namespace prophet {
namespace {

/// As the JSON of a single run has them (docs/reference/json.md).
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

/// What stands behind a line's content: a checksum of the line without it.
constexpr std::string_view kChecksum = ",\"checksum\":\"";

std::string withChecksum(std::string line) {
  const std::string sum = fmt::format("{}{:08x}\"", kChecksum, checksumOf(line));
  line.insert(line.size() - 1, sum);
  return line;
}

/// Whether a whole line is as it was written. Earlier versions wrote lines without a checksum.
bool isAsWritten(const std::string& line, bool hasChecksum) {
  if (!hasChecksum) return true;
  const std::size_t at = line.rfind(kChecksum);
  return at != std::string::npos && withChecksum(line.substr(0, at) + "}") == line;
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
  return withChecksum(jsonText(json)) + "\n";
}

namespace {

/// How every line begins (jsonLine).
constexpr std::string_view kBeginning = "{\"id\":\"";

/// Takes the texts of a line's first level and stops at the first number, which comes after them.
class HeadReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  LineHead head;

  bool key(string_t& name) override {
    target_ = name == "id"       ? &head.id
              : name == "status" ? &head.status
              : name == "reason" ? &head.reason
                                 : nullptr;
    return target_ != nullptr;
  }
  bool string(string_t& text) override {
    if (target_) *target_ = text;
    return target_ != nullptr;
  }
  bool start_object(std::size_t) override { return true; }
  bool null() override { return false; }
  bool boolean(bool) override { return false; }
  bool number_integer(number_integer_t) override { return false; }
  bool number_unsigned(number_unsigned_t) override { return false; }
  bool number_float(number_float_t, const string_t&) override { return false; }
  bool binary(binary_t&) override { return false; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return false; }
  bool end_array() override { return false; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  std::string* target_ = nullptr;
};

/// Whether a text without line end may be the beginning of a line that a kill cut off.
bool mayBeCutLine(std::string_view text) {
  const std::size_t length = std::min(text.size(), kBeginning.size());
  return text.substr(0, length) == kBeginning.substr(0, length);
}

/// What a whole line says; empty where it is not one.
struct WholeLine {
  std::string id, status, input;
  bool asWritten = true;
};

WholeLine wholeLineOf(std::string line) {
  WholeLine head;
  if (line.ends_with('\r')) line.pop_back();
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return head;
  const auto text = [&](const char* key) {
    const auto at = json.find(key);
    return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
  };
  head.id = text("id");
  head.status = text("status");
  head.input = text(kInputChecksum);
  head.asWritten = isAsWritten(line, json.contains("checksum"));
  return head;
}

}  // namespace

LineHead headOf(const std::string& line) {
  HeadReader reader;
  nlohmann::json::sax_parse(line, &reader);
  return std::move(reader.head);
}

JsonLinesText parseJsonLines(const std::string& text, const std::string& path) {
  JsonLinesText result;
  for (int number = 1;; ++number) {
    const std::size_t start = result.wholeBytes, end = text.find('\n', start);
    const auto refuse = [&](const char* what) {
      throw Error(fmt::format("{}:{}: not {} of a batch run; remove the line, or choose another file", path,
                              number, what));
    };
    if (end == std::string::npos) {
      if (!mayBeCutLine(std::string_view(text).substr(start))) refuse("the beginning of a line");
      return result;
    }
    const WholeLine head = wholeLineOf(text.substr(start, end - start));
    if (head.id.empty()) refuse("a line");
    if (!head.asWritten)
      throw Error(
          fmt::format("{}:{}: the line of {} is not as a batch wrote it (its checksum differs); remove the "
                      "line, which is "
                      "then computed again, or choose another file",
                      path, number, head.id));
    const bool converged = head.status == "converged";
    (converged ? result.finished : result.otherwise).insert(head.id);
    (converged ? result.otherwise : result.finished).erase(head.id);  // the last line of a job counts
    result.inputs[head.id] = head.input;
    result.wholeBytes = end + 1;
  }
}

JsonLinesFile::JsonLinesFile(const std::string& path, bool resume, Retry retry)
    : GrowingFile(path), path_(path) {
  const std::string content = read();
  if (content.empty()) return;
  if (!resume) throw Error(fmt::format("{} exists; resume it, remove it, or choose another file", path));
  JsonLinesText text = parseJsonLines(content, path);
  if (text.wholeBytes < content.size()) cut(text.wholeBytes);
  ids_ = std::move(text.finished);
  inputs_ = std::move(text.inputs);
  if (retry == Retry::None) ids_.merge(text.otherwise);
}

void JsonLinesFile::requireInput(const std::string& id, const std::string& input) const {
  const auto line = inputs_.find(id);
  if (line == inputs_.end() || line->second.empty() || input.empty() || line->second == input) return;
  throw Error(
      fmt::format("{}: {} has another input now than the one that its line was computed from; restore the "
                  "input, remove the "
                  "line, which is then computed again, or choose another file",
                  path_, id));
}

}  // namespace prophet
