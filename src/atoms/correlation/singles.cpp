#include <cmath>

#include "atoms/correlation/correlated_spinors.hpp"
#include "atoms/correlation/pair_angles.hpp"
#include "core/common/index.hpp"

namespace prophet {
namespace {

/// One spinor that stays where it is while another one is excited.
struct Spectator {
  int symmetry = 0, column = 0;
  int group = OpenGroups::kNone;
};

/// One place of an open spectator.
struct SpectatorPlace {
  int symmetry = 0, column = 0, twoM = 0;
  int group = OpenGroups::kNone;
};

/// The field between one spinor and the targets of a symmetry, where both have the same projection.
struct SingleField {
  Eigen::VectorXd closed;             ///< h and the closed shells
  std::vector<Eigen::MatrixXd> open;  ///< for each projection: targets x places of open spectators
};

/// Matrix elements of the field between one spinor and the targets of a symmetry.
class SingleSums {
 public:
  SingleSums(const OrbitalSpace& space, const OpenGroups& groups, bool virtualOnly)
      : space_(space), groups_(groups), virtualOnly_(virtualOnly) {
    for (std::size_t a = 0; a < space.symmetries().size(); ++a) {
      const SymmetryOrbitals& s = space.symmetries()[a];
      for (int i = 0; i < s.open; ++i) {
        open_.push_back(
            {static_cast<int>(a), s.closed + i, groups.groupOf(s.symmetry, s.n[usize(s.closed + i)])});
        const Spectator& o = open_.back();
        for (int m = -s.symmetry.twoJ(); m <= s.symmetry.twoJ(); m += 2)
          places_.push_back({o.symmetry, o.column, m, o.group});
      }
    }
  }

  /// The energy of the excitations of a spinor to the targets of a symmetry.
  double excite(const ActiveSpinor& a, int r, double& gap) const {
    return leads(a, r) ? energyIn(field(a, r), a, r, gap) : 0;
  }

  /// Energy and slopes of the excitations of a spinor to the targets of a symmetry.
  double addSlopes(const ActiveSpinor& a, int r, SymmetrySlopes& slopes) const {
    const SymmetryOrbitals& to = of(r);
    if (!leads(a, r)) return 0;
    const SingleField f = field(a, r);
    double unused = 0;
    const double energy = energyIn(f, a, r, unused);
    const double weight = weightOf(a, r, to.open);
    if (to.virtuals() == 0 || weight == 0) return energy;
    SingleField slope{Eigen::VectorXd::Zero(to.targets()), f.open};
    for (Eigen::MatrixXd& m : slope.open) m.setZero();
    for (Eigen::Index t = to.open; t < to.targets(); ++t) {
      addProductSlopes(a, r, f, t, -weight / gapOf(a, r, t), slope);
      for (Eigen::Index u = to.open; u < to.targets(); ++u)
        slopes.density(t - to.open, u - to.open) +=
            weight * meanProduct(a, r, f, t, f, u) / (gapOf(a, r, t) * gapOf(a, r, u));
    }
    addFieldSlopes(a, r, slope, slopes);
    return energy;
  }

  /// What the excitations of spinors of one symmetry to the targets of another one change in both.
  void addDensity(const std::vector<const ActiveSpinor*>& as, int r, SymmetryDensity& left,
                  SymmetryDensity& entered) const {
    if (!leads(*as.front(), r)) return;
    const SymmetryOrbitals &from = of(as.front()->symmetry), &to = of(r);
    std::vector<SingleField> fields;
    for (const ActiveSpinor* a : as) fields.push_back(field(*a, r));
    const auto isClosed = [&](std::size_t i) { return as[i]->column < from.closed; };
    for (std::size_t i = 0; i < as.size(); ++i) {
      const ActiveSpinor& a = *as[i];
      for (Eigen::Index t = firstTarget(r); t < to.targets(); ++t) {
        const double weight = weightOf(a, r, t);
        if (weight == 0) continue;
        const auto part = [&](std::size_t k, Eigen::Index u) {
          return weight * meanProduct(a, r, fields[i], t, fields[k], u) /
                 (gapOf(a, r, t) * gapOf(*as[k], r, u));
        };
        if (!isClosed(i)) left.open(a.column - from.closed) -= part(i, t) / from.symmetry.degeneracy();
        for (std::size_t k = 0; isClosed(i) && k < as.size(); ++k)
          if (isClosed(k)) left.closed(a.column, as[k]->column) -= part(k, t) / from.symmetry.degeneracy();
        if (t < to.open) {
          entered.open(t) += part(i, t) / to.symmetry.degeneracy();
          continue;
        }
        for (Eigen::Index u = to.open; u < to.targets(); ++u)
          entered.virtuals(t - to.open, u - to.open) += part(i, u) / to.symmetry.degeneracy();
      }
    }
  }

