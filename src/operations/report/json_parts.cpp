#include "operations/report/json_parts.hpp"

namespace prophet {

Json warningsJson(const std::vector<Warning>& warnings) {
  Json list = Json::array();
  for (const Warning& w : warnings) list.push_back({{"id", w.id}, {"text", w.text}});
  return list;
}

Json groupsJson(const std::vector<WellTemperedParameters>& groups) {
  Json j;
  for (const WellTemperedParameters& p : groups)
    j.push_back({{"alpha", p.alpha}, {"beta", p.beta}, {"delta", p.delta}, {"gamma", p.gamma}});
  return j;
}

}  // namespace prophet
