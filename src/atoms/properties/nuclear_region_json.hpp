#pragma once
#include <nlohmann/json.hpp>

#include "atoms/properties/nuclear_region.hpp"

namespace prophet {

/// What `properties.nucleus` holds (docs/json.md); absent values have no key.
nlohmann::ordered_json nuclearRegionJson(const NuclearRegion& region);

}  // namespace prophet
