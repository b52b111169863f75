#include "atoms/valence/valence_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "atoms/angular/angular.hpp"
#include "atoms/levels/spinor_table.hpp"
#include "core/common/error.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Hartree: spinors of the field above do not mix with valence electrons.
constexpr double kValenceRange = 300;
/// Hartree: energies of excitations are not less, so that near degeneracies do not make all of a density.
constexpr double kSmoothed = 0.2;

/// The field's virtual spinors of each symmetry, and the density of second order between them.
class PairDensity {
 public:
  PairDensity(const OrbitalSpace& orbitals, int symmetries, const ValenceSpinorRequest& request,
              ThreadPool& pool)
      : orbitals_(orbitals), pool_(pool) {
    Eigen::Index rows = 0;
    for (int s = 0; s < symmetries; ++s) {
      const SymmetryOrbitals& o = orbitals.symmetries()[usize(s)];
      const Eigen::VectorXd energies = o.energies.tail(o.virtuals());
      counts_.push_back(std::ranges::lower_bound(energies, kValenceRange) - energies.begin());
      if (counts_.back() == 0)
        throw Error(fmt::format("there are no spinors {} above the core", o.symmetry.label()));
      firsts_.push_back(rows);
      rows += counts_.back();
      const auto l = usize(o.symmetry.l());
      const auto wanted = l < request.references.size() ? request.references[l] : 0;
      for (int i = 0; i < std::min<Eigen::Index>(wanted, counts_.back()); ++i)
        references_.push_back({s, o.closed + i});
      densities_.push_back(Eigen::MatrixXd::Zero(counts_.back(), counts_.back()));
    }
    rows_ = rows;
    makeIntegrals();
  }

  Eigen::Index count(int symmetry) const { return counts_[usize(symmetry)]; }
  /// Over all pairs of references of which one is the first of its symmetry.
  const std::vector<Eigen::MatrixXd>& densities() {
    for (std::size_t a = 0; a < references_.size(); ++a)
      for (std::size_t b = a; b < references_.size(); ++b)
        if (isFirst(a) || isFirst(b)) addPair(a, b);
    return densities_;
  }

 private:
  struct Reference {
    int symmetry = 0;
    Eigen::Index column = 0;
  };
  const SymmetryOrbitals& of(int s) const { return orbitals_.symmetries()[usize(s)]; }
  Symmetry type(int s) const { return of(s).symmetry; }
  bool isFirst(std::size_t a) const { return references_[a].column == of(references_[a].symmetry).closed; }
  double energyOf(std::size_t a) const { return of(references_[a].symmetry).energies(references_[a].column); }

  void makeIntegrals() {
    int most = 0;
    for (std::size_t s = 0; s < counts_.size(); ++s) most = std::max(most, type(static_cast<int>(s)).twoJ());
    integrals_.resize(usize(most) + 1);
    const auto references = static_cast<Eigen::Index>(references_.size());
    Eigen::MatrixXd densities(orbitals_.points(), references * rows_);
    for (Eigen::Index r = 0; r < references; ++r)
      for (std::size_t s = 0; s < counts_.size(); ++s)
        densities.middleCols(r * rows_ + firsts_[s], counts_[s]) =
            orbitals_.densities(references_[usize(r)].symmetry, references_[usize(r)].column,
                                static_cast<int>(s), of(static_cast<int>(s)).closed, counts_[s]);
    pool_.forEach(most + 1, [&](int k, int) {
      integrals_[usize(k)] = multiply(densities, true, orbitals_.potentials(k, densities), false);
    });
  }

  /// <(mn)J|1/r|(ab)J> for all m and n of two symmetries.
  Eigen::MatrixXd coupled(int twoJ, int s, int t, std::size_t a, std::size_t b) const {
    const Symmetry sm = type(s), sn = type(t), sa = type(references_[a].symmetry),
                   sb = type(references_[b].symmetry);
    Eigen::MatrixXd elements = Eigen::MatrixXd::Zero(counts_[usize(s)], counts_[usize(t)]);
    for (int k = 0; usize(k) < integrals_.size(); ++k) {
      const double factor = pairCoupling(k, twoJ, sm, sn, sa, sb) * reducedC(sm, k, sa) * reducedC(sn, k, sb);
      if (factor != 0)
        elements +=
            factor * integrals_[usize(k)].block(static_cast<Eigen::Index>(a) * rows_ + firsts_[usize(s)],
                                                static_cast<Eigen::Index>(b) * rows_ + firsts_[usize(t)],
                                                elements.rows(), elements.cols());
    }
    return elements;
  }