 private:
  /// The integrals of one open spinor with all targets, and their ranks.
  struct Elements {
    PairElements direct, exchange;
    Eigen::MatrixXd directIntegrals, exchangeIntegrals;  ///< ranks x targets
  };

  const SymmetryOrbitals& of(int symmetry) const { return space_.symmetries()[usize(symmetry)]; }
  bool leads(const ActiveSpinor& a, int r) const {
    return (of(a.symmetry).symmetry.l() + of(r).symmetry.l()) % 2 == 0 && of(r).targets() > 0;
  }
  Eigen::Index firstTarget(int r) const { return virtualOnly_ ? of(r).open : 0; }
  double gapOf(const ActiveSpinor& a, int r, Eigen::Index t) const {
    return of(r).energies(of(r).closed + t) - a.energy;
  }
  /// That the electron is there and the target empty; 0 where it stays in its shell.
  double weightOf(const ActiveSpinor& a, int r, Eigen::Index t) const {
    const int group = groupOfTarget(of(r), groups_, t);
    if (group != OpenGroups::kNone && group == a.group) return 0;
    return groups_.probability({a.group}, {group});
  }
  double energyIn(const SingleField& f, const ActiveSpinor& a, int r, double& gap) const {
    double sum = 0;
    for (Eigen::Index t = firstTarget(r); t < of(r).targets(); ++t) {
      const double weight = weightOf(a, r, t);
      if (weight == 0) continue;
      const double squares = meanProduct(a, r, f, t, f, t);
      if (squares == 0) continue;
      gap = std::min(gap, gapOf(a, r, t));
      sum -= weight * squares / gapOf(a, r, t);
    }
    return sum;
  }
  /// Twice the projections that both have.
  std::vector<int> projections(const ActiveSpinor& a, int r) const {
    const int most = std::min(of(a.symmetry).symmetry.twoJ(), of(r).symmetry.twoJ());
    std::vector<int> list;
    for (int m = -most; m <= most; m += 2) list.push_back(m);
    return list;
  }

  SingleField field(const ActiveSpinor& a, int r) const {
    SingleField f{closedField(a, r), {}};
    const std::vector<int> ms = projections(a, r);
    f.open.assign(ms.size(), Eigen::MatrixXd(of(r).targets(), static_cast<Eigen::Index>(places_.size())));
    Eigen::Index column = 0;
    for (const Spectator& o : open_) {
      const Elements e = elementsOf(a, o, r);
      const int most = of(o.symmetry).symmetry.twoJ();
      for (int mo = -most; mo <= most; mo += 2, ++column)
        for (std::size_t m = 0; m < ms.size(); ++m)
          for (Eigen::Index t = 0; t < of(r).targets(); ++t) f.open[m](t, column) = inPlace(e, t, ms[m], mo);
    }
    return f;
  }

  /// R^k(ac, tc') with the two electrons of densities (a, first) and (second, third).
  Eigen::MatrixXd radial(const ActiveSpinor& a, const Spectator& o, int r, const std::vector<int>& ranks,
                         bool exchange) const {
    const SymmetryOrbitals& to = of(r);
    Eigen::MatrixXd values(static_cast<Eigen::Index>(ranks.size()), to.targets());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const Eigen::MatrixXd fixed = exchange
                                        ? space_.densities(a.symmetry, a.column, o.symmetry, o.column, 1)
                                        : space_.densities(o.symmetry, o.column, o.symmetry, o.column, 1);
      const Eigen::MatrixXd moving = exchange
                                         ? space_.densities(o.symmetry, o.column, r, to.closed, to.targets())
                                         : space_.densities(a.symmetry, a.column, r, to.closed, to.targets());
      values.row(row) = space_.potentials(ranks[i], fixed).transpose() * moving;
    }
    return values;
  }

