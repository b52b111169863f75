#include "atoms/lines/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "atoms/levels/angular_tables.hpp"
#include "atoms/levels/level_engine.hpp"
#include "atoms/lines/multipole_elements.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/common/text.hpp"
#include "core/common/threads.hpp"

namespace prophet {
namespace {

constexpr int kLargestMultipole = 3;
constexpr double kMostSpread = 2;  // of log10(S): beyond it nothing is known
constexpr double kStrong = 0.01;   // of the largest gf: lines that gauges are compared by

/// (2k+1)!!.
double normOf(int rank) {
  double product = 1;
  for (int n = 2 * rank + 1; n > 1; n -= 2) product *= n;
  return product;
}

bool triangle(int twoJa, int k, int twoJb) {
  return std::abs(twoJa - twoJb) <= 2 * k && twoJa + twoJb >= 2 * k;
}

/// Levels of one J and parity, with their places in the list of all.
struct SolvedLevels {
  int twoJ = 0;
  bool odd = false;
  std::vector<int> places;
  BlockLevels levels;
};

std::vector<SolvedLevels> solvedLevels(const LevelResult& levels) {
  std::map<std::pair<int, bool>, std::vector<std::pair<int, int>>> numbers;  // index and place
  for (std::size_t i = 0; i < levels.levels.size(); ++i) {
    const Level& l = levels.levels[i];
    numbers[{l.twoJ, l.odd}].emplace_back(l.index, static_cast<int>(i));
  }
  std::vector<SolvedLevels> list;
  for (const LevelVectors& v : levels.vectors) {
    SolvedLevels s{v.twoJ, v.odd, {}, {&v.vectors, Eigen::VectorXd(v.vectors.cols())}};
    auto& own = numbers[{v.twoJ, v.odd}];
    std::ranges::sort(own);
    for (const auto& [index, place] : own) {
      s.levels.energies(static_cast<Eigen::Index>(s.places.size())) = levels.levels[usize(place)].excitation;
      s.places.push_back(place);
    }
    list.push_back(std::move(s));
  }
  return list;
}

TransitionOperators operatorsOf(const SampledMultipole& s, const TransitionTable& table) {
  TransitionOperators o = table.pattern();
  const auto count = static_cast<Eigen::Index>(o.places.size()),
             nodes = static_cast<Eigen::Index>(s.nodes.points.size());
  o.nodes = s.nodes.points;
  o.charge.resize(count, nodes);
  if (!s.multipole.magnetic) o.current = o.velocity = o.charge;
  for (Eigen::Index n = 0; n < nodes; ++n) {
    const RadialElements& e = s.elements[usize(n)];
    o.charge.col(n) = table.elements(e.charge);
    if (s.multipole.magnetic) continue;
    o.current.col(n) = table.elements(e.current);
    o.velocity.col(n) = table.elements(e.velocity);
  }
  return o;
}

/// The elements of the length gauge for long waves, as those of a magnetic multipole.
TransitionOperators atLongWaves(const TransitionOperators& o) {
  return {o.rows, o.starts, o.places, {o.nodes.front()}, o.charge.leftCols(1), {}, {}};
}

/// Products of levels, and of the same levels in other vectors.
class MovedProducts {
 public:
  /// `blocks` of `levels`, all of which have as many moved vectors.
  MovedProducts(LevelEngine& engine, const std::vector<BlockLevels>& blocks, const LevelResult& levels) {
    if (blocks.empty()) return;
    for (std::size_t k = 0; k < levels.vectors.front().moved.size(); ++k) {
      std::vector<BlockLevels> others = blocks;
      for (std::size_t b = 0; b < blocks.size(); ++b) others[b].vectors = &levels.vectors[b].moved[k];
      products_.push_back(engine.productsOf(std::move(others)));
    }
  }
  /// Elements at long waves between two blocks: those of the levels, then of each of the other vectors; empty
  /// without other vectors.
  std::vector<Eigen::MatrixXd> elements(LevelProducts& own, int bra, int ket,
                                        const TransitionOperators& operators) const {
    if (products_.empty()) return {};
    const TransitionOperators o = atLongWaves(operators);
    std::vector<Eigen::MatrixXd> list{own.elements(bra, ket, o).length};
    for (const auto& p : products_) list.push_back(p->elements(bra, ket, o).length);
    return list;
  }

