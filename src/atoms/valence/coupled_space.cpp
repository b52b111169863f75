#include "atoms/valence/coupled_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "atoms/angular/angular.hpp"
#include "atoms/configurations/coupled_states.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

using Places = CoupledSpace::Places;
constexpr std::uint16_t kNone = std::numeric_limits<std::uint16_t>::max();  // behind the last electron
constexpr double kVanishingCoupling = 1e-14;
constexpr double kLeastGiven = 0.5;         // of what second order promises
constexpr double kSmallDenominator = 0.02;  // hartree, of second order: levels that nearly coincide

/// Where two determinants differ: the numbers of the places that only one has, in order.
struct Difference {
  int count = 0;
  std::array<int, 2> ofA{}, ofB{};
  double sign = 1;
};

/// `count` is 3 where they differ in more than two places.
Difference differenceOf(const Places& a, const Places& b, int electrons) {
  Difference d;
  int i = 0, j = 0, onlyB = 0, sum = 0;
  while (i < electrons || j < electrons) {
    const std::uint16_t p = i < electrons ? a[usize(i)] : kNone, q = j < electrons ? b[usize(j)] : kNone;
    if (p == q) {
      ++i, ++j;
    } else if (p < q) {
      if (d.count == 2) return {3};
      d.ofA[usize(d.count++)] = i;
      sum += i++;
    } else {
      if (onlyB == 2) return {3};
      d.ofB[usize(onlyB++)] = j;
      sum += j++;
    }
  }
  d.sign = minusOneTo(sum);
  return d;
}

double elementBetween(const PlaceHamiltonian& h, const Places& a, const Places& b, int electrons) {
  const Difference d = differenceOf(a, b, electrons);
  if (d.count == 0) {
    double sum = 0;
    for (int i = 0; i < electrons; ++i) {
      sum += h.oneBody(a[usize(i)], a[usize(i)]);
      for (int j = i + 1; j < electrons; ++j)
        sum += h.twoBody(a[usize(i)], a[usize(j)], a[usize(i)], a[usize(j)]);
    }
    return sum;
  }
  if (d.count == 1) {
    const int p = a[usize(d.ofA[0])], q = b[usize(d.ofB[0])];
    double sum = h.oneBody(p, q);
    for (int i = 0; i < electrons; ++i) {
      const int c = a[usize(i)];
      if (c == p) continue;
      const double sign = ((p < c) == (q < c)) ? 1 : -1;
      sum += sign * h.twoBody(std::min(p, c), std::max(p, c), std::min(q, c), std::max(q, c));
    }
    return d.sign * sum;
  }
  if (d.count == 2)
    return d.sign * h.twoBody(a[usize(d.ofA[0])], a[usize(d.ofA[1])], b[usize(d.ofB[0])], b[usize(d.ofB[1])]);
  return 0;
}

int electronsOf(const CoupledSpace::Configuration& c) { return static_cast<int>(c.spinors.size()); }

}  // namespace