  /// <a|h + closed shells|t> of one symmetry.
  Eigen::VectorXd closedField(const ActiveSpinor& a, int r) const {
    const SymmetryOrbitals& to = of(r);
    if (a.symmetry != r) return Eigen::VectorXd::Zero(to.targets());
    Eigen::VectorXd field = to.coreHamiltonian.row(a.column).segment(to.closed, to.targets()).transpose();
    for (std::size_t c = 0; c < space_.symmetries().size(); ++c)
      for (int i = 0; i < of(static_cast<int>(c)).closed; ++i) {
        const Spectator full{static_cast<int>(c), i, OpenGroups::kNone};
        field += monopole(a, full, r);
      }
    return field;
  }

  /// Sum over all places of a full spinor of <a c||t c>, the same for every projection of a and t.
  Eigen::VectorXd monopole(const ActiveSpinor& a, const Spectator& o, int r) const {
    const Elements e = elementsOf(a, o, r);
    const Symmetry own = of(o.symmetry).symmetry;
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(of(r).targets());
    for (int m = -own.twoJ(); m <= own.twoJ(); m += 2)
      for (Eigen::Index t = 0; t < sum.size(); ++t) sum(t) += inPlace(e, t, 1, m);
    return sum;
  }

  Elements elementsOf(const ActiveSpinor& a, const Spectator& o, int r) const {
    const Symmetry sa = of(a.symmetry).symmetry, so = of(o.symmetry).symmetry, sr = of(r).symmetry;
    Elements e{PairElements({sa, so, sr, so}, tensors_), PairElements({sa, so, so, sr}, tensors_), {}, {}};
    e.directIntegrals = radial(a, o, r, e.direct.ranks(), false);
    e.exchangeIntegrals = radial(a, o, r, e.exchange.ranks(), true);
    return e;
  }

  /// <a m, o mo||t m, o mo>.
  static double inPlace(const Elements& e, Eigen::Index t, int twoM, int twoMo) {
    double sum = 0;
    for (Eigen::Index k = 0; k < e.direct.count(); ++k)
      sum += e.directIntegrals(k, t) * e.direct(k, twoM, twoMo, twoM, twoMo);
    for (Eigen::Index k = 0; k < e.exchange.count(); ++k)
      sum -= e.exchangeIntegrals(k, t) * e.exchange(k, twoM, twoMo, twoMo, twoM);
    return sum;
  }

  /// Sum over all projections of the mean, over all determinants with an electron in a and none in t, of the
  /// field's element with t times one of `second` with u. Either is that with t, or both t and u are virtual,
  /// or `second` is of another closed spinor.
  double meanProduct(const ActiveSpinor& a, int r, const SingleField& first, Eigen::Index t,
                     const SingleField& second, Eigen::Index u) const {
    const std::vector<int> ms = projections(a, r);
    const int targetGroup = groupOfTarget(of(r), groups_, t);
    double total = 0;
    for (std::size_t m = 0; m < ms.size(); ++m) {
      double mean = first.closed(t), other = second.closed(u), covariance = 0;
      for (int g = 0; g < groups_.count(); ++g) {
        const int held = a.group == g ? 1 : 0;
        const int places = groups_.shell(g).capacity() - held - (targetGroup == g ? 1 : 0);
        const int electrons = groups_.shell(g).electrons - held;
        if (places <= 0) continue;
        double sum = 0, otherSum = 0, products = 0;
        for (std::size_t i = 0; i < places_.size(); ++i) {
          const SpectatorPlace& o = places_[i];
          const auto is = [&](int symmetry, Eigen::Index column) {
            return o.symmetry == symmetry && o.column == column && o.twoM == ms[m];
          };
          if (o.group != g || is(a.symmetry, a.column) || is(r, of(r).closed + t)) continue;
          const double v = first.open[m](t, static_cast<Eigen::Index>(i));
          const double w = second.open[m](u, static_cast<Eigen::Index>(i));
          sum += v;
          otherSum += w;
          products += v * w;
        }
        const double p = static_cast<double>(electrons) / places;
        mean += p * sum;
        other += p * otherSum;
        if (places > 1)
          covariance += p * (1 - p) * places / (places - 1.0) * (products - sum * otherSum / places);
      }
      total += mean * other + covariance;
    }
    return total;
  }

