#pragma once
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "core/common/error.hpp"

namespace prophet {

/// The value of a JSON text, discarded where it is none (or, with `throws`, as the library's exception). Of a
/// key that is there twice in an object the library would keep the last value without a word: throws Error.
template <class Json>
Json uniqueJson(const std::string& text, bool throws = false) {
  std::vector<std::set<std::string>> keys;
  const auto check = [&](int, typename Json::parse_event_t event, const Json& value) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end && !keys.empty()) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.template get<std::string>()).second)
      throw Error(fmt::format("the key {} is twice in the same object", value.dump()));
    return true;
  };
  return Json::parse(text, check, throws);
}

}  // namespace prophet
