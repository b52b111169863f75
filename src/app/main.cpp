#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "app/command_line.hpp"
#include "app/commands.hpp"
#include "app/exit_status.hpp"
#include "app/output_stream.hpp"
#include "app/print.hpp"
#include "app/run_command.hpp"
#include "app/signals.hpp"
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
    print(line.helpText);
  } else if (line.version) {
    print(std::string("cudaprophet ") + kVersion + "\n");
  } else if (line.explain) {
    print(explain(*line.explain));
  } else {
    return runCommand(line);
  }
  return kSuccess;
}

int statusOf(int argc, const char* const* argv) {
  try {
    return dispatch(argc, argv);
  } catch (const InputErrors& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return kBadInput;
  } catch (const UsageError& e) {
    std::fprintf(stderr, "cudaprophet: %s\n", e.what());
    return kBadInput;
  } catch (const std::bad_alloc&) {
    std::fputs(
        argc > 1 && findCommand(argv[1])
            ? "cudaprophet: error: not enough memory; allow more, use fewer --threads, or give less at once\n"
            : "cudaprophet: error: not enough memory; use fewer --threads, a smaller basis or fock='grid', "
              "or "
              "allow more memory\n",
        stderr);
    return kFailure;
  } catch (const std::exception& e) {
    std::fflush(stdout);
    std::fprintf(stderr, "cudaprophet: error: %s\n", e.what());
    return kFailure;
  }
}

}  // namespace
}  // namespace prophet

int main(int argc, char** argv) {
  using namespace prophet;
  holdStandardStreams();
  catchInterrupts();
  return closeStandardStreams(statusOf(argc, argv));
}
