#include "atoms/levels/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "atoms/angular/angular.hpp"
#include "atoms/levels/determinant_space.hpp"
#include "atoms/levels/open_electrons.hpp"
#include "atoms/levels/parameter_operators.hpp"
#include "atoms/levels/term_analysis.hpp"
#include "atoms/properties/spinor_integrals.hpp"
#include "core/common/constants.hpp"
#include "core/common/error.hpp"
#include "core/common/memory.hpp"
#include "core/common/threads.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {
namespace {

constexpr double kShownTerm = 0.05, kShownCoupling = 1;  // percent: smaller parts of a level are not listed
constexpr double kAnomaly = 2 * 0.00115965218;           // g_s - 2
constexpr double kMemoryShare = 0.8;                     // of what the process may have

std::vector<LevelPart> sorted(std::vector<LevelPart> parts, double least) {
  std::stable_sort(parts.begin(), parts.end(),
                   [](const LevelPart& a, const LevelPart& b) { return a.percent > b.percent; });
  const double shown = parts.empty() ? 0 : std::min(least, parts.front().percent);
  std::erase_if(parts, [&](const LevelPart& p) { return p.percent < shown; });
  return parts;
}

/// A label and its share of a level.
using Name = std::pair<std::string, double>;

/// Shares of the terms, and the state of LS coupling with the largest one.
Name composeTerms(const std::vector<TermStates>& terms, const Eigen::VectorXd& vector, Level& level) {
  Name name;
  for (std::size_t c = 0; c < terms.size(); ++c) {
    const TermStates& t = terms[c];
    if (t.states.empty()) continue;
    const Eigen::VectorXd shares = 100 * (t.vectors.transpose() * vector(t.states)).array().square().matrix();
    std::map<std::string, double> sums, labels;
    for (Eigen::Index i = 0; i < shares.size(); ++i) {
      sums[t.names[static_cast<std::size_t>(i)]] += shares(i);
      labels[t.labels[static_cast<std::size_t>(i)]] += shares(i);
    }
    for (const auto& [term, percent] : sums) level.terms.push_back({term, percent, static_cast<int>(c)});
    for (const auto& [label, percent] : labels)
      if (percent > name.second) name = {label, percent};
  }
  level.terms = sorted(std::move(level.terms), kShownTerm);
  return name;
}

void composeCouplings(const LevelBlock& block, const Eigen::VectorXd& vector, Level& level) {
  for (Eigen::Index s = 0; s < block.size(); ++s)
    level.couplings.push_back({block.labels[static_cast<std::size_t>(s)], 100 * vector(s) * vector(s),
                               block.configurations[static_cast<std::size_t>(s)]});
  level.couplings = sorted(std::move(level.couplings), kShownCoupling);
}

/// A number after labels that several levels of one J would share, in order of energy.
void numberRepeated(std::vector<Level>& levels) {
  std::map<std::tuple<int, bool, std::string>, std::vector<Level*>> same;
  for (Level& l : levels) same[{l.twoJ, l.odd, l.label}].push_back(&l);
  for (const auto& [key, list] : same)
    if (list.size() > 1)
      for (std::size_t i = 0; i < list.size(); ++i) list[i]->label += fmt::format(" ({})", i + 1);
}

/// One-body operators whose expectation values in |J J> are properties of a level.
struct Observables {
  OneBody moment, anomaly, dipole, quadrupole, square, density;
  double closedSquare = 0, closedDensity = 0;  ///< of the closed shells
};

Observables observablesOf(const LevelSpace& space, const SpinorTable& spinors,
                          const SpinorIntegrals& integrals, const std::vector<Place>& places,
                          const LevelField& field) {
  const double c = field.speedOfLight;
  // Component 0 of rank k with these reduced elements; even parity.
  const auto of = [&](int k, const std::function<double(int, int, Symmetry, Symmetry)>& reduced) {
    return oneBodyOf(places, [&](const Place& to, const Place& from) {
      const Symmetry a = to.symmetry, b = from.symmetry;
      if (to.twoM != from.twoM || (a.l() + b.l()) % 2 != 0 || std::abs(a.twoJ() - b.twoJ()) > 2 * k ||
          a.twoJ() + b.twoJ() < 2 * k)
        return 0.0;
      return coupling(to, k, from) * reduced(space.open[static_cast<std::size_t>(to.spinor)].index,
                                             space.open[static_cast<std::size_t>(from.spinor)].index, a, b);
    });
  };
  // The magnetic moment between a and b, with a radial integral of r^power.
  const auto magnetic = [&](int a, int b, Symmetry sa, Symmetry sb, int power) {
    return (sa.kappa + sb.kappa) * reducedC(Symmetry{-sa.kappa}, 1, sb) * spinors.sign(a) * spinors.sign(b) *
           integrals.productBetween(a, b, power);
  };
  const SpinorIntegrals::Weight inverseCube = integrals.powerWeight(-3), square = integrals.powerWeight(2);
  Observables o;
  o.moment = of(1, [&](int a, int b, Symmetry sa, Symmetry sb) { return -c * magnetic(a, b, sa, sb, 1); });
  o.anomaly = of(1, [&](int a, int b, Symmetry sa, Symmetry sb) {
    const double angular = reducedC(Symmetry{-sa.kappa}, 1, sb);
    return angular * ((sa.kappa + sb.kappa - 1) * spinors.largeOverlap(a, b) +
                      (sa.kappa + sb.kappa + 1) * spinors.smallOverlap(a, b));
  });
  o.dipole = of(1, [&](int a, int b, Symmetry sa, Symmetry sb) { return -magnetic(a, b, sa, sb, -2); });
  o.quadrupole = of(2, [&](int a, int b, Symmetry sa, Symmetry sb) {
    const double angular = reducedC(sa, 2, sb);
    return angular == 0 ? 0.0
                        : -angular * spinors.sign(a) * spinors.sign(b) * integrals.between(a, b, inverseCube);
  });
  // Of a function of r alone: over the open spinors, and the sum of the closed ones.
  const auto scalar = [&](const SpinorIntegrals::Weight& weight, double& closed) {
    for (const LevelSpinor& s : space.closed)
      closed += s.symmetry.degeneracy() * integrals.density(s.index, weight);
    return oneBodyOf(places, [&](const Place& to, const Place& from) {
      if (!(to.symmetry == from.symmetry) || to.twoM != from.twoM) return 0.0;
      const int a = space.open[static_cast<std::size_t>(to.spinor)].index,
                b = space.open[static_cast<std::size_t>(from.spinor)].index;
      return spinors.sign(a) * spinors.sign(b) * integrals.between(a, b, weight);
    });
  };
  o.square = scalar(square, o.closedSquare);
  if (!field.nucleus.isPoint())
    o.density = scalar(
        integrals.weight([&](double r) { return field.nucleus.chargeDensity(r) / field.nucleus.charge; }),
        o.closedDensity);
  return o;
}

/// Of an operator between the coupled states, in each of these vectors.
Eigen::VectorXd expectations(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& vectors) {
  return vectors.cwiseProduct(matrix * vectors).colwise().sum().transpose();
}

/// What follows from the vectors of a block, into its levels. Units: the nuclear magneton is 1/(2 c m_p) in
/// Gaussian atomic units.
void addProperties(const Observables& o, const LevelBlock& block, const Eigen::MatrixXd& vectors,
                   std::vector<Level>& levels) {
  const auto expectation = [&](const OneBody& list) -> Eigen::VectorXd {
    return expectations(betweenStates(block, matrixOf(list, block, block.places, block.states.rows())),
                        vectors);
  };
  const Eigen::VectorXd square = expectation(o.square);
  Eigen::VectorXd density = Eigen::VectorXd::Zero(block.size());
  if (!o.density.empty()) density = expectation(o.density);
  for (Eigen::Index i = 0; i < block.size(); ++i) {
    levels[static_cast<std::size_t>(i)].meanSquareRadius = o.closedSquare + square(i);
    levels[static_cast<std::size_t>(i)].density = o.closedDensity + density(i);
  }
  if (block.twoJ == 0) return;
  // With T^1_0 in |J J>: g = <T>/J, A = (mu/I) <T>/J; the 3j symbol of stretched states is the rest.
  const double j = 0.5 * block.twoJ;
  const double dipoleUnit = constants::kMegahertzPerHartree /
                            (2 * constants::kInverseFineStructure * constants::kProtonElectronMassRatio);
  const Eigen::VectorXd moment = expectation(o.moment), anomaly = expectation(o.anomaly),
                        dipole = expectation(o.dipole);
  Eigen::VectorXd quadrupole = Eigen::VectorXd::Zero(block.size());
  if (block.twoJ > 1) quadrupole = expectation(o.quadrupole);
  for (Eigen::Index i = 0; i < block.size(); ++i) {
    Level& level = levels[static_cast<std::size_t>(i)];
    level.g = moment(i) / j;
    level.gAnomaly = 0.5 * kAnomaly * anomaly(i) / j;
    level.hyperfineA = dipoleUnit * dipole(i) / j;
    level.hyperfineB = 2 * constants::kMegahertzPerHartree * constants::kBarn * quadrupole(i);
  }
}

/// The levels of one J and parity, energies but for what all levels share.
struct SolvedBlock {
  std::vector<Level> levels;
  LevelVectors vectors{};
};

/// Those by parameters that some level depends on.
void keepDerivatives(const std::vector<ParameterOperator>& operators, LevelResult& r) {
  constexpr double kNone = 1e-10;
  for (std::size_t p = operators.size(); p-- > 0;) {
    if (std::any_of(r.levels.begin(), r.levels.end(),
                    [&](const Level& l) { return std::abs(l.derivatives[p]) > kNone; })) {
      r.parameters.insert(r.parameters.begin(), operators[p].parameter());
    } else {
      for (Level& l : r.levels) l.derivatives.erase(l.derivatives.begin() + static_cast<std::ptrdiff_t>(p));
    }
  }
}

void requireSpinors(const LevelSpace& space, const Result& result) {
  std::size_t count = space.closed.size() + space.open.size();
  if (result.spinors.size() != count)
    throw Error("levels: the result has other spinors than the configurations");
  for (const auto* list : {&space.closed, &space.open})
    for (const LevelSpinor& s : *list) {
      const Spinor& found = result.spinors[static_cast<std::size_t>(s.index)];
      if (found.n != s.n || !(found.symmetry == s.symmetry))
        throw Error("levels: the result has other spinors than the configurations");
    }
}

/// Numbers of determinants of a subshell j^n by 2M, from -most to most in steps of 2.
std::map<int, double> determinantsByM(int twoJ, int electrons) {
  std::vector<std::map<int, double>> of(static_cast<std::size_t>(electrons) + 1);
  of[0][0] = 1;
  for (int m = -twoJ; m <= twoJ; m += 2)
    for (std::size_t n = of.size() - 1; n > 0; --n)
      for (const auto& [sum, count] : of[n - 1]) of[n][sum + m] += count;
  return of.back();
}

}  // namespace