  /// Adds the derivatives of `factor` times meanProduct of a virtual target with itself with respect to the
  /// field's elements.
  void addProductSlopes(const ActiveSpinor& a, int r, const SingleField& f, Eigen::Index t, double factor,
                        SingleField& slope) const {
    const std::vector<int> ms = projections(a, r);
    for (std::size_t m = 0; m < ms.size(); ++m) {
      const auto counts = [&](const SpectatorPlace& o, int g) {
        return o.group == g && !(o.symmetry == a.symmetry && o.column == a.column && o.twoM == ms[m]);
      };
      const auto element = [&](Eigen::Index i) { return f.open[m](t, i); };
      const auto all = static_cast<Eigen::Index>(places_.size());
      std::vector<double> shares, spreads, sums;  // of each group
      double mean = f.closed(t);
      for (int g = 0; g < groups_.count(); ++g) {
        const int held = a.group == g ? 1 : 0;
        const int places = groups_.shell(g).capacity() - held;
        const double p = places > 0 ? static_cast<double>(groups_.shell(g).electrons - held) / places : 0;
        double sum = 0;
        for (Eigen::Index i = 0; i < all; ++i)
          if (counts(places_[usize(i)], g)) sum += element(i);
        mean += p * sum;
        shares.push_back(p);
        spreads.push_back(places > 1 ? p * (1 - p) * places / (places - 1.0) : 0);
        sums.push_back(places > 0 ? sum / places : 0);
      }
      slope.closed(t) += 2 * factor * mean;
      for (int g = 0; g < groups_.count(); ++g) {
        const auto n = usize(g);
        for (Eigen::Index i = 0; i < all; ++i)
          if (counts(places_[usize(i)], g))
            slope.open[m](t, i) += 2 * factor * (mean * shares[n] + spreads[n] * (element(i) - sums[n]));
      }
    }
  }

  /// From derivatives with respect to the field's elements to those with respect to the virtual targets.
  void addFieldSlopes(const ActiveSpinor& a, int r, const SingleField& slope, SymmetrySlopes& slopes) const {
    const SymmetryOrbitals& to = of(r);
    if (a.symmetry == r) {
      slopes.core.row(a.column) += slope.closed.tail(to.virtuals()).transpose();
      for (std::size_t c = 0; c < space_.symmetries().size(); ++c)
        for (int i = 0; i < of(static_cast<int>(c)).closed; ++i) {
          const Spectator full{static_cast<int>(c), i, OpenGroups::kNone};
          const Elements e = elementsOf(a, full, r);
          Elements by = withoutIntegrals(e);
          const int most = of(full.symmetry).symmetry.twoJ();
          for (int m = -most; m <= most; m += 2)
            for (Eigen::Index t = to.open; t < to.targets(); ++t) addInPlace(e, t, 1, m, slope.closed(t), by);
          addRadialSlopes(a, full, r, by, slopes);
        }
    }
    const std::vector<int> ms = projections(a, r);
    Eigen::Index column = 0;
    for (const Spectator& o : open_) {
      const Elements e = elementsOf(a, o, r);
      Elements by = withoutIntegrals(e);
      const int most = of(o.symmetry).symmetry.twoJ();
      for (int mo = -most; mo <= most; mo += 2, ++column)
        for (std::size_t m = 0; m < ms.size(); ++m)
          for (Eigen::Index t = to.open; t < to.targets(); ++t)
            addInPlace(e, t, ms[m], mo, slope.open[m](t, column), by);
      addRadialSlopes(a, o, r, by, slopes);
    }
  }

  static Elements withoutIntegrals(Elements e) {
    e.directIntegrals.setZero();
    e.exchangeIntegrals.setZero();
    return e;
  }

