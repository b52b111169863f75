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

/// One value of an argument as the input language writes it; texts without their quotes.
struct ArgumentValue {
  bool isText = false;
  std::string written;
};

/// A keyword of the input language, given as an argument of a function.
struct KeywordArgument {
  std::string shown;  ///< what messages call it: the caller's name for it
  std::string
      group;  ///< of the input language; empty: the first one that has the keyword and that the job uses
  std::string keyword;  ///< name or alias
  std::vector<ArgumentValue> values;
};

/// Everything that makes a job.
struct KeywordJob {
  std::string label;  ///< stands for the name of the input file
  std::vector<KeywordArgument> arguments;
  std::vector<std::vector<double>> exponents;       ///< with bastype='rdin': of each symmetry
  std::vector<std::vector<double>> configurations;  ///< with nconf: a row for each configuration
};

/// The job that an input file with these keywords describes: same table, meanings, defaults and errors.
/// Throws RequestErrors with everything that is wrong under what messages call it.
/// Its text is that of such a file.
Job jobOf(const KeywordJob& request);

}  // namespace prophet
