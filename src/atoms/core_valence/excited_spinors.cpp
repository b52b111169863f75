#include "atoms/core_valence/excited_spinors.hpp"

#include <algorithm>

#include "atoms/angular/angular.hpp"
#include "atoms/core_valence/pair_table.hpp"
#include "core/linalg/decompositions.hpp"
#include "core/linalg/dense.hpp"

namespace prophet {
namespace {

/// Hartree: excitations to spinors of the field above are left out.
constexpr double kParticleRange = 300;
/// Each symmetry has so many: eight more change removal energies of Ba+ by 1 cm^-1.
constexpr Eigen::Index kNaturalSpinors = 10;

}  // namespace

std::vector<ExcitedSpinors> excitedSpinors(const ValenceSpace& space, ThreadPool& pool) {
  const std::vector<SymmetryOrbitals>& all = space.orbitals.symmetries();
  std::vector<Eigen::Index> counts;
  for (const SymmetryOrbitals& o : all)
    counts.push_back((o.energies.tail(o.virtuals()).array() < kParticleRange).count());
  std::vector<Eigen::MatrixXd> densities;
  for (const Eigen::Index count : counts) densities.push_back(Eigen::MatrixXd::Zero(count, count));
  std::vector<int> valence;
  for (int s = 0; s < space.symmetries() && space.type(s).l() <= kReferenceL; ++s) valence.push_back(s);
  std::vector<SpinorFunctions> virtuals;
  for (std::size_t n = 0; n < all.size(); ++n)
    virtuals.push_back(
        space.products.valuesOf(functionsOf(space.orbitals, static_cast<int>(n), all[n].closed, counts[n])));
  const auto isShallow = [](const ActiveSpinor& a) { return a.energy > -kDeepest; };
  const bool hasShallow = std::ranges::any_of(space.holes, isShallow);
  for (const ActiveSpinor& hole : space.holes) {
    if (hasShallow && !isShallow(hole)) continue;
    const SpinorFunctions a = functionsOf(space.orbitals, hole.symmetry, hole.column, 1);
    // Excitations of the hole to symmetry m and of the other electron to n: [m][n] of either.
    std::vector<std::vector<Eigen::MatrixXd>> first(all.size()), second(all.size());
    pool.forEach(static_cast<int>(all.size()), [&](int task, int) {
      const auto m = usize(task);
      first[m].resize(all.size());
      second[m].resize(all.size());
      const Eigen::Index cm = counts[m];
      const Eigen::MatrixXd density = productsOf(virtuals[m], space.products.valuesOf(a));
      for (std::size_t n = 0; n < all.size(); ++n) {
        first[m][n] = Eigen::MatrixXd::Zero(cm, cm);
        second[m][n] = Eigen::MatrixXd::Zero(counts[n], counts[n]);
      }
      const int most = (a.symmetry.twoJ() + all[m].symmetry.twoJ()) / 2;
      for (int k = 0; k <= most; ++k) {
        const double ofHole = reducedC(a.symmetry, k, all[m].symmetry);
        if (ofHole == 0) continue;
        const Eigen::MatrixXd potential = space.products.potentials(k, density);
        for (const int v : valence) {
          const SpinorFunctions f = lowestOf(space.functions[usize(v)], 1);
          for (std::size_t n = 0; n < all.size(); ++n) {
            const double charge = ofHole * reducedC(f.symmetry, k, all[n].symmetry);
            if (charge == 0) continue;
            Eigen::MatrixXd x =
                multiply(potential, true, productsOf(virtuals[n], space.products.valuesOf(f)), false);
            const double energy = hole.energy + space.lowest(v);
            for (Eigen::Index j = 0; j < x.cols(); ++j)
              for (Eigen::Index i = 0; i < x.rows(); ++i)
                x(i, j) *= charge /
                           (energy - all[m].energies(all[m].closed + i) - all[n].energies(all[n].closed + j));
            first[m][n] += multiply(x, false, x, true) / (2 * k + 1);
            second[m][n] += multiply(x, true, x, false) / (2 * k + 1);
          }
        }
      }
    });
    for (std::size_t m = 0; m < all.size(); ++m)
      for (std::size_t n = 0; n < all.size(); ++n) {
        densities[m] += first[m][n];
        densities[n] += second[m][n];
      }
  }
  std::vector<ExcitedSpinors> excited;
  for (std::size_t s = 0; s < all.size(); ++s) {
    const SymmetryOrbitals& o = all[s];
    const SymmetricEigen occupations(densities[s]);
    const Eigen::Index kept = std::min<Eigen::Index>(counts[s], kNaturalSpinors);
    const Eigen::MatrixXd natural = occupations.eigenvectors().rightCols(kept);
    const SymmetricEigen field(natural.transpose() * o.energies.segment(o.closed, counts[s]).asDiagonal() *
                               natural);
    const Eigen::MatrixXd rotation = natural * field.eigenvectors();
    ExcitedSpinors p;
    p.symmetry = o.symmetry;
    p.energies = field.eigenvalues();
    p.large = multiply(o.large.middleCols(o.closed, counts[s]), false, rotation, false);
    p.small = o.small.rows() > 0 ? multiply(o.small.middleCols(o.closed, counts[s]), false, rotation, false)
                                 : Eigen::MatrixXd(0, kept);
    excited.push_back(std::move(p));
  }
  return excited;
}

CoreExcitations coreExcitations(const OrbitalSpace& orbitals, std::vector<SpinorFunctions> factors,
                                std::vector<ExcitedSpinors> particles, ThreadPool& pool) {
  factors.insert(factors.end(), particles.begin(), particles.end());
  return {std::move(particles), productPoints(orbitals, factors, pool)};
}

}  // namespace prophet
