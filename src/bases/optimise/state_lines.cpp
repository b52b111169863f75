#include "bases/optimise/state_lines.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "atoms/atom/nuclear_charge.hpp"
#include "core/common/error.hpp"
#include "core/common/files.hpp"

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
                    "remove it to start again",
                    path, shown(kindOf(there), 0), kind));
  const std::size_t same = std::min(there.size(), title.size());
  const std::size_t difference = static_cast<std::size_t>(
      std::mismatch(there.begin(), there.begin() + static_cast<std::ptrdiff_t>(same), title.begin()).first -
      there.begin());
  throw Error(
      fmt::format("{}: belongs to another run; restore the input that it was made with, or remove it to "
                  "start again:\n  there: {}\n  here:  {}",
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

RecordLog::RecordLog(const std::string& path, const std::string& title, bool resume) : path_(path) {
  if (path.empty()) return;
  if (title.empty() || title.find('\n') != std::string::npos) throw Error("a record's title is one line");
  open();
  readExisting(title, resume);
  if (lseek(file_.number(), 0, SEEK_END) == 0) append(title);
}

void RecordLog::open() {
  for (;;) {
    file_ = FileHandle(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
    if (!file_.isOpen()) throw Error(path_ + ": cannot be written: " + std::strerror(errno));
    const bool locked = tryLock(file_);
    if (locked && isStillAt(file_, path_)) return;
    if (!locked) throw Error(path_ + ": another run is writing it; wait for that run to end, or stop it");
  }
}

void RecordLog::readExisting(const std::string& title, bool resume) {
  if (!isRegular(file_)) throw Error(path_ + ": is not a regular file; the state of a run needs one");
  const std::string text = readAll(file_, path_);
  if (!resume && !text.empty()) throw Error(path_ + ": exists already; resume that run, or remove the file");
  RecordText record = parseRecord(text, title, path_);
  if (record.wholeBytes < text.size() && !cutTo(file_, record.wholeBytes))
    throw Error(path_ + ": cannot be cut to its last whole line: " + std::strerror(errno));
  earlier_ = std::move(record.lines);
}

void RecordLog::refuse(std::size_t line, const std::string& problem) const {
  throw Error(fmt::format("{}:{}: {}; remove the file to start again (a best set beside it is kept)", path_,
                          line + 2, problem));
}

void RecordLog::append(const std::string& line) {
  if (path_.empty()) return;
  if (const auto cause = appendAtOnce(file_, line + "\n"))
    throw Error(fmt::format("{}: cannot be written: {}; make room and resume", path_, *cause));
}

namespace {

std::string occupationText(const SymmetryOccupation& s) {
  std::string text;
  for (const SpinorOccupation& spinor : s.spinors)
    text += fmt::format("{}{}:{}", text.empty() ? "" : "+", spinor.number, spinor.electrons);
  return text.empty() ? "0" : text;
}

std::string hamiltonianText(const Hamiltonian& h) {
  std::string text = fmt::format("c {}", h.speedOfLight);
  if (!h.isFourComponent()) text += " " + nameOf(h.oneElectron);
  if (h.hasBreit())
    text += fmt::format(" {} {}{}", nameOf(h.repulsion), static_cast<int>(h.breitTreatment),
                        h.breitFrequency ? " frequency" : "");
  if (h.qed.any())
    text += fmt::format(" qed {:d}{:d}{:d}{:d} {} {}", h.qed.vacuumPolarisation, h.qed.kallenSabry,
                        h.qed.wichmannKroll, h.qed.selfEnergy, static_cast<int>(h.qed.fit),
                        static_cast<int>(h.qedTreatment));
  if (h.shell.any()) text += fmt::format(" shell {} {}", h.shell.charge, h.shell.radius);
  return text;
}

}  // namespace

std::string fingerprint(const AtomProblem& problem) {
  const Nucleus& n = problem.nucleus;
  const Configuration& configuration = problem.configuration;
  std::string text =
      fmt::format("{}; nucleus {} {} {}", n.description(), static_cast<int>(n.model), n.charge, n.rms);
  for (const NuclearParameter& p : allNuclearParameters()) text += fmt::format(" {}", n.*p.value);
  text += fmt::format("; {}; spinors", configuration.description);
  for (const SymmetryOccupation& s : configuration.symmetries) text += " " + occupationText(s);
  if (configuration.hasOpenShells()) {
    text += "; pairs";
    const Eigen::MatrixXd& w = configuration.openPairWeights;
    for (Eigen::Index a = 0; a < w.rows(); ++a)
      for (Eigen::Index b = 0; b <= a; ++b)
        if (w(a, b) != 0.0) text += fmt::format(" {},{}:{}", a, b, w(a, b));
  }
  return text + "; " + hamiltonianText(problem.hamiltonian);
}

std::string fingerprint(const ScfOptions& o) {
  return fmt::format("scf {} {} {}; densities {} {} {}; energy {}; dependency {}", o.maxIterations,
                     static_cast<int>(o.extrapolation), o.damping, o.thresholdLL, o.thresholdSL,
                     o.thresholdSS, o.energyThreshold, o.dependencyThreshold);
}

}  // namespace prophet
