#include "atoms/configurations/determinant_space.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "atoms/angular/angular.hpp"
#include "core/common/index.hpp"

namespace prophet {
namespace {

constexpr double kVanishing = 1e-15;  // matrix elements below it vanish by symmetry

/// Between electrons below a place, for the sign of an operator there.
double signBelow(Determinant d, int bit) {
  return std::popcount(d & ((Determinant(1) << bit) - 1)) % 2 == 0 ? 1 : -1;
}

Determinant bitOf(int place) { return Determinant(1) << place; }

/// Hands on each determinant that a one-body operator makes of one, with its value.
template <class Take>
void applyOneBody(const OneBody& list, Determinant d, Take take) {
  for (Determinant rest = d; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const Determinant without = d ^ bitOf(i);
    for (const auto& [k, value] : list[usize(i)])
      if (!(without & bitOf(k))) take(without | bitOf(k), value * signBelow(d, i) * signBelow(without, k));
  }
}

}  // namespace

std::vector<Place> placesOf(const LevelSpace& space) {
  std::vector<Place> places;
  for (std::size_t a = 0; a < space.open.size(); ++a) {
    const Symmetry s = space.open[a].symmetry;
    for (int m = -s.twoJ(); m <= s.twoJ(); m += 2) places.push_back({static_cast<int>(a), m, s});
  }
  return places;
}

double coupling(const Place& a, int k, const Place& c) {
  const double sign = (a.symmetry.twoJ() - a.twoM) / 2 % 2 == 0 ? 1 : -1;
  return sign * wigner3j(a.symmetry.twoJ(), 2 * k, c.symmetry.twoJ(), -a.twoM, a.twoM - c.twoM, c.twoM);
}

OneBody oneBodyOf(const std::vector<Place>& places,
                  const std::function<double(const Place&, const Place&)>& element) {
  OneBody list(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t k = 0; k < places.size(); ++k)
      if (const double value = element(places[k], places[i]); std::abs(value) > kVanishing)
        list[i].emplace_back(static_cast<int>(k), value);
  return list;
}

namespace {

/// coupling() of all pairs of places, as each is needed many times.
class Couplings {
 public:
  explicit Couplings(const std::vector<Place>& places) : places_(places.size()) {
    for (const Place& p : places) ranks_ = std::max(ranks_, p.symmetry.twoJ() + 1);
    values_.resize(places_ * places_ * usize(ranks_));
    for (std::size_t a = 0; a < places_; ++a)
      for (std::size_t c = 0; c < places_; ++c)
        for (int k = 0; k < ranks_; ++k) values_[at(a, k, c)] = coupling(places[a], k, places[c]);
  }
  double operator()(std::size_t a, int k, std::size_t c) const { return values_[at(a, k, c)]; }

 private:
  std::size_t at(std::size_t a, int k, std::size_t c) const {
    return (a * places_ + c) * usize(ranks_) + usize(k);
  }
  std::size_t places_;
  int ranks_ = 0;
  std::vector<double> values_;
};

/// <ab|g|cd> of places by their numbers.
double repulsion(const MultipoleOf& multipole, const Couplings& couplings, const std::vector<Place>& places,
                 std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
  const int twoQ = places[a].twoM - places[c].twoM;
  if (twoQ != places[d].twoM - places[b].twoM) return 0;
  const auto two = [&](std::size_t p) { return places[p].symmetry.twoJ(); };
  const int least = std::max({std::abs(two(a) - two(c)), std::abs(two(b) - two(d)), std::abs(twoQ)}) / 2;
  const int most = std::min(two(a) + two(c), two(b) + two(d)) / 2;
  double sum = 0;
  for (int k = least; k <= most; ++k) {
    const double angular = couplings(a, k, c) * couplings(b, k, d);
    if (std::abs(angular) > kVanishing)
      sum += angular * multipole(k, places[a].spinor, places[b].spinor, places[c].spinor, places[d].spinor);
  }
  return twoQ / 2 % 2 == 0 ? sum : -sum;
}

}  // namespace

TwoBody twoBodyOf(const std::vector<Place>& places, const MultipoleOf& multipole) {
  const std::size_t n = places.size();
  const Couplings couplings(places);
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
          const double value = repulsion(multipole, couplings, places, k, l, i, j) -
                               repulsion(multipole, couplings, places, k, l, j, i);
          if (std::abs(value) > kVanishing)
            list[i * n + j].push_back({static_cast<int>(k), static_cast<int>(l), value});
        }
      }
    }
  }
  return list;
}

