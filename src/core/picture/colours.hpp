#pragma once
#include "core/picture/png.hpp"

namespace prophet {

/// Numbers >= 0 as colours by their logarithms: from black (10^-decades of the largest, and below) by blue,
/// red and yellow to white (the largest). `values`: width x height, rows from the top. All zero: all black.
Picture logarithmicPicture(const std::vector<double>& values, int width, int height, double decades);

}  // namespace prophet