PlaceHamiltonian::PlaceHamiltonian(const ValenceHamiltonian& h, ThreadPool& pool) : space_(h.space) {
  const auto spinors = space_.spinors.size();
  int mostJ = 0;
  one_ = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(spinors), static_cast<Eigen::Index>(spinors));
  for (int s = 0; s < space_.symmetries(); ++s) {
    const int first = space_.first[usize(s)], count = space_.count(s);
    one_.block(first, first, count, count) = h.oneBody[usize(s)];
    mostJ = std::max(mostJ, space_.type(s).twoJ());
  }
  for (std::size_t a = 0; a < spinors; ++a) {
    first_.push_back(static_cast<int>(places_.size()));
    const int twoJ = space_.spinors[a].type.twoJ();
    for (int m = -twoJ; m <= twoJ; m += 2) places_.push_back({static_cast<int>(a), m});
  }
  ranks_ = mostJ + 1;
  for (int j = 0; j < ranks_; ++j)
    for (const bool odd : {false, true}) {
      const PairSpace pairs(space_, 2 * j, odd);
      OfJ block{pairs.hamiltonian(h, pool, true), std::vector<int>(spinors * spinors, -1)};
      for (std::size_t i = 0; i < pairs.pairs().size(); ++i)
        block.number[usize(pairs.pairs()[i].a) * spinors + usize(pairs.pairs()[i].b)] = static_cast<int>(i);
      blocks_.push_back(std::move(block));
    }
  // Couplings of two j are few, those of places many.
  const std::size_t n = places_.size();
  couplings_.assign(n * n * usize(ranks_), 0);
  std::map<std::array<int, 5>, double> known;
  for (std::size_t p = 0; p < n; ++p)
    for (std::size_t q = p + 1; q < n; ++q) {
      const ValencePlace &a = places_[p], &b = places_[q];
      const int ja = space_.spinors[usize(a.spinor)].type.twoJ(),
                jb = space_.spinors[usize(b.spinor)].type.twoJ();
      for (int j = 0; j < ranks_; ++j) {
        const auto [place, isNew] = known.try_emplace({ja, a.twoM, jb, b.twoM, j}, 0);
        if (isNew) place->second = clebschGordan(ja, a.twoM, jb, b.twoM, 2 * j, a.twoM + b.twoM);
        couplings_[(p * n + q) * usize(ranks_) + usize(j)] =
            (a.spinor == b.spinor ? std::sqrt(2.0) : 1) * place->second;
      }
    }
}

double PlaceHamiltonian::oneBody(int p, int q) const {
  const ValencePlace &a = places_[usize(p)], &b = places_[usize(q)];
  return a.twoM == b.twoM ? one_(a.spinor, b.spinor) : 0;
}

double PlaceHamiltonian::twoBody(int p, int q, int r, int s) const {
  const ValencePlace &a = places_[usize(p)], &b = places_[usize(q)], &c = places_[usize(r)],
                     &d = places_[usize(s)];
  if (a.twoM + b.twoM != c.twoM + d.twoM) return 0;
  const auto l = [&](const ValencePlace& place) { return space_.spinors[usize(place.spinor)].type.l(); };
  const bool odd = (l(a) + l(b)) % 2 != 0;
  if (odd != ((l(c) + l(d)) % 2 != 0)) return 0;
  const std::size_t n = places_.size(), spinors = first_.size();
  const double *const bra = &couplings_[(usize(p) * n + usize(q)) * usize(ranks_)],
                      *const ket = &couplings_[(usize(r) * n + usize(s)) * usize(ranks_)];
  double sum = 0;
  for (int j = std::abs(a.twoM + b.twoM) / 2; j < ranks_; ++j) {
    const double angular = bra[j] * ket[j];
    if (angular == 0) continue;
    const OfJ& block = blocks_[usize(2 * j + (odd ? 1 : 0))];
    const int row = block.number[usize(a.spinor) * spinors + usize(b.spinor)],
              column = block.number[usize(c.spinor) * spinors + usize(d.spinor)];
    if (row >= 0 && column >= 0) sum += angular * block.matrix(row, column);
  }
  return sum;
}

CoupledSpace::CoupledSpace(const ValenceSpace& space, int twoJ) : space_(space), twoJ_(twoJ) {
  int next = 0;
  for (const ValenceSpinor& s : space.spinors) {
    firstPlaces_.push_back(next);
    next += s.type.degeneracy();
  }
}