  void addPair(std::size_t a, std::size_t b) {
    const Symmetry sa = type(references_[a].symmetry), sb = type(references_[b].symmetry);
    const double energy = energyOf(a) + energyOf(b);
    const int symmetries = static_cast<int>(counts_.size());
    pool_.forEach(symmetries, [&](int s, int) {
      for (int t = 0; t < symmetries; ++t)
        for (int twoJ = std::abs(sa.twoJ() - sb.twoJ()); twoJ <= sa.twoJ() + sb.twoJ(); twoJ += 2) {
          if ((type(s).l() + type(t).l() + sa.l() + sb.l()) % 2 != 0) continue;
          Eigen::MatrixXd c = coupled(twoJ, s, t, a, b) -
                              minusOneTo((sa.twoJ() + sb.twoJ() - twoJ) / 2) * coupled(twoJ, s, t, b, a);
          for (Eigen::Index n = 0; n < c.cols(); ++n)
            for (Eigen::Index m = 0; m < c.rows(); ++m)
              c(m, n) /= std::hypot(
                  energy - of(s).energies(of(s).closed + m) - of(t).energies(of(t).closed + n), kSmoothed);
          densities_[usize(s)] += (twoJ + 1) * (c * c.transpose());
        }
    });
  }

  const OrbitalSpace& orbitals_;
  ThreadPool& pool_;
  std::vector<Eigen::Index> counts_, firsts_;
  Eigen::Index rows_ = 0;
  std::vector<Reference> references_;
  std::vector<Eigen::MatrixXd> integrals_;  ///< [k]: R^k(am,bn), rows (a, m) and columns (b, n)
  std::vector<Eigen::MatrixXd> densities_;
};

/// Columns over the first virtual spinors of a symmetry: eigenvectors, then natural spinors.
Eigen::MatrixXd rotationOf(const Eigen::VectorXd& energies, const Eigen::MatrixXd& density,
                           const ValenceSpinorRequest& request) {
  const Eigen::Index rows = energies.size(), count = std::min<Eigen::Index>(rows, request.perSymmetry),
                     kept = std::min<Eigen::Index>(count, request.eigenvectors), rest = rows - kept;
  Eigen::MatrixXd rotation = Eigen::MatrixXd::Identity(rows, count);
  if (kept == count) return rotation;
  const Eigen::MatrixXd natural =
      SymmetricEigen(density.bottomRightCorner(rest, rest)).eigenvectors().rightCols(count - kept);
  const Eigen::MatrixXd field = natural.transpose() * energies.tail(rest).asDiagonal() * natural;
  rotation.rightCols(count - kept).setZero();
  rotation.bottomRightCorner(rest, count - kept) = natural * SymmetricEigen(field).eigenvectors();
  return rotation;
}

/// Signs are those of P next to the nucleus, so that spinors of both j add up to those of one l.
ValenceFunctions valenceFunctionsOf(const SymmetryOrbitals& o, Eigen::MatrixXd rotation) {
  ValenceFunctions f;
  f.symmetry = o.symmetry;
  f.rotation = std::move(rotation);
  const Eigen::Index rows = f.rotation.rows();
  f.large = multiply(o.large.middleCols(o.closed, rows), false, f.rotation, false);
  f.small = o.small.rows() > 0 ? multiply(o.small.middleCols(o.closed, rows), false, f.rotation, false)
                               : Eigen::MatrixXd(0, f.rotation.cols());
  for (Eigen::Index i = 0; i < f.large.cols(); ++i) {
    if (signNearNucleus(f.large.col(i)) > 0) continue;
    f.rotation.col(i) *= -1;
    f.large.col(i) *= -1;
    if (f.small.rows() > 0) f.small.col(i) *= -1;
  }
  return f;
}

