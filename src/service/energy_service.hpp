#pragma once
#include <Eigen/Core>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "atom/configuration.hpp"
#include "atom/nucleus.hpp"
#include "basis/basis_set.hpp"
#include "breit/two_electron_operator.hpp"
#include "qed/qed.hpp"
#include "scf/energy_correction.hpp"
#include "scf/scf.hpp"

namespace prophet {

/// One calculation with nothing left to choose.
struct EnergyRequest {
  std::string id;  ///< any text; comes back with the outcome
  Nucleus nucleus;
  BasisSet basis;
  Configuration configuration;
  double c = 0;  ///< speed of light, atomic units
  ScfOptions options;
  /// Repulsion of the electrons. A service that cannot do it leaves the request to the host.
  TwoElectronOperator operation = TwoElectronOperator::Coulomb;
  bool breitSelfConsistent = true;  ///< else in first order on the Coulomb spinors
  QedOptions qed{};                 ///< QED corrections
  bool qedSelfConsistent = false;   ///< else in first order
  /// Spinors of a similar calculation of the same configuration: fewer iterations to the same energy (1e-12
  /// relative). A service may ignore them; where a calculation from them does not converge, it is done again
  /// from the default guess.
  std::shared_ptr<const StartSpinors> start{};
  bool keepSpinors = false;  ///< whether the outcome should hold the spinors, for the `start` of others
};

/// Occupied orbital energies of one symmetry, hartree, ascending (the open spinor last).
struct OrbitalEnergies {
  Symmetry symmetry;
  std::vector<double> energies;
};

enum class EnergyStatus {
  Converged,
  NotConverged,  ///< maxIterations passed; the energy is the last one
  Failed         ///< no energy: `reason` says why
};

/// What became of one request.
struct EnergyOutcome {
  std::string id;
  EnergyStatus status = EnergyStatus::Failed;
  std::string reason;  ///< empty where converged
  /// With energy.gaunt and breitGauge where the request's operator has them: shares of the two-electron
  /// energy where they are self-consistent, else to be added to the total.
  EnergyParts energy;
  TwoElectronOperator operation = TwoElectronOperator::Coulomb;  ///< of the request, as the next
  bool breitSelfConsistent = true;
  std::vector<EnergyCorrection> qed;  ///< what the request asks for
  std::string remark;                 ///< what else there is to say, such as why a GPU left it to the host
  double virialRatio = 0;
  int iterations = 0;
  std::vector<OrbitalEnergies> orbitals;
  std::shared_ptr<const StartSpinors> spinors;  ///< where asked for and converged; a service may leave it out
  bool ok() const { return status == EnergyStatus::Converged; }
  /// Breit and QED parts; empty where there is no energy.
  std::vector<EnergyCorrection> corrections() const;
};

/// "converged", "not converged", "failed".
const char* nameOf(EnergyStatus status);

/// Energies of many independent calculations: a list of (atom, basis) in, a list of outcomes out.
///
/// An outcome depends on its request alone, bit for bit, however requests were batched and whatever ran
/// beside them. A calculation that fails does so alone. Every function may be called from many threads at
/// once (many optimisers feed one service).
class EnergyService {
 public:
  using Callback = std::function<void(EnergyOutcome)>;
  /// Called in the thread that called evaluateAll, once for each finished request in the order of finishing:
  /// position in the list, and outcome.
  using Progress = std::function<void(std::size_t, const EnergyOutcome&)>;

  virtual ~EnergyService() = default;
  /// Queues a request and returns. `done` is called once, from a thread of the service; it must not throw and
  /// should be short.
  virtual void submit(EnergyRequest request, Callback done) = 0;
  /// One line for reports: "2 threads", "NVIDIA H200".
  virtual std::string description() const = 0;
  /// Requests that it computes at the same time; more of them wait.
  virtual int sideBySide() const { return 1; }
  /// What the user should hear of at the end, a sentence each: a GPU that failed on the way, say.
  virtual std::vector<std::string> notes() const { return {}; }

  EnergyOutcome evaluate(EnergyRequest request);
  /// Outcomes in the order of the requests.
  std::vector<EnergyOutcome> evaluateAll(const std::vector<EnergyRequest>& requests,
                                         const Progress& progress = {});
};

/// Computes one energy here and now with the grid builder, on the calling thread alone. Never throws for what
/// a request holds: the outcome says what went wrong.
EnergyOutcome computeEnergy(const EnergyRequest& request);

/// What is wrong with a request that no later stage checks (an exponent that is not positive, say); empty
/// where nothing is.
std::string complaintAbout(const EnergyRequest& request);

/// A short form of an SCF result. `basis`: for the labels of its symmetries.
EnergyOutcome summarise(const std::string& id, const BasisSet& basis, const ScfResult& result);

}  // namespace prophet
