#include "atoms/core_valence/core_breit.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "atoms/angular/angular.hpp"
#include "atoms/core_valence/core_screening.hpp"
#include "core/common/index.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Valence spinors of each symmetry that the interaction acts between, and their largest l: twelve and l = 4
/// change levels of mercury by 0.2 cm^-1.
constexpr Eigen::Index kSpinors = 6;
constexpr int kLargestL = 3;

std::vector<int> countsWithinReach(const ValenceSpace& space) {
  std::vector<int> counts;
  for (int s = 0; s < space.symmetries(); ++s)
    counts.push_back(space.type(s).l() > kLargestL
                         ? 0
                         : static_cast<int>(std::min<Eigen::Index>(space.count(s), kSpinors)));
  return counts;
}

std::vector<SpinorFunctions> withinReach(const ValenceSpace& space) {
  const std::vector<int> counts = countsWithinReach(space);
  std::vector<SpinorFunctions> list;
  for (int s = 0; s < space.symmetries(); ++s)
    list.push_back(lowestOf(space.functions[usize(s)], counts[usize(s)]));
  for (const SymmetryOrbitals& o : space.orbitals.symmetries())
    if (o.closed > 0) list.push_back(functionsOf(space.orbitals, o.symmetry.index(), 0, o.closed));
  return list;
}

int mostRank(const ValenceSpace& space) {
  int ofFirst = 0, ofSecond = 0;
  for (int s = 0; s < space.symmetries(); ++s) ofFirst = std::max(ofFirst, space.type(s).twoJ());
  for (const ActiveSpinor& a : space.holes) ofFirst = std::max(ofFirst, space.type(a.symmetry).twoJ());
  for (const SymmetryOrbitals& o : space.orbitals.symmetries())
    ofSecond = std::max(ofSecond, o.symmetry.twoJ());
  return (ofFirst + ofSecond) / 2;
}

}  // namespace

CoreBreit::CoreBreit(const ValenceSpace& space, const std::vector<ExcitedSpinors>& excited,
                     TwoElectronOperator repulsion, ThreadPool& pool)
    : CoreBreit(space, excited,
                std::make_unique<BreitPoints>(space.orbitals, withinReach(space),
                                              std::vector<SpinorFunctions>(excited.begin(), excited.end()),
                                              repulsion, mostRank(space), pool),
                pool) {}

CoreBreit::CoreBreit(const ValenceSpace& space, const std::vector<ExcitedSpinors>& excited,
                     std::unique_ptr<const AddedInteraction> added, ThreadPool& pool)
    : space_(space),
      pool_(pool),
      largestK_(mostRank(space)),
      added_(std::move(added)),
      interaction_(space, countsWithinReach(space), PairTable::Kind::Multipoles) {
  for (const SymmetryOrbitals& o : space.orbitals.symmetries()) {
    std::vector<Eigen::Index> columns;
    for (const ActiveSpinor& a : space.holes)
      if (a.symmetry == o.symmetry.index()) columns.push_back(a.column);
    if (columns.empty()) continue;
    groups_.push_back(groupOf({o.symmetry, o.large(Eigen::all, columns), o.small(Eigen::all, columns)},
                              o.energies(columns)));
  }
  holes_ = groups_.size();
  for (const ExcitedSpinors& e : excited)
    if (e.count() > 0) groups_.push_back(groupOf(e, e.energies));
  for (int s = 0; s < space.symmetries(); ++s)
    valence_.push_back(groupOf(lowestOf(space.functions[usize(s)], interaction_.count(s))));
  potentials_.resize(groups_.size() * groups_.size());
  pool.forEach(static_cast<int>(potentials_.size()), [&](int task, int) {
    const std::size_t a = usize(task) / groups_.size(), b = usize(task) % groups_.size();
    if ((a < holes_) == (b < holes_)) return;
    potentials_[usize(task)] =
        potentials(sources(groups_[a], groups_[b]), (groups_[a].type().l() + groups_[b].type().l()) % 2 != 0);
  });
  makeInteraction();
  makeWithHoles();
}

