#pragma once
#include <string>
#include <vector>

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

}  // namespace prophet
