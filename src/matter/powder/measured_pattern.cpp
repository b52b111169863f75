#include "matter/powder/measured_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <sstream>
#include <vector>

#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

using Row = std::array<double, 3>;  ///< x, intensity, standard deviation

/// The numbers of a line; empty where a field is none.
std::optional<std::vector<double>> numbersOf(const std::vector<std::string>& fields) {
  std::vector<double> numbers;
  for (const std::string& field : fields) {
    const auto number = parseDouble(field);
    if (!number || !std::isfinite(*number)) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// Takes the rows one after the other and refuses those that cannot be of a pattern.
class Rows {
 public:
  Rows(std::string path, double from, double to) : path_(std::move(path)), from_(from), to_(to) {}

  void take(int line, const std::string& text) {
    const std::vector<std::string> fields = splitWords(text, " \t\r\v\f,;");
    if (fields.empty() || fields[0][0] == '#' || fields[0][0] == '!') return;
    const auto numbers = numbersOf(fields);
    if (!numbers && columns_ == 0) return;  // the heading
    const std::size_t expected = columns_ > 0 ? columns_ : std::clamp<std::size_t>(fields.size(), 2, 3);
    if (fields.size() != expected)
      refuse(line, fmt::format("found {} column{}", fields.size(), fields.size() == 1 ? "" : "s"),
             columns_ > 0 ? fmt::format("{} as in the rows before", columns_)
                          : "q or 2 theta, the intensity and, if known, its standard deviation");
    columns_ = expected;
    if (!numbers) refuse(line, fmt::format("found '{}'", trimmed(text, " \t\r")), "numbers");
    add(line, *numbers);
  }

  MeasuredPattern pattern() const {
    if (columns_ == 0) throw Error(path_ + ": has no rows of numbers; expected two or three columns");
    if (rows_.size() < 2)
      throw Error(fmt::format("{}: has {} row{} in the range asked for; expected at least 2", path_,
                              rows_.size(), rows_.size() == 1 ? "" : "s"));
    MeasuredPattern p;
    const auto size = static_cast<Eigen::Index>(rows_.size());
    p.x.resize(size);
    p.intensity.resize(size);
    p.sigma.resize(columns_ == 3 ? size : 0);
    for (Eigen::Index i = 0; i < size; ++i) {
      const Row& row = rows_[static_cast<std::size_t>(i)];
      p.x(i) = row[0];
      p.intensity(i) = row[1];
      if (columns_ == 3) p.sigma(i) = row[2];
    }
    return p;
  }

 private:
  void add(int line, const std::vector<double>& numbers) {
    if (numbers[0] <= last_)
      refuse(line, fmt::format("found {:g} after {:g} in the first column", numbers[0], last_),
             "values that ascend");
    last_ = numbers[0];
    if (numbers[0] < from_ || numbers[0] > to_) return;
    if (numbers[1] < 0) refuse(line, fmt::format("found the intensity {:g}", numbers[1]), "0 or more");
    if (columns_ == 3 && !(numbers[2] > 0))
      refuse(line, fmt::format("found the standard deviation {:g}", numbers[2]), "a number above 0");
    rows_.push_back({numbers[0], numbers[1], columns_ == 3 ? numbers[2] : 0});
  }
  [[noreturn]] void refuse(int line, const std::string& found, const std::string& expected) const {
    throw Error(fmt::format("{}:{}: {}; expected {}", path_, line, found, expected));
  }

  std::string path_;
  double from_, to_, last_ = -std::numeric_limits<double>::infinity();
  std::size_t columns_ = 0;
  std::vector<Row> rows_;
};

}  // namespace

MeasuredPattern readMeasuredPattern(const std::string& path, double from, double to) {
  const std::string text = readFile(path);
  std::istringstream in{std::string(withoutByteOrderMark(text))};
  Rows rows(path, from, to);
  int number = 0;
  for (std::string line; std::getline(in, line);) rows.take(++number, line);
  return rows.pattern();
}

Eigen::VectorXd sigmaOfCounts(const Eigen::VectorXd& intensity) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const double value : intensity)
    if (value > 0) smallest = std::min(smallest, value);
  if (!std::isfinite(smallest)) throw Error("all intensities are 0; expected a pattern");
  return intensity.cwiseMax(smallest).cwiseSqrt();
}

}  // namespace prophet