CoupledSpace::Configuration CoupledSpace::configurationOf(const ValenceOccupation& spinors) const {
  Configuration made{spinors, {}, {}};
  std::vector<int> distinct, electrons, key;
  for (const int s : spinors) {
    if (distinct.empty() || distinct.back() != s) {
      distinct.push_back(s);
      electrons.push_back(0);
    }
    ++electrons.back();
  }
  std::vector<LevelSpinor> open;
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    const ValenceSpinor& s = space_.spinors[usize(distinct[i])];
    if (electrons[i] > s.type.degeneracy()) return made;
    open.push_back({s.n, s.type});
    key.push_back(s.type.twoJ());
    key.push_back(electrons[i]);
  }
  const auto [place, isNew] = patterns_.try_emplace(key);
  Pattern& pattern = place->second;
  if (isNew) {
    const std::vector<int> bits = firstBits(open);
    const std::vector<CoupledState> states = coupledStates(open, electrons, twoJ_);
    std::map<Determinant, Eigen::Index> rows;
    for (const CoupledState& state : states)
      for (const auto& [d, value] : state.terms) rows.try_emplace(d, static_cast<Eigen::Index>(rows.size()));
    pattern.states = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()),
                                           static_cast<Eigen::Index>(states.size()));
    pattern.determinants.resize(rows.size());
    for (const auto& [d, row] : rows) {
      std::size_t electron = 0;
      for (std::size_t i = 0; i < open.size(); ++i)
        for (int bit = bits[i]; bit < bits[i + 1]; ++bit)
          if ((d >> bit & 1) != 0) {
            pattern.determinants[usize(row)][electron++] = static_cast<std::uint8_t>(i);
            pattern.determinants[usize(row)][electron++] = static_cast<std::uint8_t>(bit - bits[i]);
          }
    }
    for (std::size_t i = 0; i < states.size(); ++i)
      for (const auto& [d, value] : states[i].terms)
        pattern.states(rows.at(d), static_cast<Eigen::Index>(i)) += value;
  }
  made.states = pattern.states;
  if (made.count() == 0) return made;
  std::vector<int> first;
  for (const int s : distinct) first.push_back(firstPlaces_[usize(s)]);
  for (const auto& d : pattern.determinants) {
    Places places;
    places.fill(kNone);
    for (std::size_t e = 0; e < spinors.size(); ++e)
      places[e] = static_cast<std::uint16_t>(first[d[2 * e]] + d[2 * e + 1]);
    made.determinants.push_back(places);
  }
  return made;
}

void CoupledSpace::add(Configuration configuration) {
  configuration.first = size_;
  size_ += configuration.count();
  configurations_.push_back(std::move(configuration));
}

bool differInMoreThan(int most, const ValenceOccupation& a, const ValenceOccupation& b) {
  std::size_t i = 0, j = 0;
  int onlyA = 0;
  while (i < a.size()) {
    if (j == b.size() || a[i] < b[j]) {
      if (++onlyA > most) return true;
      ++i;
    } else if (a[i] == b[j]) {
      ++i, ++j;
    } else {
      ++j;
    }
  }
  return false;
}

Eigen::MatrixXd hamiltonianBetween(const PlaceHamiltonian& h, const CoupledSpace::Configuration& a,
                                   const CoupledSpace::Configuration& b) {
  if (differInMoreThan(2, a.spinors, b.spinors)) return {};
  Eigen::MatrixXd between(a.states.rows(), b.states.rows());
  for (std::size_t j = 0; j < b.determinants.size(); ++j)
    for (std::size_t i = 0; i < a.determinants.size(); ++i)
      between(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          elementBetween(h, a.determinants[i], b.determinants[j], electronsOf(a));
  return a.states.transpose() * between * b.states;
}

Eigen::MatrixXd CoupledSpace::hamiltonian(const PlaceHamiltonian& h, ThreadPool& pool) const {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size_, size_);
  const int count = static_cast<int>(configurations_.size());
  pool.forEach(count, [&](int i, int) {
    const Configuration& a = configurations_[usize(i)];
    for (int j = 0; j <= i; ++j) {
      const Configuration& b = configurations_[usize(j)];
      const Eigen::MatrixXd block = hamiltonianBetween(h, a, b);
      if (block.size() == 0) continue;
      matrix.block(a.first, b.first, a.count(), b.count()) = block;
      matrix.block(b.first, a.first, b.count(), a.count()) = block.transpose();
    }
  });
  return matrix;
}

