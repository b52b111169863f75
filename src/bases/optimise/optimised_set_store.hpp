#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "atoms/basis/well_tempered.hpp"
#include "atoms/service/energy_service.hpp"
#include "bases/optimise/chain.hpp"
#include "bases/optimise/minimiser.hpp"
#include "bases/optimise/record_log.hpp"

namespace prophet {

/// A set whose parameters were optimised at its sizes.
struct OptimisedSet {
  WellTemperedSpec spec;
  double energy = 0;  ///< SCF energy, hartree; not a number where there is none
  int evaluations = 0;
};

/// Optimisations of whole sets (runBsopt), each done once and recorded, so that a continued run finds it
/// again.
class OptimisedSetStore {
 public:
  /// `floor`: energies below it (hartree) are not sought.
  OptimisedSetStore(const ChainTask& task, const MinimiserOptions& minimiser, double floor,
                    EnergyService& service, RecordLog& record);

  /// Optimises all these sets at once, each from its own parameters and until it has an energy of `target` or
  /// less (none: to the end). What a set gives depends on nothing else.
  std::vector<OptimisedSet> optimise(const std::vector<WellTemperedSpec>& sets,
                                     std::optional<double> target = {});
  int fits() const { return fits_; }
  int evaluations() const { return evaluations_; }

 private:
  void load(std::size_t line);
  OptimisedSet compute(const WellTemperedSpec& set, std::optional<double> target) const;

  const ChainTask& task_;
  MinimiserOptions minimiser_;
  double floor_;
  EnergyService& service_;
  RecordLog& record_;
  std::mutex mutex_;
  std::map<std::string, OptimisedSet>
      known_;  ///< by keyOf; of loaded ones only parameters, energy, evaluations
  int fits_ = 0, evaluations_ = 0;
};

}  // namespace prophet
