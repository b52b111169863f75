#include "atoms/properties/nuclear_region_json.hpp"

namespace prophet {

nlohmann::ordered_json nuclearRegionJson(const NuclearRegion& n) {
  nlohmann::ordered_json j = nlohmann::ordered_json::object();
  const auto add = [&](const char* key, const std::optional<double>& value) {
    if (value) j[key] = *value;
  };
  add("density", n.density);
  add("mean_density", n.meanDensity);
  add("potential", n.potential);
  add("mean_potential", n.meanPotential);
  add("energy_slope", n.energySlope);
  add("density_error", n.densityError);
  add("mean_density_error", n.meanDensityError);
  add("energy_slope_error", n.energySlopeError);
  return j;
}

}  // namespace prophet
