#include "atoms/valence/core_screening.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "atoms/angular/angular.hpp"
#include "core/common/error.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Matrices with a column for each (v, x) and a row for each core spinor a and particle n.
class RingFactors {
 public:
  RingFactors(const ValenceSpace& space, const PairTable& table, ThreadPool& pool)
      : space_(space), table_(table), pool_(pool), particles_(space.orbitals.symmetries().size()) {
    makePotentials();
    makeExchange();
  }

  /// L^k(vx,an) = W^k(vn,xa)/sqrt([k] (e_n - e_a)): a row for each a, n. The other factor of the sums is made
  /// of the same numbers: W^k(va,xn) = (-1)^(jx-jv+jn-ja) W^k(xn,va).
  Eigen::MatrixXd of(int k, bool odd) const {
    struct Columns {
      std::size_t hole, particle;
      Eigen::Index first;
    };
    std::vector<Columns> list;
    Eigen::Index columns = 0;
    for (std::size_t a = 0; a < space_.holes.size(); ++a)
      for (std::size_t n = 0; n < particles_; ++n) {
        if (!triangle(hole(a), k, particle(n)) || ((hole(a).l() + particle(n).l()) % 2 != 0) != odd) continue;
        list.push_back({a, n, columns});
        columns += orbitals(n).targets();
      }
    const int number = PairTable::number(k, odd);
    Eigen::MatrixXd all(columns, table_.size(number));
    const Eigen::MatrixXd direct =
        odd == (k % 2 != 0) ? pairPotentials(space_, table_, k, pool_).potentials : Eigen::MatrixXd();
    pool_.forEach(static_cast<int>(list.size()), [&](int i, int) {
      const auto [a, n, first] = list[usize(i)];
      const Eigen::Index count = orbitals(n).targets();
      const Eigen::ArrayXd gaps = orbitals(n).energies.tail(count).array() - space_.holes[a].energy;
      if (gaps.minCoeff() <= 0)
        throw Error("a spinor of the core lies above one that valence electrons may have");
      Eigen::MatrixXd left = Eigen::MatrixXd::Zero(table_.size(number), count);
      const Eigen::MatrixXd repulsion =
          direct.size() > 0 ? multiply(direct, true, holeDensities(a, n), false) : Eigen::MatrixXd();
      for (int v = 0; v < space_.symmetries(); ++v)
        for (int x = 0; x < space_.symmetries(); ++x) {
          const PairTable::Rows rows = table_.rows(number, v, x);
          if (rows.first >= 0) addBlock(k, a, n, v, x, rows.first, repulsion, left);
        }
      all.middleRows(first, count) = ((2 * k + 1) * gaps).rsqrt().matrix().asDiagonal() * left.transpose();
    });
    return all;
  }

 private:
  Symmetry hole(std::size_t a) const { return space_.type(space_.holes[a].symmetry); }
  Symmetry particle(std::size_t n) const { return orbitals(n).symmetry; }
  const SymmetryOrbitals& orbitals(std::size_t s) const { return space_.orbitals.symmetries()[s]; }

