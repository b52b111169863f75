#pragma once
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "atoms/service/batch_run.hpp"
#include "frontends/app/command_files.hpp"
#include "frontends/app/element_jobs.hpp"

namespace prophet {

/// Paths of a jobs file: one a line; blank lines and what follows a # (at the start or after a blank) are
/// left out. Throws UsageError for a line with a byte 0.
std::vector<std::string> readJobsList(std::istream& in);

/// One job that the command line asks for.
struct BatchTask {
  std::string id;                     ///< UTF-8
  std::string file;                   ///< the input file, unless it is
  std::optional<ElementJob> element;  ///< one of --elements
};

/// Makes a job ready. A file with errors, or one that asks for what a batch does not compute (another job
/// than an energy or a limit, stored integrals), becomes an item that fails alone with its reason. Throws
/// ResourceError where the machine lacks what reading it takes, UsageError where an output of `files` would
/// replace a file that the input names. `estimateError`: of its basis set, where it is not known.
BatchItem batchItem(const BatchTask& task, bool estimateError, const CommandFiles& files);

}  // namespace prophet
