#pragma once
#include "operations/catalogue/job_operation.hpp"

namespace prophet {

/// jobtype='chain': the smallest set of the atom of an input file within a threshold of its numerical limit.
/// Beside that file it keeps FILE.chain (what is finished, for `resume`) and FILE.best (the set as an input
/// block). `check` computes nothing. Throws RequestErrors for a stream, and Error if the state file belongs
/// to another run or the limit does not converge.
Record chainOfAtom(const AtomRequest& request, bool resume, bool check, const Execution& execution);

}  // namespace prophet
