#include "atoms/core_valence/core_screening.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "atoms/angular/angular.hpp"
#include "atoms/core_valence/core_breit.hpp"
#include "core/common/error.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Matrices with a column for each (v, x) and a row for each core spinor a and particle n.
class RingFactors {
 public:
  RingFactors(const ValenceSpace& space, const PairTable& table, ThreadPool& pool)
      : space_(space), table_(table), pool_(pool), particles_(space.orbitals.symmetries().size()) {
    for (int s = 0; s < space_.symmetries(); ++s)
      valence_.push_back(space_.products.valuesOf(lowestOf(space_.functions[usize(s)], table_.count(s))));
    for (const ActiveSpinor& a : space_.holes)
      holes_.push_back(space_.products.valuesOf(functionsOf(space_.orbitals, a.symmetry, a.column, 1)));
    makePotentials();
    chooseParticles();
    makeExchange();
  }

  /// L^k(vx,an) = W^k(vn,xa)/sqrt([k] (e_n - e_a)): a row for each a, n, of which there are only those
  /// combinations that have a part in sums of products of two. The other factor of the sums is made of the
  /// same numbers: W^k(va,xn) = (-1)^(jx-jv+jn-ja) W^k(xn,va). `weights`: of the repulsion of each rank in W.
  Eigen::MatrixXd of(int k, bool odd, const RankFactors& weights) const {
    struct Columns {
      std::size_t hole, particle;
      Eigen::Index first;
    };
    std::vector<Columns> list;
    Eigen::Index columns = 0;
    for (std::size_t a = 0; a < space_.holes.size(); ++a)
      for (std::size_t n = 0; n < particles_; ++n) {
        if (!triangle(hole(a), k, particle(n)) || ((hole(a).l() + particle(n).l()) % 2 != 0) != odd ||
            particlesOf(a, n).count() == 0)
          continue;
        list.push_back({a, n, columns});
        columns += particlesOf(a, n).count();
      }
    const int number = PairTable::number(k, odd);
    Eigen::MatrixXd all(columns, table_.size(number));
    const Eigen::MatrixXd* direct = odd == (k % 2 != 0) ? &repulsions_[usize(k)] : nullptr;
    pool_.forEach(static_cast<int>(list.size()), [&](int i, int) {
      const auto [a, n, first] = list[usize(i)];
      const SpinorFunctions& particles = particlesOf(a, n);
      Eigen::MatrixXd left = Eigen::MatrixXd::Zero(table_.size(number), particles.count());
      const Eigen::MatrixXd repulsion =
          direct != nullptr ? multiply(*direct, true, productsOf(holes_[a], 0, particles), false)
                            : Eigen::MatrixXd();
      for (int v = 0; v < space_.symmetries(); ++v)
        for (int x = 0; x < space_.symmetries(); ++x) {
          const PairTable::Rows rows = table_.rows(number, v, x);
          if (rows.first >= 0) addBlock(k, a, n, v, x, rows.first, repulsion, weights, left);
        }
      all.middleRows(first, particles.count()) = left.transpose() / std::sqrt(2 * k + 1);
    });
    return all;
  }

 private:
  Symmetry hole(std::size_t a) const { return space_.type(space_.holes[a].symmetry); }
  Symmetry particle(std::size_t n) const { return orbitals(n).symmetry; }
  const SymmetryOrbitals& orbitals(std::size_t s) const { return space_.orbitals.symmetries()[s]; }

  const SpinorFunctions& particlesOf(std::size_t a, std::size_t n) const {
    return particlesOf_[a * particles_ + n];
  }
  /// The products of one function with others, at the points of both.
  static Eigen::MatrixXd productsOf(const SpinorFunctions& f, Eigen::Index i, const SpinorFunctions& g) {
    Eigen::MatrixXd values = f.large.col(i).asDiagonal() * g.large;
    if (f.small.rows() > 0) values += f.small.col(i).asDiagonal() * g.small;
    return values;
  }

  /// Potentials of rank l of the products of hole a with the screened spinors of symmetry v.
  struct Potential {
    std::size_t hole = 0;
    int v = 0;
    Eigen::Index first = 0;  ///< among the columns of the rank
  };

