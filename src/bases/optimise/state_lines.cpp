#include "bases/optimise/state_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

#include "atoms/atom/nuclear_charge.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr int kMostSymmetries = 100, kMostFunctions = 100000;

/// The words of one line, taken one after the other; every complaint shows the line.
class Words {
 public:
  explicit Words(const std::string& text) : text_(text) {
    for (std::size_t at = 0; at <= text_.size();) {
      const std::size_t end = std::min(text_.find(' ', at), text_.size());
      words_.push_back(text_.substr(at, end - at));
      at = end + 1;
    }
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

std::string textOf(const EvaluationLine& line) {
  return fmt::format("{} {}", line.energy, fmt::join(line.x, " "));
}

EvaluationLine evaluationLineOf(const std::string& text) {
  Words words(text);
  EvaluationLine line;
  line.energy = words.numberOrNan();
  line.x = words.numbers();
  words.require(!line.x.empty(), "it is too short");
  return line;
}

std::string textOf(const TrialLine& line) {
  return fmt::format("{} {} {} {}", line.key, line.energy, line.evaluations, fmt::join(line.parameters, " "));
}

TrialLine trialLineOf(const std::string& text) {
  Words words(text);
  TrialLine line;
  line.key = words.word();
  line.energy = words.numberOrNan();
  line.evaluations = words.whole(0, 1000000000);
  words.require(words.left() > 0 && words.left() % 4 == 0, "four parameters for each group were expected");
  line.parameters = words.numbers();
  return line;
}

std::string textOf(const FitLine& f) {
  return fmt::format("{} {} {} {} {} {} {} {} {}", f.symmetry, f.functions, f.alpha, f.beta, f.delta, f.gamma,
                     f.rise, f.prolapse, f.evaluations);
}

FitLine fitLineOf(const std::string& text) {
  Words words(text);
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

std::string limitLine(double energy) { return fmt::format("{}", energy); }

double limitOf(const std::string& text) {
  Words words(text);
  const double energy = words.number();
  words.require(words.left() == 0, "it is too long");
  words.require(energy < 0.0, "an energy that is not below 0");
  return energy;
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
