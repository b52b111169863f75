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

  /// Of a pair, into symmetries of which r is the first and all that do not come before it the other.
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

/// Potentials of a hole's products with virtual spinors, at the points of SelfEnergyTerms::products.
class HolePotentials {
 public:
  HolePotentials(const SelfEnergyTerms& terms, const ActiveSpinor& hole)
      : values_(usize(terms.symmetries()), std::vector<Eigen::MatrixXd>()) {
    const SpinorPotentials all(terms.space, hole.symmetry, hole.column, terms.pool);
    const Symmetry own = terms.of(hole.symmetry).symmetry;
    terms.pool.forEach(terms.symmetries(), [&](int s, int) {
      std::vector<Eigen::MatrixXd>& list = values_[usize(s)];
      list.resize(usize((own.twoJ() + terms.of(s).symmetry.twoJ()) / 2) + 1);
      for (std::size_t k = 0; k < list.size(); ++k) {
        if (reducedC(own, static_cast<int>(k), terms.of(s).symmetry) == 0) continue;
        const auto columns = all.of(s, static_cast<int>(k)).rightCols(terms.of(s).virtuals());
        list[k] = terms.products != nullptr ? terms.products->reduced(columns) : Eigen::MatrixXd(columns);
      }
    });
  }
  /// A column for each virtual spinor of the symmetry.
  const Eigen::MatrixXd& of(int symmetry, int k) const { return values_[usize(symmetry)][usize(k)]; }

 private:
  std::vector<std::vector<Eigen::MatrixXd>> values_;  ///< [symmetry][k]
};

class HostSigmaSums : public SigmaSums {
 public:
  explicit HostSigmaSums(const SelfEnergyTerms& terms) : terms_(terms), angles_(usize(terms.pool.threads())) {
    const SymmetryOrbitals& own = terms.own();
    large_ = own.large(Eigen::all, terms.columns);
    if (own.small.rows() > 0) small_ = own.small(Eigen::all, terms.columns);
    if (terms.rotation != nullptr) {
      large_ = multiply(large_, false, *terms.rotation, false);
      if (own.small.rows() > 0) small_ = multiply(small_, false, *terms.rotation, false);
    }
    for (int r = 0; r < terms.symmetries(); ++r)
      for (int s = r; s < terms.symmetries(); ++s) pairs_.emplace_back(r, s);
    if (terms.products == nullptr) return;
    products_.resize(usize(terms.symmetries()));
    terms.pool.forEach(terms.symmetries(), [&](int s, int) { products_[usize(s)] = products(s); });
  }

  SigmaPart partOf(std::size_t a) override {
    const ActiveSpinor& hole = terms_.holes[a];
    SigmaPart part;
    part.matrix = Eigen::MatrixXd::Zero(count(), count());
    part.waves.assign(usize(terms_.space.largestL()) + 1, 0.0);
    const HolePotentials ofA(terms_, hole);
    collect(static_cast<int>(pairs_.size()), part, [&](int i, PairAngles& angles) {
      const auto [r, s] = pairs_[usize(i)];
      return particles(hole, r, s, ofA, angles);
    });
    const int symmetries = terms_.symmetries();
    collect(static_cast<int>(terms_.holes.size() - a) * symmetries, part, [&](int i, PairAngles& angles) {
      return holesAnd(hole, terms_.holes[a + usize(i / symmetries)], i % symmetries, angles);
    });
    return part;
  }

 private:
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
  Eigen::Index count() const { return large_.cols(); }

  /// Two particles of these symmetries, r not after s, and a hole.
  Term particles(const ActiveSpinor& a, int r, int s, const HolePotentials& ofA, PairAngles& angles) const {
    const PairSymmetries pair = terms_.particles(a, r, s);
    const std::vector<int> direct = pairRanks(pair), exchange = pairRanks({pair.a, pair.b, pair.s, pair.r});
    const Eigen::Index nr = of(r).virtuals(), ns = of(s).virtuals();
    if (direct.empty() + exchange.empty() == 2 || nr * ns == 0) return {};
    std::vector<Eigen::MatrixXd> x;
    Eigen::MatrixXd ofR, ofS;
    const Eigen::MatrixXd &withR = products(r, ofR), &withS = products(s, ofS);
    for (const int k : direct) {
      const Eigen::MatrixXd values = multiply(ofA.of(s, k), true, withR, false);
      Eigen::MatrixXd& ordered = x.emplace_back(nr * ns, count());
      for (Eigen::Index p = 0; p < count(); ++p)
        ordered.col(p).reshaped(nr, ns) = values.middleCols(p * nr, nr).transpose();
    }
    for (const int k : exchange)
      x.emplace_back(multiply(ofA.of(r, k), true, withS, false)).resize(nr * ns, count());
    const SigmaWeights weights = terms_.ofParticles(a, r, s);
    return {sum(x, angles.form(pair), weights), terms_.waveOf({a.symmetry, r, s}), weights.gap()};
  }