  void makePotentials() {
    const int ranks = table_.largestK() + 1 + largestHoleRank();
    sources_.resize(usize(ranks));
    potentials_.resize(usize(ranks));
    pool_.forEach(ranks, [&](int l, int) {
      Eigen::Index columns = 0;
      for (std::size_t a = 0; a < space_.holes.size(); ++a)
        for (int v = 0; v < space_.symmetries(); ++v)
          if (reducedC(space_.type(v), l, hole(a)) != 0) {
            sources_[usize(l)].push_back({a, v, columns});
            columns += table_.count(v);
          }
      if (columns == 0) return;
      Eigen::MatrixXd densities(static_cast<Eigen::Index>(space_.products.points.size()), columns);
      for (const Potential& p : sources_[usize(l)])
        densities.middleCols(p.first, table_.count(p.v)) =
            productsOf(holes_[p.hole], 0, valence_[usize(p.v)]);
      potentials_[usize(l)] = space_.products.potentials(l, densities);
    });
  }

  /// Particles are combinations n of those of each hole and symmetry, times (e_n - e_a)^(-1/2): eigenvectors
  /// of the matrix of squares of what they have of random combinations of all integrals. Those that are left
  /// out, of deep holes most, have kLeftOut of the largest one's share in sums of products.
  void chooseParticles() {
    for (int k = 0; k <= table_.largestK(); ++k)
      repulsions_.push_back(pairPotentials(space_, table_, k, pool_).potentials);
    std::mt19937_64 engine(1);
    const auto random = [&](Eigen::Index rows) { return randomFactors(engine, rows, kSamples); };
    const auto points = static_cast<Eigen::Index>(space_.products.points.size());
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(points, kSamples);
    Eigen::MatrixXd ofPairs = none, large = none, small = none;
    for (const Eigen::MatrixXd& m : repulsions_) ofPairs += multiply(m, false, random(m.cols()), false);
    for (const SpinorFunctions& f : valence_) {
      const Eigen::MatrixXd factors = random(f.count());
      large += multiply(f.large, false, factors, false);
      if (f.small.rows() > 0) small += multiply(f.small, false, factors, false);
    }
    std::vector<Eigen::MatrixXd> ofHoles(space_.holes.size(), none);
    for (std::size_t l = 0; l < potentials_.size(); ++l)
      for (const Potential& p : sources_[l])
        ofHoles[p.hole] += multiply(potentials_[l].middleCols(p.first, table_.count(p.v)), false,
                                    random(table_.count(p.v)), false);
    std::vector<SpinorFunctions> virtuals;
    for (std::size_t n = 0; n < particles_; ++n)
      virtuals.push_back(space_.products.valuesOf(
          functionsOf(space_.orbitals, static_cast<int>(n), orbitals(n).closed, orbitals(n).targets())));
    particlesOf_.resize(space_.holes.size() * particles_);
    std::vector<Eigen::VectorXd> shares(particlesOf_.size());
    std::vector<Eigen::MatrixXd> rotations(particlesOf_.size());
    pool_.forEach(static_cast<int>(particlesOf_.size()), [&](int task, int) {
      const std::size_t a = usize(task) / particles_, n = usize(task) % particles_;
      const SpinorFunctions& own = virtuals[n];
      const Eigen::ArrayXd gaps = orbitals(n).energies.tail(own.count()).array() - space_.holes[a].energy;
      if (gaps.minCoeff() <= 0)
        throw Error("a spinor of the core lies above one that valence electrons may have");
      const auto elements = [&](const Eigen::MatrixXd& potentials, const auto& f, const auto& g) {
        Eigen::MatrixXd sum = multiply(own.large, true, potentials.cwiseProduct(f), false);
        if (own.small.rows() > 0) sum += multiply(own.small, true, potentials.cwiseProduct(g), false);
        return sum;
      };
      Eigen::MatrixXd scaled(own.count(), 2 * kSamples);
      scaled << elements(ofHoles[a], large, small),
          elements(ofPairs, holes_[a].large.replicate(1, kSamples),
                   holes_[a].small.replicate(holes_[a].small.rows() > 0 ? 1 : 0, kSamples));
      scaled = (gaps.rsqrt().matrix().asDiagonal() * scaled).eval();
      const SymmetricEigen found(multiply(scaled, false, scaled, true));
      shares[usize(task)] = found.eigenvalues();
      rotations[usize(task)] = gaps.rsqrt().matrix().asDiagonal() * found.eigenvectors();
    });
    double largest = 0;
    for (const Eigen::VectorXd& s : shares) largest = std::max(largest, s(s.size() - 1));
    pool_.forEach(static_cast<int>(particlesOf_.size()), [&](int task, int) {
      const SpinorFunctions& own = virtuals[usize(task) % particles_];
      const Eigen::Index kept = (shares[usize(task)].array() > kLeftOut * largest).count();
      const Eigen::MatrixXd rotation = rotations[usize(task)].rightCols(kept);
      particlesOf_[usize(task)] = {
          own.symmetry, multiply(own.large, false, rotation, false),
          own.small.rows() > 0 ? multiply(own.small, false, rotation, false) : Eigen::MatrixXd(0, kept)};
    });
  }

