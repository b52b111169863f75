#pragma once
#include <string>

namespace prophet {

/// Says on standard error why the program ends with that status: "cudaprophet: error: TEXT". Errors of a
/// file, "PATH: error: ...", and of the command line bring their own beginning; what the system says of
/// threads that it does not start is explained.
void complain(int status, const std::string& text);

}  // namespace prophet
