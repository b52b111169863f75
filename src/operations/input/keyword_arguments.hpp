#pragma once
#include <string>
#include <vector>

#include "operations/input/job.hpp"

namespace prophet {

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
Job jobOf(const KeywordJob& request);

/// The text of that input file. Throws RequestErrors where an argument is no keyword.
std::string inputText(const KeywordJob& request);

}  // namespace prophet