namespace {

/// An operator of single electrons between the determinants of two configurations, from its elements between
/// places; without any where they differ in more than one electron.
template <typename Element>
Eigen::MatrixXd singleBetween(const CoupledSpace::Configuration& a, const CoupledSpace::Configuration& b,
                              const Element& element) {
  if (differInMoreThan(1, a.spinors, b.spinors)) return {};
  const int electrons = electronsOf(a);
  Eigen::MatrixXd between = Eigen::MatrixXd::Zero(a.states.rows(), b.states.rows());
  for (std::size_t j = 0; j < b.determinants.size(); ++j)
    for (std::size_t i = 0; i < a.determinants.size(); ++i) {
      const Places &x = a.determinants[i], &y = b.determinants[j];
      const Difference d = differenceOf(x, y, electrons);
      double& value = between(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      if (d.count == 0)
        for (int e = 0; e < electrons; ++e) value += element(x[usize(e)], x[usize(e)]);
      else if (d.count == 1)
        value = d.sign * element(x[usize(d.ofA[0])], y[usize(d.ofB[0])]);
    }
  return between;
}

}  // namespace

Eigen::MatrixXd scalarTimes(const PlaceHamiltonian& h, const Eigen::MatrixXd& between,
                            const CoupledSpace& space, const Eigen::MatrixXd& vectors, ThreadPool& pool) {
  const std::vector<CoupledSpace::Configuration>& all = space.configurations();
  Eigen::MatrixXd product = Eigen::MatrixXd::Zero(vectors.rows(), vectors.cols());
  pool.forEach(static_cast<int>(all.size()), [&](int i, int) {
    const CoupledSpace::Configuration& a = all[usize(i)];
    for (const CoupledSpace::Configuration& b : all) {
      const Eigen::MatrixXd own = singleBetween(a, b, [&](int p, int q) {
        const ValencePlace &x = h.places()[usize(p)], &y = h.places()[usize(q)];
        return x.twoM == y.twoM ? between(x.spinor, y.spinor) : 0.0;
      });
      if (own.size() > 0)
        product.middleRows(a.first, a.count()) +=
            a.states.transpose() * (own * (b.states * vectors.middleRows(b.first, b.count())));
    }
  });
  return product;
}

Eigen::MatrixXd reducedElements(const PlaceHamiltonian& h, const ValenceSpace& space, int k,
                                const Eigen::MatrixXd& reduced, const CoupledSpace& bra,
                                const Eigen::MatrixXd& braVectors, const CoupledSpace& ket,
                                const Eigen::MatrixXd& ketVectors) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(braVectors.cols(), ketVectors.cols());
  const double whole =
      wigner3j(bra.twoJ(), 2 * k, ket.twoJ(), -bra.twoJ(), bra.twoJ() - ket.twoJ(), ket.twoJ());
  if (whole == 0) return sum;
  std::map<std::array<int, 4>, double> known;
  const auto element = [&](int p, int q) {
    const ValencePlace &a = h.places()[usize(p)], &b = h.places()[usize(q)];
    const double value = reduced(a.spinor, b.spinor);
    if (value == 0) return 0.0;
    const int ja = space.spinors[usize(a.spinor)].type.twoJ(),
              jb = space.spinors[usize(b.spinor)].type.twoJ();
    const auto [place, isNew] = known.try_emplace({ja, a.twoM, jb, b.twoM}, 0);
    if (isNew)
      place->second =
          minusOneTo((ja - a.twoM) / 2) * wigner3j(ja, 2 * k, jb, -a.twoM, a.twoM - b.twoM, b.twoM);
    return place->second * value;
  };
  for (const CoupledSpace::Configuration& a : bra.configurations()) {
    const Eigen::MatrixXd ofA = a.states * braVectors.middleRows(a.first, a.count());
    for (const CoupledSpace::Configuration& b : ket.configurations())
      if (const Eigen::MatrixXd between = singleBetween(a, b, element); between.size() > 0)
        sum += ofA.transpose() * between * (b.states * ketVectors.middleRows(b.first, b.count()));
  }
  return sum / whole;  // M = J: the sign of the bra is +
}

