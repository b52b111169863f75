#include "matter/powder/gsas_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <sstream>
#include <vector>

#include "core/common/csv.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"
#include "core/common/text.hpp"

namespace prophet {
namespace {

constexpr const char* kBlanks = " \t\r";
constexpr double kDegrees = 0.01;  // of GSAS's unit

bool beginsBank(const std::string& line) { return line.starts_with("BANK "); }

struct Point {
  double x = 0, intensity = 0;
  std::optional<double> sigma{};
};

/// Reads the lines of a file from the top.
class GsasReader {
 public:
  GsasReader(const std::string& path, const std::string& text) : path_(path), in_(text) {}

  std::vector<Point> points() {
    while (next() && !beginsBank(line_)) {
    }
    const std::vector<std::string> bank = splitWords(line_, kBlanks);
    if (bank.size() < 7) fail("expected BANK, numbers of the bank, points and lines, CONST, start and step");
    if (bank[4] != "CONST")
      fail(fmt::format("the points are those of {}; only steps of 2 theta (CONST) are read", bank[4]));
    const double count = numberOf(bank[2]);
    if (!(count >= 2 && count < 1e7) || count != std::floor(count))
      fail(fmt::format("'{}' is not a number of points", bank[2]));
    start_ = numberOf(bank[5]);
    step_ = numberOf(bank[6]);
    type_ = bank.size() > 9 ? bank[9] : bank.back();
    if (parseDouble(type_)) type_ = "STD";
    std::vector<Point> all;
    while (next()) {
      if (beginsBank(line_)) fail("the file has several banks; leave one of them");
      if (trimmed(line_, kBlanks).empty() || line_[0] == '#') continue;
      if (all.size() < static_cast<std::size_t>(count)) addLine(all);
    }
    if (all.size() < static_cast<std::size_t>(count))
      fail(fmt::format("the bank has {:g} points, and the file {}", count, all.size()));
    all.resize(static_cast<std::size_t>(count));
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(fmt::format("{}:{}: {}", path_, number_, what));
  }
  bool next() {
    ++number_;
    return static_cast<bool>(std::getline(in_, line_));
  }
  double numberOf(const std::string& text) const {
    const auto value = finiteNumber(trimmed(text, kBlanks));
    if (!value) fail(fmt::format("'{}' is not a number", text));
    return *value;
  }
  /// The fields of so many letters.
  std::vector<std::string> fields(std::size_t width) const {
    const std::string line = line_.substr(0, line_.find_last_not_of(kBlanks) + 1);
    std::vector<std::string> list;
    for (std::size_t at = 0; at < line.size(); at += width) list.push_back(line.substr(at, width));
    return list;
  }
  void addLine(std::vector<Point>& all) const {
    const auto add = [&](double intensity, double sigma) {
      all.push_back({kDegrees * (start_ + static_cast<double>(all.size()) * step_), intensity, sigma});
    };
    if (type_ == "FXYE" || type_ == "FXY") {
      const std::vector<std::string> words = splitWords(line_, kBlanks);
      if (words.size() != (type_ == "FXYE" ? 3 : 2))
        fail(fmt::format("found {} numbers in a line of {}", words.size(), type_));
      Point p{kDegrees * numberOf(words[0]), numberOf(words[1])};
      if (words.size() == 3) p.sigma = numberOf(words[2]);
      all.push_back(p);
    } else if (type_ == "ESD") {
      const std::vector<std::string> list = fields(8);
      if (list.size() % 2 != 0) fail("an intensity without its standard deviation");
      for (std::size_t i = 0; i < list.size(); i += 2) add(numberOf(list[i]), numberOf(list[i + 1]));
    } else if (type_ == "STD") {
      for (const std::string& field : fields(8)) {  // a number of detectors, and the mean of their counts
        const std::string detectors = trimmed(field.substr(0, 2), kBlanks);
        const double count = numberOf(field.size() > 2 ? field.substr(2) : "");
        add(count,
            std::sqrt(std::max(count, 1.0) / (detectors.empty() ? 1 : std::max(numberOf(detectors), 1.0))));
      }
    } else {
      fail(fmt::format("points of type {} are not read; expected STD, ESD, FXY or FXYE", type_));
    }
  }

  const std::string& path_;
  std::istringstream in_;
  std::string line_, type_;
  int number_ = 0;
  double start_ = 0, step_ = 0;
};

}  // namespace

bool isGsasFile(const std::string& path) {
  std::istringstream in(readFile(path));
  for (std::string line; std::getline(in, line);)
    if (beginsBank(line)) return true;
  return false;
}

MeasuredPattern readGsasFile(const std::string& path, double from, double to) {
  const std::string text = readFile(path);
  MeasuredPattern p;
  p.heading = "2theta";
  p.place = path;
  std::vector<Point> kept;
  for (const Point& point : GsasReader(path, text).points()) {
    if (point.x < from || point.x > to) continue;
    if (!kept.empty() && !(point.x > kept.back().x))
      throw Error(fmt::format("{}: found 2 theta {:g} after {:g} degrees", path, point.x, kept.back().x));
    if (point.intensity < 0)
      throw Error(fmt::format("{}: found the intensity {:g} at {:g} degrees; expected 0 or more", path,
                              point.intensity, point.x));
    if (point.sigma && !(*point.sigma > 0))
      throw Error(
          fmt::format("{}: found the standard deviation {:g} at {:g} degrees; expected a number above 0",
                      path, *point.sigma, point.x));
    kept.push_back(point);
  }
  if (kept.size() < 2)
    throw Error(
        fmt::format("{}: has {} points in the range asked for; expected at least 2", path, kept.size()));
  const auto size = static_cast<Eigen::Index>(kept.size());
  p.x.resize(size);
  p.intensity.resize(size);
  p.sigma.resize(kept.front().sigma ? size : 0);
  for (Eigen::Index i = 0; i < size; ++i) {
    const Point& point = kept[static_cast<std::size_t>(i)];
    p.x(i) = point.x;
    p.intensity(i) = point.intensity;
    if (point.sigma) p.sigma(i) = *point.sigma;
  }
  return p;
}

}  // namespace prophet
