#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "core/common/text.hpp"

namespace prophet {

/// A copy of a JSON value whose texts and keys are UTF-8 (utf8.hpp).
template <class Json>
Json withUtf8(const Json& value) {
  if (value.is_string()) return utf8(value.template get_ref<const std::string&>());
  if (!value.is_structured()) return value;
  Json copy = value.is_object() ? Json::object() : Json::array();
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (value.is_object()) {
      copy[utf8(item.key())] = withUtf8(*item);
    } else {
      copy.push_back(withUtf8(*item));
    }
  }
  return copy;
}

/// The text of a JSON value, indented by `indent` or on one line (-1). Texts of input files and names of
/// files need not be UTF-8, which JSON must be: such ones are converted instead of costing the result.
template <class Json>
std::string jsonText(const Json& value, int indent = -1) {
  try {
    return value.dump(indent);
  } catch (const nlohmann::json::type_error&) {
    return withUtf8(value).dump(indent);
  }
}

}  // namespace prophet