namespace {

/// All ways to put electrons into some spinors, ascending, with this parity.
void distribute(const std::vector<int>& spinors, const ValenceSpace& space, std::size_t from, int electrons,
                bool odd, ValenceOccupation& made, std::vector<ValenceOccupation>& all) {
  if (electrons == 0) {
    int l = 0;
    for (const int s : made) l += space.spinors[usize(s)].type.l();
    if ((l % 2 != 0) == odd) all.push_back(made);
    return;
  }
  for (std::size_t i = from; i < spinors.size(); ++i) {
    const auto held = std::ranges::count(made, spinors[i]);
    if (held >= space.spinors[usize(spinors[i])].type.degeneracy()) continue;
    made.push_back(spinors[i]);
    distribute(spinors, space, i, electrons - 1, odd, made, all);
    made.pop_back();
  }
}

/// Adds what one or two electrons of a configuration lead to.
void addExcitations(const ValenceOccupation& from, const ValenceSpace& space,
                    std::set<ValenceOccupation>& all) {
  const int spinors = static_cast<int>(space.spinors.size());
  const auto l = [&](int s) { return space.spinors[usize(s)].type.l(); };
  const auto take = [&](ValenceOccupation made) {
    std::ranges::sort(made);
    all.insert(std::move(made));
  };
  for (std::size_t i = 0; i < from.size(); ++i) {
    ValenceOccupation one = from;
    one.erase(one.begin() + static_cast<std::ptrdiff_t>(i));
    for (int a = 0; a < spinors; ++a)
      if ((l(a) + l(from[i])) % 2 == 0) {
        ValenceOccupation made = one;
        made.push_back(a);
        take(std::move(made));
      }
    for (std::size_t j = i; j < one.size(); ++j) {
      ValenceOccupation two = one;
      two.erase(two.begin() + static_cast<std::ptrdiff_t>(j));
      for (int a = 0; a < spinors; ++a)
        for (int b = a; b < spinors; ++b)
          if ((l(a) + l(b) + l(from[i]) + l(one[j])) % 2 == 0) {
            ValenceOccupation made = two;
            made.push_back(a);
            made.push_back(b);
            take(std::move(made));
          }
    }
  }
}

/// n and l of the electrons. Configurations are taken in or left out as a whole, and alike for all J: with
/// some distributions over j alone the splitting of terms would be wrong.
using ShellsOfElectrons = std::vector<std::pair<int, int>>;
ShellsOfElectrons shellsOf(const ValenceOccupation& spinors, const ValenceSpace& space) {
  ShellsOfElectrons shells;
  for (const int a : spinors)
    shells.emplace_back(space.spinors[usize(a)].n, space.spinors[usize(a)].type.l());
  std::ranges::sort(shells);
  return shells;
}

/// The numbers of the columns of `to` that are most like those of `from`, over the first rows of both.
std::vector<Eigen::Index> likest(const Eigen::MatrixXd& from, const Eigen::MatrixXd& to) {
  std::vector<Eigen::Index> same(usize(to.cols()));
  const Eigen::MatrixXd overlaps = (from.transpose() * to.topRows(from.rows())).cwiseAbs();
  for (Eigen::Index i = 0; i < to.cols(); ++i) overlaps.col(i).maxCoeff(&same[usize(i)]);
  return same;
}

/// Mean energies over all states of a configuration of n and l: unlike those over distributions over j they
/// are the same for all levels of a term without spin-orbit coupling.
class MeanEnergies {
 public:
  MeanEnergies(const PlaceHamiltonian& h, const ValenceSpace& space) : h_(h) {
    for (std::size_t p = 0; p < h.places().size(); ++p) {
      const ValenceSpinor& s = space.spinors[usize(h.places()[p].spinor)];
      places_[{s.n, s.type.l()}].push_back(static_cast<int>(p));
    }
  }
  double of(const ShellsOfElectrons& shells) {
    double sum = 0;
    for (std::size_t i = 0; i < shells.size(); ++i) {
      sum += oneBody(shells[i]);
      for (std::size_t j = 0; j < i; ++j) sum += repulsion(shells[j], shells[i]);
    }
    return sum;
  }