  Eigen::MatrixXd holeDensities(std::size_t a, std::size_t n) const {
    const ActiveSpinor& h = space_.holes[a];
    return space_.orbitals.densities(h.symmetry, h.column, static_cast<int>(n), orbitals(n).closed,
                                     orbitals(n).targets());
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
      Eigen::MatrixXd densities(space_.orbitals.points(), columns);
      for (const Potential& p : sources_[usize(l)]) {
        const ActiveSpinor& h = space_.holes[p.hole];
        for (int i = 0; i < table_.count(p.v); ++i)
          densities.col(p.first + i) = space_.densitiesWith(p.v, i, h.symmetry, h.column, 1);
      }
      if (columns > 0) potentials_[usize(l)] = space_.orbitals.potentials(l, densities);
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

  /// R^l(va,nx) as a matrix with a row for each v (fastest) and x, and a column for each n.
  void makeExchange() {
    exchange_.resize(place(space_.holes.size(), 0, 0, 0, 0));
    const int tasks = space_.symmetries() * static_cast<int>(particles_);
    pool_.forEach(tasks, [&](int task, int) {
      const int x = task % space_.symmetries();
      const auto n = usize(task / space_.symmetries());
      const Eigen::Index cx = table_.count(x), particles = orbitals(n).targets();
      Eigen::MatrixXd densities(space_.orbitals.points(), cx * particles);
      for (Eigen::Index i = 0; i < cx; ++i) {
        const Eigen::MatrixXd own =
            space_.densitiesWith(x, static_cast<int>(i), static_cast<int>(n), orbitals(n).closed, particles);
        for (Eigen::Index m = 0; m < particles; ++m) densities.col(m * cx + i) = own.col(m);
      }
      for (const auto& [l, squared] : exchangeTerms(particle(n), space_.type(x))) {
        if (usize(l) >= potentials_.size() || potentials_[usize(l)].cols() == 0) continue;
        const Eigen::MatrixXd all = multiply(potentials_[usize(l)], true, densities, false);
        for (const Potential& p : sources_[usize(l)]) {
          const Eigen::Index cv = table_.count(p.v);
          exchange_[place(p.hole, l, p.v, x, n)] = all.middleRows(p.first, cv).reshaped(cv * cx, particles);
        }
      }
    });
  }

  void addBlock(int k, std::size_t a, std::size_t n, int v, int x, Eigen::Index first,
                const Eigen::MatrixXd& repulsion, Eigen::MatrixXd& left) const {
    const Symmetry sa = hole(a), sn = particle(n), sv = space_.type(v), sx = space_.type(x);
    const Eigen::Index cv = table_.count(v), cx = table_.count(x), size = cv * cx;
    if (repulsion.size() > 0)
      left.middleRows(first, size) +=
          reducedC(sv, k, sx) * reducedC(sn, k, sa) * repulsion.middleRows(first, size);
    for (int l = 0; usize(l) < potentials_.size(); ++l) {
      const double sign = (2 * k + 1) * minusOneTo(k + l);
      const double ofLeft = sign * wigner6j(sv.twoJ(), sx.twoJ(), 2 * k, sn.twoJ(), sa.twoJ(), 2 * l) *
                            reducedC(sv, l, sa) * reducedC(sn, l, sx);
      if (ofLeft != 0) left.middleRows(first, size) += ofLeft * exchange_[place(a, l, v, x, n)];
    }
  }

  const ValenceSpace& space_;
  const PairTable& table_;
  ThreadPool& pool_;
  std::size_t particles_;
  std::vector<std::vector<Potential>> sources_;  ///< [l]
  std::vector<Eigen::MatrixXd> potentials_;      ///< [l], points x products
  std::vector<Eigen::MatrixXd> exchange_;
};

}  // namespace

PairTable ringTable(const ValenceSpace& space, ThreadPool& pool, const Checkpoint& checkpoint) {
  std::vector<int> counts;
  for (int s = 0; s < space.symmetries(); ++s) counts.push_back(space.screened(s));
  PairTable table(space, counts, PairTable::Kind::Multipoles);
  const RingFactors rings(space, table, pool);
  for (int k = 0; k <= table.largestK(); ++k)
    for (const bool odd : {false, true}) {
      const int number = PairTable::number(k, odd);
      if (table.size(number) == 0) continue;
      pass(checkpoint);
      // -(-1)^(jy-jw) sum of L(vx) L(yw), and its transpose.
      const Eigen::MatrixXd square = sharedSquare(rings.of(k, odd), pool);
      Eigen::MatrixXd& values = table.values(number);
      values.resize(square.rows(), square.cols());
      const int symmetries = space.symmetries();
      pool.forEach(symmetries * symmetries, [&](int task, int) {
        const int w = task / symmetries, y = task % symmetries;
        const PairTable::Rows to = table.rows(number, w, y), from = table.rows(number, y, w);
        if (to.first < 0) return;
        const double sign = -minusOneTo((space.type(y).twoJ() - space.type(w).twoJ()) / 2);
        for (int j = 0; j < table.count(y); ++j)
          for (int i = 0; i < table.count(w); ++i) values.col(to.of(i, j)) = sign * square.col(from.of(j, i));
      });
      addTranspose(values, pool);
    }
  return table;
}

