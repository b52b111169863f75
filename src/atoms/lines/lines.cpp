#include "atoms/lines/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
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
constexpr double kStrong = 0.01;  // of the largest gf: lines that gauges are compared by

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
    SolvedLevels s{v.twoJ, v.odd, {}, {v.kept, Eigen::VectorXd(v.kept->levels())}};
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

/// gf over S omega^(2k-1): docs/theory/lines.md.
double gfOfStrength(Multipole m, double c) {
  const int k = m.rank;
  const double norm = normOf(k), units = m.magnetic ? 1 / (4 * c * c) : 1;
  return units * (2 * k + 1) * (k + 1) / (k * norm * norm * std::pow(c, 2 * k - 2));
}

/// A over omega^2 gf, 1/s.
double rateOfGf(int upperTwoJ, double c) {
  return 2 / (std::pow(c, 3) * (upperTwoJ + 1)) / constants::kSecondsPerAtomicTime;
}

void addLines(const SolvedLevels& bra, const SolvedLevels& ket, const ChosenLines& chosen,
              Multipole multipole, const LineOptions& options, double c, LineList& lines) {
  const std::vector<double>& velocities = multipole.magnetic ? chosen.length : chosen.velocity;
  for (std::size_t n = 0; n < chosen.length.size(); ++n) {
    const int i = chosen.bra[n], j = chosen.ket[n];
    const double omega = ket.levels.energies(j) - bra.levels.energies(i);
    const double length = chosen.length[n], velocity = velocities[n];
    Line line{bra.places[usize(i)], ket.places[usize(j)], multipole,
              std::abs(omega),      length * length,      velocity * velocity};
    if (omega > 0) std::swap(line.upper, line.lower);
    if (lines.add(line, omega > 0 ? ket.twoJ : bra.twoJ, options.leastGf, c) && !chosen.spread.empty())
      lines.lines.back().spread = chosen.spread[n];
  }
  const auto leaveOut = [&](const SolvedLevels& upper, const Eigen::VectorXd& below) {
    for (Eigen::Index i = 0; i < below.size(); ++i)
      lines.leftOut[usize(upper.places[usize(i)])] += rateOfGf(upper.twoJ, c) * below(i);
  };
  leaveOut(bra, chosen.belowBra);
  leaveOut(ket, chosen.belowKet);
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
  const double gf = gfOfStrength(line.multipole, speedOfLight) * strength *
                    std::pow(line.energy, 2 * line.multipole.rank - 1);
  return {gf, rateOfGf(upperTwoJ, speedOfLight) * line.energy * line.energy * gf};
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
  // To their upper levels first: a sort of millions of lines as a whole takes longer than all else.
  std::vector<std::size_t> starts(leftOut.size() + 1, 0);
  for (const Line& l : lines) ++starts[usize(l.upper) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<Line> sorted(lines.size());
  std::vector<std::size_t> next = starts;
  for (const Line& l : lines) sorted[next[usize(l.upper)]++] = l;
  for (std::size_t upper = 0; upper < leftOut.size(); ++upper)
    std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(starts[upper]),
              sorted.begin() + static_cast<std::ptrdiff_t>(starts[upper + 1]),
              [](const Line& a, const Line& b) {
                const auto key = [](const Line& l) {
                  return std::tuple(l.lower, l.multipole.rank, l.multipole.magnetic);
                };
                return key(a) < key(b);
              });
  lines = std::move(sorted);
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
      if (table->pattern().rows != bra.levels.states->states())
        throw Error("lines: the levels are not of these configurations");
      return operatorsOf(*t.multipole, *table);
    });
    const Multipole m = t.multipole->multipole;
    LineChoice choice{gfOfStrength(m, c), 2 * m.rank - 1, options.leastGf};
    if (m == Multipole{}) choice.share = kStrong;
    const ChosenLines chosen = Phases::of(options.phases, "transitions",
                                          [&] { return products->lines(t.bra, t.ket, operators, choice); });
    Phases::of(options.phases, "lines",
               [&] { addLines(bra, ket, chosen, m, options, c, found[usize(number)]); });
  });
  Phases::of(options.phases, "lines", [&] {
    std::size_t count = 0;
    for (const LineList& part : found) count += part.lines.size();
    lines.lines.reserve(count);
    for (LineList& part : found) lines.add(std::exchange(part, {}));
    lines.sort();
  });
  return lines;
}

RatedLines rated(const LineList& list, const std::vector<Level>& levels, double speedOfLight,
                 const std::vector<double>& others) {
  RatedLines made{{}, list.leftOut};
  made.lines.reserve(list.lines.size());
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