 private:
  using ShellName = std::pair<int, int>;
  double oneBody(const ShellName& a) {
    const auto [place, isNew] = one_.try_emplace(a, 0);
    if (!isNew) return place->second;
    const std::vector<int>& list = places_.at(a);
    for (const int p : list) place->second += h_.oneBody(p, p) / static_cast<double>(list.size());
    return place->second;
  }
  double repulsion(const ShellName& a, const ShellName& b) {
    const auto [place, isNew] = two_.try_emplace({a, b}, 0);
    if (!isNew) return place->second;
    double count = 0, sum = 0;
    for (const int p : places_.at(a))
      for (const int q : places_.at(b)) {
        if (p == q) continue;
        sum += h_.twoBody(std::min(p, q), std::max(p, q), std::min(p, q), std::max(p, q));
        ++count;
      }
    place->second = sum / count;
    return place->second;
  }

  const PlaceHamiltonian& h_;
  std::map<ShellName, std::vector<int>> places_;
  std::map<ShellName, double> one_;
  std::map<std::pair<ShellName, ShellName>, double> two_;
};

/// The states of one J in the making.
struct CoupledBlock {
  Eigen::Index count = 0;
  CoupledStates result;
  PairStates start{};       ///< in the first step's configurations
  Eigen::VectorXd taken{};  ///< of each of them, what configurations that were taken in give in second order
  PairStates whole{};       ///< in all configurations that were taken in
  std::vector<Eigen::Index> like{};  ///< of each of these, the one of `start` that it resembles most
  std::vector<const CoupledSpace::Configuration*> references{};
  struct Candidate {
    CoupledSpace::Configuration configuration;
    double mean = 0;           ///< MeanEnergies
    Eigen::VectorXd energies;  ///< of each state of the first step, in second order, hartree
  };
  std::map<ShellsOfElectrons, std::vector<Candidate>> candidates{};
};

class CoupledSearch {
 public:
  CoupledSearch(const PlaceHamiltonian& h, const ValenceSpace& space, int electrons, bool odd,
                const CoupledLimits& limits, ThreadPool& pool, const Checkpoint& checkpoint)
      : h_(h),
        space_(space),
        electrons_(electrons),
        odd_(odd),
        limits_(limits),
        pool_(pool),
        checkpoint_(checkpoint),
        means_(h, space) {}

  std::vector<CoupledStates> states(const PlaceHamiltonian& plain, const std::vector<CoupledWish>& wishes,
                                    const std::set<ShellsOfElectrons>& wanted) {
    for (const CoupledWish& wish : wishes) blocks_.push_back({wish.count, {CoupledSpace(space_, wish.twoJ)}});
    findFirst(wanted);
    findCandidates();
    takeCandidates();
    solve();
    std::vector<CoupledStates> all;
    for (CoupledBlock& b : blocks_) {
      pass(checkpoint_);
      finish(b, plain);
      all.push_back(std::move(b.result));
    }
    return all;
  }

 private:
  /// The configurations of a few spinors with the lowest energies.
  void findFirst(const std::set<ShellsOfElectrons>& wanted) {
    std::vector<int> few;
    for (int s = 0; s < space_.symmetries(); ++s)
      for (int i = 0; i < std::min(limits_.model, space_.count(s)); ++i)
        few.push_back(space_.first[usize(s)] + i);
    std::vector<ValenceOccupation> all;
    ValenceOccupation none;
    distribute(few, space_, 0, electrons_, odd_, none, all);
    struct First {
      double energy = 0;
      std::size_t size = 0;
      std::vector<std::vector<CoupledSpace::Configuration>> ofBlocks;
    };
    std::map<ShellsOfElectrons, First> byShells;
    for (const ValenceOccupation& o : all) {
      const ShellsOfElectrons shells = shellsOf(o, space_);
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        CoupledSpace::Configuration c = blocks_[i].result.space.configurationOf(o);
        if (c.count() == 0) continue;
        First& f = byShells[shells];
        f.ofBlocks.resize(blocks_.size());
        f.energy = means_.of(shells);
        ++f.size;
        f.ofBlocks[i].push_back(std::move(c));
      }
    }
    std::vector<std::pair<const ShellsOfElectrons, First>*> order;
    for (auto& entry : byShells) order.push_back(&entry);
    std::ranges::stable_sort(order, {}, [](const auto* e) { return e->second.energy; });
    std::size_t size = 0;
    for (auto* entry : order) {
      size += entry->second.size;
      if (size > limits_.firstConfigurations * blocks_.size() && !wanted.contains(entry->first)) continue;
      taken_.insert(entry->first);
      for (std::size_t i = 0; i < blocks_.size(); ++i)
        for (CoupledSpace::Configuration& c : entry->second.ofBlocks[i])
          blocks_[i].result.space.add(std::move(c));
    }
  }

