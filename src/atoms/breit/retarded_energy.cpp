#include <cmath>

#include "atoms/breit/retarded.hpp"
#include "atoms/integrals/radial_grid.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

/// Radial functions of all occupied spinors on the grid, times sqrt(r_i h).
struct GridSpinor {
  int symmetry = 0;
  int open = -1;  ///< place among the open spinors, -1 if closed
  double occupation = 0.0, energy = 0.0;
  Eigen::VectorXd large, small;
};

std::vector<GridSpinor> gridSpinors(const BasisSet& basis, const RadialGrid& grid, const ScfResult& scf) {
  std::vector<GridSpinor> spinors;
  int open = 0;
  for (std::size_t a = 0; a < basis.symmetries.size(); ++a) {
    const SymmetrySpinors& s = scf.symmetries[a];
    const GridFunctions f = evaluateOnGrid(basis.symmetries[a], grid);
    for (Eigen::Index i = 0; i < s.occupations.size(); ++i) {
      GridSpinor g;
      g.symmetry = static_cast<int>(a);
      if (s.places[i].open) g.open = open++;
      g.occupation = s.occupations(i);
      g.energy = s.energies(i);
      g.large = f.large * s.large.col(i);
      g.small = f.small * s.small.col(i);
      spinors.push_back(std::move(g));
    }
  }
  return spinors;
}

double radialIntegral(const RetardedKernels& kernels, const BreitTerm& t, const Eigen::VectorXd& f,
                      const Eigen::VectorXd& g) {
  if (t.rank1 == t.rank2) return kernels.slater(t.rank1, f, g);
  return t.rank1 < t.rank2 ? kernels.gauge(t.rankJ, f, g) : kernels.gauge(t.rankJ, g, f);
}

/// <ab|B|ba> for each electron of a and b (angular averages included), one part of the interaction.
double exchange(const std::vector<BreitTerm>& terms, const RetardedKernels& kernels, const GridSpinor& a,
                const GridSpinor& b) {
  const Eigen::VectorXd ab = a.large.cwiseProduct(b.small), ba = a.small.cwiseProduct(b.large);
  double sum = 0.0;
  for (const BreitTerm& t : terms) {
    sum += t.coefficient * (t.largeFromSmall * radialIntegral(kernels, t, ab, ab) +
                            t.smallFromLarge * radialIntegral(kernels, t, ba, ba) +
                            2.0 * t.mixed * radialIntegral(kernels, t, ab, ba));
  }
  return sum;
}

/// Frequencies below this one (1/bohr) make no difference and would divide by zero.
constexpr double kLeastFrequency = 1e-8;

}  // namespace

BreitEnergy retardedBreitEnergy(const BasisSet& basis, const RadialGrid& grid,
                                const Configuration& configuration, const ScfResult& scf, double c,
                                ThreadPool& pool) {
  if (scf.symmetries.size() != basis.symmetries.size())
    throw Error("the Breit energy needs the spinors of the same basis set");
  const std::vector<GridSpinor> spinors = gridSpinors(basis, grid, scf);
  const Eigen::MatrixXd reduction = configuration.openReduction();
  const Eigen::VectorXd radii = grid.radii();
  const Eigen::VectorXd s = indefiniteIntegrationWeights(grid.points);
  Eigen::MatrixXd weights(grid.points, grid.points);
  for (int i = 0; i < grid.points; ++i) {
    for (int j = 0; j < grid.points; ++j) weights(i, j) = i >= j ? s(i - j) : 1.0 - s(j - i);
  }
  const int count = static_cast<int>(spinors.size());
  std::vector<BreitEnergy> rows(count);
  pool.forEach(count, [&](int i, int) {
    const GridSpinor& a = spinors[i];
    for (int k = 0; k <= i; ++k) {
      const GridSpinor& b = spinors[k];
      const double omega = std::max(std::abs(a.energy - b.energy) / c, kLeastFrequency);
      const RetardedKernels kernels(radii, weights, omega);
      const Symmetry sa = basis.symmetries[a.symmetry].symmetry, sb = basis.symmetries[b.symmetry].symmetry;
      double weight = (i == k ? -0.5 : -1.0) * a.occupation * b.occupation;
      if (a.open >= 0 && b.open >= 0) weight *= 1.0 - reduction(a.open, b.open);
      rows[i].gaunt += weight * exchange(breitTerms(sa, sb, BreitPart::Gaunt), kernels, a, b);
      rows[i].gauge += weight * exchange(breitTerms(sa, sb, BreitPart::Gauge), kernels, a, b);
    }
  });
  BreitEnergy energy;
  for (const BreitEnergy& row : rows) {
    energy.gaunt += row.gaunt;
    energy.gauge += row.gauge;
  }
  return energy;
}

}  // namespace prophet
