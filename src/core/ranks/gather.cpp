#include "core/ranks/gather.hpp"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <thread>

namespace prophet {

std::vector<std::string> gatherAtFirst(Ranks& ranks, const std::string& text) {
  if (ranks.rank() > 0) {
    ranks.send(0, text);
    return {};
  }
  std::vector<std::string> texts(static_cast<std::size_t>(ranks.size()));
  texts[0] = text;
  for (int missing = ranks.size() - 1; missing > 0;) {
    if (auto message = ranks.receive()) {
      texts[static_cast<std::size_t>(message->from)] = std::move(message->text);
      --missing;
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }
  return texts;
}

std::string describeRanks(const std::vector<std::string>& names, int machines) {
  if (names.size() == 1) return names.front();
  std::string text = fmt::format("{} ranks", names.size());
  if (machines > 1) text += fmt::format(" on {} machines", machines);
  std::map<std::string, int> counts;
  for (const std::string& one : names) ++counts[one];
  for (const auto& [one, count] : counts) text += fmt::format(", {} x {}", count, one);
  return text;
}

}  // namespace prophet
