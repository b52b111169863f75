#include "operations/catalogue/pair_state.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/common/files.hpp"
#include "core/common/json_text.hpp"
#include "operations/record/record.hpp"
#include "operations/request/setting.hpp"

namespace prophet {
namespace {

constexpr double kSecondsBetween = 5;

Json jsonOfAverage(const PairAverage& average) {
  const PairHistogram& h = average.histogram();
  return {{"frames", average.frames()},
          {"inverse_volumes", average.inverseVolumes()},
          {"atoms", average.counts()},
          {"width", h.width},
          {"bins", h.bins},
          {"kinds", h.kinds},
          {"counts", h.counts},
          {"offsets", h.offsets},
          {"distance_error", h.distanceError},
          {"relative_error", h.relativeError},
          {"visited", h.visited}};
}

/// Nothing of a file that is damaged.
std::optional<PairAverage> averageOf(const Json& json) {
  try {
    PairHistogram h;
    json.at("width").get_to(h.width);
    json.at("bins").get_to(h.bins);
    json.at("kinds").get_to(h.kinds);
    json.at("counts").get_to(h.counts);
    json.at("offsets").get_to(h.offsets);
    json.at("distance_error").get_to(h.distanceError);
    json.at("relative_error").get_to(h.relativeError);
    json.at("visited").get_to(h.visited);
    const int frames = json.at("frames").get<int>();
    const std::size_t size = static_cast<std::size_t>(pairKinds(h.kinds)) * static_cast<std::size_t>(h.bins);
    if (frames < 1 || h.bins < 1 || h.kinds < 1 || h.counts.size() != size || h.offsets.size() != size)
      return std::nullopt;
    return PairAverage(std::move(h), json.at("atoms").get<std::vector<std::size_t>>(),
                       json.at("inverse_volumes").get<double>(), frames);
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

PairState::PairState(std::string path, std::string description, bool resume, PairAverage& average,
                     const Execution& execution)
    : path_(std::move(path)),
      description_(std::move(description)),
      writes_(!path_.empty() && execution.rank() == 0) {
  if (path_.empty()) return;
  std::string kept;
  execution.together([&] {
    if (execution.rank() > 0) return;
    const bool isThere = std::filesystem::exists(path_);
    if (isThere && !resume)
      throw SettingError("state", "the file " + path_ + " is there; continue it with resume, or remove it");
    if (isThere) kept = readFile(path_);
    requireWritable(path_);
  });
  kept = execution.fromFirst(kept);
  if (!kept.empty()) {
    const Json json = Json::parse(kept, nullptr, false);
    const bool isState = json.is_object() && json.value("average_of", Json()).is_string();
    std::optional<PairAverage> found = isState ? averageOf(json) : std::nullopt;
    if (!found) throw SettingError("state", path_ + " is damaged, or no state of averages over frames");
    if (json["average_of"] != description_)
      throw SettingError("resume", fmt::format("{} is an average of {}; this one is of {}", path_,
                                               json["average_of"].get<std::string>(), description_));
    average = std::move(*found);
    written_ = average.frames();
  }
  execution.canResume(path_);
}

void PairState::keep(const PairAverage& average) {
  if (writes_ && watch_.seconds() - last_ >= kSecondsBetween) write(average);
}

void PairState::write(const PairAverage& average) {
  if (!writes_ || average.frames() == written_) return;
  Json json{{"average_of", description_}};
  json.update(jsonOfAverage(average));
  writeFileAtomically(path_, jsonText(json) + "\n");
  written_ = average.frames();
  last_ = watch_.seconds();
}

}  // namespace prophet
