#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "atoms/atom/elements.hpp"
#include "atoms/atom/species.hpp"
#include "core/common/failure.hpp"
#include "core/common/text.hpp"
#include "core/common/version.hpp"
#include "frontends/app/commands.hpp"
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

bool isOfLetters(const std::string& word) { return std::ranges::all_of(word, isLetter); }

/// Whether the first word names a file, not an atom, which may have mistakes that the reader of atoms can
/// name: "Fe++", "210Rn", "iron".
bool namesFile(const std::string& word) {
  std::error_code none;
  if (word == "-" || word.find('/') != std::string::npos || word.ends_with(".inp") ||
      std::filesystem::exists(word, none))
    return true;
  if (parseReal(word)) return false;
  const auto end = std::ranges::find_if_not(word, isLetter);
  const std::string rest(end, word.end());
  if (elementOf(std::string(word.begin(), end))) return rest.starts_with(".") || rest.starts_with("_");
  return rest.find('.') != std::string::npos;
}

/// The energy of the atom that the first word names.
int atomCommand(const std::vector<std::string>& words) {
  const Operation& energy = *findOperation("energy");
  const std::string& word = words.front();
  if (isOfLetters(word) && !elementOf(word)) {
    if (const std::string text = unknownCommand(word); text.find("did you mean") != std::string::npos)
      throw UsageError(text);
    try {
      parseSpecies(word);
    } catch (const Error& e) {
      throw UsageError(inShell(energy, e.what()) + " ('cudaprophet help' lists the commands)");
    }
  }
  return operationCommand(energy, words);
}

/// What somebody sees who types the program's name alone.
std::string orientation() {
  return "CUDAProphet " + std::string(kVersion) +
         ": relativistic electronic structure of atoms and ions\n"
         "\n"
         "  cudaprophet Rn                              the energy of an atom, with its error\n"
         "  cudaprophet levels C                        its levels beside those of experiment\n"
         "  cudaprophet batch --elements 1-118          energies of many atoms as a table\n"
         "\n"
         "  cudaprophet help                            all commands\n"
         "  cudaprophet COMMAND -h                      what a command does, with examples\n"
         "  cudaprophet FILE.inp                        a job that an input file describes\n"
         "\n"
         "The documents begin with docs/index.md of the program's folder; 'man cudaprophet' has every "
         "option.\n"
         "Expected an atom, a command or an input file.\n";
}

/// `cudaprophet help` and `cudaprophet help COMMAND [ACTION]`: the same as with --help at the end.
int help(std::vector<std::string> words) {
  if (words.empty() || words.front() == "all" || words.front() == "--help" || words.front() == "-h") {
    words.push_back("--help");
    return inputCommand(words);
  }
  const auto command = findCommand(words.front());
  if (!command) throw UsageError(unknownCommand(words.front()));
  const bool all = words.size() > 1 && words.back() == "all";
  words.insert(all ? words.end() - 1 : words.end(), "--help");
  return command->run({words.begin() + 1, words.end()});
}

int dispatch(int argc, const char* const* argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty()) {
    std::fputs(orientation().c_str(), stderr);
    return kBadInput;
  }
  if (words.front() == "help") return help({words.begin() + 1, words.end()});
  if (words.front() == "explain") {
    std::vector<std::string> rest = words;
    rest.front() = "--explain";
    return inputCommand(rest);
  }
  if (const auto command = findCommand(words.front())) return command->run({words.begin() + 1, words.end()});
  if (!words.front().starts_with("-") && !words.front().empty() && !namesFile(words.front()))
    return atomCommand(words);
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
    const int status = exitStatusOf(std::current_exception());
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
