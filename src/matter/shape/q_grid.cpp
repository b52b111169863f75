#include "matter/shape/q_grid.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>

#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr double kLargestQ = 1e4;
constexpr double kMostPoints = 4e9;
constexpr int kMostCount = 100000;

double numberOf(const std::string& word, const std::string& part, const std::string& quantity) {
  const std::string text = trimmed(word);
  const auto value = parseDouble(text.rfind('+', 0) == 0 ? text.substr(1) : text);
  if (!value || !(std::abs(*value) <= kLargestQ))
    throw Error("'" + part + "': '" + text + "' is not a valid " + quantity);
  return *value;
}

}  // namespace

QAxis parseAxis(const std::string& part, const std::string& quantity) {
  const auto words = split(part, ':');
  const auto number = [&](std::size_t i) { return numberOf(words[i], part, quantity); };
  if (words.size() == 1) return {number(0), number(0), 1};
  if (words.size() != 3) throw Error("an axis is START:STOP:COUNT or one number, not '" + part + "'");
  const double start = number(0), stop = number(1);
  const auto count = parseDouble(trimmed(words[2]));
  if (!count || !(*count >= 1 && *count <= kMostCount) || *count != std::floor(*count))
    throw Error("'" + part + "': the count is a whole number from 1 to 100000");
  const int n = static_cast<int>(*count);
  if (n == 1 && start != stop)
    throw Error("'" + part + "': one point has one place; START and STOP must agree");
  if (n > 1 && !(stop > start)) throw Error("'" + part + "': STOP must be above START");
  return {start, stop, n};
}

std::vector<double> QAxis::values() const {
  std::vector<double> list;
  for (int i = 0; i < count; ++i) list.push_back((*this)[i]);
  return list;
}

std::size_t QGrid::size() const {
  std::size_t size = 1;
  for (const QAxis& axis : axes) size *= static_cast<std::size_t>(axis.count);
  return size;
}

QGrid QGrid::planes(int first, int count) const {
  QGrid some = *this;
  some.axes[0] = axes[0].part(first, count);
  return some;
}

QGrid parseQGrid(const std::string& text) {
  const auto parts = split(text, ',');
  if (parts.size() != 3)
    throw Error("a grid has three axes, such as -1:1:64,-1:1:64,0.1:1:32, not '" + text + "'");
  QGrid grid;
  double points = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    grid.axes[d] = parseAxis(parts[d], "momentum transfer (1/angstrom)");
    points *= grid.axes[d].count;
  }
  if (points > kMostPoints) throw Error("'" + text + "' has more than 4e9 points");
  return grid;
}

QPoints pointsOf(const QGrid& grid) {
  QPoints points(3, static_cast<Eigen::Index>(grid.size()));
  Eigen::Index at = 0;
  for (int x = 0; x < grid.axes[0].count; ++x) {
    for (int y = 0; y < grid.axes[1].count; ++y) {
      for (int z = 0; z < grid.axes[2].count; ++z) points.col(at++) = grid.point(x, y, z);
    }
  }
  return points;
}

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

namespace {

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

namespace {

using Complex = std::complex<double>;

/// 1 + 2 Re sum_{n = 1}^{N-1} (1 - n/N) P^n: in closed form, or where that divides by little term by term.
double chain(Complex p, int count) {
  const Complex gap = 1.0 - p;
  if (std::abs(gap) < 1e-3) {
    double sum = 1;
    Complex power = 1;
    for (int n = 1; n < count; ++n) {
      power *= p;
      sum += 2 * (1 - static_cast<double>(n) / count) * power.real();
    }
    return sum;
  }
  const Complex sum =
      (1.0 + p) / gap - 2.0 * p * (1.0 - std::pow(p, count)) / (static_cast<double>(count) * gap * gap);
  return sum.real();
}

}  // namespace

void check(const Arrangement& a) {
  if (a.spacings.size() > 2) throw Error("an arrangement on a surface has one or two directions");
  for (const Spacing& s : a.spacings) {
    if (!(s.length > 0 && s.length < 1e9)) throw Error("the distance between particles is above 0 angstrom");
    if (!(s.sigma >= 0 && s.sigma < 1e9))
      throw Error("the standard deviation of a distance is 0 angstrom or more");
    if (s.count < 1 || s.count > 1000000) throw Error("particles along a direction are 1 to 1000000");
  }
  for (const double angle : {a.angle, a.rotation}) {
    if (!(std::abs(angle) <= 360)) throw Error("the angles of an arrangement are up to 360 degrees");
  }
  if (a.spacings.size() == 2 && !(std::abs(std::sin(kDegree * a.angle)) > 1e-3))
    throw Error("the two directions of an arrangement must not be parallel");
}

double interference(const Arrangement& a, const Eigen::Vector3d& q) {
  double product = 1;
  const double along = std::hypot(q(0), q(1));
  for (std::size_t k = 0; k < a.spacings.size(); ++k) {
    const Spacing& s = a.spacings[k];
    const double direction = kDegree * (a.rotation + (k == 0 ? 0 : a.angle));
    const double phase =
        s.length * (a.radial ? along : q(0) * std::cos(direction) + q(1) * std::sin(direction));
    const double damping = 0.5 * along * along * s.sigma * s.sigma;
    product *= chain(std::polar(std::exp(-damping), phase), s.count);
  }
  return product;
}

}  // namespace prophet
