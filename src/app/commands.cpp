#include "app/commands.hpp"

#include "app/chain_command.hpp"

namespace prophet {

const std::vector<Command>& commands() {
  static const std::vector<Command> list = {
      {"chain", "smallest basis sets of elements within a threshold", chainCommand},
  };
  return list;
}

const Command* findCommand(const std::string& name) {
  for (const Command& command : commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

}  // namespace prophet
