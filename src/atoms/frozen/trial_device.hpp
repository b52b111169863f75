#pragma once
#include <string>
#include <vector>

#include "atoms/frozen/field_table.hpp"

namespace prophet {

/// A basis of one symmetry to be measured in a field that a device keeps.
struct Trial {
  int table = 0;                  ///< the number that TrialDevice::keep gave
  std::vector<double> exponents;  ///< bohr^-2; the table contains them
  bool slopes = false;            ///< whether derivatives are wanted
};

struct TrialOutcome {
  BasisShortfall shortfall;
  Eigen::VectorXd ofRise, ofProlapse;  ///< as ShortfallSlopes has them, where they were wanted
  bool measured = false;  ///< false: the trial is not for this device; the host has to measure it
};

/// Measures many trials at once, as a GPU does.
class TrialDevice {
 public:
  virtual ~TrialDevice() = default;
  virtual std::string name() const = 0;
  /// Keeps a copy of a table and returns its number, or -1 for one that trials cannot be measured in here.
  /// Throws Error where there is no room. Thread-safe, like drop.
  virtual int keep(const FieldTable& table) = 0;
  /// Trials in this table will not come any more.
  virtual void drop(int table) = 0;
  /// Trials of one kind (0 .. kinds() - 1) can be measured together; -1: not here.
  virtual int kinds() const = 0;
  virtual int kindOf(int functions, bool slopes) const = 0;
  /// Threads that may call `measure` side by side, each with its own number (0 .. workers() - 1).
  virtual int workers() const = 0;
  /// Most trials of one call.
  virtual int mostTrials() const = 0;
  /// Measures trials of one kind: as many outcomes. Throws Error where the device fails.
  virtual std::vector<TrialOutcome> measure(int worker, const std::vector<Trial>& trials) = 0;
};

}  // namespace prophet
