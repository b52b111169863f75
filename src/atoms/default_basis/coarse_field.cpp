#include "atoms/default_basis/coarse_field.hpp"

#include <algorithm>
#include <cmath>

#include "atoms/atom/atom_problem.hpp"
#include "atoms/fock/grid_builder.hpp"
#include "atoms/integrals/potential_matrix.hpp"
#include "atoms/scf/scf.hpp"
#include "core/common/error.hpp"

namespace prophet {
namespace {

constexpr double kRatio = 2.6;        // of the coarse basis
constexpr double kGridSpacing = 0.2;  // in ln r
constexpr double kGoodStart = 0.1;    // orbital gradient of spinors to start from, hartree
constexpr double kWeakest = 0.004;    // binding energy of a negative ion's outermost spinor, hartree

/// Binding energy of the first spinor of a symmetry in the bare nucleus: an upper bound.
double bareBinding(Symmetry symmetry, double charge, double c) {
  const double n = symmetry.l() + 1, k = std::abs(symmetry.kappa), coupling = charge / c;
  if (std::isinf(c)) return charge * charge / (2.0 * n * n);
  const double gamma = std::sqrt(std::max(k * k - coupling * coupling, 0.01));
  const double rest = coupling / (n - k + gamma);
  return c * c * (1.0 - 1.0 / std::sqrt(1.0 + rest * rest));
}

ExponentDemand boundsOf(int a, const Nucleus& nucleus, const Configuration& configuration, double c,
                        double around) {
  const Symmetry symmetry = Symmetry::fromIndex(a);
  const double electrons = symmetry.degeneracy();
  return {symmetry, bareBinding(symmetry, nucleus.charge, c), leastBinding(a, nucleus, configuration, around),
          electrons, electrons};
}

ScfOptions quickOptions() {
  ScfOptions options;
  options.maxIterations = 40;  // most need half a dozen; those of negative ions come late to their binding
  options.thresholdLL = options.thresholdSL = options.thresholdSS = 1e-3;
  options.energyThreshold = 1e-6;
  return options;
}

void takeEnergies(const ScfResult& result, CoarseField& field) {
  for (std::size_t a = 0; a < field.demands.size(); ++a) {
    const SymmetrySpinors& s = result.symmetries[a];
    if (s.energies.size() == 0) continue;
    ExponentDemand& demand = field.demands[a];
    Eigen::Index outer = 0;
    const double highest = s.energies.maxCoeff(&outer);
    // A bound spinor is bound at least as strongly as the bound says; a coarse basis may deny it.
    demand.outermost = std::max(-highest, demand.outermost);
    demand.outerElectrons = s.occupations(outer);
    demand.innermost = std::max(-s.energies(0), demand.outermost);
    demand.innerElectrons = s.occupations(0);
  }
}

}  // namespace

double leastBinding(int a, const Nucleus& nucleus, const Configuration& configuration, double around) {
  const double seen = nucleus.charge - configuration.electrons() + 1.0 + around;
  const double n = Symmetry::fromIndex(a).l() + std::max(1, configuration.occupationOf(a).needed());
  if (seen < 0.5) return kWeakest;
  return seen * seen / (2.0 * n * n);
}

double effectiveQuantumNumber(double binding, const Nucleus& nucleus, const Configuration& configuration,
                              double around) {
  const double seen = nucleus.charge - configuration.electrons() + 1.0 + around;
  return seen < 0.5 ? 0.0 : seen / std::sqrt(2.0 * binding);
}

CoarseField coarseField(const AtomProblem& atom) {
  const Nucleus& nucleus = atom.nucleus;
  const Configuration& configuration = atom.configuration;
  const Hamiltonian& h = atom.hamiltonian;
  const double c = lightSpeedOf(h);
  CoarseField field;
  const int count = configuration.occupiedSymmetries();
  const double guess = 0.77 * std::pow(nucleus.charge, 7.0 / 3.0);
  ExponentRule rule;
  rule.ratio = kRatio;
  rule.tolerance = 1e-5 * guess;
  rule.bothJ = h.isSpinFree();
  for (int a = 0; a < count; ++a)
    field.demands.push_back(boundsOf(a, nucleus, configuration, c, h.shell.charge));
  const BasisSet basis = fittedSet(field.demands, nucleus, c, rule);
  ThreadPool alone(1);
  GridFockBuilder builder(basis, makeGrid(basis, kGridSpacing, 1e-2, 16.0), alone);
  field.energy = -guess;
  ScfResult result;
  try {
    ScfProblem problem{basis, nucleus, configuration, h.speedOfLight, {}, nullptr, h.oneElectron};
    if (h.shell.any()) problem.extra.push_back({EnergyPartId::External, shellMatrices(basis, h.shell)});
    result = runScf(problem, builder, quickOptions(), alone);
  } catch (const Error&) {
    return field;  // lost its state: the bounds on the binding energies must do
  }
  if (result.iterations.empty() || !std::isfinite(result.energy.total)) return field;
  field.energy = result.energy.total;
  takeEnergies(result, field);
  for (ExponentDemand& demand : field.demands)
    demand.effective = effectiveQuantumNumber(demand.outermost, nucleus, configuration, h.shell.charge);
  field.converged = result.converged || result.iterations.back().diisError < kGoodStart;
  if (field.converged) field.start = startSpinors(basis, result);
  return field;
}

}  // namespace prophet
