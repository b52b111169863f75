#include "bases/optimise/state_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "core/common/error.hpp"

namespace prophet {
namespace {

/// Length of a title of which a message shows all.
constexpr std::size_t kShown = 160;

/// Texts that are longer than a line of a message, from shortly before the first byte in which they differ.
std::string shown(std::string_view text, std::size_t difference) {
  if (text.size() <= kShown) return std::string(text);
  const std::size_t start = difference > kShown / 2 ? difference - kShown / 2 : 0;
  return fmt::format("{}{}{}", start > 0 ? "..." : "", text.substr(start, kShown),
                     start + kShown < text.size() ? "..." : "");
}

std::string withoutReturn(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return std::string(line);
}

/// Everything up to the colon: the kind of run and the version of its record.
std::string_view kindOf(std::string_view title) { return title.substr(0, title.find(':')); }

void requireTitle(const std::string& there, const std::string& title, const std::string& path) {
  if (there == title) return;
  const std::string_view kind = kindOf(title), word = kind.substr(0, kind.find(' '));
  if (there.compare(0, word.size(), word) != 0)
    throw Error(path + ": is not the state of a run of this program; move it away, or rename the input file");
  if (kindOf(there) != kind)
    throw Error(
        fmt::format("{}: was written by another version of this program ('{}', this one writes '{}'); "
                    "remove it to begin anew",
                    path, shown(kindOf(there), 0), kind));
  const std::size_t same = std::min(there.size(), title.size());
  const std::size_t difference = static_cast<std::size_t>(
      std::mismatch(there.begin(), there.begin() + static_cast<std::ptrdiff_t>(same), title.begin()).first -
      there.begin());
  throw Error(
      fmt::format("{}: belongs to another run; restore the input that it was made with, or remove it "
                  "to begin anew:\n  there: {}\n  here:  {}",
                  path, shown(there, difference), shown(title, difference)));
}

}  // namespace

RecordText parseRecord(const std::string& text, const std::string& title, const std::string& path) {
  RecordText record;
  bool first = true;
  for (std::size_t end; (end = text.find('\n', record.wholeBytes)) != std::string::npos;) {
    const std::string line =
        withoutReturn(std::string_view(text).substr(record.wholeBytes, end - record.wholeBytes));
    if (first) {
      requireTitle(line, title, path);
    } else {
      record.lines.push_back(line);
    }
    first = false;
    record.wholeBytes = end + 1;
  }
  if (first && title.compare(0, text.size(), text) != 0)
    throw Error(path + ": is not the state of a run of this program; move it away, or rename the input file");
  return record;
}

namespace {

constexpr int kMostSymmetries = 100, kMostFunctions = 100000;

/// The words of one line, taken one after the other; every complaint shows the line.
class Words {
 public:
  Words(const std::string& text, std::string_view kind) : text_(text) {
    for (std::size_t at = 0; at <= text_.size();) {
      const std::size_t end = std::min(text_.find(' ', at), text_.size());
      words_.push_back(text_.substr(at, end - at));
      at = end + 1;
    }
    require(next() == kind, fmt::format("expected '{}'", kind));
  }

  std::size_t left() const { return words_.size() - at_; }
  std::string word() {
    const std::string_view text = next();
    require(!text.empty(), "two blanks follow each other");
    return std::string(text);
  }
  double number() {
    const double value = numberOrNan();
    require(std::isfinite(value), "a number is not finite");
    return value;
  }
  double numberOrNan() {
    double value = 0;
    read(value);
    require(!std::isinf(value), "a number is not finite");
    return value;
  }
  int whole(int least, int most) {
    int value = 0;
    read(value);
    require(value >= least && value <= most, "a whole number is out of range");
    return value;
  }
  std::vector<double> numbers() {
    std::vector<double> values;
    while (left() > 0) values.push_back(number());
    return values;
  }
  void require(bool holds, const std::string& what) const {
    if (holds) return;
    throw Error(
        fmt::format("damaged line '{}{}': {}", text_.substr(0, 80), text_.size() > 80 ? "..." : "", what));
  }

 private:
  std::string_view next() {
    require(left() > 0, "it is too short");
    return words_[at_++];
  }
  template <typename T>
  void read(T& value) {
    const std::string_view text = next();
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    require(status == std::errc() && end == text.data() + text.size(), "a number was expected");
  }

  std::string_view text_;
  std::vector<std::string_view> words_;
  std::size_t at_ = 0;
};

}  // namespace

std::string kindOfLine(const std::string& text) { return text.substr(0, text.find(' ')); }

std::string textOf(const EvaluationLine& line) {
  return fmt::format("e {} {}", line.energy, fmt::join(line.x, " "));
}

EvaluationLine evaluationLineOf(const std::string& text) {
  Words words(text, "e");
  EvaluationLine line;
  line.energy = words.numberOrNan();
  line.x = words.numbers();
  words.require(!line.x.empty(), "it is too short");
  return line;
}

std::string textOf(const TrialLine& line) {
  return fmt::format("trial {} {} {} {}", line.key, line.energy, line.evaluations,
                     fmt::join(line.parameters, " "));
}

TrialLine trialLineOf(const std::string& text) {
  Words words(text, "trial");
  TrialLine line;
  line.key = words.word();
  line.energy = words.numberOrNan();
  line.evaluations = words.whole(0, 1000000000);
  words.require(words.left() > 0 && words.left() % 4 == 0, "four parameters for each group were expected");
  line.parameters = words.numbers();
  return line;
}

std::string textOf(const FitLine& f) {
  return fmt::format("fit {} {} {} {} {} {} {} {} {}", f.symmetry, f.functions, f.alpha, f.beta, f.delta,
                     f.gamma, f.rise, f.prolapse, f.evaluations);
}

FitLine fitLineOf(const std::string& text) {
  Words words(text, "fit");
  FitLine f;
  f.symmetry = words.whole(0, kMostSymmetries);
  f.functions = words.whole(1, kMostFunctions);
  for (double* value : {&f.alpha, &f.beta, &f.delta, &f.gamma, &f.rise, &f.prolapse}) *value = words.number();
  f.evaluations = words.whole(0, 1000000000);
  words.require(words.left() == 0, "it is too long");
  words.require(f.alpha > 0.0 && f.beta > 1.0 && f.delta >= 0.0 && f.gamma >= 0.0,
                "parameters that no ladder has");
  return f;
}

std::string limitLine(double energy) { return fmt::format("limit {}", energy); }

double limitOf(const std::string& text) {
  Words words(text, "limit");
  const double energy = words.number();
  words.require(words.left() == 0, "it is too long");
  words.require(energy < 0.0, "an energy that is not below 0");
  return energy;
}

}  // namespace prophet
