#include "atoms/levels/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "atoms/angular/angular.hpp"
#include "atoms/breit/retarded.hpp"
#include "atoms/levels/determinant_space.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/threads.hpp"

namespace prophet {
namespace {

constexpr int kLargestMultipole = 3;
constexpr int kMostNodes = 24;
constexpr double kInterpolation = 3e-15;  // of the largest element: what interpolation may miss

/// (2k+1)!!.
double normOf(int rank) {
  double product = 1;
  for (int n = 2 * rank + 1; n > 1; n -= 2) product *= n;
  return product;
}

/// Reduced elements of one multipole between open spinors at one omega^2, each even in omega: the length
/// gauge is `charge` + omega `current`, the velocity gauge `velocity`/omega; magnetic multipoles have
/// `charge` alone.
struct RadialElements {
  Eigen::MatrixXd charge, current, velocity;
};

class RadialMultipole {
 public:
  RadialMultipole(const LevelSpace& space, const SpinorTable& spinors, Multipole multipole, double c)
      : space_(space), spinors_(spinors), multipole_(multipole), c_(c) {}

  RadialElements at(double omegaSquared) const {
    const auto count = static_cast<Eigen::Index>(space_.open.size());
    const int k = multipole_.rank;
    const Eigen::ArrayXd r = spinors_.radii().array();
    const double wave = std::sqrt(omegaSquared) / c_;
    // (2n+1)!! j_n(wave r)/(wave r)^n.
    const auto bessel = [&](int n) -> Eigen::ArrayXd {
      return r.unaryExpr([&](double x) { return 1 + reducedBesselJ(n, wave * x); });
    };
    const Eigen::ArrayXd same = r.pow(k) * bessel(k);  // (2k+1)!! j_k/wave^k
    RadialElements e{Eigen::MatrixXd::Zero(count, count), {}, {}};
    if (multipole_.magnetic) {
      const Eigen::VectorXd f = 2 * c_ / (k + 1) * same.matrix();
      forPairs([&](int a, int b, Symmetry sa, Symmetry sb, int i, int j) {
        const double angular = (sa.kappa + sb.kappa) * reducedC(Symmetry{-sa.kappa}, k, sb);
        if (angular != 0) e.charge(a, b) = angular * spinors_.coupling(i, j, f);
      });
      return e;
    }
    const Eigen::VectorXd charge = same.matrix();
    // The same of j_(k+1)/(c wave^(k+1)), c j_(k-1)/wave^(k-1), and c j_k/(wave^k r); and of j_k' + j_k/z by
    // j_k' = j_(k-1) - (k+1) j_k/z.
    const Eigen::VectorXd current = (r.pow(k + 1) * bessel(k + 1) / (c_ * (2 * k + 3))).matrix();
    const Eigen::ArrayXd below = c_ * (2 * k + 1) * r.pow(k - 1) * bessel(k - 1);
    const Eigen::ArrayXd ratio = c_ * r.pow(k - 1) * bessel(k);
    const Eigen::VectorXd symmetric = (below - k * ratio).matrix(), antisymmetric = (k * ratio).matrix();
    e.current = e.velocity = e.charge;
    forPairs([&](int a, int b, Symmetry sa, Symmetry sb, int i, int j) {
      const double angular = reducedC(sa, k, sb);
      if (angular == 0) return;
      const double d = static_cast<double>(sa.kappa - sb.kappa) / (k + 1);
      e.charge(a, b) = angular * spinors_.density(i, j, charge);
      e.current(a, b) =
          angular * (d * spinors_.coupling(i, j, current) + spinors_.antisymmetric(i, j, current));
      e.velocity(a, b) =
          angular * (spinors_.antisymmetric(i, j, antisymmetric) - d * spinors_.coupling(i, j, symmetric));
    });
    return e;
  }

 private:
  template <class Take>
  void forPairs(Take take) const {
    const auto n = space_.open.size();
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        take(static_cast<int>(a), static_cast<int>(b), space_.open[a].symmetry, space_.open[b].symmetry,
             space_.open[a].index, space_.open[b].index);
  }

