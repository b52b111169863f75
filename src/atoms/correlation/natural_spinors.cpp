#include "atoms/correlation/natural_spinors.hpp"

#include <algorithm>

#include "atoms/correlation/correlated_spinors.hpp"
#include "atoms/correlation/pair_amplitudes.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

SymmetryDensity emptyDensity(const SymmetryOrbitals& s) {
  return {Eigen::MatrixXd::Zero(s.closed, s.closed), Eigen::VectorXd::Zero(s.open),
          Eigen::MatrixXd::Zero(s.virtuals(), s.virtuals())};
}

void add(SymmetryDensity& to, const SymmetryDensity& from) {
  to.closed += from.closed;
  to.open += from.open;
  to.virtuals += from.virtuals;
}

/// What one task adds: to the symmetry of the electrons that leave, and to those that they go to.
struct DensityPart {
  SymmetryDensity left;
  std::vector<SymmetryDensity> entered;  ///< of symmetries from the first one on
};

/// Double excitations. Pairs are ordered here: the second spinor of each is that of the potentials.
class DoublesDensity {
 public:
  DoublesDensity(const OrbitalSpace& space, const OpenGroups& groups, bool virtualOnly)
      : space_(space), groups_(groups), virtualOnly_(virtualOnly) {}

  /// Excites all spinors `as`, which are of one symmetry, with b: to the symmetry r and those that do not
  /// come before it.
  DensityPart excite(const std::vector<const ActiveSpinor*>& as, const ActiveSpinor& b, int r,
                     const SpinorPotentials& ofB, PairAngles& angles) const {
    DensityPart part{emptyDensity(of(as.front()->symmetry)), {}};
    for (int s = r; s < static_cast<int>(space_.symmetries().size()); ++s) {
      part.entered.push_back(emptyDensity(of(s)));
      if (of(r).targets() > 0 && of(s).targets() > 0)
        addSymmetries(as, b, r, s, ofB, angles, part.left, part.entered.front(), part.entered.back());
    }
    return part;
  }

 private:
  const SymmetryOrbitals& of(int symmetry) const { return space_.symmetries()[usize(symmetry)]; }

  void addSymmetries(const std::vector<const ActiveSpinor*>& as, const ActiveSpinor& b, int r, int s,
                     const SpinorPotentials& ofB, PairAngles& angles, SymmetryDensity& left,
                     SymmetryDensity& ofR, SymmetryDensity& ofS) const {
    std::vector<const ActiveSpinor*> used;
    std::vector<PairAmplitudes> all;
    for (const ActiveSpinor* a : as) {
      if (a->inner && b.inner) continue;
      used.push_back(a);
      all.push_back(pairAmplitudes(space_, groups_, virtualOnly_, *a, b, r, s, ofB, angles));
      if (all.back().values.cols() == 0) return;
      enter(all.back(), of(r), of(s), r == s, ofR, ofS);
    }
    const double count = r == s ? 0.5 : 1.0;
    for (std::size_t i = 0; i < used.size(); ++i) {
      const SymmetryOrbitals& own = of(used[i]->symmetry);
      const Eigen::Index column = used[i]->column;
      const auto lost = [&](std::size_t k) {
        return count * all[i].weighted.cwiseProduct(all[k].values).sum() / own.symmetry.degeneracy();
      };
      if (column >= own.closed) {
        left.open(column - own.closed) -= lost(i);
        continue;
      }
      for (std::size_t k = 0; k < used.size(); ++k)
        if (used[k]->column < own.closed) left.closed(column, used[k]->column) -= lost(k);
    }
  }

  /// The electrons of both that arrive, in each place.
  static void enter(const PairAmplitudes& x, const SymmetryOrbitals& first, const SymmetryOrbitals& second,
                    bool same, SymmetryDensity& ofR, SymmetryDensity& ofS) {
    const Eigen::Index cols = second.targets(), vr = first.virtuals(), vs = second.virtuals();
    const double toR = 0.5 / first.symmetry.degeneracy(), toS = 0.5 / second.symmetry.degeneracy();
    if (vr > 0)
      ofR.virtuals += toR * multiply(x.weighted.bottomRows(vr), false, x.values.bottomRows(vr), true);
    const Eigen::MatrixXd squares = x.weighted.cwiseProduct(x.values);
    for (Eigen::Index k = 0; k < x.values.cols(); k += cols) {
      ofR.open += toR * squares.block(0, k, first.open, cols).rowwise().sum();
      if (same) continue;
      ofS.open += toS * squares.middleCols(k, second.open).colwise().sum().transpose();
      if (vs > 0)
        ofS.virtuals += toS * multiply(x.weighted.middleCols(k + second.open, vs), true,
                                       x.values.middleCols(k + second.open, vs), false);
    }
  }

