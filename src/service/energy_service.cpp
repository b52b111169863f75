#include "service/energy_service.hpp"

#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <new>

#include "basis/exponent_range.hpp"
#include "breit/breit.hpp"
#include "common/error.hpp"
#include "common/thread_pool.hpp"
#include "service/mailbox.hpp"

namespace prophet {
namespace {

EnergyOutcome failure(const std::string& id, const std::string& reason) {
  EnergyOutcome outcome;
  outcome.id = id;
  outcome.reason = reason;
  return outcome;
}

/// Breit parts of the energy, from the spinors of its SCF.
void addBreit(const EnergyRequest& request, const RadialGrid& grid, const BreitInteraction& interaction,
              const ScfResult& scf, ThreadPool& pool, EnergyOutcome& outcome) {
  outcome.operation = request.operation;
  outcome.breitSelfConsistent = request.breitSelfConsistent;
  if (request.operation == TwoElectronOperator::Coulomb || !std::isfinite(scf.energy.total)) return;
  const BreitEnergy parts = breitEnergy(request.basis, grid, request.configuration, scf, interaction, pool);
  outcome.energy.gaunt = parts.gaunt;
  outcome.energy.breitGauge = parts.gauge;
}

/// From the request's spinors, and from the default guess where there are none or they lead nowhere.
ScfResult solve(const EnergyRequest& request, FockBuilder& builder, const std::vector<OneElectronTerm>& extra,
                ThreadPool& pool) {
  const auto from = [&](const StartSpinors* start) {
    return runScf(request.basis, request.nucleus, request.configuration, request.c, builder, request.options,
                  pool, {}, extra, start);
  };
  if (request.start) {
    try {
      ScfResult result = from(request.start.get());
      if (result.converged) return result;
    } catch (const Error&) {
      // If the request itself is wrong, the default guess fails as well and says why.
    }
  }
  return from(nullptr);
}

}  // namespace

const char* nameOf(EnergyStatus status) {
  switch (status) {
    case EnergyStatus::Converged:
      return "converged";
    case EnergyStatus::NotConverged:
      return "not converged";
    case EnergyStatus::Failed:
      break;
  }
  return "failed";
}

std::vector<EnergyCorrection> EnergyOutcome::corrections() const {
  if (status == EnergyStatus::Failed) return {};
  std::vector<EnergyCorrection> list =
      breitCorrections(operation, {energy.gaunt, energy.breitGauge}, breitSelfConsistent);
  list.insert(list.end(), qed.begin(), qed.end());
  return list;
}

EnergyOutcome EnergyService::evaluate(EnergyRequest request) {
  Mailbox<EnergyOutcome> mailbox;
  submit(std::move(request), [&](EnergyOutcome outcome) { mailbox.put(std::move(outcome)); });
  return mailbox.take();
}

std::vector<EnergyOutcome> EnergyService::evaluateAll(const std::vector<EnergyRequest>& requests,
                                                      const Progress& progress) {
  Mailbox<std::pair<std::size_t, EnergyOutcome>> mailbox;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    submit(requests[i], [&mailbox, i](EnergyOutcome outcome) { mailbox.put({i, std::move(outcome)}); });
  }
  std::vector<EnergyOutcome> outcomes(requests.size());
  std::exception_ptr error;
  for (std::size_t finished = 0; finished < requests.size(); ++finished) {
    auto [position, outcome] = mailbox.take();
    outcomes[position] = std::move(outcome);
    // Even where the observer throws, every outcome is awaited: the callbacks refer to this mailbox.
    try {
      if (progress && !error) progress(position, outcomes[position]);
    } catch (...) {
      error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
  return outcomes;
}

EnergyOutcome summarise(const std::string& id, const BasisSet& basis, const ScfResult& result) {
  EnergyOutcome outcome;
  outcome.id = id;
  outcome.energy = result.energy;
  outcome.virialRatio = result.virialRatio;
  outcome.iterations = static_cast<int>(result.iterations.size());
  for (std::size_t a = 0; a < result.symmetries.size(); ++a) {
    const Eigen::VectorXd& e = result.symmetries[a].energies;
    if (e.size() > 0) outcome.orbitals.push_back({basis.symmetries[a].symmetry, {e.begin(), e.end()}});
  }
  if (!std::isfinite(result.energy.total)) {
    outcome.reason = "the energy is not a number; check the exponents for extreme values";
  } else if (!result.converged) {
    outcome.status = EnergyStatus::NotConverged;
    outcome.reason =
        fmt::format("not converged in {} iterations (last energy change {:.1e} hartree)", outcome.iterations,
                    result.iterations.empty() ? 0.0 : result.iterations.back().energyChange);
  } else {
    outcome.status = EnergyStatus::Converged;
  }
  return outcome;
}

std::string complaintAbout(const EnergyRequest& request) {
  if (!(request.c > 0.0) || !std::isfinite(request.c)) return "the speed of light must be positive";
  if (request.basis.functions() == 0) return "the basis has no functions";
  for (const SymmetryBasis& block : request.basis.symmetries) {
    for (const double zeta : block.exponents) {
      if (!isUsableExponent(zeta)) {
        return fmt::format("exponent {} of {} is not {}; correct the basis", zeta, block.symmetry.label(),
                           expectedExponent());
      }
    }
  }
  return "";
}

EnergyOutcome computeEnergy(const EnergyRequest& request) {
  const std::string reason = complaintAbout(request);
  if (!reason.empty()) return failure(request.id, reason);
  try {
    ThreadPool alone(1);
    const RadialGrid grid = fockGrid(request.basis);
    const BreitInteraction interaction(request.basis, grid, request.operation);
    GridFockBuilder builder(request.basis, grid, alone,
                            request.breitSelfConsistent ? interaction.whole() : nullptr);
    const std::vector<OneElectronTerm> qed = qedTerms(request.basis, request.nucleus, request.c, request.qed);
    const ScfResult result =
        solve(request, builder, request.qedSelfConsistent ? qed : std::vector<OneElectronTerm>{}, alone);
    EnergyOutcome outcome = summarise(request.id, request.basis, result);
    if (request.keepSpinors && outcome.ok())
      outcome.spinors = std::make_shared<StartSpinors>(startSpinors(request.basis, result));
    addBreit(request, grid, interaction, result, alone, outcome);
    outcome.qed = qedCorrections(qed, result, request.qedSelfConsistent);
    return outcome;
  } catch (const std::bad_alloc&) {
    return failure(request.id, "not enough memory for this calculation; use a smaller basis or fewer --threads");
  } catch (const std::exception& error) {
    return failure(request.id, error.what());
  }
}

}  // namespace prophet
