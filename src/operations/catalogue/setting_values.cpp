#include "operations/catalogue/setting_values.hpp"

#include "atoms/atom/elements.hpp"
#include "core/common/text.hpp"

namespace prophet {

std::vector<int> elementsFrom(const Json& value) {
  std::string text;
  for (const Json& item : value.is_array() ? value : Json::array({value}))
    text += (text.empty() ? "" : ",") + (item.is_string() ? item.get<std::string>() : item.dump());
  return parseElements(text);
}

const Names<NuclearModel>& nuclearModelNames() {
  static const Names<NuclearModel> kNames = [] {
    Names<NuclearModel> names = namesOf<NuclearModel>();
    for (auto& [name, model] : names) name = lowerCase(name);
    return names;
  }();
  return kNames;
}

}  // namespace prophet