LevelBlock blockOf(const LevelSpace& space, int twoJ, bool odd) {
  LevelBlock block{twoJ, odd, {}, {}, {}, {}, {}};
  std::vector<Eigen::Triplet<double>> triplets;
  for (const RelativisticConfiguration& row : space.distributions) {
    if (space.configurations[usize(row.configuration)].odd != odd) continue;
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

SparseMatrix matrixOf(const OneBody& list, const LevelBlock& from,
                      const std::unordered_map<Determinant, int>& to, Eigen::Index rows) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (std::size_t i = 0; i < from.determinants.size(); ++i)
    applyOneBody(list, from.determinants[i], [&](Determinant d, double value) {
      if (const auto place = to.find(d); place != to.end())
        triplets.emplace_back(place->second, static_cast<int>(i), value);
    });
  SparseMatrix matrix(rows, static_cast<Eigen::Index>(from.determinants.size()));
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

Eigen::MatrixXd transposedProduct(const SparseMatrix& a, const SparseMatrix& b) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> rows(a);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(a.cols(), b.cols());
  for (Eigen::Index i = 0; i < b.cols(); ++i)
    for (SparseMatrix::InnerIterator element(b, i); element; ++element)
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator other(rows, element.row()); other;
           ++other)
        dense(other.col(), i) += other.value() * element.value();
  return dense;
}

Eigen::MatrixXd betweenStates(const LevelBlock& block, const SparseMatrix& matrix) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> rows(block.states);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(block.size(), block.size());
  Eigen::VectorXd applied = Eigen::VectorXd::Zero(block.states.rows());
  std::vector<Eigen::Index> touched;  // determinants that the operator leads to
  std::vector<char> isTouched(usize(block.states.rows()), 0);
  for (Eigen::Index j = 0; j < block.size(); ++j) {
    touched.clear();
    for (SparseMatrix::InnerIterator term(block.states, j); term; ++term)
      for (SparseMatrix::InnerIterator element(matrix, term.row()); element; ++element) {
        char& known = isTouched[usize(element.row())];
        if (!known) touched.push_back(element.row());
        known = 1;
        applied(element.row()) += element.value() * term.value();
      }
    double* const column = dense.col(j).data();
    for (const Eigen::Index d : touched) {
      const double value = applied(d);
      const int* const states = rows.innerIndexPtr();
      const int first = rows.outerIndexPtr()[d], end = rows.outerIndexPtr()[d + 1];
      for (auto i = std::lower_bound(states + first, states + end, static_cast<int>(j)) - states; i < end;
           ++i)
        column[states[i]] += rows.valuePtr()[i] * value;
      applied(d) = 0;
      isTouched[usize(d)] = 0;
    }
  }
  dense.triangularView<Eigen::StrictlyUpper>() = dense.transpose();
  return dense;
}

