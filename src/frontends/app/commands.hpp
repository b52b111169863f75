#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace prophet {

/// A command with a name, `cudaprophet NAME ...`; without one an input file is run.
struct Command {
  std::string name;
  std::string summary;  ///< one line for --help
  /// Runs it with the arguments after the name and returns the exit status. Throws UsageError for wrong
  /// arguments, Error if the work cannot be done.
  std::function<int(const std::vector<std::string>& arguments)> run;
};

/// All commands and operations by name.
std::vector<Command> commands();

/// The command of that name; empty if there is none.
std::optional<Command> findCommand(const std::string& name);

/// Whether a word can only be meant as a command: letters, and no file of that name.
bool looksLikeCommand(const std::string& word);

/// What is wrong with a word that no command has, with the nearest that there is.
std::string unknownCommand(const std::string& word);

}  // namespace prophet
