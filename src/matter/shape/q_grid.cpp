#include "matter/shape/q_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "core/common/constants.hpp"
#include "core/common/csv.hpp"
#include "core/common/degree.hpp"
#include "core/common/error.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr double kLargestQ = 1e4;
constexpr double kMostPlaces = 4e9;
constexpr int kMostCount = 100000;

double numberOf(const std::string& word, const std::string& part, const std::string& quantity) {
  const std::string text = trimmed(word);
  const auto value = parseDouble(text.rfind('+', 0) == 0 ? text.substr(1) : text);
  if (!value || !(std::abs(*value) <= kLargestQ))
    throw Error(part + ": '" + text + "' is not a valid " + quantity);
  return *value;
}

/// Numbers in any distances. `refuse(i, found, expected)` throws for the number i.
template <class Refuse>
QAxis listedAxis(std::vector<double> list, const std::string& quantity, Refuse refuse) {
  if (list.size() > static_cast<std::size_t>(kMostCount)) throw Error("an axis has at most 100000 numbers");
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!(std::abs(list[i]) <= kLargestQ)) refuse(i, fmt::format("found {:g}", list[i]), "a " + quantity);
    if (i > 0 && !(list[i] > list[i - 1]))
      refuse(i, fmt::format("found {:g} after {:g}", list[i], list[i - 1]), "numbers that increase");
  }
  const int count = static_cast<int>(list.size());
  const double start = list.front(), stop = list.back();
  if (count == 1) return {start, stop, 1, {}, {}};
  return {start, stop, count, std::move(list), {}};
}

QAxis axisOfFile(const std::string& path, const std::string& quantity) {
  const NumberRows table = readNumberRows(path, 1, 1, quantity);
  std::vector<double> list;
  for (const auto& row : table.rows) list.push_back(row.front());
  QAxis axis = listedAxis(std::move(list), quantity,
                          [&](std::size_t i, const std::string& found, const std::string& expected) {
                            table.refuse(i, found, expected);
                          });
  axis.file = path;
  return axis;
}

QAxis axisOfWords(const std::vector<std::string>& words, const std::string& quantity) {
  std::vector<double> list;
  for (std::size_t i = 0; i < words.size(); ++i)
    list.push_back(numberOf(words[i], fmt::format("number {} of the list", i + 1), quantity));
  return listedAxis(
      std::move(list), quantity, [](std::size_t i, const std::string& found, const std::string& expected) {
        throw Error(fmt::format("number {} of the list: {}; expected {}", i + 1, found, expected));
      });
}

}  // namespace

QAxis parseAxis(const std::string& text, const std::string& quantity) {
  const std::string part = trimmed(text);
  if (part.rfind('@', 0) == 0) return axisOfFile(part.substr(1), quantity);
  if (const auto list = splitWords(part); list.size() > 1 && part.find(':') == std::string::npos)
    return axisOfWords(list, quantity);
  const auto words = split(part, ':');
  const auto number = [&](std::size_t i) { return numberOf(words[i], "'" + part + "'", quantity); };
  if (words.size() == 1) return {number(0), number(0), 1};
  if (words.size() != 3)
    throw Error("an axis is START:STOP:COUNT, one number, numbers between blanks, or @FILE, not '" + part +
                "'");
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
  if (!isRegular()) return list;
  std::vector<double> all;
  for (int i = 0; i < count; ++i) all.push_back((*this)[i]);
  return all;
}

QAxis QAxis::part(int first, int size) const {
  QAxis some{(*this)[first], (*this)[first + size - 1], size};
  if (!isRegular() && size > 1) some.list.assign(list.begin() + first, list.begin() + first + size);
  return some;
}

bool QGrid::isRegular() const {
  return std::all_of(axes.begin(), axes.end(), [](const QAxis& axis) { return axis.isRegular(); });
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
    try {
      grid.axes[d] = parseAxis(parts[d], "momentum transfer (1/angstrom)");
    } catch (const Error& e) {
      throw Error(fmt::format("q{}: {}", "xyz"[d], e.what()));
    }
    points *= grid.axes[d].count;
  }
  if (points > kMostPlaces) throw Error("'" + text + "' has more than 4e9 points");
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