  const LevelSpace& space_;
  const SpinorTable& spinors_;
  Multipole multipole_;
  double c_;
};

/// Chebyshev points of the first kind for an interval from 0, and the barycentric weights of interpolation.
struct Nodes {
  Nodes(int count, double last) : end(last) {
    for (int i = 0; i < count; ++i) {
      const double angle = constants::kPi * (i + 0.5) / count;
      points.push_back(0.5 * end * (1 - std::cos(angle)));
      weights.push_back((i % 2 == 0 ? 1 : -1) * std::sin(angle));
    }
  }
  /// Of a function's values at the points, what its interpolation at x is made of.
  Eigen::VectorXd at(double x) const {
    Eigen::VectorXd parts(static_cast<Eigen::Index>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (x == points[i]) return Eigen::VectorXd::Unit(parts.size(), static_cast<Eigen::Index>(i));
      parts(static_cast<Eigen::Index>(i)) = weights[i] / (x - points[i]);
    }
    return parts / parts.sum();
  }
  double end;
  std::vector<double> points, weights;
};

/// One multipole at as many energies as its interpolation needs.
struct SampledMultipole {
  Multipole multipole;
  Nodes nodes;
  std::vector<RadialElements> elements;
};

double largestMissing(const SampledMultipole& s, const RadialMultipole& radial) {
  // Between the points, where a polynomial misses most.
  double missing = 0;
  const auto compare = [&](const Eigen::VectorXd& parts, const RadialElements& exact,
                           Eigen::MatrixXd RadialElements::*member) {
    if ((exact.*member).size() == 0) return;
    Eigen::MatrixXd found = Eigen::MatrixXd::Zero((exact.*member).rows(), (exact.*member).cols());
    for (std::size_t i = 0; i < s.elements.size(); ++i)
      found += parts(static_cast<Eigen::Index>(i)) * (s.elements[i].*member);
    const double scale = (exact.*member).cwiseAbs().maxCoeff();
    if (scale > 0) missing = std::max(missing, (found - exact.*member).cwiseAbs().maxCoeff() / scale);
  };
  for (std::size_t i = 0; i <= s.nodes.points.size(); ++i) {
    const double low = i == 0 ? 0 : s.nodes.points[i - 1];
    const double high = i == s.nodes.points.size() ? s.nodes.end : s.nodes.points[i];
    const double x = 0.5 * (low + high);
    const RadialElements exact = radial.at(x);
    const Eigen::VectorXd parts = s.nodes.at(x);
    for (const auto member : {&RadialElements::charge, &RadialElements::current, &RadialElements::velocity})
      compare(parts, exact, member);
  }
  return missing;
}

SampledMultipole sampled(const LevelSpace& space, const SpinorTable& spinors, Multipole multipole, double c,
                         double largestEnergy) {
  const RadialMultipole radial(space, spinors, multipole, c);
  for (int count = 3;; count = count * 3 / 2) {
    SampledMultipole s{multipole, Nodes(count, largestEnergy * largestEnergy), {}};
    for (const double x : s.nodes.points) s.elements.push_back(radial.at(x));
    if (count >= kMostNodes || largestMissing(s, radial) < kInterpolation) return s;
  }
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

  void add(const SampledMultipole& s, const std::vector<PairDensity>& densities,
           std::vector<Line>& lines) const {
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
        if (ratesOf(line, line.strength, twoJ_[static_cast<std::size_t>(line.upper)], c_).gf >=
            options_.leastGf)
          lines.push_back(line);
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

std::vector<Line> computeLines(const LevelSpace& space, const Result& result,
                               const LevelHamiltonian& hamiltonian, const LevelResult& levels,
                               const LineOptions& options) {
  const std::vector<SolvedLevels> solved = solvedLevels(space, levels);
  const double c = hamiltonian.field.speedOfLight;
  double largest = 0;
  for (const Level& l : levels.levels) largest = std::max(largest, l.excitation);
  if (largest == 0) return {};
  const SpinorTable spinors(result, hamiltonian.field, 0);
  const std::vector<Place> places = placesOf(space);
  std::vector<SampledMultipole> multipoles;
  for (const Multipole& m : options.multipoles) multipoles.push_back(sampled(space, spinors, m, c, largest));
  std::vector<int> twoJ;
  for (const Level& l : levels.levels) twoJ.push_back(l.twoJ);

  std::vector<std::pair<const SolvedLevels*, const SolvedLevels*>> pairs;
  for (std::size_t i = 0; i < solved.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) pairs.emplace_back(&solved[i], &solved[j]);
  std::vector<std::vector<Line>> found(pairs.size());
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
  std::vector<Line> lines;
  for (const std::vector<Line>& part : found) lines.insert(lines.end(), part.begin(), part.end());
  std::ranges::stable_sort(lines, [](const Line& a, const Line& b) {
    return std::pair(a.upper, a.lower) < std::pair(b.upper, b.lower);
  });
  return lines;
}

RatedLines rated(const std::vector<Line>& lines, const std::vector<Level>& levels, double speedOfLight) {
  RatedLines made{{}, std::vector<double>(levels.size(), 0.0)};
  const auto decay = [&](const Line& l) -> double& {
    return made.decayRates[static_cast<std::size_t>(l.upper)];
  };
  for (const Line& l : lines) {
    const int twoJ = levels[static_cast<std::size_t>(l.upper)].twoJ;
    made.lines.push_back({l, ratesOf(l, l.strength, twoJ, speedOfLight),
                          ratesOf(l, l.velocityStrength, twoJ, speedOfLight), 0});
    decay(l) += made.lines.back().length.rate;
  }
  for (RatedLine& l : made.lines) l.branching = l.length.rate / decay(l.line);
  return made;
}

}  // namespace prophet
