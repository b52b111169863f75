#pragma once
#include <string>
#include <vector>

#include "atoms/atom/hamiltonian.hpp"
#include "atoms/atom/nucleus.hpp"
#include "operations/request/request_table.hpp"

namespace prophet {

/// A text, a number or a list of them as one text with commas.
std::string listText(const Json& value);

/// Throws SettingError for the first of these settings that is given although it means nothing beside another
/// one: what a row's notWith says, where that depends on values. `other`: what it is, "virtuals=".
void refuseTogether(const std::string& other, const std::vector<std::pair<const char*, bool>>& given);

/// Charges of "1-10,18,Rn", 10, "Rn" or ["Ne", 18]. Throws Error.
std::vector<int> elementsFrom(const Json& value);

/// The row of a request's elements, whose value help calls by `name`.
template <class Request>
typename RequestTable<Request>::Row& addElementsRow(RequestTable<Request>& t,
                                                    const std::string& text = "elements: 1-10,18,Rn",
                                                    const std::string& name = "LIST") {
  return t
      .add("elements", ValueType::Any, text, [](Request& r, const Json& v) { r.elements = elementsFrom(v); })
      .called(name);
}

}  // namespace prophet
