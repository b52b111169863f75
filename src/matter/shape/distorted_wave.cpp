#include "matter/shape/distorted_wave.hpp"

#include <cmath>

#include "core/common/error.hpp"
#include "core/common/math_constants.hpp"

namespace prophet {
namespace {

constexpr double kDegree = constants::kPi / 180;
constexpr double kElectronRadius = 2.8179403205e-5;  // angstrom, CODATA 2022
constexpr double kAvogadro = 0.602214076;            // formula units in angstrom^3 for g/cm^3 over g/mol

/// F at the pixels' qx and qy and at the qz given, the particle standing on z = 0.
FormFactor standing(const QPoints& q, const Eigen::VectorXd& qz, double bottom, const FormFactorAt& f) {
  QPoints points = q;
  points.row(2) = qz.transpose();
  FormFactor values = f(points);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] *= std::polar(1.0, -qz(static_cast<Eigen::Index>(i)) * bottom);
  return values;
}

}  // namespace

Substrate substrateOf(double f1, double f2, double density, double molarMass, double wavelength) {
  if (!(f1 > 0 && f2 >= 0 && density > 0 && molarMass > 0 && wavelength > 0))
    throw Error("a substrate needs f1, density (g/cm^3) and mass (g/mol) above 0, and f2 from 0 on");
  const double scale =
      kElectronRadius * wavelength * wavelength / (2 * constants::kPi) * kAvogadro * density / molarMass;
  return {scale * f1, scale * f2};
}

std::complex<double> reflection(const Substrate& s, double alpha) {
  const std::complex<double> missing(s.delta, -s.beta);  // 1 - n
  const double above = std::sin(alpha);
  // n^2 - cos^2 = sin^2 - (1 - n^2), which loses no digits at grazing angles.
  std::complex<double> below = std::sqrt(above * above - missing * (2.0 - missing));
  if (below.imag() < 0) below = -below;
  const std::complex<double> sum = above + below;
  return sum == 0.0 ? 0.0 : (above - below) / sum;
}

FormFactor distortedWave(const Detector& d, const Substrate& s, double bottom, const FormFactorAt& f) {
  const bool bare = s.delta == 0 && s.beta == 0;
  if (!bare && d.alphaF.start < 0)
    throw Error(
        "on a substrate alpha_f starts at 0 degrees or above: below the horizon there is no reflected wave");
  const QPoints q = momentaOf(d);
  const double in = d.waveNumber() * std::sin(kDegree * d.alphaI);
  const Eigen::VectorXd qz = q.row(2).transpose(), out = qz.array() - in;
  FormFactor sum = standing(q, qz, bottom, f);
  if (bare) return sum;
  const std::complex<double> ri = std::conj(reflection(s, kDegree * d.alphaI));
  const FormFactor once = standing(q, out.array() - in, bottom, f),
                   other = standing(q, in - out.array(), bottom, f), twice = standing(q, -qz, bottom, f);
  std::size_t i = 0;
  for (int row = 0; row < d.alphaF.count; ++row) {
    const std::complex<double> rf = std::conj(reflection(s, kDegree * d.alphaF[row]));
    for (int column = 0; column < d.twoThetaF.count; ++column, ++i)
      sum[i] += ri * once[i] + rf * other[i] + ri * rf * twice[i];
  }
  return sum;
}

}  // namespace prophet