 private:
  std::vector<std::unique_ptr<LevelProducts>> products_;
};

/// Root mean square of what log10 of the squares of an element changes by in other vectors, at most
/// kMostSpread.
double spreadOf(const std::vector<Eigen::MatrixXd>& moved, Eigen::Index i, Eigen::Index j) {
  double sum = 0;
  for (std::size_t k = 1; k < moved.size(); ++k) {
    const double change = 2 * std::log10(std::abs(moved[k](i, j) / moved.front()(i, j)));
    if (!std::isnan(change)) sum += std::pow(std::clamp(change, -kMostSpread, kMostSpread), 2);
  }
  return std::sqrt(sum / static_cast<double>(moved.size() - 1));
}

/// Each of two levels of one block once. `moved`: for Line::spread, or empty.
void addLines(const SolvedLevels& bra, const SolvedLevels& ket, const TransitionElements& elements,
              const std::vector<Eigen::MatrixXd>& moved, Multipole multipole, const LineOptions& options,
              double c, LineList& lines) {
  const Eigen::MatrixXd& velocities = multipole.magnetic ? elements.length : elements.velocity;
  for (Eigen::Index j = 0; j < elements.length.cols(); ++j) {
    for (Eigen::Index i = &bra == &ket ? j + 1 : 0; i < elements.length.rows(); ++i) {
      const double omega = ket.levels.energies(j) - bra.levels.energies(i);
      if (omega == 0) continue;
      const double length = elements.length(i, j), velocity = velocities(i, j);
      Line line{bra.places[usize(i)], ket.places[usize(j)], multipole,
                std::abs(omega),      length * length,      velocity * velocity};
      if (omega > 0) std::swap(line.upper, line.lower);
      const bool isKept = lines.add(line, omega > 0 ? ket.twoJ : bra.twoJ, options.leastGf, c);
      if (isKept && !moved.empty()) lines.lines.back().spread = spreadOf(moved, i, j);
    }
  }
}

}  // namespace

bool Multipole::connects(int twoJ, bool odd, int otherTwoJ, bool otherOdd) const {
  const bool changesParity = (rank % 2 != 0) != magnetic;
  return triangle(twoJ, rank, otherTwoJ) && (odd != otherOdd) == changesParity;
}

std::string Multipole::name() const { return fmt::format("{}{}", magnetic ? 'M' : 'E', rank); }

Multipole multipoleNamed(const std::string& name) {
  for (int rank = 1; rank <= kLargestMultipole; ++rank)
    for (const bool magnetic : {false, true})
      if (const Multipole m{rank, magnetic}; lowerCase(m.name()) == lowerCase(name)) return m;
  throw Error(fmt::format("'{}' is not a multipole; expected E1, M1, E2, M2, E3 or M3", name));
}

LineRates ratesOf(const Line& line, double strength, int upperTwoJ, double speedOfLight) {
  const int k = line.multipole.rank;
  const double inUnits = line.multipole.magnetic ? strength / (4 * speedOfLight * speedOfLight) : strength;
  const double norm = normOf(k);
  const double energy = line.energy, wave = energy / speedOfLight;
  const double gf = inUnits * (2 * k + 1) * (k + 1) * energy * std::pow(wave, 2 * k - 2) / (k * norm * norm);
  return {gf, 2 * energy * energy * gf / (std::pow(speedOfLight, 3) * (upperTwoJ + 1)) /
                  constants::kSecondsPerAtomicTime};
}

double countLines(const LevelSpace& space, const std::vector<Multipole>& multipoles,
                  const WantedLevels& wanted) {
  const LevelCount count = countLevels(space, wanted);
  double lines = 0;
  for (const Multipole& m : multipoles)
    for (std::size_t i = 0; i < count.blocks.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        const LevelCount::Block &a = count.blocks[i], &b = count.blocks[j];
        if (!m.connects(a.twoJ, a.odd, b.twoJ, b.odd)) continue;
        lines += i == j ? 0.5 * a.wanted * (a.wanted - 1) : a.wanted * b.wanted;
      }
  return lines;
}

bool LineList::add(const Line& line, int upperTwoJ, double leastGf, double speedOfLight) {
  const LineRates rates = ratesOf(line, line.strength, upperTwoJ, speedOfLight);
  if (line.multipole == Multipole{} && rates.gf > 0 && rates.gf >= kStrong * largestGf) {
    if (rates.gf > 2 * largestGf)
      std::erase_if(gauges, [&](const auto& g) { return g.first < kStrong * rates.gf; });
    largestGf = std::max(largestGf, rates.gf);
    gauges.emplace_back(rates.gf, line.velocityStrength / line.strength);
  }
  const bool isKept = rates.gf >= leastGf;
  if (isKept)
    lines.push_back(line);
  else
    leftOut[usize(line.upper)] += rates.rate;
  return isKept;
}

void LineList::add(const LineList& other) {
  lines.insert(lines.end(), other.lines.begin(), other.lines.end());
  for (std::size_t i = 0; i < other.leftOut.size(); ++i) leftOut[i] += other.leftOut[i];
  addGauges(other);
}

void LineList::addGauges(const LineList& other) {
  gauges.insert(gauges.end(), other.gauges.begin(), other.gauges.end());
  largestGf = std::max(largestGf, other.largestGf);
}

std::optional<double> LineList::gaugeRatio() const {
  std::vector<double> ratios;
  for (const auto& [gf, ratio] : gauges)
    if (gf >= kStrong * largestGf) ratios.push_back(ratio);
  if (ratios.empty()) return {};
  std::ranges::nth_element(ratios, ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2));
  return ratios[ratios.size() / 2];
}

