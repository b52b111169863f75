#include "atoms/levels/levels.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCore>
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <unordered_map>

#include "atoms/angular/angular.hpp"
#include "atoms/levels/open_interaction.hpp"
#include "core/common/error.hpp"
#include "core/linalg/eigen_solver.hpp"

namespace prophet {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr double kVanishing = 1e-15;            // matrix elements below it vanish by symmetry
constexpr double kShownPercent = 0.05;          // smaller parts of a level are not listed
constexpr double kAnomaly = 2 * 0.00115965218;  // g_s - 2

/// One place of an electron: open spinor and 2m.
struct Place {
  int spinor = 0, twoM = 0;
  Symmetry symmetry;
};

std::vector<Place> placesOf(const LevelSpace& space) {
  std::vector<Place> places;
  for (std::size_t a = 0; a < space.open.size(); ++a) {
    const Symmetry s = space.open[a].symmetry;
    for (int m = -s.twoJ(); m <= s.twoJ(); m += 2) places.push_back({static_cast<int>(a), m, s});
  }
  return places;
}

/// w(a k q c) = (-1)^(ja - ma) 3j(ja k jc; -ma q mc).
double coupling(const Place& a, int k, const Place& c) {
  const double sign = (a.symmetry.twoJ() - a.twoM) / 2 % 2 == 0 ? 1 : -1;
  return sign * wigner3j(a.symmetry.twoJ(), 2 * k, c.symmetry.twoJ(), -a.twoM, a.twoM - c.twoM, c.twoM);
}

/// Between electrons below a place, for the sign of an operator there.
double signBelow(Determinant d, int bit) {
  return std::popcount(d & ((Determinant(1) << bit) - 1)) % 2 == 0 ? 1 : -1;
}

Determinant bitOf(int place) { return Determinant(1) << place; }

/// A one-body operator: from each place the places that it leads to.
using OneBody = std::vector<std::vector<std::pair<int, double>>>;
/// A two-body operator: from each pair i < j the pairs k < l, <kl|g|ij> - <kl|g|ji>.
struct PairMove {
  int k = 0, l = 0;
  double value = 0;
};
using TwoBody = std::vector<std::vector<PairMove>>;

OneBody oneBodyOf(const std::vector<Place>& places,
                  const std::function<double(const Place&, const Place&)>& element) {
  OneBody list(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t k = 0; k < places.size(); ++k)
      if (const double value = element(places[k], places[i]); std::abs(value) > kVanishing)
        list[i].emplace_back(static_cast<int>(k), value);
  return list;
}

double repulsion(const OpenInteraction& interaction, const Place& a, const Place& b, const Place& c,
                 const Place& d) {
  const int twoQ = a.twoM - c.twoM;
  if (twoQ != d.twoM - b.twoM) return 0;
  const auto two = [](const Place& p) { return p.symmetry.twoJ(); };
  const int least = std::max({std::abs(two(a) - two(c)), std::abs(two(b) - two(d)), std::abs(twoQ)}) / 2;
  const int most = std::min(two(a) + two(c), two(b) + two(d)) / 2;
  double sum = 0;
  for (int k = least; k <= most; ++k) {
    const double angular = coupling(a, k, c) * coupling(b, k, d);
    if (std::abs(angular) > kVanishing)
      sum += angular * interaction.multipole(k, a.spinor, b.spinor, c.spinor, d.spinor);
  }
  return twoQ / 2 % 2 == 0 ? sum : -sum;
}

TwoBody twoBodyOf(const std::vector<Place>& places, const OpenInteraction& interaction) {
  const std::size_t n = places.size();
  const auto isOdd = [&](std::size_t i, std::size_t j) {
    return (places[i].symmetry.l() + places[j].symmetry.l()) % 2;
  };
  TwoBody list(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t l = k + 1; l < n; ++l) {
          if (places[i].twoM + places[j].twoM != places[k].twoM + places[l].twoM ||
              isOdd(i, j) != isOdd(k, l))
            continue;
          const double value = repulsion(interaction, places[k], places[l], places[i], places[j]) -
                               repulsion(interaction, places[k], places[l], places[j], places[i]);
          if (std::abs(value) > kVanishing)
            list[i * n + j].push_back({static_cast<int>(k), static_cast<int>(l), value});
        }
      }
    }
  }
  return list;
}

