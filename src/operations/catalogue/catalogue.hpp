#pragma once
#include "operations/catalogue/operation.hpp"

namespace prophet {

Operation madelungOperation();

}  // namespace prophet
