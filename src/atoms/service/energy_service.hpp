#pragma once
#include <functional>
#include <string>
#include <vector>

#include "atoms/calculation/calculation.hpp"
#include "atoms/calculation/result.hpp"

namespace prophet {

/// Energies of many independent calculations: a list of calculations in, a list of results out.
///
/// A result depends on its calculation alone, bit for bit, however calculations were batched and whatever ran
/// beside them. A calculation that fails does so alone. Every function may be called from many threads at
/// once (many optimisers feed one service).
class EnergyService {
 public:
  using Callback = std::function<void(Result)>;
  /// Called in the thread that called evaluateAll, once for each finished calculation in the order of
  /// finishing: position in the list, and result.
  using Progress = std::function<void(std::size_t, const Result&)>;

  virtual ~EnergyService() = default;
  /// Queues a calculation and returns. `done` is called once, from a thread of the service; it must not throw
  /// and should be short. A service leaves what it cannot do to the host, and says so in the provenance.
  virtual void submit(Calculation calculation, Callback done) = 0;
  /// One line for reports: "2 threads", "NVIDIA H200".
  virtual std::string description() const = 0;
  /// How many calculations it does at the same time; the others wait.
  virtual int sideBySide() const { return 1; }
  /// Notes for the user at the end, a sentence each: a GPU that failed on the way, for example.
  virtual std::vector<std::string> notes() const { return {}; }

  Result evaluate(Calculation calculation);
  /// Results in the order of the calculations.
  std::vector<Result> evaluateAll(const std::vector<Calculation>& calculations,
                                  const Progress& progress = {});
};

}  // namespace prophet