/// The states of one J and parity: determinants of M = J and the coupled states in them.
struct Block {
  int twoJ = 0;
  bool odd = false;
  std::vector<Determinant> determinants;
  std::unordered_map<Determinant, int> places;
  Sparse states;                    ///< determinants x coupled states
  std::vector<std::string> labels;  ///< of the coupled states
  std::vector<int> configurations;  ///< of each coupled state

  Eigen::Index size() const { return states.cols(); }
};

Block blockOf(const LevelSpace& space, int twoJ, bool odd) {
  Block block{twoJ, odd, {}, {}, {}, {}, {}};
  std::vector<Eigen::Triplet<double>> triplets;
  for (const RelativisticConfiguration& row : space.distributions) {
    if (space.configurations[static_cast<std::size_t>(row.configuration)].odd != odd) continue;
    for (const CoupledState& state : coupledStates(space.open, row.electrons, twoJ)) {
      for (const auto& [determinant, value] : state.terms) {
        const auto [place, isNew] =
            block.places.try_emplace(determinant, static_cast<int>(block.determinants.size()));
        if (isNew) block.determinants.push_back(determinant);
        triplets.emplace_back(place->second, static_cast<int>(block.labels.size()), value);
      }
      block.labels.push_back(state.label);
      block.configurations.push_back(row.configuration);
    }
  }
  block.states.resize(static_cast<Eigen::Index>(block.determinants.size()),
                      static_cast<Eigen::Index>(block.labels.size()));
  block.states.setFromTriplets(triplets.begin(), triplets.end());
  return block;
}

/// Hands on each determinant that a one-body operator makes of one, with its value.
template <class Take>
void applyOneBody(const OneBody& list, Determinant d, Take take) {
  for (Determinant rest = d; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const Determinant without = d ^ bitOf(i);
    for (const auto& [k, value] : list[static_cast<std::size_t>(i)])
      if (!(without & bitOf(k))) take(without | bitOf(k), value * signBelow(d, i) * signBelow(without, k));
  }
}

/// The matrix of a one-body operator from the determinants of a block to those of another list.
Sparse matrixOf(const OneBody& list, const Block& from, const std::unordered_map<Determinant, int>& to,
                Eigen::Index rows) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (std::size_t i = 0; i < from.determinants.size(); ++i)
    applyOneBody(list, from.determinants[i], [&](Determinant d, double value) {
      if (const auto place = to.find(d); place != to.end())
        triplets.emplace_back(place->second, static_cast<int>(i), value);
    });
  Sparse matrix(rows, static_cast<Eigen::Index>(from.determinants.size()));
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

/// One-body part and interaction between the determinants of a block.
Sparse hamiltonianOf(const Block& block, const OneBody& one, const TwoBody& two, std::size_t places) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (std::size_t row = 0; row < block.determinants.size(); ++row) {
    const Determinant d = block.determinants[row];
    const auto add = [&](Determinant other, double value) {
      if (const auto place = block.places.find(other); place != block.places.end())
        triplets.emplace_back(place->second, static_cast<int>(row), value);
    };
    applyOneBody(one, d, add);
    for (Determinant first = d; first != 0; first &= first - 1) {
      const int i = std::countr_zero(first);
      for (Determinant second = first & (first - 1); second != 0; second &= second - 1) {
        const int j = std::countr_zero(second);
        const Determinant withoutI = d ^ bitOf(i), without = withoutI ^ bitOf(j);
        const double sign = signBelow(d, i) * signBelow(withoutI, j);
        for (const PairMove& move : two[static_cast<std::size_t>(i) * places + static_cast<std::size_t>(j)]) {
          if (without & (bitOf(move.k) | bitOf(move.l))) continue;
          const Determinant withL = without | bitOf(move.l);
          add(withL | bitOf(move.k),
              move.value * sign * signBelow(without, move.l) * signBelow(withL, move.k));
        }
      }
    }
  }
  Sparse matrix(static_cast<Eigen::Index>(block.determinants.size()),
                static_cast<Eigen::Index>(block.determinants.size()));
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

/// <l j m|l ml, s ms> of spin up and down.
double spinPart(const Place& p, int twoSpin) {
  const int twoMl = p.twoM - twoSpin;
  return std::abs(twoMl) > 2 * p.symmetry.l()
             ? 0.0
             : clebschGordan(2 * p.symmetry.l(), twoMl, 1, twoSpin, p.symmetry.twoJ(), p.twoM);
}

