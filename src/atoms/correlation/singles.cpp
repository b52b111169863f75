#include <cmath>

#include "atoms/correlation/correlated_spinors.hpp"
#include "atoms/correlation/pair_angles.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// One spinor that stays where it is while another one is excited.
struct Spectator {
  int symmetry = 0, column = 0;
  int group = OpenGroups::kNone;
  double charge = 0;  ///< electrons in each place, of a closed one
};

/// Matrix elements of the field between one spinor and the targets of a symmetry.
class SingleSums {
 public:
  SingleSums(const OrbitalSpace& space, const OpenGroups& groups) : space_(space), groups_(groups) {
    for (std::size_t a = 0; a < space.symmetries().size(); ++a) {
      const SymmetryOrbitals& s = space.symmetries()[a];
      for (int i = 0; i < s.open; ++i)
        open_.push_back({static_cast<int>(a), s.closed + i,
                         groups.groupOf(s.symmetry, s.n[static_cast<std::size_t>(s.closed + i)]), 0});
    }
  }

  /// Of the excitations of a spinor to all targets of a symmetry, or all virtual ones.
  double excite(const ActiveSpinor& a, int r, bool virtualOnly, double& gap) const {
    const SymmetryOrbitals &from = of(a.symmetry), &to = of(r);
    if ((from.symmetry.l() + to.symmetry.l()) % 2 != 0 || to.targets() == 0) return 0;
    const bool same = from.symmetry == to.symmetry;
    const Eigen::VectorXd closed =
        same ? closedField(a, r) : Eigen::VectorXd(Eigen::VectorXd::Zero(to.targets()));
    const std::vector<Elements> elements = openElements(a, r);
    double sum = 0;
    for (Eigen::Index t = virtualOnly ? to.open : 0; t < to.targets(); ++t) {
      const int group = t < to.open
                            ? groups_.groupOf(to.symmetry, to.n[static_cast<std::size_t>(to.closed + t)])
                            : OpenGroups::kNone;
      if (group != OpenGroups::kNone && group == a.group) continue;
      const double excitation = to.energies(to.closed + t) - a.energy;
      const double weight = groups_.probability({a.group}, {group});
      double squares = 0;
      const int most = std::min(from.symmetry.twoJ(), to.symmetry.twoJ());
      for (int m = -most; m <= most; m += 2) squares += meanSquare(a, r, t, group, m, closed(t), elements);
      if (weight == 0 || squares == 0) continue;
      gap = std::min(gap, excitation);
      sum -= weight * squares / excitation;
    }
    return sum;
  }

 private:
  /// Of one open spinor: its integrals with all targets, and their ranks.
  struct Elements {
    Spectator spectator;
    PairElements direct, exchange;
    Eigen::MatrixXd directIntegrals, exchangeIntegrals;  ///< ranks x targets
  };

  const SymmetryOrbitals& of(int symmetry) const {
    return space_.symmetries()[static_cast<std::size_t>(symmetry)];
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
        const Spectator full{static_cast<int>(c), i, OpenGroups::kNone, 1};
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
    Elements e{o, PairElements({sa, so, sr, so}, tensors_), PairElements({sa, so, so, sr}, tensors_), {}, {}};
    e.directIntegrals = radial(a, o, r, e.direct.ranks(), false);
    e.exchangeIntegrals = radial(a, o, r, e.exchange.ranks(), true);
    return e;
  }

  std::vector<Elements> openElements(const ActiveSpinor& a, int r) const {
    std::vector<Elements> list;
    for (const Spectator& o : open_) list.push_back(elementsOf(a, o, r));
    return list;
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

  /// Mean over all determinants with a in place m and t empty there of the squared element of the field.
  double meanSquare(const ActiveSpinor& a, int r, Eigen::Index t, int targetGroup, int twoM, double closed,
                    const std::vector<Elements>& elements) const {
    double mean = closed, variance = 0;
    for (int g = 0; g < groups_.count(); ++g) {
      const int places = groups_.shell(g).capacity() - (a.group == g ? 1 : 0) - (targetGroup == g ? 1 : 0);
      const int electrons = groups_.shell(g).electrons - (a.group == g ? 1 : 0);
      double sum = 0, squares = 0;
      for (const Elements& e : elements) {
        if (e.spectator.group != g) continue;
        const Symmetry own = of(e.spectator.symmetry).symmetry;
        for (int mo = -own.twoJ(); mo <= own.twoJ(); mo += 2) {
          const bool isA = e.spectator.symmetry == a.symmetry && e.spectator.column == a.column && mo == twoM;
          const bool isT = e.spectator.symmetry == r && e.spectator.column == of(r).closed + t && mo == twoM;
          if (isA || isT) continue;
          const double v = inPlace(e, t, twoM, mo);
          sum += v;
          squares += v * v;
        }
      }
      if (places <= 0) continue;
      const double p = static_cast<double>(electrons) / places;
      mean += p * sum;
      if (places > 1) variance += p * (1 - p) * places / (places - 1.0) * (squares - sum * sum / places);
    }
    return mean * mean + variance;
  }

  const OrbitalSpace& space_;
  const OpenGroups& groups_;
  std::vector<Spectator> open_;
  mutable TensorElements tensors_;
};

}  // namespace

void addSingles(const OrbitalSpace& space, const OpenGroups& groups, const std::vector<ActiveSpinor>& active,
                const CorrelationOptions& options, SecondOrder& result) {
  result.singleWaves.assign(result.waves.size(), 0.0);
  if (groups.count() == 0) return;
  const SingleSums sums(space, groups);
  for (const ActiveSpinor& a : active)
    for (std::size_t r = 0; r < space.symmetries().size(); ++r) {
      if (!options.targets.empty() && !options.targets[r]) continue;
      const auto l = static_cast<std::size_t>(space.symmetries()[r].symmetry.l());
      const double energy = sums.excite(a, static_cast<int>(r), options.virtualOnly, result.smallestGap);
      result.singleWaves[l] += energy;
      result.waves[l] += energy;
      result.singles += energy;
    }
}

}  // namespace prophet
