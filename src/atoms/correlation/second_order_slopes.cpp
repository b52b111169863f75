#include "atoms/correlation/second_order_slopes.hpp"

#include "atoms/correlation/correlated_spinors.hpp"
#include "atoms/correlation/pair_amplitudes.hpp"
#include "atoms/correlation/pair_excitations.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Double excitations.
class DoublesSlopes {
 public:
  DoublesSlopes(const PairExcitations& excitations, const OpenGroups& groups, SecondOrderCache& cache,
                SecondOrderSlopes& slopes)
      : all_(excitations), groups_(groups), cache_(cache), slopes_(slopes) {
    const CorrelationOptions& options = all_.options();
    cache_.angles.resize(usize(options.pool->threads()));
    const bool known = cache_.potentials.size() == all_.active().size();
    for (std::size_t i = 0; i < all_.active().size(); ++i) {
      const ActiveSpinor& a = all_.active()[i];
      potentials_.emplace_back(all_.space(), a.symmetry, a.column, *options.pool,
                               known ? &cache_.potentials[i] : nullptr, options.targets);
      images_.emplace_back(usize(all_.symmetries()));
      for (int r = 0; r < all_.symmetries(); ++r)
        if (isTarget(r)) image(i, r) = Eigen::MatrixXd::Zero(all_.space().points(), all_.of(r).virtuals());
    }
    if (!known) cache_.potentials = potentials_;
  }

  void add() {
    const auto count = all_.active().size();
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = a; b < count; ++b) {
        if (!all_.counts(all_.active()[a], all_.active()[b])) continue;
        for (int r = 0; r < all_.symmetries(); ++r)
          for (int s = r; s < all_.symmetries(); ++s)
            if (all_.reaches(r, s)) addSymmetries(a, b, r, s);
      }
    for (std::size_t a = 0; a < count; ++a)
      for (int r = 0; r < all_.symmetries(); ++r)
        if (isTarget(r)) addImage(all_.active()[a], image(a, r), slopes_.symmetries[place(r)]);
  }

 private:
  static std::size_t place(int symmetry) { return usize(symmetry); }
  bool isTarget(int symmetry) const { return all_.options().targets[place(symmetry)]; }
  Eigen::MatrixXd& image(std::size_t a, int symmetry) { return images_[a][place(symmetry)]; }

  void addSymmetries(std::size_t ia, std::size_t ib, int r, int s) {
    const ActiveSpinor &a = all_.active()[ia], &b = all_.active()[ib];
    PairAmplitudes x = pairAmplitudes(all_.space(), groups_, all_.options().virtualOnly, a, b, r, s,
                                      potentials_[ib], cache_.angles.front());
    if (x.blocks() == 0) return;
    x.weighted *= PairExcitations::multiplicity(a, b, r, s);
    const Eigen::Index cols = x.gaps.cols(), vr = all_.of(r).virtuals(), vs = all_.of(s).virtuals();
    for (Eigen::Index i = 0; i < x.blocks(); ++i)
      slopes_.energy -= x.weighted.middleCols(cols * i, cols)
                            .cwiseProduct(x.values.middleCols(cols * i, cols))
                            .cwiseProduct(x.gaps)
                            .sum();
    if (isTarget(r))
      slopes_.symmetries[place(r)].density +=
          multiply(x.weighted.bottomRows(vr), false, x.values.bottomRows(vr), true);
    for (Eigen::Index i = 0; i < x.blocks(); ++i) {
      const Eigen::MatrixXd weighted = x.weighted.middleCols(cols * i, cols);
      if (isTarget(s))
        slopes_.symmetries[place(s)].density +=
            multiply(weighted.rightCols(vs), true, x.values.middleCols(cols * i + cols - vs, vs), false);
      // In R^k(ab,rs) a becomes r and b becomes s, in R^k(ab,sr) b becomes r and a becomes s. Where both
      // symmetries are one, the second sum is the first one again.
      const bool isDirect = i < x.direct;
      if (r == s && !isDirect) continue;
      const double factor = r == s ? -4 : -2;
      const std::size_t toR = isDirect ? ia : ib, toS = isDirect ? ib : ia;
      const int k = x.ranks[usize(i)];
      if (isTarget(r))
        addProduct(potentials_[toS].of(s, k), factor * weighted.bottomRows(vr).transpose().eval(),
                   image(toR, r));
      if (isTarget(s))
        addProduct(potentials_[toR].of(r, k), factor * weighted.rightCols(vs).eval(), image(toS, s));
    }
  }

  void addImage(const ActiveSpinor& a, const Eigen::MatrixXd& image, SymmetrySlopes& slopes) const {
    const SymmetryOrbitals& own = all_.of(a.symmetry);
    slopes.large += own.large.col(a.column).asDiagonal() * image;
    if (own.small.rows() > 0) slopes.small += own.small.col(a.column).asDiagonal() * image;
  }

  const PairExcitations& all_;
  const OpenGroups& groups_;
  SecondOrderCache& cache_;
  SecondOrderSlopes& slopes_;
  std::vector<SpinorPotentials> potentials_;          ///< of each active spinor
  std::vector<std::vector<Eigen::MatrixXd>> images_;  ///< what each of them is multiplied with, by symmetry
};

}  // namespace

SecondOrderSlopes secondOrderSlopes(const OrbitalSpace& space, const Configuration& configuration,
                                    const CorrelationOptions& options) {
  const OpenGroups groups(configuration);
  const std::vector<ActiveSpinor> active = activeSpinors(space, groups, options);
  SecondOrderSlopes slopes;
  for (std::size_t r = 0; r < space.symmetries().size(); ++r) {
    const SymmetryOrbitals& s = space.symmetries()[r];
    SymmetrySlopes& own = slopes.symmetries.emplace_back();
    if (r >= options.targets.size() || !options.targets[r]) continue;
    own.density = Eigen::MatrixXd::Zero(s.virtuals(), s.virtuals());
    own.large = Eigen::MatrixXd::Zero(space.points(), s.virtuals());
    own.small = Eigen::MatrixXd::Zero(s.small.rows(), s.virtuals());
    own.core = Eigen::MatrixXd::Zero(s.occupied(), s.virtuals());
  }
  const PairExcitations excitations(space, groups, active, options);
  SecondOrderCache ownCache;
  DoublesSlopes(excitations, groups, options.cache != nullptr ? *options.cache : ownCache, slopes).add();
  addSinglesSlopes(space, groups, active, options, slopes);
  return slopes;
}

}  // namespace prophet
