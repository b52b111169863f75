#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "atoms/atom/elements.hpp"
#include "frontends/app/commands.hpp"
#include "frontends/app/complain.hpp"
#include "frontends/app/exit_status.hpp"
#include "frontends/app/input_command.hpp"
#include "frontends/app/operation_command.hpp"
#include "frontends/app/output_stream.hpp"
#include "frontends/app/rank_command.hpp"
#include "frontends/app/signals.hpp"
#include "frontends/app/usage_error.hpp"
#include "operations/input/diagnostics.hpp"
#include "operations/input/settings.hpp"

namespace prophet {
namespace {

/// Whether a word is meant for an atom or ion, "Rn", "Fe2+", "86", perhaps with a mistake that the reader of
/// atoms can name: "Fe++", "210Rn", "Xx".
bool looksLikeAtom(const std::string& word) {
  if (word.empty() || word.front() == '-' || word.find('/') != std::string::npos || word.ends_with(".inp"))
    return false;
  if (parseReal(word)) return true;
  const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto end = std::ranges::find_if_not(word, isLetter);
  const std::string symbol(word.begin(), end), rest(end, word.end());
  if (symbol.empty())
    return word.front() >= '0' && word.front() <= '9' && word.find('.') == std::string::npos;
  if (elementOf(symbol)) return !rest.starts_with(".") && !rest.starts_with("_");
  return rest.empty() && symbol.size() <= 2 && word.front() >= 'A' && word.front() <= 'Z';
}

/// `cudaprophet help` and `cudaprophet help COMMAND [ACTION]`: the same as with --help at the end.
int help(std::vector<std::string> words) {
  if (words.empty() || words.front() == "--help" || words.front() == "-h") return inputCommand({"--help"});
  const auto command = findCommand(words.front());
  if (!command) throw UsageError(unknownCommand(words.front()));
  words.push_back("--help");
  return command->run({words.begin() + 1, words.end()});
}

int dispatch(int argc, const char* const* argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty()) {
    if (words.front() == "help") return help({words.begin() + 1, words.end()});
    if (const auto command = findCommand(words.front()))
      return command->run({words.begin() + 1, words.end()});
    std::error_code none;
    if (looksLikeAtom(words.front()) && !std::filesystem::exists(words.front(), none))
      return operationCommand(*findOperation("energy"), words);
    if (looksLikeCommand(words.front())) throw UsageError(unknownCommand(words.front()));
  }
  return inputCommand(words);
}

int statusOf(int argc, const char* const* argv) {
  try {
    return dispatch(argc, argv);
  } catch (const InputErrors& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return kBadInput;
  } catch (const UsageError& e) {
    complain(kBadInput, e.what());
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
    const int status = prophet::statusOf(std::current_exception());
    complain(status, e.what());
    return status;
  }
}

}  // namespace
}  // namespace prophet

int main(int argc, char** argv) {
  using namespace prophet;
  holdStandardStreams();
  std::signal(SIGXFSZ,
              SIG_IGN);  // a file that may not grow is an error to be told, not an end without a word
  catchInterrupts();
  return closeStandardStreams(statusOf(argc, argv));
}
