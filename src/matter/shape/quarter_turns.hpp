#pragma once
#include <bit>
#include <cstdint>

#include "core/common/host_device.hpp"

namespace prophet {

/// cos and sin of x quarter turns, |x| < 2^50: the nearest whole number is taken off by adding a number whose
/// lowest bit is 1, and polynomials in the square of the rest (fits of our own at Chebyshev's points, errors
/// 1e-16) do not branch. The same function on host and device.
PROPHET_HD inline void turn(double x, double& cosine, double& sine) {
  constexpr double kOnes = 6755399441055744.0;  // 1.5 2^52
  const double shifted = x + kOnes, r = x - (shifted - kOnes), u = r * r;
  const auto whole = std::bit_cast<std::int64_t>(shifted);
  double s = 5.6339337815378543e-8;
  s = s * u - 3.5986433529823099e-6;
  s = s * u + 0.00016044115074219091;
  s = s * u - 0.0046817541323409756;
  s = s * u + 0.079692626246043008;
  s = s * u - 0.64596409750624428;
  s = (s * u + 1.5707963267948966) * r;
  double c = 4.6552961874867623e-7;
  c = c * u - 2.5200135264284791e-5;
  c = c * u + 0.00091925995004166097;
  c = c * u - 0.020863480734946569;
  c = c * u + 0.25366950789986476;
  c = c * u - 1.2337005501361513;
  c = c * u + 1.0;
  const bool isOdd = (whole & 1) != 0;
  const double cosineSize = isOdd ? s : c, sineSize = isOdd ? c : s;
  cosine = ((whole + 1) & 2) != 0 ? -cosineSize : cosineSize;
  sine = (whole & 2) != 0 ? -sineSize : sineSize;
}

}  // namespace prophet
