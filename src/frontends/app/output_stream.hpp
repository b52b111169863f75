#pragma once

namespace prophet {

/// To be called before any file is opened: a standard stream that the process was started without (`>&-`)
/// would otherwise give its number to the next file, and what is printed would go there. Reading and writing
/// such a stream fails from now on.
void holdStandardStreams();

/// To be called at the end: writes out what is left and returns `status`, or kFailure with a sentence on
/// standard error where some text could not be written and the status would not tell.
int closeStandardStreams(int status);

}  // namespace prophet
