#include "matter/shape/detector.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/common/error.hpp"
#include "core/common/math_constants.hpp"

namespace prophet {
namespace {

constexpr double kDegree = constants::kPi / 180;

void requireAngles(const QAxis& axis, const char* name) {
  if (!(axis.start > -90 && axis.stop < 90))
    throw Error(fmt::format("{} goes from {:g} to {:g} degrees; its angles lie between -90 and 90", name,
                            axis.start, axis.stop));
}

}  // namespace

double Detector::waveNumber() const { return 2 * constants::kPi / wavelength; }

std::size_t Detector::pixels() const {
  return static_cast<std::size_t>(alphaF.count) * static_cast<std::size_t>(twoThetaF.count);
}

Detector Detector::rows(int first, int count) const {
  Detector part = *this;
  part.alphaF = alphaF.part(first, count);
  return part;
}

void check(const Detector& d) {
  if (!(d.wavelength >= 1e-6 && d.wavelength <= 1e6))
    throw Error(fmt::format("the wavelength is {:g} angstrom; expected 1e-6 to 1e6", d.wavelength));
  if (!(d.alphaI >= 0 && d.alphaI < 90))
    throw Error(fmt::format("alpha_i is an angle from 0 to 90 degrees, not {:g}", d.alphaI));
  requireAngles(d.alphaF, "alpha_f");
  requireAngles(d.twoThetaF, "two-theta_f");
}

QPoints momentaOf(const Detector& d) {
  const double k = d.waveNumber(), in = kDegree * d.alphaI;
  QPoints q(3, static_cast<Eigen::Index>(d.pixels()));
  Eigen::Index at = 0;
  for (int row = 0; row < d.alphaF.count; ++row) {
    const double out = kDegree * d.alphaF[row];
    for (int column = 0; column < d.twoThetaF.count; ++column, ++at) {
      const double side = kDegree * d.twoThetaF[column];
      q.col(at) = k * Eigen::Vector3d(std::cos(out) * std::cos(side) - std::cos(in),
                                      std::cos(out) * std::sin(side), std::sin(out) + std::sin(in));
    }
  }
  return q;
}

}  // namespace prophet