  /// Two holes, b not before a, and a particle of a symmetry.
  Term holesAnd(const ActiveSpinor& a, const ActiveSpinor& b, int m, PairAngles& angles) const {
    const PairSymmetries pair = terms_.withHoles(a, b, m);
    const std::vector<int> direct = pairRanks(pair), exchange = pairRanks({pair.a, pair.b, pair.s, pair.r});
    if (direct.empty() + exchange.empty() == 2 || of(m).virtuals() == 0) return {};
    std::vector<Eigen::MatrixXd> x;
    for (const int k : direct) x.push_back(withHoles(a, b, m, k));
    for (const int k : exchange) x.push_back(withHoles(b, a, m, k));
    const SigmaWeights weights = terms_.ofHoles(a, b, m);
    return {sum(x, angles.form(pair), weights), terms_.waveOf({a.symmetry, b.symmetry, m}), weights.gap()};
  }

  /// Those that are kept, or made in `own`: at all points of a mesh they would fill the memory.
  const Eigen::MatrixXd& products(int symmetry, Eigen::MatrixXd& own) const {
    if (!products_.empty()) return products_[usize(symmetry)];
    own = products(symmetry);
    return own;
  }
  /// Of every column with the virtual spinors of a symmetry, those of a column next to each other.
  Eigen::MatrixXd products(int symmetry) const {
    const SymmetryOrbitals& to = of(symmetry);
    const auto at = [&](const Eigen::MatrixXd& f) {
      return terms_.products != nullptr ? terms_.products->valuesOf(f) : f;
    };
    const Eigen::MatrixXd large = at(to.large.rightCols(to.virtuals())), ofLarge = at(large_);
    const bool hasSmall = small_.rows() > 0;
    const Eigen::MatrixXd small = hasSmall ? at(to.small.rightCols(to.virtuals())) : Eigen::MatrixXd(),
                          ofSmall = hasSmall ? at(small_) : Eigen::MatrixXd();
    Eigen::MatrixXd values(large.rows(), count() * to.virtuals());
    for (Eigen::Index p = 0; p < count(); ++p) {
      auto own = values.middleCols(p * to.virtuals(), to.virtuals());
      own = ofLarge.col(p).asDiagonal() * large;
      if (hasSmall) own += ofSmall.col(p).asDiagonal() * small;
    }
    return values;
  }
  /// R^k(pm,ab), rows m, columns p.
  Eigen::MatrixXd withHoles(const ActiveSpinor& a, const ActiveSpinor& b, int m, int k) const {
    const SymmetryOrbitals& hole = of(a.symmetry);
    Eigen::MatrixXd densities = hole.large.col(a.column).asDiagonal() * large_;
    if (small_.rows() > 0) densities += hole.small.col(a.column).asDiagonal() * small_;
    const Eigen::MatrixXd moving =
        terms_.space.densities(b.symmetry, b.column, m, of(m).closed, of(m).virtuals());
    return multiply(moving, true, terms_.space.potentials(k, densities), false);
  }

  /// Over all transitions, rows of each x, of x_p^T M x_q times a weight.
  static Eigen::MatrixXd sum(const std::vector<Eigen::MatrixXd>& x, const Eigen::MatrixXd& form,
                             const SigmaWeights& weights) {
    const Eigen::VectorXd factors = weights.values();
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(x.front().cols(), x.front().cols());
    for (std::size_t j = 0; j < x.size(); ++j) {
      Eigen::MatrixXd mixed = Eigen::MatrixXd::Zero(x[j].rows(), x[j].cols());
      for (std::size_t i = 0; i < x.size(); ++i)
        if (const double factor = form(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
            factor != 0)
          mixed += factor * x[i];
      matrix += multiply(mixed, true, factors.asDiagonal() * x[j], false);
    }
    return matrix;
  }

  const SelfEnergyTerms& terms_;
  Eigen::MatrixXd large_, small_;  ///< of the valence spinors
  std::vector<PairAngles> angles_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<Eigen::MatrixXd> products_;  ///< [symmetry], of SelfEnergyTerms::products
};

class HostEngine : public CorrelationEngine {
 public:
  std::string name() const override { return "CPU"; }
  std::unique_ptr<PairSums> sums(const PairExcitations& excitations) override {
    return std::make_unique<HostPairSums>(excitations);
  }
  std::unique_ptr<SigmaSums> sums(const SelfEnergyTerms& terms) override {
    return std::make_unique<HostSigmaSums>(terms);
  }
};

}  // namespace

std::unique_ptr<CorrelationEngine> hostCorrelationEngine() { return std::make_unique<HostEngine>(); }

}  // namespace prophet
