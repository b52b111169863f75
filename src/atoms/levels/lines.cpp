#include "atoms/levels/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "atoms/angular/angular.hpp"
#include "atoms/levels/determinant_space.hpp"
#include "atoms/levels/multipole_elements.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/threads.hpp"

namespace prophet {
namespace {

constexpr int kLargestMultipole = 3;

/// (2k+1)!!.
double normOf(int rank) {
  double product = 1;
  for (int n = 2 * rank + 1; n > 1; n -= 2) product *= n;
  return product;
}

/// 3j(Ja k Jb; -Ja q Jb), which does not vanish where the triangle holds.
double stretched(int twoJa, int k, int twoJb) {
  return wigner3j(twoJa, 2 * k, twoJb, -twoJa, twoJa - twoJb, twoJb);
}

bool triangle(int twoJa, int k, int twoJb) {
  return std::abs(twoJa - twoJb) <= 2 * k && twoJa + twoJb >= 2 * k;
}

/// Levels of one J and parity, with what their vectors are over.
struct SolvedLevels {
  LevelBlock block;
  const Eigen::MatrixXd* vectors = nullptr;
  std::vector<int> places;  ///< of each level in the list of all
  std::vector<double> energies;
};

/// Angular coefficients of a rank between two blocks: for each pair of open spinors the reduced elements
/// between coupled states of the operator whose reduced element between these spinors is one and else zero.
struct PairDensity {
  int a = 0, b = 0;
  SparseMatrix matrix;
};

std::vector<PairDensity> pairDensities(const LevelSpace& space, const std::vector<Place>& places,
                                       const LevelBlock& bra, const LevelBlock& ket, int k) {
  std::vector<PairDensity> list;
  const double norm = 1 / stretched(bra.twoJ, k, ket.twoJ);
  for (std::size_t a = 0; a < space.open.size(); ++a) {
    for (std::size_t b = 0; b < space.open.size(); ++b) {
      if (!triangle(space.open[a].symmetry.twoJ(), k, space.open[b].symmetry.twoJ())) continue;
      const OneBody moves = oneBodyOf(places, [&](const Place& to, const Place& from) {
        if (to.spinor != static_cast<int>(a) || from.spinor != static_cast<int>(b) ||
            to.twoM - from.twoM != bra.twoJ - ket.twoJ)
          return 0.0;
        return coupling(to, k, from);
      });
      const SparseMatrix between = matrixOf(moves, ket, bra.places, bra.states.rows());
      if (between.nonZeros() == 0) continue;
      const SparseMatrix right = between * ket.states;
      list.push_back({static_cast<int>(a), static_cast<int>(b),
                      norm * (SparseMatrix(bra.states.transpose()) * right).pruned(1, 1e-14)});
    }
  }
  return list;
}

/// Reduced elements of an operator between the levels of two blocks.
Eigen::MatrixXd betweenLevels(const std::vector<PairDensity>& densities, const Eigen::MatrixXd& elements,
                              const SolvedLevels& bra, const SolvedLevels& ket) {
  SparseMatrix sum(bra.block.size(), ket.block.size());
  for (const PairDensity& p : densities)
    if (elements(p.a, p.b) != 0) sum += elements(p.a, p.b) * p.matrix;
  return bra.vectors->transpose() * (sum * *ket.vectors);
}

class LinesOfBlocks {
 public:
  LinesOfBlocks(const SolvedLevels& bra, const SolvedLevels& ket, const LineOptions& options, double c,
                const std::vector<int>& twoJ)
      : bra_(bra), ket_(ket), options_(options), c_(c), twoJ_(twoJ) {}

  void add(const SampledMultipole& s, const std::vector<PairDensity>& densities, LineList& lines) const {
    const std::size_t count = s.elements.size();
    std::vector<std::array<Eigen::MatrixXd, 3>> at(count);
    for (std::size_t i = 0; i < count; ++i) {
      at[i][0] = betweenLevels(densities, s.elements[i].charge, bra_, ket_);
      if (s.multipole.magnetic) continue;
      at[i][1] = betweenLevels(densities, s.elements[i].current, bra_, ket_);
      at[i][2] = betweenLevels(densities, s.elements[i].velocity, bra_, ket_);
    }
    for (Eigen::Index j = 0; j < ket_.vectors->cols(); ++j) {
      for (Eigen::Index i = &bra_ == &ket_ ? j + 1 : 0; i < bra_.vectors->cols(); ++i) {
        const double omega =
            ket_.energies[static_cast<std::size_t>(j)] - bra_.energies[static_cast<std::size_t>(i)];
        if (omega == 0) continue;
        const Eigen::VectorXd parts = s.nodes.at(omega * omega);
        std::array<double, 3> sums{};
        for (std::size_t p = 0; p < count; ++p)
          for (std::size_t q = 0; q < (s.multipole.magnetic ? 1 : 3); ++q)
            sums[q] += parts(static_cast<Eigen::Index>(p)) * at[p][q](i, j);
        const double length = sums[0] + omega * sums[1];
        const double velocity = s.multipole.magnetic ? length : sums[2] / omega;
        Line line{bra_.places[static_cast<std::size_t>(i)],
                  ket_.places[static_cast<std::size_t>(j)],
                  s.multipole,
                  std::abs(omega),
                  length * length,
                  velocity * velocity};
        if (omega > 0) std::swap(line.upper, line.lower);
        lines.add(line, twoJ_[static_cast<std::size_t>(line.upper)], options_.leastGf, c_);
      }
    }
  }