LevelCount countLevels(const LevelSpace& space) {
  std::map<std::pair<bool, int>, double> determinants;  // by parity and 2M
  for (const RelativisticConfiguration& row : space.distributions) {
    std::map<int, double> all{{0, 1}};
    for (std::size_t s = 0; s < space.open.size(); ++s) {
      std::map<int, double> next;
      for (const auto& [b, y] : determinantsByM(space.open[s].symmetry.twoJ(), row.electrons[s]))
        for (const auto& [a, x] : all) next[a + b] += x * y;
      all = std::move(next);
    }
    const bool odd = space.configurations[static_cast<std::size_t>(row.configuration)].odd;
    for (const auto& [m, count] : all) determinants[{odd, m}] += count;
  }
  LevelCount result;
  for (const auto& [key, count] : determinants) {
    const auto& [odd, twoM] = key;
    if (twoM < 0) continue;
    const auto above = determinants.find({odd, twoM + 2});
    const double levels = count - (above == determinants.end() ? 0 : above->second);
    if (levels < 0.5) continue;
    result.blocks.push_back({twoM, odd, levels, count});
    result.levels += levels;
    if (levels > result.largest.levels) result.largest = result.blocks.back();
    // The Hamiltonian, its vectors, L^2 and S^2 and what LAPACK takes beside them; determinants with the
    // elements of a row.
    result.bytes = std::max(result.bytes, 8 * 6.0 * levels * levels + 16 * 300.0 * count);
    result.seconds += 2e-9 * levels * levels * levels + 3e-5 * count;
  }
  return result;
}