std::vector<RowTile> tilesOf(const QRows& q, int most) {
  std::vector<RowTile> tiles;
  for (int row = 0; row < q.rows(); ++row) {
    const int end = q.first[static_cast<std::size_t>(row) + 1];
    for (int i = q.first[static_cast<std::size_t>(row)]; i < end; i += most)
      tiles.push_back({row, i, std::min(most, end - i)});
  }
  return tiles;
}

namespace {

void requireAngles(const QAxis& axis, const char* name) {
  if (!(axis.start > -90 && axis.stop < 90))
    throw Error(fmt::format("{} goes from {:g} to {:g} degrees; its angles lie between -90 and 90", name,
                            axis.start, axis.stop));
}

}  // namespace

double Detector::waveNumber() const { return 2 * constants::kPi / wavelength; }

int Detector::rowCount() const { return isList() ? static_cast<int>(list.cols()) : alphaF.count; }

int Detector::rowSize() const { return isList() ? 1 : twoThetaF.count; }

std::size_t Detector::pixels() const {
  return static_cast<std::size_t>(rowCount()) * static_cast<std::size_t>(rowSize());
}

Eigen::Vector2d Detector::pixel(int row, int column) const {
  if (isList()) return list.col(row);
  return {alphaF[row], twoThetaF[column]};
}

Detector Detector::rows(int first, int count) const {
  Detector part = *this;
  if (isList()) {
    part.list = list.middleCols(first, count);
  } else {
    part.alphaF = alphaF.part(first, count);
  }
  return part;
}

void check(const Detector& d) {
  if (!(d.wavelength >= 1e-6 && d.wavelength <= 1e6))
    throw Error(fmt::format("the wavelength is {:g} angstrom; expected 1e-6 to 1e6", d.wavelength));
  if (!(d.alphaI >= 0 && d.alphaI < 90))
    throw Error(fmt::format("alpha_i is an angle from 0 to 90 degrees, not {:g}", d.alphaI));
  if (d.isList()) {
    if (!(d.list.cwiseAbs().maxCoeff() < 90)) throw Error("the angles of pixels lie between -90 and 90");
    return;
  }
  requireAngles(d.alphaF, "alpha_f");
  requireAngles(d.twoThetaF, "two-theta_f");
}

QPoints momentaOf(const Detector& d) {
  const double k = d.waveNumber(), in = kRadiansPerDegree * d.alphaI;
  QPoints q(3, static_cast<Eigen::Index>(d.pixels()));
  Eigen::Index at = 0;
  for (int row = 0; row < d.rowCount(); ++row) {
    for (int column = 0; column < d.rowSize(); ++column, ++at) {
      const Eigen::Vector2d pixel = kRadiansPerDegree * d.pixel(row, column);
      const double out = pixel(0), side = pixel(1);
      q.col(at) = k * Eigen::Vector3d(std::cos(out) * std::cos(side) - std::cos(in),
                                      std::cos(out) * std::sin(side), std::sin(out) + std::sin(in));
    }
  }
  return q;
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
  if (a.spacings.size() == 2 && !(std::abs(std::sin(kRadiansPerDegree * a.angle)) > 1e-3))
    throw Error("the two directions of an arrangement must not be parallel");
}

double interference(const Arrangement& a, const Eigen::Vector3d& q) {
  double product = 1;
  const double along = std::hypot(q(0), q(1));
  for (std::size_t k = 0; k < a.spacings.size(); ++k) {
    const Spacing& s = a.spacings[k];
    const double direction = kRadiansPerDegree * (a.rotation + (k == 0 ? 0 : a.angle));
    const double phase =
        s.length * (a.radial ? along : q(0) * std::cos(direction) + q(1) * std::sin(direction));
    const double damping = 0.5 * along * along * s.sigma * s.sigma;
    product *= chain(std::polar(std::exp(-damping), phase), s.count);
  }
  return product;
}

}  // namespace prophet
