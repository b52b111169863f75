#include "atoms/correlation/correlation_engine.hpp"

#include <algorithm>

#include "atoms/angular/angular.hpp"
#include "atoms/correlation/pair_angles.hpp"
#include "atoms/correlation/product_points.hpp"
#include "core/common/index.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

class HostPairSums : public PairSums {
 public:
  explicit HostPairSums(const PairExcitations& excitations)
      : all_(excitations),
        cache_(excitations.options().cache != nullptr ? *excitations.options().cache : own_),
        known_(cache_.potentials.size() == excitations.active().size()) {
    cache_.angles.resize(usize(all_.options().pool->threads()));
  }

  std::vector<PairPart> pairsOf(std::size_t i) override {
    const CorrelationOptions& options = all_.options();
    const std::vector<ActiveSpinor>& active = all_.active();
    const SpinorPotentials ofA(all_.space(), active[i].symmetry, active[i].column, *options.pool,
                               known_ ? &cache_.potentials[i] : nullptr, options.targets);
    if (options.cache != nullptr && !known_ && cache_.potentials.size() == i)
      cache_.potentials.push_back(ofA);
    const int symmetries = all_.symmetries(), others = static_cast<int>(active.size() - i);
    std::vector<PairPart> tasks(usize(others * symmetries));
    options.pool->forEach(others * symmetries, [&](int task, int worker) {
      const auto b = i + usize(task / symmetries);
      tasks[usize(task)] = excite(active[i], active[b], task % symmetries, ofA, cache_.angles[usize(worker)]);
    });
    std::vector<PairPart> parts(usize(others));
    for (std::size_t task = 0; task < tasks.size(); ++task) {
      PairPart& part = parts[task / usize(symmetries)];
      part.waves.resize(tasks[task].waves.size());
      for (std::size_t l = 0; l < part.waves.size(); ++l) part.waves[l] += tasks[task].waves[l];
      part.gap = std::min(part.gap, tasks[task].gap);
      part.integrals += tasks[task].integrals;
    }
    return parts;
  }

 private:
  const SymmetryOrbitals& of(int symmetry) const { return all_.of(symmetry); }

  /// Excites a pair into symmetries of which r is the first and all that do not come before it the other.
  PairPart excite(const ActiveSpinor& a, const ActiveSpinor& b, int r, const SpinorPotentials& ofA,
                  PairAngles& angles) const {
    PairPart part;
    part.waves.assign(usize(all_.space().largestL()) + 1, 0.0);
    if (!all_.counts(a, b)) return part;
    for (int s = r; s < all_.symmetries(); ++s)
      if (all_.reaches(r, s)) addSymmetries(a, b, r, s, ofA, angles, part);
    return part;
  }

  /// R^k(ab,rs), rows r, columns s, for each rank.
  std::vector<Eigen::MatrixXd> integrals(const ActiveSpinor& b, int r, int s, const std::vector<int>& ranks,
                                         const SpinorPotentials& ofA, PairPart& part) const {
    std::vector<Eigen::MatrixXd> list;
    if (ranks.empty()) return list;
    const Eigen::MatrixXd density =
        all_.space().densities(b.symmetry, b.column, s, of(s).closed, of(s).targets());
    for (const int k : ranks) list.push_back(multiply(ofA.of(r, k), true, density, false));
    part.integrals += static_cast<double>(ranks.size() * list.front().size());
    return list;
  }

  void addSymmetries(const ActiveSpinor& a, const ActiveSpinor& b, int r, int s, const SpinorPotentials& ofA,
                     PairAngles& angles, PairPart& part) const {
    const PairSymmetries pair{of(a.symmetry).symmetry, of(b.symmetry).symmetry, of(r).symmetry,
                              of(s).symmetry};
    const PairSymmetries swapped{pair.a, pair.b, pair.s, pair.r};
    std::vector<Eigen::MatrixXd> x = integrals(b, r, s, pairRanks(pair), ofA, part);
    if (r == s) {
      const std::size_t direct = x.size();
      for (std::size_t i = 0; i < direct; ++i) x.emplace_back(x[i].transpose());
    } else {
      for (Eigen::MatrixXd& m : integrals(b, s, r, pairRanks(swapped), ofA, part))
        x.emplace_back(m.transpose());
    }
    if (x.empty()) return;
    Eigen::MatrixXd squares = quadraticForm(angles.form(pair), x);
    correctSamePlaces(a, b, r, s, pair, x, angles, squares);
    part.waves[usize(std::max(pair.r.l(), pair.s.l()))] +=
        PairExcitations::multiplicity(a, b, r, s) * weightedSum(a, b, r, s, squares, part.gap);
  }