CoreBreit::Group CoreBreit::groupOf(const SpinorFunctions& f, Eigen::VectorXd energies) const {
  return {{space_.products.valuesOf(f), added_->sampled(f)}, std::move(energies)};
}

Eigen::MatrixXd CoreBreit::sources(Interaction by, int k, const Group& a, const Group& c) const {
  if (!triangle(a.type(), k, c.type()) || a.count() * c.count() == 0) return {};
  if (by == Added) return added_->sources(k, a.at[Added], c.at[Added]);
  const double charge = reducedC(a.type(), k, c.type());
  if (charge == 0) return {};
  return charge * productsOf(a.at[Coulomb], c.at[Coulomb]);
}

CoreBreit::Products CoreBreit::sources(const Group& a, const Group& c) const {
  Products made;
  for (const Interaction by : {Coulomb, Added})
    for (int k = 0; k <= largestK_; ++k) made.ranks[by].push_back(sources(by, k, a, c));
  return made;
}

CoreBreit::Products CoreBreit::potentials(const Products& of, bool odd) const {
  Products made;
  for (int k = 0; k <= largestK_; ++k) {
    const Eigen::MatrixXd &coulomb = of.ranks[Coulomb][usize(k)], &added = of.ranks[Added][usize(k)];
    made.ranks[Coulomb].push_back(coulomb.size() > 0 ? space_.products.potentials(k, coulomb) : coulomb);
    made.ranks[Added].push_back(added_->potentials(k, odd, added));
  }
  return made;
}

Eigen::MatrixXd CoreBreit::integrals(Interaction by, int k, const Products& sources,
                                     const Products& potentials) {
  const Eigen::MatrixXd &a = sources.ranks[by][usize(k)], &b = potentials.ranks[by][usize(k)];
  if (a.size() == 0 || b.size() == 0) return {};
  return multiply(a, true, b, false);
}

void CoreBreit::makeInteraction() {
  pool_.forEach(interaction_.numbers(), [&](int number, int) {
    const int k = number / 2;
    const bool odd = number % 2 != 0;
    const Eigen::Index size = interaction_.size(number);
    if (size == 0) return;
    Eigen::MatrixXd all;
    for (int a = 0; a < space_.symmetries(); ++a)
      for (int c = 0; c < space_.symmetries(); ++c) {
        const PairTable::Rows rows = interaction_.rows(number, a, c);
        if (rows.first < 0) continue;
        const Eigen::MatrixXd own = sources(Added, k, valence_[usize(a)], valence_[usize(c)]);
        if (own.size() == 0) continue;
        if (all.size() == 0) all = Eigen::MatrixXd::Zero(own.rows(), size);
        all.middleCols(rows.first, own.cols()) = own;
      }
    interaction_.values(number) = all.size() == 0
                                      ? Eigen::MatrixXd(Eigen::MatrixXd::Zero(size, size))
                                      : multiply(all, true, added_->potentials(k, odd, all), false);
  });
}

void CoreBreit::makeWithHoles() {
  const std::size_t holes = space_.holes.size(), blocks = usize(space_.symmetries()) * holes;
  withHoles_.resize(2 * usize(largestK_ + 1));
  firstWithHoles_.assign(withHoles_.size(), std::vector<Eigen::Index>(blocks, -1));
  std::vector<Group> single;
  for (const ActiveSpinor& a : space_.holes)
    single.push_back(groupOf(functionsOf(space_.orbitals, a.symmetry, a.column, 1)));
  pool_.forEach(static_cast<int>(withHoles_.size()), [&](int number, int) {
    const int k = number / 2;
    std::vector<Eigen::MatrixXd> list;
    Eigen::Index columns = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
      const Group &v = valence_[block / holes], &a = single[block % holes];
      if (((v.type().l() + a.type().l()) % 2 != 0) != (number % 2 != 0)) continue;
      Eigen::MatrixXd own = sources(Added, k, v, a);
      if (own.size() == 0) continue;
      firstWithHoles_[usize(number)][block] = columns;
      columns += own.cols();
      list.push_back(std::move(own));
    }
    if (list.empty()) return;
    Eigen::MatrixXd all(list.front().rows(), columns);
    Eigen::Index next = 0;
    for (const Eigen::MatrixXd& m : list) {
      all.middleCols(next, m.cols()) = m;
      next += m.cols();
    }
    withHoles_[usize(number)] = multiply(all, true, added_->potentials(k, number % 2 != 0, all), false);
  });
}