  /// Single and double excitations of the configurations that count in the wanted states of any J.
  void findCandidates() {
    std::set<ShellsOfElectrons> references;
    for (CoupledBlock& b : blocks_) {
      pass(checkpoint_);
      const CoupledSpace& states = b.result.space;
      if (states.size() == 0) continue;
      b.start = lowestPairStates(states.hamiltonian(h_, pool_), b.count + 2, pool_);
      const Eigen::Index roots = std::min<Eigen::Index>(b.count, b.start.values.size());
      std::map<ShellsOfElectrons, Eigen::VectorXd> weights;
      for (const CoupledSpace::Configuration& c : states.configurations())
        weights.try_emplace(shellsOf(c.spinors, space_), Eigen::VectorXd::Zero(roots)).first->second +=
            b.start.vectors.middleRows(c.first, c.count())
                .leftCols(roots)
                .colwise()
                .squaredNorm()
                .transpose();
      for (const auto& [shells, weight] : weights)
        if (weight.maxCoeff() >= limits_.referenceWeight) references.insert(shells);
    }
    std::set<ValenceOccupation> excited;
    for (CoupledBlock& b : blocks_)
      for (const CoupledSpace::Configuration& c : b.result.space.configurations())
        if (references.contains(shellsOf(c.spinors, space_))) {
          b.references.push_back(&c);
          addExcitations(c.spinors, space_, excited);
        }
    for (CoupledBlock& b : blocks_) {
      pass(checkpoint_);
      if (b.start.values.size() == 0) continue;
      std::vector<CoupledBlock::Candidate*> all;
      for (const ValenceOccupation& o : excited) {
        const ShellsOfElectrons shells = shellsOf(o, space_);
        if (taken_.contains(shells)) continue;
        CoupledSpace::Configuration c = b.result.space.configurationOf(o);
        if (c.count() > 0) b.candidates[shells].push_back({std::move(c), means_.of(shells), {}});
      }
      for (auto& [shells, list] : b.candidates)
        for (CoupledBlock::Candidate& c : list) all.push_back(&c);
      pool_.forEach(static_cast<int>(all.size()), [&](int i, int) { estimate(b, *all[usize(i)]); });
    }
  }

  void estimate(const CoupledBlock& b, CoupledBlock::Candidate& c) const {
    const Eigen::Index roots = b.start.values.size();
    Eigen::MatrixXd coupled = Eigen::MatrixXd::Zero(c.configuration.count(), roots);
    for (const CoupledSpace::Configuration* r : b.references)
      if (const Eigen::MatrixXd block = hamiltonianBetween(h_, c.configuration, *r); block.size() > 0)
        coupled += block * b.start.vectors.middleRows(r->first, r->count());
    c.energies.resize(roots);
    for (Eigen::Index r = 0; r < roots; ++r) {
      const double distance = b.start.values(r) - c.mean;
      c.energies(r) = coupled.col(r).squaredNorm() /
                      std::copysign(std::max(std::abs(distance), kSmallDenominator), distance);
    }
  }