double smallestExcitation(const ValenceSpace& space) {
  double least = std::numeric_limits<double>::infinity();
  for (const ActiveSpinor& a : space.holes)
    for (int s = 0; s < space.symmetries(); ++s) least = std::min(least, space.lowest(s) - a.energy);
  return least;
}

HolePairs::HolePairs(const ValenceSpace& space, ThreadPool& pool) : space_(space) {
  int screened = 0, largest = 0;
  for (int s = 0; s < space.symmetries(); ++s) {
    first_.push_back(screened);
    screened += space.screened(s);
    largest = std::max(largest, space.type(s).twoJ());
  }
  int ofHoles = 0;
  for (const ActiveSpinor& a : space.holes) ofHoles = std::max(ofHoles, space.type(a.symmetry).twoJ());
  const auto holes = static_cast<Eigen::Index>(space.holes.size());
  Eigen::MatrixXd densities(space.orbitals.points(), holes * screened);
  for (Eigen::Index a = 0; a < holes; ++a)
    for (int s = 0; s < space.symmetries(); ++s) {
      const ActiveSpinor& h = space.holes[usize(a)];
      for (int i = 0; i < space.screened(s); ++i)
        densities.col(a * screened + first_[usize(s)] + i) =
            space.densitiesWith(s, i, h.symmetry, h.column, 1);
    }
  const int ranks = (largest + ofHoles) / 2 + 1;
  radial_.resize(usize(ranks));
  first_.push_back(screened);
  for (int k = 0; k < ranks; ++k)
    radial_[usize(k)] = sharedProduct(densities, space.orbitals.potentials(k, densities), pool);
}

Eigen::MatrixXd HolePairs::coupled(int twoJ, int v, int w) const {
  const auto holes = static_cast<Eigen::Index>(space_.holes.size());
  const Eigen::Index cv = space_.screened(v), cw = space_.screened(w), all = first_.back();
  const Symmetry sv = space_.type(v), sw = space_.type(w);
  Eigen::MatrixXd elements = Eigen::MatrixXd::Zero(cv * cw, holes * holes);
  for (Eigen::Index a = 0; a < holes; ++a)
    for (Eigen::Index b = 0; b < holes; ++b) {
      const Symmetry sa = space_.type(space_.holes[usize(a)].symmetry),
                     sb = space_.type(space_.holes[usize(b)].symmetry);
      for (std::size_t k = 0; k < radial_.size(); ++k) {
        const int rank = static_cast<int>(k);
        const double factor =
            pairCoupling(rank, twoJ, sv, sw, sa, sb) * reducedC(sv, rank, sa) * reducedC(sw, rank, sb);
        if (factor == 0) continue;
        elements.col(a * holes + b) +=
            factor *
            radial_[k].block(a * all + first_[usize(v)], b * all + first_[usize(w)], cv, cw).reshaped();
      }
    }
  return elements;
}

Eigen::MatrixXd HolePairs::elements(int twoJ, int v, int w, int x, int y) const {
  const auto holes = static_cast<Eigen::Index>(space_.holes.size());
  const double lowest = 0.5 * (space_.lowest(v) + space_.lowest(w) + space_.lowest(x) + space_.lowest(y));
  Eigen::VectorXd weights(holes * holes);
  for (Eigen::Index a = 0; a < holes; ++a)
    for (Eigen::Index b = 0; b < holes; ++b)
      weights(a * holes + b) = 1 / (space_.holes[usize(a)].energy + space_.holes[usize(b)].energy - lowest);
  const Eigen::MatrixXd bra = coupled(twoJ, v, w);
  return bra * weights.asDiagonal() * coupled(twoJ, x, y).transpose();
}

}  // namespace prophet
