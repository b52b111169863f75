#pragma once
#include <cmath>
#include <complex>

namespace prophet {

/// sin(x)/x of a real or complex number, 1 at 0; next to it two terms of the series are exact.
template <class Number>
Number sinc(Number x) {
  return std::abs(x) < 1e-4 ? 1.0 - x * x / 6.0 : std::sin(x) / x;
}

}  // namespace prophet