  /// Takes in the configurations that contribute most, as many as the largest block may have.
  void takeCandidates() {
    std::map<ShellsOfElectrons, double> largest;
    for (const CoupledBlock& b : blocks_)
      for (const auto& [shells, list] : b.candidates) {
        Eigen::VectorXd sum = Eigen::VectorXd::Zero(b.start.values.size());
        for (const CoupledBlock::Candidate& c : list) sum += c.energies;
        double& most = largest[shells];
        most = std::max(most, sum.cwiseAbs().maxCoeff());
      }
    std::vector<std::pair<double, const ShellsOfElectrons*>> order;
    for (const auto& [shells, energy] : largest) order.emplace_back(energy, &shells);
    std::ranges::stable_sort(order, std::greater<>(), [](const auto& o) { return o.first; });
    for (CoupledBlock& b : blocks_) b.result.rest = b.taken = Eigen::VectorXd::Zero(b.start.values.size());
    bool isFull = false;
    for (const auto& [energy, shells] : order) {
      isFull = isFull || energy < limits_.least;
      for (const CoupledBlock& b : blocks_)
        if (const auto found = b.candidates.find(*shells); !isFull && found != b.candidates.end()) {
          Eigen::Index states = b.result.space.size();
          for (const CoupledBlock::Candidate& c : found->second) states += c.configuration.count();
          isFull = isFull || states > limits_.mostStates;
        }
      for (CoupledBlock& b : blocks_)
        if (const auto found = b.candidates.find(*shells); found != b.candidates.end())
          for (CoupledBlock::Candidate& c : found->second) {
            (isFull ? b.result.rest : b.taken) += c.energies;
            if (!isFull) b.result.space.add(std::move(c.configuration));
          }
    }
    for (CoupledBlock& b : blocks_) b.candidates.clear();
  }

  /// States in all configurations that were taken in, and the share that these have given of what second
  /// order promised: it promises more for the others as well.
  void solve() {
    double given = 0, promised = 0;
    for (CoupledBlock& b : blocks_) {
      pass(checkpoint_);
      if (b.start.values.size() == 0) continue;
      b.whole = lowestPairStates(b.result.space.hamiltonian(h_, pool_),
                                 std::min(b.count, b.start.values.size()), pool_);
      b.like = likest(b.start.vectors, b.whole.vectors);
      given += (b.whole.values - b.start.values(b.like)).sum();
      promised += b.taken(b.like).sum();
    }
    const double share = promised < 0 ? std::clamp(given / promised, kLeastGiven, 1.0) : 1;
    for (CoupledBlock& b : blocks_) b.result.rest *= share;
  }

  void finish(CoupledBlock& b, const PlaceHamiltonian& plain) const {
    CoupledStates& r = b.result;
    if (b.start.values.size() == 0) return;
    const Eigen::VectorXd rest = r.rest;
    // The rest may change the order.
    const auto order = [](const PairStates& states, const Eigen::VectorXd& added, Eigen::VectorXd& values,
                          Eigen::MatrixXd& vectors) {
      std::vector<Eigen::Index> numbers(usize(added.size()));
      std::iota(numbers.begin(), numbers.end(), 0);
      const Eigen::VectorXd sums = states.values + added;
      std::ranges::stable_sort(numbers, {}, [&](Eigen::Index i) { return sums(i); });
      values = sums(numbers);
      vectors = states.vectors(Eigen::all, numbers);
      return numbers;
    };
    const std::vector<Eigen::Index> numbers = order(b.whole, rest(b.like), r.values, r.vectors);
    r.rest = rest(b.like)(numbers).eval();
    r.first = b.start.values(b.like)(numbers).eval();
    const PairStates bare =
        lowestPairStates(r.space.hamiltonian(plain, pool_), std::min(b.count + 4, r.space.size()), pool_);
    order(bare, rest(likest(b.start.vectors, bare.vectors)), r.plainValues, r.plainVectors);
  }

  const PlaceHamiltonian& h_;
  const ValenceSpace& space_;
  int electrons_;
  bool odd_;
  const CoupledLimits& limits_;
  ThreadPool& pool_;
  const Checkpoint& checkpoint_;
  MeanEnergies means_;
  std::vector<CoupledBlock> blocks_;
  std::set<ShellsOfElectrons> taken_;
};

}  // namespace

std::vector<CoupledStates> lowestCoupledStates(const PlaceHamiltonian& h, const PlaceHamiltonian& plain,
                                               const ValenceSpace& space, int electrons, bool odd,
                                               const std::vector<CoupledWish>& wishes,
                                               const std::set<std::vector<std::pair<int, int>>>& wanted,
                                               const CoupledLimits& limits, ThreadPool& pool,
                                               const Checkpoint& checkpoint) {
  return CoupledSearch(h, space, electrons, odd, limits, pool, checkpoint).states(plain, wishes, wanted);
}

}  // namespace prophet
