#include "frontends/app/commands.hpp"

#include <algorithm>
#include <filesystem>

#include "core/common/text.hpp"
#include "frontends/app/operation_command.hpp"
#include "frontends/app/plot_command.hpp"

namespace prophet {
namespace {

constexpr const char* kBasisSummary = "show, export, compare and check basis sets of the library";

}  // namespace

std::vector<Command> commands() {
  std::vector<Command> list = {
      {"basis", kBasisSummary,
       [](const auto& arguments) { return operationGroup("basis", kBasisSummary, arguments); }},
      {"plot", kPlotSummary, plotCommand},
  };
  for (const Operation& o : operations()) {
    if (o.command.find(' ') != std::string::npos) continue;  // an action of a group
    list.push_back(
        {o.words(), o.summary, [&o](const auto& arguments) { return operationCommand(o, arguments); }});
  }
  std::sort(list.begin(), list.end(), [](const Command& a, const Command& b) { return a.name < b.name; });
  return list;
}

std::optional<Command> findCommand(const std::string& name) {
  for (Command& command : commands())
    if (command.name == name) return std::move(command);
  return std::nullopt;
}

bool looksLikeCommand(const std::string& word) {
  const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-'; };
  std::error_code none;
  return !word.empty() && word[0] != '-' && std::all_of(word.begin(), word.end(), isLetter) &&
         !std::filesystem::exists(word, none);
}

std::string unknownCommand(const std::string& word) {
  std::vector<std::string> names{"help"};
  for (const Command& command : commands()) names.push_back(command.name);
  const std::string nearest = nearestName(word, names);
  return "unknown command '" + word + "'" + (nearest.empty() ? "" : "; did you mean '" + nearest + "'?") +
         " ('cudaprophet help' lists the commands; the name of an input file ends in .inp)";
}

}  // namespace prophet