/// Of one function with others, P P + Q Q at the points.
template <class Columns>
Eigen::MatrixXd productsOf(const ValenceFunctions& f, int i, const Columns& large, const Columns& small) {
  Eigen::MatrixXd values = f.large.col(i).asDiagonal() * large;
  if (f.small.rows() > 0) values += f.small.col(i).asDiagonal() * small;
  return values;
}

}  // namespace

double pairCoupling(int k, int twoJ, Symmetry a, Symmetry b, Symmetry c, Symmetry d) {
  return minusOneTo((b.twoJ() + c.twoJ() + twoJ) / 2) *
         wigner6j(a.twoJ(), b.twoJ(), twoJ, d.twoJ(), c.twoJ(), 2 * k);
}

Eigen::MatrixXd ValenceSpace::densities(int s, int i, int t, Eigen::Index count) const {
  const ValenceFunctions& g = functions[usize(t)];
  return productsOf(functions[usize(s)], i, g.large.leftCols(count), g.small.leftCols(count));
}

Eigen::MatrixXd ValenceSpace::densitiesWith(int s, int i, int orbital, Eigen::Index from,
                                            Eigen::Index count) const {
  const SymmetryOrbitals& o = orbitals.symmetries()[usize(orbital)];
  return productsOf(functions[usize(s)], i, o.large.middleCols(from, count), o.small.middleCols(from, count));
}

ValenceSpace valenceSpace(const OrbitalSpace& orbitals, const Configuration& core,
                          const ValenceSpinorRequest& request, ThreadPool& pool) {
  if (core.hasOpenShells())
    throw Error(
        fmt::format("the core of valence electrons must be of closed shells; found '{}'", core.description));
  ValenceSpace space{orbitals, {}, {0}, {}, {}, activeSpinors(orbitals, OpenGroups(core), request.frozen)};
  const int symmetries = std::min(2 * request.largestL + 1, static_cast<int>(orbitals.symmetries().size()));
  PairDensity pairs(orbitals, symmetries, request, pool);
  const std::vector<Eigen::MatrixXd>& densities = pairs.densities();
  for (int s = 0; s < symmetries; ++s) {
    const SymmetryOrbitals& o = orbitals.symmetries()[usize(s)];
    ValenceFunctions f = valenceFunctionsOf(
        o, rotationOf(o.energies.segment(o.closed, pairs.count(s)), densities[usize(s)], request));
    const Eigen::VectorXd field = o.energies.segment(o.closed, f.rotation.rows());
    for (Eigen::Index i = 0; i < f.rotation.cols(); ++i)
      space.spinors.push_back({s, o.symmetry.l() + 1 + o.closed + static_cast<int>(i), o.symmetry,
                               f.rotation.col(i).cwiseAbs2().dot(field)});
    space.first.push_back(static_cast<int>(space.spinors.size()));
    space.screenedCount.push_back(std::min<Eigen::Index>(f.rotation.cols(), request.screened));
    space.functions.push_back(std::move(f));
  }
  return space;
}

Eigen::MatrixXd selfEnergy(const ValenceSpace& space, int symmetry, CorrelationEngine& engine,
                           ThreadPool& pool, const Checkpoint& checkpoint) {
  const SymmetryOrbitals& o = space.orbitals.symmetries()[usize(symmetry)];
  const Eigen::MatrixXd& rotation = space.functions[usize(symmetry)].rotation;
  SelfEnergyTerms terms{space.orbitals,         space.holes, symmetry, {}, 0,
                        space.lowest(symmetry), pool,        &rotation};
  for (Eigen::Index i = 0; i < rotation.rows(); ++i) terms.columns.push_back(o.closed + i);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(rotation.cols(), rotation.cols());
  const std::unique_ptr<SigmaSums> sums = engine.sums(terms);
  for (std::size_t a = 0; a < space.holes.size(); ++a) {
    pass(checkpoint);
    matrix += sums->partOf(a).matrix;
  }
  return 0.5 * (matrix + matrix.transpose());
}

}  // namespace prophet