  int largestHoleRank() const {
    int most = 0;
    for (std::size_t a = 0; a < space_.holes.size(); ++a) most = std::max(most, hole(a).twoJ());
    return most;
  }

  std::size_t place(std::size_t a, int l, int v, int x, std::size_t n) const {
    const auto s = usize(space_.symmetries());
    return (((a * potentials_.size() + usize(l)) * s + usize(v)) * s + usize(x)) * particles_ + n;
  }

  /// C^l(va) C^l(nx) R^l(va,nx) as a matrix with a row for each v (fastest) and x, and a column for each n.
  void makeExchange() {
    exchange_.resize(place(space_.holes.size(), 0, 0, 0, 0));
    const auto holes = space_.holes.size();
    pool_.forEach(static_cast<int>(holes * particles_), [&](int task, int) {
      const std::size_t a = usize(task) % holes, n = usize(task) / holes;
      const SpinorFunctions& own = particlesOf(a, n);
      if (own.count() == 0) return;
      for (int x = 0; x < space_.symmetries(); ++x) {
        const Eigen::Index cx = table_.count(x);
        Eigen::MatrixXd densities(own.large.rows(), cx * own.count());
        for (Eigen::Index m = 0; m < own.count(); ++m)
          densities.middleCols(m * cx, cx) = productsOf(own, m, valence_[usize(x)]);
        for (const auto& [l, squared] : exchangeTerms(particle(n), space_.type(x))) {
          if (usize(l) >= potentials_.size()) continue;
          // Potentials of one hole stand next to each other.
          const std::vector<Potential>& all = sources_[usize(l)];
          const auto first = std::ranges::find(all, a, &Potential::hole);
          const auto last = std::find_if(first, all.end(), [&](const Potential& p) { return p.hole != a; });
          if (first == last) continue;
          const Eigen::Index end = last == all.end() ? potentials_[usize(l)].cols() : last->first;
          const Eigen::MatrixXd integrals = multiply(
              potentials_[usize(l)].middleCols(first->first, end - first->first), true, densities, false);
          for (auto p = first; p != last; ++p) {
            const Eigen::Index cv = table_.count(p->v);
            exchange_[place(a, l, p->v, x, n)] =
                reducedC(space_.type(p->v), l, hole(a)) * reducedC(particle(n), l, space_.type(x)) *
                integrals.middleRows(p->first - first->first, cv).reshaped(cv * cx, own.count());
          }
        }
      }
    });
  }

  void addBlock(int k, std::size_t a, std::size_t n, int v, int x, Eigen::Index first,
                const Eigen::MatrixXd& repulsion, const RankFactors& weights, Eigen::MatrixXd& left) const {
    const Symmetry sa = hole(a), sn = particle(n), sv = space_.type(v), sx = space_.type(x);
    const Eigen::Index cv = table_.count(v), cx = table_.count(x), size = cv * cx;
    if (repulsion.size() > 0)
      left.middleRows(first, size) += factorOf(weights, k) * reducedC(sv, k, sx) * reducedC(sn, k, sa) *
                                      repulsion.middleRows(first, size);
    for (int l = 0; usize(l) < potentials_.size(); ++l) {
      const Eigen::MatrixXd& exchange = exchange_[place(a, l, v, x, n)];
      if (exchange.size() == 0) continue;
      const double factor = factorOf(weights, l) * (2 * k + 1) * minusOneTo(k + l) *
                            wigner6j(sv.twoJ(), sx.twoJ(), 2 * k, sn.twoJ(), sa.twoJ(), 2 * l);
      if (factor != 0) left.middleRows(first, size) += factor * exchange;
    }
  }

  static constexpr Eigen::Index kSamples = 200;  // random combinations of integrals
  static constexpr double kLeftOut = 1e-14;

  const ValenceSpace& space_;
  const PairTable& table_;
  ThreadPool& pool_;
  std::size_t particles_;                        ///< symmetries of them
  std::vector<std::vector<Potential>> sources_;  ///< [l]
  std::vector<Eigen::MatrixXd> potentials_;      ///< [l], points of space_.products x products
  std::vector<Eigen::MatrixXd> repulsions_;      ///< [k], potentials of pairs of valence spinors
  std::vector<Eigen::MatrixXd> exchange_;
  std::vector<SpinorFunctions> valence_, holes_, particlesOf_;  ///< at the points of space_.products
};