/// L+ and S+ of one electron, with the same radial function for both j of a shell, and L_z.
struct AngularMomenta {
  OneBody lRaising, sRaising, lz;
};

AngularMomenta angularMomenta(const LevelSpace& space, const std::vector<Place>& places) {
  const auto sameShell = [&](const Place& a, const Place& b) {
    return space.open[static_cast<std::size_t>(a.spinor)].n ==
               space.open[static_cast<std::size_t>(b.spinor)].n &&
           a.symmetry.l() == b.symmetry.l();
  };
  const auto lRaising = [&](const Place& to, const Place& from) {
    if (!sameShell(to, from) || to.twoM != from.twoM + 2) return 0.0;
    double sum = 0;
    for (const int spin : {-1, 1}) {
      const double l = from.symmetry.l(), m = 0.5 * (from.twoM - spin);
      if (std::abs(m) <= l && m + 1 <= l)
        sum += spinPart(to, spin) * spinPart(from, spin) * std::sqrt(l * (l + 1) - m * (m + 1));
    }
    return sum;
  };
  const auto sRaising = [&](const Place& to, const Place& from) {
    return sameShell(to, from) && to.twoM == from.twoM + 2 ? spinPart(to, 1) * spinPart(from, -1) : 0.0;
  };
  const auto lz = [&](const Place& to, const Place& from) {
    if (!sameShell(to, from) || to.twoM != from.twoM) return 0.0;
    double sum = 0;
    for (const int spin : {-1, 1})
      sum += spinPart(to, spin) * spinPart(from, spin) * 0.5 * (from.twoM - spin);
    return sum;
  };
  return {oneBodyOf(places, lRaising), oneBodyOf(places, sRaising), oneBodyOf(places, lz)};
}

/// The terms of one configuration in a block: orthonormal vectors over its coupled states, each with its
/// name.
struct Terms {
  std::vector<int> states;  ///< columns of the block
  Eigen::MatrixXd vectors;
  std::vector<std::string> names;
};

std::string termName(int l, int twoS, bool odd) {
  std::string letter(1, static_cast<char>(std::toupper(letterOfL(l))));
  return fmt::format("{}{}{}", twoS + 1, letter, odd ? "o" : "");
}

/// L^2 + 100 sqrt(2) S^2 tells every pair (L, S) apart.
constexpr double kSpinWeight = 141.4213562373095;

std::string nameOfEigenvalue(double value, int twoJ, int electrons, bool odd) {
  for (int twoS = electrons % 2; twoS <= electrons; twoS += 2) {
    const double rest = value - kSpinWeight * 0.25 * twoS * (twoS + 2);
    const int l = static_cast<int>(std::lround(0.5 * (std::sqrt(std::max(0.0, 1 + 4 * rest)) - 1)));
    if (std::abs(rest - l * (l + 1)) < 1e-5 && std::abs(2 * l - twoS) <= twoJ && twoJ <= 2 * l + twoS)
      return termName(l, twoS, odd);
  }
  throw Error(
      fmt::format("levels: {} is no eigenvalue of L^2 and S^2; this is a defect of the program", value));
}