  static Eigen::MatrixXd quadraticForm(const Eigen::MatrixXd& form, const std::vector<Eigen::MatrixXd>& x) {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(x.front().rows(), x.front().cols());
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        const double factor =
            (i == j ? 1 : 2) * form(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        if (factor != 0) sum.array() += factor * x[i].array() * x[j].array();
      }
    return sum;
  }

  void correctSamePlaces(const ActiveSpinor& a, const ActiveSpinor& b, int r, int s,
                         const PairSymmetries& pair, const std::vector<Eigen::MatrixXd>& x,
                         PairAngles& angles, Eigen::MatrixXd& squares) const {
    if (a.group == OpenGroups::kNone && b.group == OpenGroups::kNone) return;
    Eigen::VectorXd own(static_cast<Eigen::Index>(x.size()));
    for (Eigen::Index j = 0; j < squares.cols(); ++j)
      for (Eigen::Index i = 0; i < squares.rows(); ++i) {
        if (i >= of(r).open && j >= of(s).open) break;
        const unsigned left = samePlaces(all_.space(), a, b, {r, i}, {s, j});
        if (left == kNoPlace) continue;
        for (std::size_t n = 0; n < x.size(); ++n) own(static_cast<Eigen::Index>(n)) = x[n](i, j);
        squares(i, j) = own.dot(angles.form(pair, left) * own);
      }
  }

  double weightedSum(const ActiveSpinor& a, const ActiveSpinor& b, int r, int s,
                     const Eigen::MatrixXd& squares, double& gap) const {
    const SymmetryOrbitals &first = of(r), &second = of(s);
    const double ofVirtuals = all_.weight(a, b, r, first.open, s, second.open);
    double sum = 0;
    for (Eigen::Index j = 0; j < squares.cols(); ++j)
      for (Eigen::Index i = 0; i < squares.rows(); ++i) {
        const double weight = i < first.open || j < second.open ? all_.weight(a, b, r, i, s, j) : ofVirtuals;
        if (weight == 0 || squares(i, j) == 0) continue;
        const double excitation =
            first.energies(first.closed + i) + second.energies(second.closed + j) - a.energy - b.energy;
        gap = std::min(gap, excitation);
        sum -= weight * squares(i, j) / excitation;
      }
    return sum;
  }

  const PairExcitations& all_;
  SecondOrderCache own_;
  SecondOrderCache& cache_;
  bool known_;
};

/// One term of the self-energy: between the columns, and its partial wave.
struct Term {
  Eigen::MatrixXd matrix;
  int wave = 0;
  double gap = std::numeric_limits<double>::infinity();
};

/// Everything is at the points of SelfEnergyTerms::products.
class HostSigmaSums : public SigmaSums {
 public:
  explicit HostSigmaSums(const SelfEnergyTerms& terms)
      : terms_(terms),
        own_(terms.products.valuesOf(terms.functions)),
        angles_(usize(terms.pool.threads()), PairAngles(terms.factors)),
        products_(usize(terms.symmetries())),
        potentials_(terms.holes.size()) {
    for (int r = 0; r < terms.symmetries(); ++r)
      for (int s = r; s < terms.symmetries(); ++s) pairs_.emplace_back(r, s);
    for (int s = 0; s < terms.symmetries(); ++s)
      virtuals_.push_back(
          terms.products.valuesOf(functionsOf(terms.space, s, of(s).closed, of(s).virtuals())));
    for (const ActiveSpinor& a : terms.holes) holes_.push_back(terms.hole(a));
    terms.pool.forEach(terms.symmetries(),
                       [&](int s, int) { products_[usize(s)] = productsOf(virtuals_[usize(s)], own_); });
    terms.pool.forEach(static_cast<int>(holes_.size()),
                       [&](int a, int) { potentials_[usize(a)] = potentials(holes_[usize(a)], own_); });
  }

  SigmaPart partOf(std::size_t a) override {
    SigmaPart part;
    part.matrix = Eigen::MatrixXd::Zero(count(), count());
    part.waves.assign(usize(terms_.space.largestL()) + 1, 0.0);
    std::vector<Ranks> ofA(virtuals_.size());
    terms_.pool.forEach(terms_.symmetries(),
                        [&](int s, int) { ofA[usize(s)] = potentials(holes_[a], virtuals_[usize(s)]); });
    collect(static_cast<int>(pairs_.size()), part, [&](int i, PairAngles& angles) {
      const auto [r, s] = pairs_[usize(i)];
      return particles(terms_.holes[a], r, s, ofA, angles);
    });
    const int symmetries = terms_.symmetries();
    collect(static_cast<int>(terms_.holes.size() - a) * symmetries, part, [&](int i, PairAngles& angles) {
      return holesAnd(a, a + usize(i / symmetries), i % symmetries, angles);
    });
    return part;
  }