/// The mean of both factors f and g in a product of two lines, (f + g)/2 = (1+f)/2 (1+g)/2 - (1-f)/2 (1-g)/2,
/// as a difference of squares; without factors there is no second one.
std::vector<RankFactors> squaresOf(const ValenceSpace& space) {
  if (space.screening.empty()) return {{}};
  std::vector<RankFactors> squares(2);
  for (int k = 0; k <= space.orbitals.kernel().largestK(); ++k) {
    squares[0].push_back(0.5 * (1 + factorOf(space.screening, k)));
    squares[1].push_back(0.5 * (1 - factorOf(space.screening, k)));
  }
  return squares;
}

}  // namespace

void setRings(const Eigen::MatrixXd& factors, int number, PairTable& table, ThreadPool& pool) {
  // -(-1)^(jy-jw) sum of L(vx) L(yw), and its transpose, by sums and differences of both orders: a half
  // of the products.
  const std::vector<PairTable::RowPair> pairs = table.rowPairs(number);
  const auto size = static_cast<Eigen::Index>(pairs.size());
  const auto productOf = [&](double order) {
    Eigen::MatrixXd combined(factors.rows(), size);
    overColumns(size, pool, [&](Eigen::Index first, Eigen::Index count) {
      for (Eigen::Index j = first; j < first + count; ++j) {
        const auto& [row, swapped, sign] = pairs[usize(j)];
        combined.col(j) = factors.col(row) - order * sign * factors.col(swapped);
      }
    });
    return sharedSymmetric(combined, combined, pool);
  };
  const Eigen::MatrixXd sums = productOf(1), differences = productOf(-1);
  Eigen::MatrixXd& values = table.values(number);
  values.resize(table.size(number), table.size(number));
  overColumns(size, pool, [&](Eigen::Index first, Eigen::Index count) {
    for (Eigen::Index j = first; j < first + count; ++j)
      for (Eigen::Index i = 0; i < size; ++i) {
        const PairTable::RowPair &vx = pairs[usize(i)], &wy = pairs[usize(j)];
        const double direct = 0.5 * (sums(i, j) - differences(i, j)),
                     crossed = 0.5 * (sums(i, j) + differences(i, j));
        values(vx.row, wy.row) = direct;
        values(vx.swapped, wy.swapped) = vx.sign * wy.sign * direct;
        values(vx.row, wy.swapped) = -wy.sign * crossed;
        values(vx.swapped, wy.row) = -vx.sign * crossed;
      }
  });
}

PairTable ringTable(const ValenceSpace& space, ThreadPool& pool, const Checkpoint& checkpoint) {
  std::vector<int> counts;
  for (int s = 0; s < space.symmetries(); ++s) counts.push_back(space.screened(s));
  PairTable table(space, counts, PairTable::Kind::Multipoles);
  const RingFactors rings(space, table, pool);
  const std::vector<RankFactors> squares = squaresOf(space);
  for (int k = 0; k <= table.largestK(); ++k)
    for (const bool odd : {false, true}) {
      const int number = PairTable::number(k, odd);
      if (table.size(number) == 0) continue;
      pass(checkpoint);
      setRings(rings.of(k, odd, squares[0]), number, table, pool);
      if (squares.size() == 1) continue;
      const Eigen::MatrixXd first = std::move(table.values(number));
      setRings(rings.of(k, odd, squares[1]), number, table, pool);
      table.values(number) = first - table.values(number);
    }
  return table;
}

double smallestExcitation(const ValenceSpace& space) {
  double least = std::numeric_limits<double>::infinity();
  for (const ActiveSpinor& a : space.holes)
    for (int s = 0; s < space.symmetries(); ++s) least = std::min(least, space.lowest(s) - a.energy);
  return least;
}

HolePairs::HolePairs(const ValenceSpace& space, ThreadPool& pool, std::vector<const CoreBreit*> added)
    : space_(space), added_(std::move(added)), squares_(squaresOf(space)) {
  int screened = 0, largest = 0;
  for (int s = 0; s < space.symmetries(); ++s) {
    first_.push_back(screened);
    screened += space.screened(s);
    largest = std::max(largest, space.type(s).twoJ());
  }
  int ofHoles = 0;
  for (const ActiveSpinor& a : space.holes) ofHoles = std::max(ofHoles, space.type(a.symmetry).twoJ());
  const auto holes = static_cast<Eigen::Index>(space.holes.size());
  Eigen::MatrixXd values(static_cast<Eigen::Index>(space.products.points.size()), holes * screened);
  for (Eigen::Index a = 0; a < holes; ++a) {
    const ActiveSpinor& h = space.holes[usize(a)];
    const SpinorFunctions hole =
        space.products.valuesOf(functionsOf(space.orbitals, h.symmetry, h.column, 1));
    for (int s = 0; s < space.symmetries(); ++s)
      values.middleCols(a * screened + first_[usize(s)], space.screened(s)) =
          productsOf(space.products.valuesOf(lowestOf(space.functions[usize(s)], space.screened(s))), hole);
  }
  const int ranks = (largest + ofHoles) / 2 + 1;
  radial_.resize(usize(ranks));
  first_.push_back(screened);
  for (int k = 0; k < ranks; ++k)
    radial_[usize(k)] = sharedSymmetric(values, space.products.potentials(k, values), pool);
}