std::vector<Terms> termsOf(const LevelSpace& space, const Block& block, const AngularMomenta& momenta) {
  // Single components of L and S lead to determinants that states of this J do not have.
  const auto applied = [&](const OneBody& list, std::unordered_map<Determinant, int> rows) -> Sparse {
    for (const Determinant d : block.determinants)
      applyOneBody(list, d,
                   [&](Determinant to, double) { rows.try_emplace(to, static_cast<int>(rows.size())); });
    return matrixOf(list, block, rows, static_cast<Eigen::Index>(rows.size())) * block.states;
  };
  const Sparse l = applied(momenta.lRaising, {}), s = applied(momenta.sRaising, {});
  const Sparse lz = applied(momenta.lz, block.places);
  Sparse states = block.states;
  states.conservativeResize(lz.rows(), states.cols());
  const Sparse sz = Sparse(0.5 * block.twoJ * states) - lz;
  // L^2 = L- L+ + L_z (L_z + 1).
  const Eigen::MatrixXd lSquared =
      Eigen::MatrixXd(Sparse(l.transpose() * l) + Sparse(lz.transpose() * Sparse(lz + states)));
  const Eigen::MatrixXd sSquared =
      Eigen::MatrixXd(Sparse(s.transpose() * s) + Sparse(sz.transpose() * Sparse(sz + states)));
  std::vector<Terms> all;
  for (std::size_t c = 0; c < space.configurations.size(); ++c) {
    Terms terms;
    for (std::size_t i = 0; i < block.configurations.size(); ++i)
      if (block.configurations[i] == static_cast<int>(c)) terms.states.push_back(static_cast<int>(i));
    if (!terms.states.empty()) {
      const Eigen::MatrixXd matrix = (lSquared + kSpinWeight * sSquared)(terms.states, terms.states);
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (matrix + matrix.transpose()));
      terms.vectors = solver.eigenvectors();
      for (Eigen::Index i = 0; i < matrix.cols(); ++i)
        terms.names.push_back(
            nameOfEigenvalue(solver.eigenvalues()(i), block.twoJ, space.openElectrons(), block.odd));
    }
    all.push_back(std::move(terms));
  }
  return all;
}

std::vector<LevelPart> sorted(std::vector<LevelPart> parts) {
  std::stable_sort(parts.begin(), parts.end(),
                   [](const LevelPart& a, const LevelPart& b) { return a.percent > b.percent; });
  std::erase_if(parts, [](const LevelPart& p) { return p.percent < kShownPercent; });
  return parts;
}

std::vector<LevelPart> compositionOf(const std::vector<Terms>& terms, const Eigen::VectorXd& vector) {
  std::vector<LevelPart> parts;
  for (std::size_t c = 0; c < terms.size(); ++c) {
    const Terms& t = terms[c];
    if (t.states.empty()) continue;
    const Eigen::VectorXd shares = 100 * (t.vectors.transpose() * vector(t.states)).array().square().matrix();
    std::map<std::string, double> sums;
    for (Eigen::Index i = 0; i < shares.size(); ++i) sums[t.names[static_cast<std::size_t>(i)]] += shares(i);
    for (const auto& [name, percent] : sums) parts.push_back({name, percent, static_cast<int>(c)});
  }
  return sorted(std::move(parts));
}

/// The shells of a configuration that are not closed in all of the space's: "2s2 2p2".
std::string openText(const LevelSpace& space, int configuration) {
  std::string text;
  for (const Shell& s : space.configurations[static_cast<std::size_t>(configuration)].shells) {
    const bool isOpen =
        s.electrons > 0 && std::any_of(space.open.begin(), space.open.end(), [&](const LevelSpinor& o) {
          return o.n == s.n && o.symmetry.l() == s.l && s.has(o.symmetry.twoJ());
        });
    if (isOpen) text += fmt::format("{}{}{}", text.empty() ? "" : " ", s.name(), s.electrons);
  }
  return text;
}

/// Magnetic moment: reduced elements of one electron, without and with beta Sigma.
struct Moments {
  OneBody point, anomaly;
};

Moments momentsOf(const LevelSpace& space, const SpinorTable& spinors, const std::vector<Place>& places,
                  double c) {
  const auto of = [&](const std::function<double(int, int, Symmetry, Symmetry)>& reduced) {
    return oneBodyOf(places, [&](const Place& to, const Place& from) {
      if (to.twoM != from.twoM || (to.symmetry.l() + from.symmetry.l()) % 2 != 0 ||
          std::abs(to.symmetry.twoJ() - from.symmetry.twoJ()) > 2)
        return 0.0;
      return coupling(to, 1, from) * reduced(space.open[static_cast<std::size_t>(to.spinor)].index,
                                             space.open[static_cast<std::size_t>(from.spinor)].index,
                                             to.symmetry, from.symmetry);
    });
  };
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(spinors.radii().size());
  return {of([&](int a, int b, Symmetry sa, Symmetry sb) {
            return -c * (sa.kappa + sb.kappa) * reducedC(Symmetry{-sa.kappa}, 1, sb) *
                   spinors.coupling(a, b, spinors.radii());
          }),
          of([&](int a, int b, Symmetry sa, Symmetry sb) {
            const double angular = reducedC(Symmetry{-sa.kappa}, 1, sb);
            return angular * ((sa.kappa + sb.kappa - 1) * spinors.largeOverlap(a, b) +
                              (sa.kappa + sb.kappa + 1) * spinors.smallOverlap(a, b));
          })};
}

