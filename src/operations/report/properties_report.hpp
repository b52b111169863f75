#pragma once
#include <string>

#include "atoms/properties/properties.hpp"
#include "operations/report/json_parts.hpp"

namespace prophet {

/// The object `properties` of docs/json.md. `spinors`: those of the result that they belong to.
Json propertiesJson(const Properties& properties, const std::vector<Spinor>& spinors);

/// The same as a section of the text report, without the values of single spinors.
std::string reportProperties(const Properties& properties);

}  // namespace prophet