  /// Adds the derivatives of `factor` times inPlace with respect to the radial integrals.
  static void addInPlace(const Elements& e, Eigen::Index t, int twoM, int twoMo, double factor,
                         Elements& by) {
    for (Eigen::Index k = 0; k < e.direct.count(); ++k)
      by.directIntegrals(k, t) += factor * e.direct(k, twoM, twoMo, twoM, twoMo);
    for (Eigen::Index k = 0; k < e.exchange.count(); ++k)
      by.exchangeIntegrals(k, t) -= factor * e.exchange(k, twoM, twoMo, twoMo, twoM);
  }

  /// From derivatives with respect to the integrals of `radial`.
  void addRadialSlopes(const ActiveSpinor& a, const Spectator& o, int r, const Elements& by,
                       SymmetrySlopes& slopes) const {
    const Eigen::Index virtuals = of(r).virtuals();
    const auto add = [&](const SymmetryOrbitals& from, int column, const Eigen::VectorXd& potential,
                         const Eigen::RowVectorXd& factors) {
      slopes.large += from.large.col(column).cwiseProduct(potential) * factors;
      if (from.small.rows() > 0) slopes.small += from.small.col(column).cwiseProduct(potential) * factors;
    };
    for (Eigen::Index k = 0; k < by.direct.count(); ++k)
      add(of(a.symmetry), a.column,
          space_.potentials(by.direct.ranks()[usize(k)],
                            space_.densities(o.symmetry, o.column, o.symmetry, o.column, 1)),
          by.directIntegrals.row(k).tail(virtuals));
    for (Eigen::Index k = 0; k < by.exchange.count(); ++k)
      add(of(o.symmetry), o.column,
          space_.potentials(by.exchange.ranks()[usize(k)],
                            space_.densities(a.symmetry, a.column, o.symmetry, o.column, 1)),
          by.exchangeIntegrals.row(k).tail(virtuals));
  }

  const OrbitalSpace& space_;
  const OpenGroups& groups_;
  bool virtualOnly_;
  std::vector<Spectator> open_;
  std::vector<SpectatorPlace> places_;
  mutable TensorElements tensors_;
};

}  // namespace

void addSingles(const OrbitalSpace& space, const OpenGroups& groups, const std::vector<ActiveSpinor>& active,
                const CorrelationOptions& options, SecondOrder& result) {
  result.singleWaves.assign(result.waves.size(), 0.0);
  if (groups.count() == 0) return;
  const SingleSums sums(space, groups, options.virtualOnly);
  for (const ActiveSpinor& a : active)
    for (std::size_t r = 0; r < space.symmetries().size(); ++r) {
      if (!options.targets.empty() && !options.targets[r]) continue;
      const auto l = usize(space.symmetries()[r].symmetry.l());
      const double energy = sums.excite(a, static_cast<int>(r), result.smallestGap);
      result.singleWaves[l] += energy;
      result.waves[l] += energy;
      result.singles += energy;
    }
}

void addSinglesDensity(const OrbitalSpace& space, const OpenGroups& groups,
                       const std::vector<ActiveSpinor>& active, const CorrelationOptions& options,
                       std::vector<SymmetryDensity>& densities) {
  if (groups.count() == 0) return;
  const SingleSums sums(space, groups, options.virtualOnly);
  for (const std::vector<const ActiveSpinor*>& as : bySymmetry(active))
    for (std::size_t r = 0; r < densities.size(); ++r)
      sums.addDensity(as, static_cast<int>(r), densities[usize(as.front()->symmetry)], densities[r]);
}

void addSinglesSlopes(const OrbitalSpace& space, const OpenGroups& groups,
                      const std::vector<ActiveSpinor>& active, const CorrelationOptions& options,
                      SecondOrderSlopes& slopes) {
  if (groups.count() == 0) return;
  const SingleSums sums(space, groups, options.virtualOnly);
  for (const ActiveSpinor& a : active)
    for (std::size_t r = 0; r < space.symmetries().size(); ++r)
      if (options.targets[r]) slopes.energy += sums.addSlopes(a, static_cast<int>(r), slopes.symmetries[r]);
}

}  // namespace prophet
