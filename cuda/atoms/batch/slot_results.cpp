#include "cuda/atoms/batch/slot_results.hpp"

#include <fmt/format.h>

#include "atoms/breit/breit.hpp"
#include "atoms/scf/gaussian_wavefunction.hpp"
#include "cuda/atoms/batch/qed_table.hpp"

namespace prophet::cuda::batch {
namespace {

/// What the self-consistent field had of the corrections is so far among its kinetic energy and momentum,
/// which are what the nucleus leaves of the one-electron Hamiltonian.
void addQed(const Hamiltonian& h, const Shape& shape, const SlotState& state, const double* parts,
            Result& result) {
  const std::vector<EnergyPartId> ids = qedPartsOf(h.qed);
  double whole = 0.0;
  for (std::size_t part = 0; part < ids.size(); ++part) {
    double value = 0.0;
    for (int a = 0; a < shape.symmetries; ++a) value += parts[a * kMostQedParts + part];
    result.energy.add(ids[part], value, h.qedTreatment);
    whole += value;
  }
  if (!h.qedInScf()) return;
  const double potential = -(state.nuclear + state.twoElectron + state.exchangeVirial),
               momentum = potential / state.virialRatio;
  result.energy.parts.front().value -= whole;  // kinetic
  result.virialRatio = potential / (momentum - whole);
}

void addSpinorEnergies(const Configuration& configuration, const Shape& shape, const double* energies,
                       Result& result) {
  for (int a = 0; a < shape.symmetries; ++a) {
    for (int i = 0; i < shape.m[a]; ++i) {
      Spinor spinor;
      spinor.symmetry = Symmetry::fromIndex(a);
      spinor.n = spinor.symmetry.l() + i + 1;
      spinor.occupation = configuration.occupation(a, i);
      spinor.energy = energies[shape.firstOrbital[a] + i];
      spinor.bound = spinor.energy < 0;
      result.spinors.push_back(spinor);
    }
  }
}

/// Large and small components of a symmetry's spinors, without the padding.
struct Components {
  Eigen::MatrixXd large, small;
};
Components componentsOf(const Calculation& calculation, const Shape& shape, int a, const double* padded) {
  const int count = calculation.inBasis().basis.symmetries[a].size(), n = shape.n[a];
  const Eigen::Map<const Eigen::MatrixXd> all(padded + shape.coefficients[a], 2 * n, shape.m[a]);
  return {all.topRows(count), all.middleRows(n, count)};
}

}  // namespace

Result slotResult(const Calculation& calculation, const Shape& shape, const SlotState& state,
                  const double* energies, const double* qedParts) {
  const Hamiltonian& h = calculation.problem.hamiltonian;
  Result result;
  result.energy = coulombBreakdown(state.kinetic, state.nuclear, state.twoElectron);
  if (h.isKohnSham()) result.energy.add(EnergyPartId::ExchangeCorrelation, state.exchangeCorrelation);
  result.energy.total = state.energy;
  result.virialRatio = state.virialRatio;
  if (h.qedInScf()) addQed(h, shape, state, qedParts, result);
  result.energy.addBreit(prophet::breitParts(h.repulsion, {state.gaunt, state.gauge}, h.breitTreatment));
  if (h.qed.any() && !h.qedInScf()) addQed(h, shape, state, qedParts, result);
  result.iterations = state.iteration;
  result.status = Status::Converged;
  if (state.status == static_cast<int>(SlotStatus::OutOfIterations)) {
    markNotConverged(result, fmt::format("not converged in {} iterations (last energy change {:.1e} hartree)",
                                         state.iteration, state.change));
  }
  result.provenance.method = "grid";
  result.provenance.backend = "cuda";
  addSpinorEnergies(calculation.problem.configuration, shape, energies, result);
  warnOfNucleus(calculation.problem, result);
  judgeBinding(result);
  if (const auto& known = calculation.inBasis().knownError; known && result.ok())
    result.basisError = BasisError{*known, true, 0};
  return result;
}

std::vector<Eigen::MatrixXd> slotCoefficients(const Calculation& calculation, const Shape& shape,
                                              const double* coefficients) {
  std::vector<Eigen::MatrixXd> list;
  for (int a = 0; a < shape.symmetries; ++a) {
    const Components c = componentsOf(calculation, shape, a, coefficients);
    Eigen::MatrixXd& mine = list.emplace_back(c.large.rows() + c.small.rows(), c.large.cols());
    mine << c.large, c.small;
  }
  return list;
}

void addSpinors(const Calculation& calculation, const Shape& shape, const double* spinors, Result& result) {
  StartSpinors kept{calculation.inBasis().basis, {}, {}};
  kept.basis.symmetries.resize(static_cast<std::size_t>(shape.symmetries));
  for (int a = 0; a < shape.symmetries; ++a) {
    Components c = componentsOf(calculation, shape, a, spinors);
    kept.large.push_back(std::move(c.large));
    kept.small.push_back(std::move(c.small));
  }
  result.coefficients = std::make_shared<const StartSpinors>(std::move(kept));
  result.wavefunction = std::make_shared<GaussianWavefunction>(result.coefficients);
}

}  // namespace prophet::cuda::batch
