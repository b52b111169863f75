#include "atoms/correlation/added_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "atoms/calculation/compute.hpp"
#include "atoms/correlation/exponent_slopes.hpp"
#include "atoms/correlation/second_order_slopes.hpp"
#include "atoms/scf/settled_spinors.hpp"
#include "core/common/error.hpp"
#include "core/common/index.hpp"

namespace prophet {
namespace {

/// In ln r, of the mesh: energies differ by less than 1e-8 hartree from those of half the width.
constexpr double kLadderCell = 0.5;

CorrelationOptions optionsOf(const CorrelatedShells& shells, ThreadPool& pool) {
  CorrelationOptions options;
  options.frozen = shells.frozen;
  options.inner = shells.inner;
  options.virtualOnly = shells.virtualOnly;
  options.pool = &pool;
  return options;
}

}  // namespace

Calculation calculationToCorrelate(const BasisSet& basis, const AtomProblem& problem) {
  Calculation calculation = calculationIn(basis, problem);
  BasisMethod& method = calculation.inBasis();
  method.keepSpinors = true;
  settleSpinors(method.scf);
  method.scf.maxIterations = 200;  // Pd's 4d9 5s1 takes more than the default
  return calculation;
}

Result fieldIn(const AtomProblem& problem, const BasisSet& basis, std::shared_ptr<const StartSpinors> start) {
  Calculation calculation = calculationToCorrelate(basis, problem);
  calculation.inBasis().start = std::move(start);
  return compute(calculation, {1, nullptr, {}});
}

OrbitalSpace spinorsIn(const AtomProblem& problem, const BasisSet& basis, const Result& field,
                       ThreadPool& pool) {
  if (!field.ok() || !field.wavefunction)
    throw Error(fmt::format("the field has no spinors to compute correlation with: {}", field.reason));
  return OrbitalSpace::inBasis(problem, basis, ScfOptions().dependencyThreshold, field, basis.largestL(),
                               pool, kLadderCell);
}

SecondOrder secondOrderOf(const OrbitalSpace& spinors, const AtomProblem& problem,
                          const CorrelatedShells& shells, ThreadPool& pool) {
  return secondOrder(spinors, problem.configuration, optionsOf(shells, pool));
}

double secondOrderIn(const AtomProblem& problem, const BasisSet& basis, const CorrelatedShells& shells) {
  ThreadPool alone(1);
  const SecondOrder found =
      secondOrderOf(spinorsIn(problem, basis, fieldIn(problem, basis), alone), problem, shells, alone);
  if (found.smallestGap <= 0)
    throw Error(fmt::format(
        "the smallest energy of an excitation is {:.3f} hartree: second order around this average of "
        "configuration means nothing",
        found.smallestGap));
  return found.energy;
}

BasisSet withLists(BasisSet basis, const std::vector<AddedList>& lists) {
  for (const AddedList& list : lists) {
    const Symmetry last{-list.l - 1};
    for (int a = static_cast<int>(basis.symmetries.size()); a <= last.index(); ++a)
      basis.symmetries.push_back({Symmetry::fromIndex(a), {}});
    for (SymmetryBasis& block : basis.symmetries) {
      if (block.symmetry.l() != list.l) continue;
      block.exponents.insert(block.exponents.end(), list.exponents.begin(), list.exponents.end());
      std::sort(block.exponents.begin(), block.exponents.end());
    }
  }
  return basis;
}

BasisSet withGroups(BasisSet basis, const std::vector<FunctionGroup>& groups) {
  std::vector<AddedList> lists;
  for (const FunctionGroup& group : groups) lists.push_back({group.l, group.exponents});
  return withLists(std::move(basis), lists);
}

void prepareToCorrelate(BasisMethod& method,
                        std::vector<FunctionGroup> (*chosen)(std::vector<FunctionGroup>)) {
  if (method.named && !method.basis.contracted())
    method.basis = withGroups(std::move(method.basis), chosen(method.named->groups));
  method.keepSpinors = true;
  settleSpinors(method.scf);
}

AddedFunctions::AddedFunctions(AtomProblem problem, BasisSet basis, CorrelatedShells shells,
                               const std::vector<AddedList>& ranges)
    : problem_(std::move(problem)),
      basis_(std::move(basis)),
      shells_(std::move(shells)),
      space_(spinorsIn(problem_, withLists(basis_, ranges), fieldIn(problem_, basis_), pool_)) {
  for (const SymmetryOrbitals& s : space_.symmetries())
    targets_.push_back(
        std::ranges::any_of(ranges, [&](const AddedList& r) { return r.l == s.symmetry.l(); }));
  space_.keepFieldsOf(basis_);
  const SecondOrder all = secondOrder(space_, problem_.configuration, optionsFor({}));
  const SecondOrder changing = secondOrder(space_, problem_.configuration, optionsFor(targets_));
  constant_ = all.energy - changing.energy;
  smallestGap_ = all.smallestGap;
}

CorrelationOptions AddedFunctions::optionsFor(std::vector<bool> targets) {
  CorrelationOptions options = optionsOf(shells_, pool_);
  options.targets = std::move(targets);
  options.cache = &cache_;
  return options;
}

std::vector<SymmetryBasis> AddedFunctions::blocksWith(const std::vector<AddedList>& lists) const {
  std::vector<SymmetryBasis> blocks;
  for (const SymmetryBasis& block : withLists(basis_, lists).symmetries)
    if (targets_.at(usize(block.symmetry.index()))) blocks.push_back(block);
  return blocks;
}

double AddedFunctions::energy(const std::vector<AddedList>& lists) {
  const OrbitalSpace space =
      space_.withFunctions(problem_, blocksWith(lists), ScfOptions().dependencyThreshold, pool_);
  return constant_ + secondOrder(space, problem_.configuration, optionsFor(targets_)).energy;
}

AddedEnergy AddedFunctions::energyAndGradient(const std::vector<AddedList>& lists) {
  if (!problem_.hamiltonian.isFourComponent())
    throw Error(fmt::format(
        "derivatives of the energy of second order are those of hamiltonian='dirac'; found hamiltonian='{}'",
        nameOf(problem_.hamiltonian.oneElectron)));
  std::vector<SolvedFunctions> solved;
  const OrbitalSpace space =
      space_.withFunctions(problem_, blocksWith(lists), ScfOptions().dependencyThreshold, pool_, &solved);
  const SecondOrderSlopes slopes = secondOrderSlopes(space, problem_.configuration, optionsFor(targets_));
  AddedEnergy result{constant_ + slopes.energy, {}};
  for (const AddedList& list : lists) {
    std::vector<double>& own = result.gradient.emplace_back(list.exponents.size(), 0.0);
    for (const SolvedFunctions& functions : solved) {
      if (functions.block.symmetry.l() != list.l) continue;
      std::vector<int> moving;
      for (const double zeta : list.exponents)
        moving.push_back(static_cast<int>(std::ranges::find(functions.block.exponents, zeta) -
                                          functions.block.exponents.begin()));
      const Eigen::VectorXd part =
          exponentSlopes(functions, slopes.symmetries[usize(functions.block.symmetry.index())], moving,
                         problem_, space.radii());
      for (std::size_t i = 0; i < own.size(); ++i) own[i] += part(static_cast<Eigen::Index>(i));
    }
  }
  return result;
}

}  // namespace prophet
