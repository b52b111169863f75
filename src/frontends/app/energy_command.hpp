#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet energy ATOM ...` and `cudaprophet limit ATOM ...`: a job without an input file. Return the
/// exit status; throw UsageError, Error.
int energyCommand(const std::vector<std::string>& arguments);
int limitCommand(const std::vector<std::string>& arguments);

/// Whether a word names an atom or ion: "Rn", "Fe2+", "86".
bool looksLikeAtom(const std::string& word);

}  // namespace prophet
