#pragma once
#include <memory>
#include <string>
#include <utility>

#include "operations/jobs/resolve.hpp"

namespace prophet {

/// FILE and ID of FILE:ID, the name of a result in a file of several; no ID where all of it names a file.
std::pair<std::string, std::string> resultFileAndId(const std::string& name);

/// Spinors to start from, and where they come from in words.
struct Restart {
  std::shared_ptr<const StartSpinors> spinors;
  std::string description;
};

/// The spinors that a result file holds, for a job in a basis: those of the same occupied spinors in any
/// basis, also of another element or nucleus. `name`: the file, or FILE:ID for one result of several. Throws
/// SettingError ("restart") for a result that does not serve, Error for a file that cannot be read.
Restart restartFrom(const std::string& name, const ResolvedJob& job);

}  // namespace prophet
