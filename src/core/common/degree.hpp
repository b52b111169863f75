#pragma once
#include "core/common/constants.hpp"

namespace prophet {

/// What an angle in degrees is times for radians.
inline constexpr double kRadiansPerDegree = constants::kPi / 180;

}  // namespace prophet