Eigen::MatrixXd CoreBreit::withHoles(int k, int v, int w, std::size_t a, std::size_t b) const {
  const bool odd = (space_.type(v).l() + space_.type(space_.holes[a].symmetry).l()) % 2 != 0;
  const auto number = usize(PairTable::number(k, odd));
  if (k > largestK_) return {};
  const std::size_t holes = space_.holes.size();
  const Eigen::Index row = firstWithHoles_[number][usize(v) * holes + a],
                     column = firstWithHoles_[number][usize(w) * holes + b];
  if (row < 0 || column < 0) return {};
  return withHoles_[number].block(row, column, interaction_.count(v), interaction_.count(w));
}

PairTable CoreBreit::rings() const {
  std::vector<int> counts;
  for (int s = 0; s < space_.symmetries(); ++s) counts.push_back(interaction_.count(s));
  PairTable table(space_, counts, PairTable::Kind::Multipoles), coulomb = table;
  const std::size_t symmetries = valence_.size();
  std::vector<Products> withGroups(groups_.size() * symmetries);
  pool_.forEach(static_cast<int>(withGroups.size()), [&](int task, int) {
    const Group &g = groups_[usize(task) / symmetries], &v = valence_[usize(task) % symmetries];
    withGroups[usize(task)] = usize(task) < holes_ * symmetries
                                  ? potentials(sources(v, g), (v.type().l() + g.type().l()) % 2 != 0)
                                  : sources(g, v);
  });
  std::vector<std::array<Eigen::MatrixXd, 2>> factors(usize(table.numbers()));
  pool_.forEach(table.numbers(), [&](int number, int) {
    if (table.size(number) > 0) factors[usize(number)] = ringFactors(number, withGroups);
  });
  for (int number = 0; number < table.numbers(); ++number) {
    if (table.size(number) == 0) continue;
    setRings(factors[usize(number)][Coulomb], number, coulomb, pool_);
    setRings(factors[usize(number)][Added], number, table, pool_);
    table.values(number) -= coulomb.values(number);
  }
  return table;
}

