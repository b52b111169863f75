#include "operations/materials/pair_state.hpp"

#include <fmt/format.h>

#include <string_view>

#include "core/common/checksum.hpp"
#include "core/common/json_text.hpp"
#include "operations/request/setting.hpp"

namespace prophet {
namespace {

constexpr double kSecondsBetween = 5;
constexpr const char* kAverage = "average";  // its key

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

template <class T>
std::string_view bytesOf(const T* first, std::size_t count) {
  return {reinterpret_cast<const char*>(first), count * sizeof(T)};
}

/// The checksum of a frame and the frames before it, whose own is `before`.
std::uint32_t checksumOf(const Structure& frame, std::uint32_t before) {
  std::string bytes(bytesOf(&before, 1));
  for (const std::string& kind : frame.kinds) bytes += kind + ' ';
  bytes += bytesOf(frame.kind.data(), frame.kind.size());
  for (const Eigen::Vector3d& place : frame.positions) bytes += bytesOf(place.data(), 3);
  if (frame.lattice) bytes += bytesOf(frame.lattice->data(), 9);
  return prophet::checksumOf(bytes);
}

PairAverage averageOf(const Json& json) {
  PairHistogram h;
  json.at("width").get_to(h.width);
  json.at("bins").get_to(h.bins);
  json.at("kinds").get_to(h.kinds);
  json.at("counts").get_to(h.counts);
  json.at("offsets").get_to(h.offsets);
  json.at("distance_error").get_to(h.distanceError);
  json.at("relative_error").get_to(h.relativeError);
  json.at("visited").get_to(h.visited);
  return PairAverage(std::move(h), json.at("atoms").get<std::vector<std::size_t>>(),
                     json.at("inverse_volumes").get<double>(), json.at("frames").get<int>());
}

}  // namespace

PairState::PairState(std::string path, const std::string& description, bool resume, PairAverage& average,
                     const Execution& execution)
    : path_(std::move(path)), writes_(!path_.empty() && execution.rank() == 0) {
  if (path_.empty()) return;
  std::string kept;
  execution.together([&] {
    if (execution.rank() > 0) return;
    kept_ = ofSetting("state", [&] {
      requireWritable(path_);
      return FinishedPieces(path_, "pairs 1: an average of " + description, resume);
    });
    if (kept_.has(kAverage)) kept = kept_.content(kAverage);
  });
  kept = execution.fromFirst(kept);
  if (!kept.empty()) {
    const Json json = Json::parse(kept);
    average = averageOf(json);
    written_ = keptFrames_ = average.frames();
    keptSum_ = json.at("frames_checksum");
  }
  execution.canResume(path_);
}

void PairState::countFrame(const Structure& frame, const std::string& name) {
  if (path_.empty()) return;
  sum_ = checksumOf(frame, sum_);
  if (++counted_ == keptFrames_ && sum_ != keptSum_)
    throw SettingError("resume", fmt::format("{} is an average of other frames than the first {} of {}",
                                             path_, keptFrames_, name));
}

void PairState::keep(const PairAverage& average) {
  if (writes_ && watch_.seconds() - last_ >= kSecondsBetween) write(average);
}

void PairState::write(const PairAverage& average) {
  if (!writes_ || average.frames() == written_) return;
  Json json{{"frames_checksum", sum_}};
  json.update(jsonOfAverage(average));
  kept_.keepAlone(kAverage, jsonText(json));
  written_ = average.frames();
  last_ = watch_.seconds();
}

}  // namespace prophet