 private:
  /// Potentials of products of a hole with others, of all ranks that parity and triangle allow.
  struct Ranks {
    int least = 0;
    Eigen::Index count = 0;  ///< of the others
    Eigen::MatrixXd values;  ///< columns of the others, rank by rank

    /// The values of ranks first, first + 2, ... stand next to each other.
    auto of(int first, std::size_t ranks = 1) const {
      return values.middleCols((first - least) / 2 * count, static_cast<Eigen::Index>(ranks) * count);
    }
  };
  /// Integrals of one rank for all r, s and p: rows r, columns s (fastest) and p; or rows s, columns r and p.
  struct Integrals {
    const Eigen::MatrixXd* values = nullptr;
    Eigen::Index first = 0;  ///< row
    bool isSwapped = false;
  };

  template <class Make>
  void collect(int count, SigmaPart& part, const Make& make) {
    std::vector<Term> list(usize(count));
    terms_.pool.forEach(count, [&](int i, int worker) { list[usize(i)] = make(i, angles_[usize(worker)]); });
    for (const Term& term : list) {
      if (term.matrix.size() == 0) continue;
      part.matrix += term.matrix;
      part.waves[usize(term.wave)] += term.matrix(terms_.place, terms_.place);
      part.gap = std::min(part.gap, term.gap);
    }
  }

  const SymmetryOrbitals& of(int symmetry) const { return terms_.of(symmetry); }
  Eigen::Index count() const { return own_.count(); }

  Ranks potentials(const SpinorFunctions& hole, const SpinorFunctions& others) const {
    const Eigen::MatrixXd products = productsOf(others, hole);
    std::vector<int> ranks;
    for (int k = 0; 2 * k <= hole.symmetry.twoJ() + others.symmetry.twoJ(); ++k)
      if (reducedC(hole.symmetry, k, others.symmetry) != 0) ranks.push_back(k);
    Ranks made{ranks.empty() ? 0 : ranks.front(), others.count(),
               Eigen::MatrixXd(products.rows(), products.cols() * static_cast<Eigen::Index>(ranks.size()))};
    for (std::size_t i = 0; i < ranks.size(); ++i)
      made.values.middleCols(static_cast<Eigen::Index>(i) * made.count, made.count) =
          terms_.products.potentials(ranks[i], products);
    return made;
  }

  /// Two particles of these symmetries, r not after s, and a hole.
  Term particles(const ActiveSpinor& a, int r, int s, const std::vector<Ranks>& ofA,
                 PairAngles& angles) const {
    const PairSymmetries pair = terms_.particles(a, r, s);
    const std::vector<int> direct = pairRanks(pair), exchange = pairRanks({pair.a, pair.b, pair.s, pair.r});
    const Eigen::Index rows = of(r).virtuals(), columns = of(s).virtuals();
    if (direct.empty() + exchange.empty() == 2 || rows * columns == 0) return {};
    // All ranks are made at once, so that products are read once.
    Eigen::MatrixXd ofDirect, ofExchange;
    std::vector<Integrals> x;
    if (!direct.empty())
      ofDirect = multiply(ofA[usize(s)].of(direct.front(), direct.size()), true, products_[usize(r)], false);
    for (std::size_t i = 0; i < direct.size(); ++i)
      x.push_back({&ofDirect, static_cast<Eigen::Index>(i) * columns, true});
    // Between particles of one symmetry both are the same numbers.
    if (!exchange.empty() && r != s)
      ofExchange =
          multiply(ofA[usize(r)].of(exchange.front(), exchange.size()), true, products_[usize(s)], false);
    for (std::size_t i = 0; i < exchange.size(); ++i)
      x.push_back({r == s ? &ofDirect : &ofExchange, static_cast<Eigen::Index>(i) * rows});
    const SigmaWeights weights = terms_.ofParticles(a, r, s);
    return {sum(x, angles.form(pair), weights), terms_.waveOf({a.symmetry, r, s}), weights.gap()};
  }