void LineList::sort() {
  std::ranges::sort(lines, {}, [](const Line& l) {
    return std::tuple(l.upper, l.lower, l.multipole.rank, l.multipole.magnetic);
  });
}

LineList computeLines(const LevelSpace& space, const Result& result, const LevelHamiltonian& hamiltonian,
                      const LevelResult& levels, const LineOptions& options) {
  const std::vector<SolvedLevels> solved = solvedLevels(levels);
  const double c = hamiltonian.field.speedOfLight;
  double largest = 0;
  for (const Level& l : levels.levels) largest = std::max(largest, l.excitation);
  LineList lines{{}, std::vector<double>(levels.levels.size(), 0.0)};
  if (largest == 0) return lines;
  const SpinorTable spinors(result, hamiltonian.field, 0);
  std::vector<SampledMultipole> multipoles;
  for (const Multipole& m : options.multipoles)
    multipoles.push_back(sampledMultipole(space.open, spinors, m, c, largest, options.interpolation));

  struct Task {
    int bra = 0, ket = 0;
    const SampledMultipole* multipole = nullptr;
  };
  std::vector<Task> tasks;
  std::vector<BlockLevels> blocks;
  for (std::size_t i = 0; i < solved.size(); ++i) {
    blocks.push_back(solved[i].levels);
    for (std::size_t j = 0; j <= i; ++j)
      for (const SampledMultipole& m : multipoles)
        if (m.multipole.connects(solved[i].twoJ, solved[i].odd, solved[j].twoJ, solved[j].odd))
          tasks.push_back({static_cast<int>(i), static_cast<int>(j), &m});
  }
  // The largest ones first.
  std::ranges::stable_sort(tasks, std::ranges::greater{}, [&](const Task& t) {
    return solved[usize(t.bra)].places.size() * solved[usize(t.ket)].places.size();
  });
  std::unique_ptr<AngularTables> ownTables;
  if (!options.angular) ownTables = std::make_unique<AngularTables>(space, false);
  AngularTables& angular = options.angular ? *options.angular : *ownTables;
  const std::unique_ptr<LevelEngine> ownEngine = options.engine ? nullptr : hostLevelEngine();
  LevelEngine& engine = options.engine ? *options.engine : *ownEngine;
  const MovedProducts moved(engine, blocks, levels);
  const std::unique_ptr<LevelProducts> products =
      Phases::of(options.phases, "transitions", [&] { return engine.productsOf(std::move(blocks)); });
  std::vector<LineList> found(tasks.size(), lines);
  ThreadPool pool(std::max(1, options.threads));
  pool.forEach(static_cast<int>(tasks.size()), [&](int number, int) {
    pass(options.checkpoint);
    const Task& t = tasks[usize(number)];
    const SolvedLevels &bra = solved[usize(t.bra)], &ket = solved[usize(t.ket)];
    const TransitionOperators operators = Phases::of(options.phases, "angular", [&] {
      const auto table =
          angular.transitions({bra.twoJ, bra.odd}, {ket.twoJ, ket.odd}, t.multipole->multipole.rank);
      if (table->pattern().rows != bra.levels.vectors->rows())
        throw Error("lines: the levels are not of these configurations");
      return operatorsOf(*t.multipole, *table);
    });
    const TransitionElements elements = Phases::of(
        options.phases, "transitions", [&] { return products->elements(t.bra, t.ket, operators); });
    const std::vector<Eigen::MatrixXd> others = Phases::of(
        options.phases, "errors", [&] { return moved.elements(*products, t.bra, t.ket, operators); });
    Phases::of(options.phases, "lines", [&] {
      addLines(bra, ket, elements, others, t.multipole->multipole, options, c, found[usize(number)]);
    });
  });
  Phases::of(options.phases, "lines", [&] {
    for (LineList& part : found) lines.add(std::exchange(part, {}));
    lines.sort();
  });
  return lines;
}

RatedLines rated(const LineList& list, const std::vector<Level>& levels, double speedOfLight,
                 const std::vector<double>& others) {
  RatedLines made{{}, list.leftOut};
  for (std::size_t i = 0; i < others.size(); ++i) made.decayRates[i] += others[i];
  const auto decay = [&](const Line& l) -> double& { return made.decayRates[usize(l.upper)]; };
  for (const Line& l : list.lines) {
    const int twoJ = levels[usize(l.upper)].twoJ;
    made.lines.push_back({l, ratesOf(l, l.strength, twoJ, speedOfLight),
                          ratesOf(l, l.velocityStrength, twoJ, speedOfLight), 0});
    decay(l) += made.lines.back().length.rate;
  }
  for (RatedLine& l : made.lines) l.branching = l.length.rate / decay(l.line);
  return made;
}

}  // namespace prophet
