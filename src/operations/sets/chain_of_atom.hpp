#pragma once
#include "operations/catalogue/job_operation.hpp"

namespace prophet {

/// jobtype='chain': the smallest set of the atom of an input file within a threshold of its numerical limit.
/// It keeps NAME.chain (what is finished, for `resume`) and NAME.best (the set as an input block), where NAME
/// is `state` or else the input file's; a job that is handed over as an object needs neither. `check`
/// computes nothing. Throws RequestErrors for a stream, and Error if the state file belongs to another run or
/// the limit does not converge.
Record chainOfAtom(const AtomRequest& request, const std::string& state, bool resume, bool check,
                   const Execution& execution);

}  // namespace prophet
