#include "matter/shape/q_grid.hpp"

#include <cmath>

#include "core/common/error.hpp"
#include "core/common/number.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr double kLargest = 1e4;
constexpr double kMostPoints = 4e9;
constexpr int kMostCount = 100000;

double numberOf(const std::string& word, const std::string& part, const std::string& quantity) {
  const std::string text = trimmed(word);
  const auto value = parseDouble(text.rfind('+', 0) == 0 ? text.substr(1) : text);
  if (!value || !(std::abs(*value) <= kLargest))
    throw Error("'" + part + "': '" + text + "' is no " + quantity);
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

}  // namespace prophet