/// Factor from <J J|T^1_0|J J> to g_J: the 3j symbol of stretched states and the definition of g.
double toG(int twoJ) {
  const double j = 0.5 * twoJ;
  // <J||T||J> = element / 3j(J 1 J; -J 0 J), g = <J||T||J>/sqrt(J(J+1)(2J+1)), 3j = J/sqrt(J(J+1)(2J+1)).
  return 1 / j;
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

}  // namespace

LevelResult computeLevels(const LevelSpace& space, const Result& result, const LevelHamiltonian& hamiltonian,
                          const Checkpoint& checkpoint) {
  requireSpinors(space, result);
  const SpinorTable spinors(result, hamiltonian.field, largestRank(space));
  const OpenInteraction interaction(space, spinors, hamiltonian.electrons);
  const std::vector<Place> places = placesOf(space);
  const OneBody one = oneBodyOf(places, [&](const Place& to, const Place& from) {
    return to.symmetry == from.symmetry && to.twoM == from.twoM ? interaction.oneBody(to.spinor, from.spinor)
                                                                : 0.0;
  });
  const TwoBody two = twoBodyOf(places, interaction);
  const AngularMomenta momenta = angularMomenta(space, places);
  const Moments moments = momentsOf(space, spinors, places, hamiltonian.field.speedOfLight);
  int most = 0;
  for (const Place& p : places) most += std::max(0, p.twoM);
  LevelResult levels;
  EigenSolver solver;
  double sum = 0;
  for (const bool odd : {false, true}) {
    for (int twoJ = space.openElectrons() % 2; twoJ <= most; twoJ += 2) {
      if (checkpoint) checkpoint();
      const Block block = blockOf(space, twoJ, odd);
      if (block.size() == 0) continue;
      const Sparse matrix = hamiltonianOf(block, one, two, places.size());
      Eigen::MatrixXd dense =
          Eigen::MatrixXd(Sparse(block.states.transpose() * Sparse(matrix * block.states)));
      Eigen::VectorXd values;
      Eigen::MatrixXd vectors;
      solver.solve(dense, 0, static_cast<int>(block.size()), values, vectors);
      const std::vector<Terms> terms = termsOf(space, block, momenta);
      const auto moment = [&](const OneBody& list) -> Eigen::VectorXd {
        const Sparse m =
            block.states.transpose() *
            Sparse(matrixOf(list, block, block.places, static_cast<Eigen::Index>(block.determinants.size())) *
                   block.states);
        return (vectors.cwiseProduct(m * vectors)).colwise().sum().transpose();
      };
      const Eigen::VectorXd g = moment(moments.point), anomaly = moment(moments.anomaly);
      for (Eigen::Index i = 0; i < block.size(); ++i) {
        Level level;
        level.twoJ = twoJ;
        level.odd = odd;
        level.index = static_cast<int>(i) + 1;
        level.relative = values(i);
        level.terms = compositionOf(terms, vectors.col(i));
        for (Eigen::Index s = 0; s < block.size(); ++s)
          level.couplings.push_back({block.labels[static_cast<std::size_t>(s)],
                                     100 * vectors(s, i) * vectors(s, i),
                                     block.configurations[static_cast<std::size_t>(s)]});
        level.couplings = sorted(std::move(level.couplings));
        level.label = openText(space, level.terms.front().configuration) + " " + level.terms.front().name;
        if (twoJ > 0) {
          level.g = toG(twoJ) * g(i);
          level.gAnomaly = 0.5 * kAnomaly * toG(twoJ) * anomaly(i);
        }
        sum += (twoJ + 1) * values(i);
        levels.states += twoJ + 1;
        levels.levels.push_back(std::move(level));
      }
    }
  }
  const double mean = sum / levels.states;
  levels.average = interaction.coreEnergy() + mean;
  std::stable_sort(levels.levels.begin(), levels.levels.end(),
                   [](const Level& a, const Level& b) { return a.relative < b.relative; });
  const double lowest = levels.levels.front().relative;
  for (Level& level : levels.levels) {
    level.excitation = level.relative - lowest;
    level.relative -= mean;
    level.energy = levels.average + level.relative;
  }
  return levels;
}

}  // namespace prophet
