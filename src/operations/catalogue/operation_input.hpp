#pragma once
#include <string>

#include "operations/catalogue/operation.hpp"

namespace prophet {

/// An operation that an input file asks for: jobtype='madelung' and the settings in $madelung ... $end; or,
/// where it takes an input file, that file.
struct OperationInput {
  const Operation* operation = nullptr;
  Json values = Json::object();
  std::vector<std::string> files{};  ///< that the file names and the values do not
  std::shared_ptr<const Job> job{};  ///< of one atom, for Execution::input
};

/// Reads and checks it. Names of files are relative to the folder of `fileName`. Throws InputErrors, with the
/// place of everything that is wrong.
OperationInput readOperationInput(const std::string& text, const std::string& fileName);

}  // namespace prophet
