#include "atoms/calculation/corrections.hpp"

#include <cmath>

#include "atoms/breit/retarded.hpp"
#include "atoms/integrals/charged_shell.hpp"
#include "atoms/qed/qed.hpp"

namespace prophet {
namespace {

std::vector<OneElectronTerm> withShell(const BasisSet& basis, const ChargedShell& shell,
                                       std::vector<OneElectronTerm> terms) {
  if (!shell.any()) return terms;
  OneElectronTerm& term = terms.emplace_back();
  term.part = EnergyPartId::External;
  term.blocks = shellMatrices(basis, shell);
  return terms;
}

}  // namespace

Corrections::Corrections(const AtomProblem& problem, const BasisSet& basis, const RadialGrid& grid)
    : problem_(problem),
      basis_(basis),
      grid_(grid),
      breit_(
          basis, grid,
          problem.hamiltonian.breitFrequency ? TwoElectronOperator::Coulomb : problem.hamiltonian.repulsion),
      qed_(qedTerms(basis, problem.nucleus, problem.hamiltonian.speedOfLight, problem.hamiltonian.qed)) {}

std::shared_ptr<const CrossKernels> Corrections::scfKernels() const {
  if (problem_.hamiltonian.scfRepulsion() == TwoElectronOperator::Coulomb) return nullptr;
  return breit_.whole();
}

std::vector<OneElectronTerm> Corrections::scfTerms() const {
  std::vector<OneElectronTerm> terms;
  if (problem_.hamiltonian.qedInScf()) terms = qed_;
  return withShell(basis_, problem_.hamiltonian.shell, std::move(terms));
}

std::vector<OneElectronTerm> Corrections::scfTermsIn(const BasisSet& basis) const {
  const Hamiltonian& h = problem_.hamiltonian;
  std::vector<OneElectronTerm> terms;
  if (h.qedInScf()) terms = qedTerms(basis, problem_.nucleus, h.speedOfLight, h.qed);
  return withShell(basis, h.shell, std::move(terms));
}

void Corrections::addTo(EnergyBreakdown& energy, const ScfResult& scf, ThreadPool& pool) const {
  if (!std::isfinite(energy.total)) return;
  const Hamiltonian& h = problem_.hamiltonian;
  if (h.hasBreit()) {
    const BreitEnergy breit =
        h.breitFrequency
            ? retardedBreitEnergy(basis_, grid_, problem_.configuration, scf, h.speedOfLight, pool)
            : breitEnergy(basis_, grid_, problem_.configuration, scf, breit_, pool);
    energy.addBreit(breitParts(h.repulsion, breit, h.breitTreatment));
  }
  if (h.qedInScf()) return;
  for (const EnergyPart& part : firstOrderParts(qed_, scf)) energy.parts.push_back(part);
}

}  // namespace prophet