namespace {

/// Hands on each determinant that a pair of electrons makes of `d` by these moves, with the value.
template <class Moves, class Take>
void applyTwoBody(const Moves& two, std::size_t places, Determinant d, Take take) {
  for (Determinant first = d; first != 0; first &= first - 1) {
    const int i = std::countr_zero(first);
    for (Determinant second = first & (first - 1); second != 0; second &= second - 1) {
      const int j = std::countr_zero(second);
      const Determinant withoutI = d ^ bitOf(i), without = withoutI ^ bitOf(j);
      const double sign = signBelow(d, i) * signBelow(withoutI, j);
      for (const auto& move : two[usize(i) * places + usize(j)]) {
        if (without & (bitOf(move.k) | bitOf(move.l))) continue;
        const Determinant withL = without | bitOf(move.l);
        take(withL | bitOf(move.k), move.value, sign * signBelow(without, move.l) * signBelow(withL, move.k));
      }
    }
  }
}

constexpr std::size_t kAtOnce = 4;  // operators that are applied to a determinant together

/// The moves of at most `most` operators, each once.
template <int most>
struct JoinedMoves {
  using Values = Eigen::Array<double, most, 1>;
  struct Move {
    int k = 0, l = 0;
    Values value = Values::Zero();
  };
  std::vector<std::vector<Move>> one, two;
  std::size_t places = 0;
  explicit JoinedMoves(const std::vector<const ElectronOperator*>& operators) {
    places = operators.front()->places;
    one.resize(places);
    two.resize(places * places);
    const auto join = [&](auto of, auto& lists) {
      for (std::size_t from = 0; from < lists.size(); ++from) {
        std::map<std::pair<int, int>, Values> values;
        for (std::size_t o = 0; o < operators.size(); ++o)
          for (const PairMove& m : of(*operators[o], from))
            values.try_emplace({m.k, m.l}, Values::Zero()).first->second(static_cast<Eigen::Index>(o)) =
                m.value;
        for (const auto& [to, value] : values) lists[from].push_back({to.first, to.second, value});
      }
    };
    join(
        [](const ElectronOperator& o, std::size_t from) {
          std::vector<PairMove> moves;
          for (const auto& [to, value] : o.one[from]) moves.push_back({to, 0, value});
          return moves;
        },
        one);
    join([](const ElectronOperator& o,
            std::size_t from) -> const std::vector<PairMove>& { return o.two[from]; },
         two);
  }
};

/// Between the determinants of a block, without elements that are zero, of at most `most` operators.
template <int most>
std::vector<SparseMatrix> betweenDeterminants(const LevelBlock& block,
                                              const std::vector<const ElectronOperator*>& operators,
                                              Triangle triangle) {
  using Values = typename JoinedMoves<most>::Values;
  const JoinedMoves<most> moves(operators);
  const auto count = static_cast<Eigen::Index>(block.determinants.size());
  std::vector<SparseMatrix> matrices(operators.size(), SparseMatrix(count, count));
  std::vector<std::pair<int, std::uint32_t>> order;  // row and number of an element of one column
  std::vector<Values> elements;
  for (Eigen::Index column = 0; column < count; ++column) {
    const Determinant d = block.determinants[usize(column)];
    order.clear();
    elements.clear();
    const auto add = [&](Determinant other, const Values& value, double sign) {
      const auto place = block.places.find(other);
      if (place == block.places.end() || (triangle == Triangle::Upper && place->second > column)) return;
      order.emplace_back(place->second, static_cast<std::uint32_t>(elements.size()));
      elements.push_back(sign * value);
    };
    for (Determinant rest = d; rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      const Determinant without = d ^ bitOf(i);
      for (const auto& m : moves.one[usize(i)])
        if (!(without & bitOf(m.k)))
          add(without | bitOf(m.k), m.value, signBelow(d, i) * signBelow(without, m.k));
    }
    applyTwoBody(moves.two, moves.places, d, add);
    std::ranges::sort(order);
    for (SparseMatrix& m : matrices) m.startVec(column);
    for (std::size_t i = 0; i < order.size();) {
      const int row = order[i].first;
      Values sum = Values::Zero();
      for (; i < order.size() && order[i].first == row; ++i) sum += elements[order[i].second];
      for (std::size_t o = 0; o < matrices.size(); ++o)
        if (const double value = sum(static_cast<Eigen::Index>(o)); value != 0)
          matrices[o].insertBack(row, column) = value;
    }
  }
  for (SparseMatrix& m : matrices) m.finalize();
  return matrices;
}

}  // namespace

