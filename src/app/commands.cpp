#include "app/commands.hpp"

namespace prophet {

const std::vector<Command>& commands() {
  static const std::vector<Command> list = {
      // {"batch", "energies of many input files at once", batchCommand},
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