LevelCount requireMemory(const LevelSpace& space) {
  LevelCount count = countLevels(space);
  const double available = kMemoryShare * availableMemory();
  if (count.bytes <= available) return count;
  throw Error(fmt::format(
      "the configurations have {:.6g} states in {:.6g} levels, up to {:.6g} of one J; these need {:.3g} GB "
      "of memory, this process may have {:.3g} GB, and about {:.2g} hours; name fewer configurations, or "
      "shells "
      "with fewer open places",
      space.states(), count.levels, count.largest.levels, 1e-9 * count.bytes, 1e-9 * available,
      count.seconds / 3600));
}

LevelResult computeLevels(const LevelSpace& space, const Result& result, const LevelHamiltonian& hamiltonian,
                          const LevelOptions& options) {
  requireSpinors(space, result);
  if (options.finer) requireSpinors(space, *options.finer);
  const LevelCount count = requireMemory(space);
  const std::vector<Place> places = placesOf(space);
  const OpenElectrons electrons(space, result, hamiltonian, places);
  std::optional<OpenElectrons> reference;
  if (options.finer) reference.emplace(space, *options.finer, hamiltonian, places);
  const TermAnalysis analysis(space, places);
  const bool finer = reference && options.propertiesOfFiner;
  AtomProblem problem{hamiltonian.field.nucleus, space.average, {}};
  problem.hamiltonian.speedOfLight = hamiltonian.field.speedOfLight;
  const Observables observables =
      observablesOf(space, (finer ? *reference : electrons).spinors(),
                    SpinorIntegrals(problem, finer ? *options.finer : result), places, hamiltonian.field);
  std::vector<ParameterOperator> operators;
  if (options.derivatives)
    operators = parameterOperators(space, places, slaterParameters(space, result, hamiltonian, {}));
  const auto solved = [&](const LevelCount::Block& counted) {
    pass(options.checkpoint);
    const LevelBlock block = blockOf(space, counted.twoJ, counted.odd);
    Eigen::MatrixXd dense = electrons.matrixOf(block);
    if (options.correction) options.correction(block, dense);
    Eigen::VectorXd values;
    Eigen::MatrixXd vectors;
    EigenSolver().solve(dense, 0, static_cast<int>(block.size()), values, vectors);
    std::vector<TermStates> terms;
    if (analysis.possible()) terms = analysis.of(block);
    SolvedBlock made{std::vector<Level>(static_cast<std::size_t>(block.size())), {}};
    addProperties(observables, block, vectors, made.levels);
    if (reference) {
      Eigen::MatrixXd finerDense = reference->matrixOf(block);
      if (options.correction) options.correction(block, finerDense);
      const Eigen::VectorXd there = expectations(finerDense, vectors);
      for (Eigen::Index i = 0; i < block.size(); ++i)
        made.levels[static_cast<std::size_t>(i)].excitationError = values(i) - there(i);
    }
    for (const ParameterOperator& o : operators) {
      const Eigen::VectorXd slopes = expectations(o.matrixOf(block), vectors);
      for (Eigen::Index i = 0; i < block.size(); ++i)
        made.levels[static_cast<std::size_t>(i)].derivatives.push_back(slopes(i));
    }
    for (Eigen::Index i = 0; i < block.size(); ++i) {
      Level& level = made.levels[static_cast<std::size_t>(i)];
      level.twoJ = block.twoJ;
      level.odd = block.odd;
      level.index = static_cast<int>(i) + 1;
      level.relative = values(i);
      composeCouplings(block, vectors.col(i), level);
      const Name jj{level.couplings.front().name, level.couplings.front().percent};
      const Name name = terms.empty() ? jj : composeTerms(terms, vectors.col(i), level);
      level.label = name.first;
      level.percent = name.second;
    }
    if (options.vectors)
      made.vectors = {block.twoJ, block.odd, block.labels, block.configurations, std::move(vectors)};
    return made;
  };
  // The largest ones first, as many side by side as the memory has room for.
  std::vector<std::size_t> order(count.blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t b) { return count.blocks[b].levels; });
  const int room = static_cast<int>(std::clamp(kMemoryShare * availableMemory() / count.bytes, 1.0, 1024.0));
  ThreadPool pool(std::clamp(options.threads, 1, std::min<int>(room, static_cast<int>(order.size()))));
  std::vector<SolvedBlock> blocks(order.size());
  pool.forEach(static_cast<int>(order.size()), [&](int i, int) {
    const std::size_t b = order[static_cast<std::size_t>(i)];
    blocks[b] = solved(count.blocks[b]);
  });

  LevelResult levels;
  double sum = 0;
  for (SolvedBlock& block : blocks) {
    for (Level& level : block.levels) {
      sum += (level.twoJ + 1) * level.relative;
      levels.states += level.twoJ + 1;
      levels.levels.push_back(std::move(level));
    }
    if (options.vectors) levels.vectors.push_back(std::move(block.vectors));
  }
  const double mean = sum / levels.states;
  levels.average = electrons.coreEnergy() + mean;
  std::stable_sort(levels.levels.begin(), levels.levels.end(),
                   [](const Level& a, const Level& b) { return a.relative < b.relative; });
  const double lowest = levels.levels.front().relative, lowestError = levels.levels.front().excitationError;
  for (Level& level : levels.levels) {
    level.excitation = level.relative - lowest;
    level.excitationError -= lowestError;
    level.relative -= mean;
    level.energy = levels.average + level.relative;
  }
  numberRepeated(levels.levels);
  keepDerivatives(operators, levels);
  return levels;
}

}  // namespace prophet
