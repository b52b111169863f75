#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet basis audit FILE-or-NAME...`; `arguments` are what follows these words.
int auditCommand(const std::vector<std::string>& arguments);

}  // namespace prophet
