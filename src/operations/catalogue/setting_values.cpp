#include "operations/catalogue/setting_values.hpp"

#include <fmt/format.h>

#include "atoms/atom/elements.hpp"
#include "core/common/text.hpp"

namespace prophet {

std::string listText(const Json& value) {
  std::string text;
  for (const Json& item : value.is_array() ? value : Json::array({value}))
    text += (text.empty() ? "" : ",") + (item.is_string()   ? item.get<std::string>()
                                         : item.is_number() ? fmt::format("{}", item.get<double>())
                                                            : item.dump());
  return text;
}

std::vector<int> elementsFrom(const Json& value) { return parseElements(listText(value)); }

void refuseTogether(const std::string& other, const std::vector<std::pair<const char*, bool>>& given) {
  for (const auto& [setting, is] : given)
    if (is) throw SettingError(setting, "cannot be given together with " + other);
}

}  // namespace prophet