  const OrbitalSpace& space_;
  const OpenGroups& groups_;
  bool virtualOnly_;
};

}  // namespace

std::vector<SymmetryDensity> secondOrderDensity(const OrbitalSpace& space, const Configuration& configuration,
                                                const CorrelationOptions& options) {
  const OpenGroups groups(configuration);
  const std::vector<ActiveSpinor> active = activeSpinors(space, groups, options);
  const std::vector<std::vector<const ActiveSpinor*>> lists = bySymmetry(active);
  const int symmetries = static_cast<int>(space.symmetries().size());
  std::vector<SymmetryDensity> densities;
  for (const SymmetryOrbitals& s : space.symmetries()) densities.push_back(emptyDensity(s));
  const DoublesDensity doubles(space, groups, options.virtualOnly);
  std::vector<PairAngles> angles(usize(options.pool->threads()));
  for (const ActiveSpinor& b : active) {
    pass(options.checkpoint);
    const SpinorPotentials ofB(space, b.symmetry, b.column, *options.pool);
    const int tasks = static_cast<int>(lists.size()) * symmetries;
    std::vector<DensityPart> parts(usize(tasks));
    options.pool->forEach(tasks, [&](int task, int worker) {
      parts[usize(task)] =
          doubles.excite(lists[usize(task / symmetries)], b, task % symmetries, ofB, angles[usize(worker)]);
    });
    for (int task = 0; task < tasks; ++task) {
      const DensityPart& part = parts[usize(task)];
      const auto& list = lists[usize(task / symmetries)];
      add(densities[usize(list.front()->symmetry)], part.left);
      for (std::size_t i = 0; i < part.entered.size(); ++i)
        add(densities[usize(task % symmetries) + i], part.entered[i]);
    }
  }
  addSinglesDensity(space, groups, active, options, densities);
  return densities;
}

std::string NaturalSpinor::label() const { return spinorLabel(symmetry, n - symmetry.l()); }

std::vector<NaturalSpinor> naturalSpinors(const OrbitalSpace& space,
                                          const std::vector<SymmetryDensity>& densities) {
  std::vector<NaturalSpinor> all;
  for (std::size_t a = 0; a < densities.size(); ++a) {
    const SymmetryOrbitals& s = space.symmetries()[a];
    const SymmetryDensity& d = densities[a];
    const int places = s.symmetry.degeneracy();
    const auto first = static_cast<std::ptrdiff_t>(all.size());
    int next = s.symmetry.l();
    for (const int n : s.n) next = std::max(next, n);
    if (s.closed > 0) {
      const Eigen::MatrixXd held = Eigen::MatrixXd::Identity(s.closed, s.closed) + d.closed;
      const SymmetricEigen solver(held);
      for (Eigen::Index i = 0; i < s.closed; ++i) {
        Eigen::Index like = 0;
        solver.eigenvectors().col(i).cwiseAbs().maxCoeff(&like);
        all.push_back({s.symmetry, s.n[usize(like)], places * solver.eigenvalues()(i)});
      }
    }
    for (int i = 0; i < s.open; ++i)
      all.push_back({s.symmetry, s.n[usize(s.closed + i)], s.electrons(s.closed + i) + places * d.open(i)});
    std::sort(all.begin() + first, all.end(), [](const auto& x, const auto& y) { return x.n < y.n; });
    if (d.virtuals.rows() == 0) continue;
    const Eigen::VectorXd occupations = symmetricEigenvalues(d.virtuals);
    for (Eigen::Index i = occupations.size(); i-- > 0;)
      all.push_back({s.symmetry, ++next, places * occupations(i)});
  }
  return all;
}

Eigen::MatrixXd electronsOverPrimitives(const SymmetryOrbitals& s, const SymmetryDensity& density) {
  if (s.coefficients.rows() == 0 && s.count() > 0)
    throw Error("natural spinors over primitives need a Gaussian set");
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(s.count(), s.count());
  const int places = s.symmetry.degeneracy();
  for (int i = 0; i < s.occupied(); ++i) all(i, i) = s.electrons(i) / places;
  all.topLeftCorner(s.closed, s.closed) += density.closed;
  for (int i = 0; i < s.open; ++i) all(s.closed + i, s.closed + i) += density.open(i);
  all.bottomRightCorner(s.virtuals(), s.virtuals()) += density.virtuals;
  return places * multiply(multiply(s.coefficients, false, all, false), false, s.coefficients, true);
}

}  // namespace prophet
