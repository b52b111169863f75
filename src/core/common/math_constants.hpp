#pragma once
#include <boost/math/constants/constants.hpp>

namespace prophet::constants {

inline constexpr double kPi = boost::math::double_constants::pi;

}  // namespace prophet::constants
