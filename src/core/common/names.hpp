#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {

/// The values of an enumeration with their names, each once: for reading, help and writing.
template <class E>
using Names = std::vector<std::pair<std::string, E>>;

/// The table of an enumeration. Each enumeration that has names specialises it beside its definition.
template <class E>
const Names<E>& namesOf();

/// The name of a value; "unknown" for a value that the table does not have.
template <class E, class = std::enable_if_t<std::is_enum_v<E>>>
const std::string& nameOf(E value) {
  for (const auto& [name, known] : namesOf<E>()) {
    if (known == value) return name;
  }
  static const std::string kUnknown = "unknown";
  return kUnknown;
}

/// The value that a name stands for, in upper or lower case; empty where there is none.
template <class E>
std::optional<E> valueNamed(std::string_view name) {
  for (const auto& [known, value] : namesOf<E>()) {
    if (lowerCase(known) == lowerCase(name)) return value;
  }
  return std::nullopt;
}

/// "a, b, c": all names, for help and messages.
template <class E>
std::string listOfNames() {
  std::string list;
  for (const auto& [name, value] : namesOf<E>()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

/// As valueNamed. Throws Error, "unknown WHAT 'name'; available: " and the list, where there is none.
template <class E>
E requireNamed(std::string_view name, const std::string& what) {
  if (const auto value = valueNamed<E>(name)) return *value;
  throw Error("unknown " + what + " '" + std::string(name) + "'; available: " + listOfNames<E>());
}

}  // namespace prophet