std::vector<HolePairs::Pair> HolePairs::pairs(int twoJ, bool odd) const {
  std::vector<Pair> list;
  for (std::size_t b = 0; b < space_.holes.size(); ++b)
    for (std::size_t a = 0; a <= b; ++a) {
      const Symmetry sa = typeOf(a), sb = typeOf(b);
      // Two electrons of one spinor have even J.
      if (((sa.l() + sb.l()) % 2 != 0) == odd && twoJ <= sa.twoJ() + sb.twoJ() &&
          twoJ >= std::abs(sa.twoJ() - sb.twoJ()) && (a != b || twoJ % 4 == 0))
        list.push_back({a, b});
    }
  return list;
}

Eigen::MatrixXd HolePairs::coupled(int twoJ, int v, int w) const {
  const Symmetry sv = space_.type(v), sw = space_.type(w);
  const std::vector<Pair> list = pairs(twoJ, (sv.l() + sw.l()) % 2 != 0);
  const Eigen::Index cv = space_.screened(v), cw = space_.screened(w), all = first_.back();
  Eigen::MatrixXd elements =
      Eigen::MatrixXd::Zero(cv * cw, static_cast<Eigen::Index>(squares_.size() * list.size()));
  for (std::size_t i = 0; i < squares_.size() * list.size(); ++i) {
    const RankFactors& weights = squares_[i / list.size()];
    const auto add = [&](std::size_t a, std::size_t b, double sign) {
      const Symmetry sa = typeOf(a), sb = typeOf(b);
      for (std::size_t k = 0; k < radial_.size(); ++k) {
        const int rank = static_cast<int>(k);
        const double charges = reducedC(sv, rank, sa) * reducedC(sw, rank, sb);
        if (charges == 0) continue;
        elements.col(static_cast<Eigen::Index>(i)) +=
            sign * factorOf(weights, rank) * charges * pairCoupling(rank, twoJ, sv, sw, sa, sb) *
            radial_[k]
                .block(static_cast<Eigen::Index>(a) * all + first_[usize(v)],
                       static_cast<Eigen::Index>(b) * all + first_[usize(w)], cv, cw)
                .reshaped();
      }
      // Interactions beside the repulsion have no factors.
      if (i >= list.size()) return;
      for (const CoreBreit* one : added_)
        for (int k = 0; 2 * k <= std::min(sv.twoJ() + sa.twoJ(), sw.twoJ() + sb.twoJ()); ++k) {
          const Eigen::MatrixXd own = one->withHoles(k, v, w, a, b);
          if (own.size() > 0)
            elements.col(static_cast<Eigen::Index>(i))
                .reshaped(cv, cw)
                .topLeftCorner(own.rows(), own.cols()) += sign * pairCoupling(k, twoJ, sv, sw, sa, sb) * own;
        }
    };
    const auto [a, b] = list[i % list.size()];
    add(a, b, 1);
    add(b, a, -minusOneTo((typeOf(a).twoJ() + typeOf(b).twoJ() - twoJ) / 2));
  }
  return elements;
}

Eigen::MatrixXd HolePairs::elements(int twoJ, int v, int w, const Eigen::MatrixXd& bra, int x, int y,
                                    const Eigen::MatrixXd& ket) const {
  const double lowest = 0.5 * (space_.lowest(v) + space_.lowest(w) + space_.lowest(x) + space_.lowest(y));
  const std::vector<Pair> list = pairs(twoJ, (space_.type(v).l() + space_.type(w).l()) % 2 != 0);
  Eigen::VectorXd weights(bra.cols());
  for (std::size_t i = 0; i < squares_.size() * list.size(); ++i) {
    const auto [a, b] = list[i % list.size()];
    const double sign = i < list.size() ? 1 : -1;
    weights(static_cast<Eigen::Index>(i)) =
        sign * (a == b ? 0.5 : 1.0) / (space_.holes[a].energy + space_.holes[b].energy - lowest);
  }
  return multiply(bra * weights.asDiagonal(), false, ket, true);
}

}  // namespace prophet
