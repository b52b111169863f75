#include "operations/materials/pair_state.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>

#include "core/common/checksum.hpp"
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

constexpr const char* kSum = ",\"checksum\":\"";

/// The text of a state with its checksum as the last key.
std::string sealed(const Json& json) {
  std::string text = jsonText(json);
  text.pop_back();
  return text + fmt::format("{}{:08x}\"}}\n", kSum, prophet::checksumOf(text));
}

/// What sealed() gave; nothing where it is not what was written.
Json unsealed(const std::string& text) {
  const std::size_t end = text.rfind(kSum);
  if (end == std::string::npos) return {};
  const std::string body = text.substr(0, end);
  if (text.substr(end) != fmt::format("{}{:08x}\"}}\n", kSum, prophet::checksumOf(body))) return {};
  return Json::parse(body + "}", nullptr, false);
}

template <class T>
std::string_view bytesOf(const T* first, std::size_t count) {
  return {reinterpret_cast<const char*>(first), count * sizeof(T)};
}

/// Of a frame, behind the frames whose checksum is `before`.
std::uint32_t checksumOf(const Structure& frame, std::uint32_t before) {
  std::string bytes(bytesOf(&before, 1));
  for (const std::string& kind : frame.kinds) bytes += kind + ' ';
  bytes += bytesOf(frame.kind.data(), frame.kind.size());
  for (const Eigen::Vector3d& place : frame.positions) bytes += bytesOf(place.data(), 3);
  if (frame.lattice) bytes += bytesOf(frame.lattice->data(), 9);
  return prophet::checksumOf(bytes);
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
    auto atoms = json.at("atoms").get<std::vector<std::size_t>>();
    const double inverseVolumes = json.at("inverse_volumes").get<double>();
    if (frames < 1 || h.bins < 1 || h.kinds < 1 || h.counts.size() != size || h.offsets.size() != size ||
        atoms.size() != static_cast<std::size_t>(h.kinds) || !(h.width > 0) || !(inverseVolumes > 0))
      return std::nullopt;
    return PairAverage(std::move(h), std::move(atoms), inverseVolumes, frames);
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
    file_ = ofSetting("state", [&] {
      requireWritable(path_);
      return std::make_unique<LockedFile>(path_, LockedFile::Wait::Refuse);
    });
    kept = file_->read();
    if (!kept.empty() && !resume)
      throw SettingError("state", "the file " + path_ + " is there; continue it with resume, or remove it");
  });
  kept = execution.fromFirst(kept);
  if (!kept.empty()) {
    const Json json = unsealed(kept);
    const bool isState = json.is_object() && json.value("average_of", Json()).is_string();
    std::optional<PairAverage> found = isState ? averageOf(json) : std::nullopt;
    if (!found)
      throw SettingError(
          "state", path_ + " is damaged, or no state of averages over frames of this version of the program");
    if (json["average_of"] != description_)
      throw SettingError("resume", fmt::format("{} is an average of {}; this one is of {}", path_,
                                               json["average_of"].get<std::string>(), description_));
    average = std::move(*found);
    written_ = kept_ = average.frames();
    keptSum_ = json.value("frames_checksum", std::uint32_t{0});
  }
  execution.canResume(path_);
}

void PairState::countFrame(const Structure& frame, const std::string& name) {
  if (path_.empty()) return;
  sum_ = checksumOf(frame, sum_);
  if (++counted_ == kept_ && sum_ != keptSum_)
    throw SettingError("resume", fmt::format("{} is an average of other frames than the first {} of {}",
                                             path_, kept_, name));
}

void PairState::keep(const PairAverage& average) {
  if (writes_ && watch_.seconds() - last_ >= kSecondsBetween) write(average);
}

void PairState::write(const PairAverage& average) {
  if (!writes_ || average.frames() == written_) return;
  Json json{{"average_of", description_}, {"frames_checksum", sum_}};
  json.update(jsonOfAverage(average));
  file_->replace(sealed(json));
  written_ = average.frames();
  last_ = watch_.seconds();
}

}  // namespace prophet
