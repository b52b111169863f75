#pragma once
#include <string>
#include <vector>

namespace prophet {

/// `cudaprophet basis show ELEMENT`, `basis export ELEMENTS --format F` and `basis compare A B`: what the
/// library holds.
int basisCommand(const std::vector<std::string>& arguments);

}  // namespace prophet
