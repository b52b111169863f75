#pragma once
#include <string>
#include <vector>

#include "operations/input/diagnostics.hpp"
#include "operations/input/job.hpp"
#include "operations/input/namelist.hpp"

namespace prophet {

/// Reads the text of an input file. `fileName` is only for messages and Job::file. Throws InputErrors with
/// all errors of the file at once. What needs data of other modules is left to the caller: whether the
/// library has the element (basisType Library), its nuclear model where nuclearModelGiven is false, default
/// nuclear parameters (makeNucleus) and the default configuration (configuration.groundState).
Job parseJob(const std::string& text, const std::string& fileName);

/// The same of its groups, which are read already; `diagnostics` has what was wrong with them. The job's text
/// stays empty.
Job jobOf(const NamelistFile& file, Diagnostics diagnostics, const std::string& fileName);

/// The text of an input file; the name must end in ".inp". Throws Error if it cannot be read or is none.
std::string readInputText(const std::string& path);

/// The job of such a file. Throws Error as readInputText, InputErrors for what is wrong in it.
Job readJobFile(const std::string& path);

}  // namespace prophet
