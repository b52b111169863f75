#pragma once
#include <string>
#include <vector>

#include "core/common/finished_pieces.hpp"
#include "operations/execution/execution.hpp"
#include "operations/request/setting.hpp"

namespace prophet {

/// An output would replace a file that the work reads.
class OutputInTheWay : public SettingError {
 public:
  using SettingError::SettingError;
};

/// Throws OutputInTheWay where Execution::replaces says so.
void requireKept(const std::string& file, const Execution& execution);

/// The same execution with Execution::replaces for the outputs among these values, unless a front end, which
/// may have more outputs, has seen to it. Throws OutputInTheWay where an input among them would be replaced.
Execution keepingInputs(const std::vector<Setting>& settings, const Json& values, const Execution& execution);

/// An output in HDF5 that is made of many pieces.
struct PiecewiseOutput {
  const char* setting;  ///< that names it
  std::string path;     ///< empty: there is none
  bool resume = false;
};

/// The log of the pieces of an output that are finished (FinishedPieces::of), on the first rank; it keeps
/// nothing on the others and where there is no output. `work`: its kind with the number of its layout.
/// `request`: everything that the pieces depend on but the program's version. Tells the execution that the
/// work can be resumed. Throws SettingError, also without HDF5.
FinishedPieces finishedPieces(const PiecewiseOutput& output, const std::string& work, const Json& request,
                              const Execution& execution);

}  // namespace prophet
