#pragma once
#include <string>

namespace prophet {

/// From now on SIGINT (Ctrl-C) and SIGTERM end the process with a sentence on standard error and the exit
/// status 130 or 143. A signal that the process was told to ignore (nohup, a shell's background job) stays
/// ignored.
///
/// The process ends in the handler: every file that the program writes is whole at any moment, as it must be
/// for SIGKILL, so there is nothing to wait for.
void catchInterrupts();

/// While it lives, the sentence says how to go on, "cudaprophet a.inp --resume goes on from a.inp.bsopt",
/// say. One at a time.
class ResumeHint {
 public:
  explicit ResumeHint(const std::string& text);
  ~ResumeHint();
  ResumeHint(const ResumeHint&) = delete;
  ResumeHint& operator=(const ResumeHint&) = delete;
};

}  // namespace prophet
