#pragma once
#include "atoms/levels/levels.hpp"
#include "operations/catalogue/job_operation.hpp"

namespace prophet {

/// The field of an average of configurations, converged for what is of first order in the errors of its
/// spinors, and what levels in them are made of.
struct LevelSpinors {
  ResolvedJob job;
  LevelSpace space;
  Result result;
  LevelHamiltonian hamiltonian;
  /// The same field in a nearly complete basis; empty for the limit, contracted sets, and where that did not
  /// converge.
  std::optional<Result> finer{};
};

/// The job and its space. Throws RequestErrors for Hamiltonians and configurations that have no levels.
LevelSpinors levelJob(const AtomRequest& request, const Execution& execution);
/// Computes the field, with `finer` if that is wanted. Throws Error where it does not converge.
void computeField(LevelSpinors& spinors, const Execution& execution, bool finer);

/// Puts what was computed into a record: atom, nucleus, configuration, Hamiltonian, basis set and warnings.
void addField(const LevelSpinors& spinors, Record& record);

/// Warnings of the field; that thresholds next to rounding were met by damping at last is nothing to warn of.
std::vector<Warning> warningsToShow(const LevelSpinors& spinors);

}  // namespace prophet