SparseMatrix betweenDeterminants(const LevelBlock& block, const ElectronOperator& single, Triangle triangle) {
  return std::move(betweenDeterminants<1>(block, {&single}, triangle).front());
}

std::vector<Eigen::MatrixXd> matricesOf(const LevelBlock& block,
                                        const std::vector<const ElectronOperator*>& operators) {
  std::vector<Eigen::MatrixXd> matrices;
  for (std::size_t first = 0; first < operators.size(); first += kAtOnce) {
    const std::vector<const ElectronOperator*> some(
        operators.begin() + static_cast<std::ptrdiff_t>(first),
        operators.begin() + static_cast<std::ptrdiff_t>(std::min(first + kAtOnce, operators.size())));
    for (const SparseMatrix& m : betweenDeterminants<kAtOnce>(block, some, Triangle::Both))
      matrices.push_back(betweenStates(block, m));
  }
  for (std::size_t o = 0; o < operators.size(); ++o)
    if (const std::vector<double>& means = operators[o]->means; !means.empty())
      for (Eigen::Index s = 0; s < block.size(); ++s)
        matrices[o](s, s) -= means[usize(block.configurations[usize(s)])];
  return matrices;
}

Eigen::MatrixXd matrixOf(const LevelBlock& block, const ElectronOperator& single) {
  return matricesOf(block, {&single}).front();
}

Eigen::VectorXd expectations(const SparseMatrix& matrix, const LevelBlock& block,
                             const Eigen::MatrixXd& vectors) {
  Eigen::VectorXd values(vectors.cols());
  for (Eigen::Index i = 0; i < vectors.cols(); ++i) {
    const Eigen::VectorXd state = block.states * vectors.col(i);
    values(i) = state.dot(matrix * state);
  }
  return values;
}

Eigen::VectorXd expectations(const OneBody& list, const LevelBlock& block, const Eigen::MatrixXd& vectors) {
  return expectations(matrixOf(list, block, block.places, block.states.rows()), block, vectors);
}

SparseMatrix appliedTo(const OneBody& list, const LevelBlock& from,
                       std::unordered_map<Determinant, int> rows) {
  for (const Determinant d : from.determinants)
    applyOneBody(list, d,
                 [&](Determinant to, double) { rows.try_emplace(to, static_cast<int>(rows.size())); });
  return matrixOf(list, from, rows, static_cast<Eigen::Index>(rows.size())) * from.states;
}

double meanOver(const LevelSpace& space, const LevelSpace::Part& part, const std::vector<Place>& places,
                const OneBody& one, const TwoBody& two) {
  const auto shellAt = [&](const Place& p) -> const Shell* {
    const LevelSpinor& s = space.open[usize(p.spinor)];
    for (const Shell& shell : part.shells)
      if (shell.n == s.n && shell.l == s.symmetry.l()) return &shell;
    return nullptr;
  };
  double sum = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Shell* a = shellAt(places[i]);
    if (!a) continue;
    const double n = a->electrons, g = a->capacity();
    for (const auto& [k, value] : one[i])
      if (k == static_cast<int>(i)) sum += n / g * value;
    for (std::size_t j = i + 1; j < places.size(); ++j) {
      const Shell* b = shellAt(places[j]);
      if (!b) continue;
      const double both = a == b ? n * (n - 1) / (g * (g - 1)) : n * b->electrons / (g * b->capacity());
      for (const PairMove& m : two[i * places.size() + j])
        if (m.k == static_cast<int>(i) && m.l == static_cast<int>(j)) sum += both * m.value;
    }
  }
  return sum;
}

}  // namespace prophet