  /// Two holes, b not before a, and a particle of a symmetry.
  Term holesAnd(std::size_t a, std::size_t b, int m, PairAngles& angles) const {
    const ActiveSpinor &first = terms_.holes[a], &second = terms_.holes[b];
    const PairSymmetries pair = terms_.withHoles(first, second, m);
    const std::vector<int> direct = pairRanks(pair), exchange = pairRanks({pair.a, pair.b, pair.s, pair.r});
    if (direct.empty() + exchange.empty() == 2 || of(m).virtuals() == 0) return {};
    std::vector<Eigen::MatrixXd> values;
    for (const int k : direct) values.push_back(withHoles(a, b, m, k));
    for (const int k : exchange) values.push_back(withHoles(b, a, m, k));
    std::vector<Integrals> x;
    for (const Eigen::MatrixXd& v : values) x.push_back({&v});
    const SigmaWeights weights = terms_.ofHoles(first, second, m);
    return {sum(x, angles.form(pair), weights), terms_.waveOf({first.symmetry, second.symmetry, m}),
            weights.gap()};
  }
  /// R^k(pm,ab), rows m, columns p.
  Eigen::MatrixXd withHoles(std::size_t a, std::size_t b, int m, int k) const {
    return multiply(productsOf(virtuals_[usize(m)], holes_[b]), true, potentials_[a].of(k), false);
  }

  /// Over all transitions of x_p^T M x_q times a weight, some columns s at a time, which stay in the cache.
  Eigen::MatrixXd sum(const std::vector<Integrals>& x, const Eigen::MatrixXd& form,
                      const SigmaWeights& weights) const {
    constexpr Eigen::Index kColumnsAtOnce = 4;
    const Eigen::Index rows = weights.rows.size(), columns = weights.columns.size(),
                       ranks = static_cast<Eigen::Index>(x.size());
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(count(), count());
    Eigen::MatrixXd values, mixed;
    Eigen::VectorXd factors;
    for (Eigen::Index first = 0; first < columns; first += kColumnsAtOnce) {
      const Eigen::Index some = std::min(kColumnsAtOnce, columns - first), size = rows * some;
      values.resize(size * ranks, count());
      mixed.resize(size * ranks, count());
      factors.resize(size);
      for (Eigen::Index s = 0; s < some; ++s)
        for (Eigen::Index r = 0; r < rows; ++r)
          factors(r + rows * s) = weights.factor / weights.difference(r, first + s);
      for (Eigen::Index p = 0; p < count(); ++p) {
        Eigen::Map<Eigen::MatrixXd> own(values.col(p).data(), size, ranks),
            made(mixed.col(p).data(), size, ranks);
        for (Eigen::Index i = 0; i < ranks; ++i) {
          const auto& [all, row, isSwapped] = x[usize(i)];
          Eigen::Map<Eigen::MatrixXd> to(own.col(i).data(), rows, some);
          if (isSwapped)
            to = all->block(row + first, p * rows, some, rows).transpose();
          else
            to = all->block(row, p * columns + first, rows, some);
        }
        for (Eigen::Index j = 0; j < ranks; ++j) {
          // Elements above the diagonal count twice: the sum is made symmetric.
          made.col(j) = form(j, j) * own.col(j);
          for (Eigen::Index i = 0; i < j; ++i)
            if (form(i, j) != 0) made.col(j) += 2 * form(i, j) * own.col(i);
          made.col(j).array() *= factors.array();
        }
      }
      matrix += multiply(mixed, true, values, false);
    }
    return 0.5 * (matrix + matrix.transpose());
  }

  const SelfEnergyTerms& terms_;
  SpinorFunctions own_;
  std::vector<SpinorFunctions> virtuals_, holes_;
  std::vector<PairAngles> angles_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<Eigen::MatrixXd> products_;  ///< [symmetry]: of virtual spinors (fastest) with each function
  std::vector<Ranks> potentials_;          ///< [hole]: of its products with the functions
};

class HostCorrelationEngine : public CorrelationEngine {
 public:
  std::string name() const override { return "CPU"; }
  bool takesThreads() const override { return true; }
  std::unique_ptr<PairSums> sums(const PairExcitations& excitations) override {
    return std::make_unique<HostPairSums>(excitations);
  }
  std::unique_ptr<SigmaSums> sums(const SelfEnergyTerms& terms) override {
    return std::make_unique<HostSigmaSums>(terms);
  }
};

}  // namespace

void addHoles(SigmaSums& sums, std::size_t holes, const Checkpoint& checkpoint, SigmaPart& sum) {
  for (std::size_t a = 0; a < holes; ++a) {
    pass(checkpoint);
    const SigmaPart part = sums.partOf(a);
    sum.matrix += part.matrix;
    for (std::size_t l = 0; l < part.waves.size(); ++l) sum.waves[l] += part.waves[l];
    sum.gap = std::min(sum.gap, part.gap);
  }
}

std::unique_ptr<CorrelationEngine> hostCorrelationEngine() {
  return std::make_unique<HostCorrelationEngine>();
}

}  // namespace prophet