std::array<Eigen::MatrixXd, 2> CoreBreit::ringFactors(int number,
                                                      const std::vector<Products>& withGroups) const {
  const int k = number / 2;
  const bool odd = number % 2 != 0;
  std::array<Eigen::MatrixXd, 2> factors;
  for (Eigen::MatrixXd& f : factors) f.resize(0, interaction_.size(number));
  for (std::size_t a = 0; a < holes_; ++a)
    for (std::size_t n = holes_; n < groups_.size(); ++n) {
      const Group &hole = groups_[a], &particle = groups_[n];
      const Symmetry sa = hole.type(), sn = particle.type();
      if (!triangle(sa, k, sn) || ((sa.l() + sn.l()) % 2 != 0) != odd) continue;
      const Eigen::Index na = hole.count(), nn = particle.count();
      std::array<Eigen::MatrixXd, 2> own;  // a row for each n (fastest) and a
      for (Eigen::MatrixXd& m : own) m = Eigen::MatrixXd::Zero(nn * na, interaction_.size(number));
      for (int v = 0; v < space_.symmetries(); ++v)
        for (int x = 0; x < space_.symmetries(); ++x) {
          const PairTable::Rows rows = interaction_.rows(number, v, x);
          const Group &gv = valence_[usize(v)], &gx = valence_[usize(x)];
          if (rows.first < 0 || gv.count() * gx.count() == 0) continue;
          const Symmetry sv = gv.type(), sx = gx.type();
          const Eigen::Index cv = gv.count(), cx = gx.count();
          for (const Interaction by : {Coulomb, Added}) {
            Eigen::MatrixXd w = Eigen::MatrixXd::Zero(nn * na, cv * cx);
            const Eigen::MatrixXd direct = sources(by, k, gv, gx);
            const Eigen::MatrixXd& potential = potentials_[n * groups_.size() + a].ranks[by][usize(k)];
            if (direct.size() > 0 && potential.size() > 0) w = multiply(potential, true, direct, false);
            for (int l = 0; l <= largestK_; ++l) {
              const double factor = (2 * k + 1) * minusOneTo(k + l) *
                                    wigner6j(sv.twoJ(), sx.twoJ(), 2 * k, sn.twoJ(), sa.twoJ(), 2 * l);
              if (factor == 0) continue;
              const Eigen::MatrixXd exchange = integrals(by, l, withGroups[n * valence_.size() + usize(x)],
                                                         withGroups[a * valence_.size() + usize(v)]);
              if (exchange.size() == 0) continue;
              for (Eigen::Index j = 0; j < cx; ++j)
                for (Eigen::Index h = 0; h < na; ++h)
                  w.block(h * nn, j * cv, nn, cv) += factor * exchange.block(j * nn, h * cv, nn, cv);
            }
            own[by].middleCols(rows.first, cv * cx) = w;
          }
        }
      own[Added] += own[Coulomb];
      Eigen::VectorXd weights(nn * na);
      for (Eigen::Index h = 0; h < na; ++h)
        weights.segment(h * nn, nn) = ((2 * k + 1) * (particle.energies.array() - hole.energies(h))).rsqrt();
      for (const Interaction by : {Coulomb, Added}) {
        const Eigen::Index held = factors[by].rows();
        factors[by].conservativeResize(held + nn * na, Eigen::NoChange);
        factors[by].bottomRows(nn * na) = weights.asDiagonal() * own[by];
      }
    }
  return factors;
}

Eigen::MatrixXd CoreBreit::selfEnergy(int symmetry) const {
  const SpinorFunctions all = space_.withCore(symmetry);
  const Eigen::Index closed = all.count() - space_.count(symmetry);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(all.count(), all.count());
  if (interaction_.count(symmetry) == 0) return sum;
  const Group own = groupOf(lowestOf(all, closed + interaction_.count(symmetry)));
  std::vector<Products> ofOwn(groups_.size());
  pool_.forEach(static_cast<int>(groups_.size()),
                [&](int g, int) { ofOwn[usize(g)] = sources(own, groups_[usize(g)]); });
  // Each task has a hole and two particles, or a particle and two holes.
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> tasks;
  for (std::size_t p = 0; p < groups_.size(); ++p)
    for (std::size_t r = p; r < groups_.size(); ++r)
      for (std::size_t q = 0; q < groups_.size(); ++q)
        if ((p < holes_) == (r < holes_) && (p < holes_) != (q < holes_) &&
            (own.type().l() + groups_[p].type().l() + groups_[q].type().l() + groups_[r].type().l()) % 2 == 0)
          tasks.emplace_back(q, p, r);
  std::vector<Eigen::MatrixXd> parts(tasks.size());
  pool_.forEach(static_cast<int>(tasks.size()), [&](int task, int) {
    const auto& [q, p, r] = tasks[usize(task)];
    parts[usize(task)] = selfEnergyOf(own, ofOwn, space_.lowest(symmetry), q, p, r);
  });
  auto block = sum.topLeftCorner(own.count(), own.count());
  for (const Eigen::MatrixXd& part : parts) block += part / own.type().degeneracy();
  return 0.5 * (sum + sum.transpose());
}