 private:
  const SolvedLevels &bra_, &ket_;
  const LineOptions& options_;
  double c_;
  const std::vector<int>& twoJ_;
};

std::vector<SolvedLevels> solvedLevels(const LevelSpace& space, const LevelResult& levels) {
  std::map<std::pair<int, bool>, std::vector<std::pair<int, int>>> numbers;  // index and place
  for (std::size_t i = 0; i < levels.levels.size(); ++i) {
    const Level& l = levels.levels[i];
    numbers[{l.twoJ, l.odd}].emplace_back(l.index, static_cast<int>(i));
  }
  std::vector<SolvedLevels> list;
  for (const LevelVectors& v : levels.vectors) {
    SolvedLevels s{blockOf(space, v.twoJ, v.odd), &v.vectors, {}, {}};
    if (s.block.size() != v.vectors.rows()) throw Error("lines: the levels are not of these configurations");
    auto& own = numbers[{v.twoJ, v.odd}];
    std::ranges::sort(own);
    for (const auto& [index, place] : own) {
      s.places.push_back(place);
      s.energies.push_back(levels.levels[static_cast<std::size_t>(place)].excitation);
    }
    list.push_back(std::move(s));
  }
  return list;
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
      if (const Multipole m{rank, magnetic}; m.name() == name) return m;
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

void LineList::add(const Line& line, int upperTwoJ, double leastGf, double speedOfLight) {
  const LineRates rates = ratesOf(line, line.strength, upperTwoJ, speedOfLight);
  if (rates.gf >= leastGf)
    lines.push_back(line);
  else
    leftOut[static_cast<std::size_t>(line.upper)] += rates.rate;
}

void LineList::add(const LineList& other) {
  lines.insert(lines.end(), other.lines.begin(), other.lines.end());
  for (std::size_t i = 0; i < leftOut.size(); ++i) leftOut[i] += other.leftOut[i];
}

void LineList::sort() {
  std::ranges::stable_sort(lines, [](const Line& a, const Line& b) {
    return std::pair(a.upper, a.lower) < std::pair(b.upper, b.lower);
  });
}

LineList computeLines(const LevelSpace& space, const Result& result, const LevelHamiltonian& hamiltonian,
                      const LevelResult& levels, const LineOptions& options) {
  const std::vector<SolvedLevels> solved = solvedLevels(space, levels);
  const double c = hamiltonian.field.speedOfLight;
  double largest = 0;
  for (const Level& l : levels.levels) largest = std::max(largest, l.excitation);
  LineList lines{{}, std::vector<double>(levels.levels.size(), 0.0)};
  if (largest == 0) return lines;
  const SpinorTable spinors(result, hamiltonian.field, 0);
  const std::vector<Place> places = placesOf(space);
  std::vector<SampledMultipole> multipoles;
  for (const Multipole& m : options.multipoles)
    multipoles.push_back(sampledMultipole(space.open, spinors, m, c, largest));
  std::vector<int> twoJ;
  for (const Level& l : levels.levels) twoJ.push_back(l.twoJ);

  std::vector<std::pair<const SolvedLevels*, const SolvedLevels*>> pairs;
  for (std::size_t i = 0; i < solved.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) pairs.emplace_back(&solved[i], &solved[j]);
  std::vector<LineList> found(pairs.size(), lines);
  ThreadPool pool(std::max(1, options.threads));
  pool.forEach(static_cast<int>(pairs.size()), [&](int p, int) {
    pass(options.checkpoint);
    const auto& [bra, ket] = pairs[static_cast<std::size_t>(p)];
    std::map<int, std::vector<PairDensity>> densities;
    for (const SampledMultipole& s : multipoles) {
      const int k = s.multipole.rank;
      if (!s.multipole.connects(bra->block.twoJ, bra->block.odd, ket->block.twoJ, ket->block.odd)) continue;
      if (!densities.count(k)) densities[k] = pairDensities(space, places, bra->block, ket->block, k);
      LinesOfBlocks(*bra, *ket, options, c, twoJ).add(s, densities[k], found[static_cast<std::size_t>(p)]);
    }
  });
  for (const LineList& part : found) lines.add(part);
  lines.sort();
  return lines;
}

RatedLines rated(const LineList& list, const std::vector<Level>& levels, double speedOfLight) {
  RatedLines made{{}, list.leftOut};
  const auto decay = [&](const Line& l) -> double& {
    return made.decayRates[static_cast<std::size_t>(l.upper)];
  };
  for (const Line& l : list.lines) {
    const int twoJ = levels[static_cast<std::size_t>(l.upper)].twoJ;
    made.lines.push_back({l, ratesOf(l, l.strength, twoJ, speedOfLight),
                          ratesOf(l, l.velocityStrength, twoJ, speedOfLight), 0});
    decay(l) += made.lines.back().length.rate;
  }
  for (RatedLine& l : made.lines) l.branching = l.length.rate / decay(l.line);
  return made;
}

}  // namespace prophet
