#include <cstdio>
#include <exception>
#include <string>

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/exit_status.hpp"
#include "app/run_command.hpp"
#include "app/usage_error.hpp"
#include "common/version.hpp"
#include "input/diagnostics.hpp"
#include "input/explain.hpp"

namespace prophet {
namespace {

std::string explain(const std::string& group) {
  try {
    return explainGroup(group);
  } catch (const Error& e) {
    throw UsageError(e.what());
  }
}

int dispatch(int argc, const char* const* argv) {
  if (argc > 1) {
    if (const Command* command = findCommand(argv[1])) return command->run({argv + 2, argv + argc});
  }
  const CommandLine line = parseCommandLine(argc, argv);
  if (line.help) {
    std::fputs(line.helpText.c_str(), stdout);
  } else if (line.version) {
    std::printf("cudaprophet %s\n", kVersion);
  } else if (line.explain) {
    std::fputs(explain(*line.explain).c_str(), stdout);
  } else {
    return runCommand(line);
  }
  return kSuccess;
}

}  // namespace
}  // namespace prophet

int main(int argc, char** argv) {
  using namespace prophet;
  try {
    return dispatch(argc, argv);
  } catch (const InputErrors& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return kBadInput;
  } catch (const UsageError& e) {
    std::fprintf(stderr, "cudaprophet: %s\n", e.what());
    return kBadInput;
  } catch (const std::exception& e) {
    std::fflush(stdout);
    std::fprintf(stderr, "cudaprophet: error: %s\n", e.what());
    return kFailure;
  }
}