// With X + B in both places there is more by X W_B + B W_X + B W_B, of which the first two are alike.
Eigen::MatrixXd CoreBreit::selfEnergyOf(const Group& own, const std::vector<Products>& ofOwn, double energy,
                                        std::size_t q, std::size_t p, std::size_t r) const {
  const Symmetry sv = own.type(), sq = groups_[q].type();
  const Eigen::Index nv = own.count(), nq = groups_[q].count();
  /// The added integrals in one order of p and r, and the same with twice Coulomb's: own functions in the
  /// rows, columns for p (fastest), q and r.
  struct Order {
    std::vector<Eigen::MatrixXd> added, both;
  };
  const auto orderOf = [&](std::size_t first, std::size_t second) {
    Order made;
    const Products& potentials = potentials_[q * groups_.size() + second];
    for (int k = 0; k <= largestK_; ++k) {
      Eigen::MatrixXd added = integrals(Added, k, ofOwn[first], potentials),
                      both = integrals(Coulomb, k, ofOwn[first], potentials);
      both *= 2;
      if (added.size() > 0) both = both.size() > 0 ? Eigen::MatrixXd(both + added) : added;
      const auto shaped = [&](const Eigen::MatrixXd& m) -> Eigen::MatrixXd {
        return m.reshaped(m.size() > 0 ? nv : 0, m.size() > 0 ? m.size() / nv : 0);
      };
      made.added.push_back(shaped(added));
      made.both.push_back(shaped(both));
    }
    return made;
  };
  const Order direct = orderOf(p, r), swapped = p == r ? direct : orderOf(r, p);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(nv, nv);
  const auto add = [&](std::size_t first, std::size_t second, const Order& x, const Order& exchanged) {
    const Group &gp = groups_[first], &gr = groups_[second];
    const Eigen::Index np = gp.count(), nr = gr.count();
    Eigen::VectorXd weights(np * nq * nr);
    for (Eigen::Index k = 0; k < nr; ++k)
      for (Eigen::Index j = 0; j < nq; ++j)
        weights.segment((k * nq + j) * np, np) =
            (energy + groups_[q].energies(j) - gr.energies(k) - gp.energies.array()).inverse();
    // Exchanged integrals with their columns in the order of the direct ones.
    std::vector<Eigen::MatrixXd> turned;
    for (const Eigen::MatrixXd& m : exchanged.both) {
      Eigen::MatrixXd& t = turned.emplace_back(nv, m.cols());
      for (Eigen::Index k = 0; m.size() > 0 && k < nr; ++k)
        for (Eigen::Index j = 0; j < nq; ++j)
          for (Eigen::Index i = 0; i < np; ++i) t.col((k * nq + j) * np + i) = m.col((i * nq + j) * nr + k);
    }
    for (int k = 0; k <= largestK_; ++k) {
      const Eigen::MatrixXd& added = x.added[usize(k)];
      if (added.size() == 0) continue;
      Eigen::MatrixXd w = Eigen::MatrixXd::Zero(nv, added.cols());
      if (x.both[usize(k)].size() > 0) w = x.both[usize(k)] / (2 * k + 1);
      for (int l = 0; l <= largestK_; ++l) {
        const Eigen::MatrixXd& t = turned[usize(l)];
        if (t.size() == 0) continue;
        const double factor = minusOneTo(k + l) * wigner6j(sv.twoJ(), gp.type().twoJ(), 2 * k, sq.twoJ(),
                                                           gr.type().twoJ(), 2 * l);
        if (factor != 0) w += factor * t;
      }
      sum += multiply(added * weights.asDiagonal(), false, w, true);
    }
  };
  add(p, r, direct, swapped);
  if (p != r) add(r, p, swapped, direct);
  return sum;
}

}  // namespace prophet
